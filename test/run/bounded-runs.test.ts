import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readDocument, readResult } from '../../report/document/documents.ts';
import { runCli, temporaryFolder } from '../cli/run-cli.ts';
import { countingWork } from '../clock.ts';

const TOKEN = 'rt1:late-dependent-orphan:PJmnxpCB:ATAoAQAdB7AiA8AQA7A4AiApASANAW:WTIT:6DP8';
const MEGABYTES = 10_000;

async function storedResult(): Promise<string> {
  const file = join(temporaryFolder(), 'result.json');
  const question = ['late-dependent-orphan', '--property', 'orphans-survive'];
  await runCli(['check', ...question, '--format', 'json', '--output', file]);
  return file;
}

/** The process takes so many bytes less than with what a command looks at its memory. */
function takingAllBut(bytes: number): void {
  const taken = vi.spyOn(process.memoryUsage, 'rss');
  taken.mockReturnValue(1.1e6 * MEGABYTES - bytes);
  onTestFinished(() => void taken.mockRestore());
}

it.each([
  ['export', [TOKEN, '--to', 'kubectl'], 'the run'],
  ['replay', [TOKEN], 'the run'],
  ['replay', null, 'the runs of'],
])('%s %s ends within its limit while it executes %s', async (command, words, what) => {
  const line = [command, ...(words ?? [await storedResult()]), '--timeout', '9'];
  expect(await runCli(line)).toMatchObject({ code: 0 });
  countingWork(150);
  const { code, stderr } = await runCli(line);
  expect(stderr).toMatch(`the time of 9 seconds was up while executing ${what}`);
  expect(code).toBe(3);
});

it.each([
  [0.5, 'reading'],
  [3, 'rendering'],
])('render begins nothing that the memory has no room for: %s of the text', async (part, doing) => {
  const text = readFileSync(await storedResult(), 'utf8').padEnd(4e6);
  takingAllBut(part * text.length);
  const stdin = [Buffer.from(text)];
  const line = ['render', '-', '--format', 'html', '--memory', `${MEGABYTES}`];
  const { code, stderr } = await runCli(line, { stdin });
  expect(stderr).toMatch(`the memory of ${MEGABYTES} MB was used up while ${doing} <stdin>`);
  expect(code).toBe(3);
});

it.each([readDocument, readResult])(
  'a document is validated if there is room for a copy',
  (read) => {
    const source = { file: 'result.json', text: '{"schema": "unknown"}' };
    const look = vi.fn();
    expect(() => read(source, look)).toThrow('is unknown');
    expect(look).toHaveBeenLastCalledWith('validating result.json', source.text.length);
  },
);

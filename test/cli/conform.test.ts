import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectError, runCli } from './run-cli.ts';

const FACTS = new URL('../../conformance/facts/data/', import.meta.url).pathname;

type Case = Record<string, unknown> & { readonly id: string };

function casesOf(area: string): readonly Case[] {
  return JSON.parse(readFileSync(join(FACTS, `${area}.json`), 'utf8')) as readonly Case[];
}

function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'facts-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}

/** The eight cases of one area, the first of which demands something wrong. */
function withOneWrong(): string {
  const [first, ...rest] = casesOf('alternate-owner');
  return JSON.stringify([{ ...first, expect: { alternate: null } }, ...rest]);
}

describe('conform facts', () => {
  it('judges files and folders, a line for each area', async () => {
    const path = folder({
      'a.json': JSON.stringify(casesOf('graph-events')),
      'notes.md': 'not read',
    });
    const { code, stdout } = await runCli(['conform', 'facts', path, `${FACTS}discovery.json`]);
    expect(stdout).toBe(
      [
        'graph-events  2 passed, 0 failed, 0 unsupported',
        'discovery     3 passed, 0 failed, 0 unsupported',
        '',
        '1 case about later releases, judged by the newest value of each rule',
        '5 cases for v1.20: 5 passed, 0 failed, 0 unsupported',
        '',
      ].join('\n'),
    );
    expect(code).toBe(0);
  });

  it('judges the published facts where no path is given', async () => {
    const { code, stdout } = await runCli(['conform', 'facts'], {
      onListen: (interrupt) => interrupt(),
    });
    expect(stdout).toContain('interrupted: 181 cases left');
    expect(stdout).toContain('alternate-owner  1 passed, 0 failed');
    expect(code).toBe(130);
  });

  it('shows step, demand, what the model gave and what decides it', async () => {
    const { code, stdout } = await runCli(['conform', 'facts', '-'], { stdin: withOneWrong() });
    expect(code).toBe(1);
    expect(stdout).toContain('alternate-owner  7 passed, 1 failed, 0 unsupported');
    expect(stdout).toContain('at the end: alternate, decided by getAlternateOwnerIdentity');
    expect(stdout).toMatch(/expected {2}null\n {2}got {7}\{ "apiVersion": "xx"/);
  });

  it('counts what it cannot judge, and never as passed', async () => {
    const [first, second] = casesOf('alternate-owner');
    const strange = [{ ...first, kind: 'unheard-of' }, { ...second, unheardOf: 1 }, 17, {}];
    const stdin = JSON.stringify(strange);
    const { code, stdout } = await runCli(['conform', 'facts', '-'], { stdin });
    expect(code).toBe(3);
    expect(stdout).toContain('0 passed, 0 failed, 4 unsupported');
    expect(stdout).toContain('no interpreter reads unheard-of');
  });

  it('prints the same as JSON', async () => {
    const words = ['conform', 'facts', '-', '--format', 'json', '--protocol', 'v1.20'];
    const { code, stdout } = await runCli(words, { stdin: withOneWrong() });
    const report = JSON.parse(stdout) as Record<string, unknown>;
    expect(code).toBe(1);
    expect(report).toMatchObject({
      schema: 'reapcheck.facts/v1',
      protocol: 'v1.20',
      total: { passed: 7, failed: 1, unsupported: 0, inconclusive: 0 },
      exitCode: 1,
    });
    expect(report.cases).toHaveLength(8);
  });

  it('stops at Ctrl-C and tells what is left', async () => {
    const words = ['conform', 'facts', `${FACTS}gc-trace.json`];
    const { code, stdout } = await runCli(words, { onListen: (interrupt) => interrupt() });
    expect(code).toBe(130);
    expect(stdout).toContain('interrupted: 8 cases left');
  });

  it('escapes what comes from files', async () => {
    const [first] = casesOf('alternate-owner');
    const stdin = JSON.stringify([{ ...first, title: 'a\u001b[31m', expect: { alternate: null } }]);
    const { stdout } = await runCli(['conform', 'facts', '-'], { stdin });
    expect(stdout).toContain('a\\x1b[31m');
    expect(stdout).not.toContain('\u001b');
  });

  it('harmless keys stay harmless', async () => {
    const stdin = '[{"__proto__": {"id": "x"}, "constructor": 1, "kind": "toString"}]';
    const { code, stdout } = await runCli(['conform', 'facts', '-'], { stdin });
    expect(code).toBe(3);
    expect(stdout).toContain('1 unsupported');
  });
});

describe('wrong input of conform facts', () => {
  it('a folder without cases', async () => {
    const path = folder({ 'empty.json': '[]', 'notes.md': '' });
    mkdirSync(join(path, 'deeper'));
    expectError(await runCli(['conform', 'facts', path]), `there are no cases in ${path}`);
  });

  it('what is not a list of cases', async () => {
    const path = folder({ 'object.json': '{\n "a": 1}' });
    const outcome = await runCli(['conform', 'facts', path]);
    expectError(outcome, 'this is not a list of cases', 'object.json:1:1');
  });

  it('broken JSON, with its place', async () => {
    const path = folder({ 'broken.json': '[\n  {]' });
    const outcome = await runCli(['conform', 'facts', path]);
    expectError(outcome, 'not valid JSON', 'broken.json:2:4');
  });

  it('one id twice', async () => {
    const file = `${FACTS}graph-events.json`;
    const outcome = await runCli(['conform', 'facts', file, file]);
    expectError(outcome, 'two cases with the id "graph-events-1"');
  });

  it('no such file, protocol or judge', async () => {
    expectError(await runCli(['conform', 'facts', '/nowhere']), 'there is no file /nowhere');
    const file = `${FACTS}graph-events.json`;
    const protocol = await runCli(['conform', 'facts', file, '--protocol', 'v1.2']);
    expectError(protocol, 'there is no protocol "v1.2"');
    expectError(await runCli(['conform', 'fact', file]), 'does not know "fact"', /facts/);
  });

  it('more than the limit', async () => {
    const words = ['conform', 'facts', '-', '--max-input', '0.001'];
    const outcome = await runCli(words, { stdin: `[${' '.repeat(2000)}]` });
    expectError(outcome, 'larger than the limit');
  });
});

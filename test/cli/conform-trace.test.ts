import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordedScenarios } from '../conformance/recorded-traces.ts';
import { expectError, golden, runCli, temporaryFile, temporaryFolder } from './run-cli.ts';

interface Request {
  readonly actor: string;
  readonly verb: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface Recording {
  readonly name: string;
  readonly runs: readonly { readonly requests: readonly Request[] }[];
}

/** The first run of a recorded scenario. */
function recorded(name: string): Recording {
  const recording = recordedScenarios()[name] as Recording;
  return { ...recording, runs: recording.runs.slice(0, 1) };
}

function withRequests(
  recording: Recording,
  change: (request: Request) => unknown,
): Readonly<Record<string, unknown>> {
  const runs = recording.runs.map((run) => ({ ...run, requests: run.requests.map(change) }));
  return { ...recording, runs };
}

/** The same, but the collector deletes in the background what it has deleted in the foreground. */
function inBackground(): string {
  const corrupted = withRequests(recorded('f-diamond-full-fg'), (request) =>
    request.actor === 'gc' && request.body?.propagationPolicy === 'Foreground'
      ? { ...request, body: { ...request.body, propagationPolicy: 'Background' } }
      : request,
  );
  return JSON.stringify(corrupted);
}

/** With UPDATE_GOLDEN=1 written anew. How much was tried is no part of what is said. */
function expectGolden(name: string, printed: string): void {
  const text = printed.replaceAll(/\b[\d,]+ states? tried/g, 'N states tried');
  const file = golden(name);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
  expect(existsSync(file), `${file} is missing`).toBe(true);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

describe('conform trace', () => {
  it('accepts what a real control plane did', async () => {
    const stdin = JSON.stringify(recorded('f-diamond-full-fg'));
    const { code, stdout, stderr } = await runCli(['conform', 'trace', '-'], { stdin });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^accepted {6}f-diamond-full-fg run 1: \d+ requests, /);
    expect(stdout).toMatch(/\n1 of 1 trace accepted by v1\.20\n$/);
    expect(code).toBe(0);
  });

  it('rejects what the model does not do, and says how far it got and what differs', async () => {
    const path = temporaryFile('corrupted.json', inBackground());
    const { code, stdout } = await runCli(['conform', 'trace', path]);
    expectGolden('conform-trace-rejected.txt', stdout.replaceAll(path, 'corrupted.json'));
    expect(code).toBe(1);
  });

  it('prints the same as JSON', async () => {
    const words = ['conform', 'trace', '-', '--format', 'json'];
    const { code, stdout } = await runCli(words, { stdin: inBackground() });
    const report = JSON.parse(stdout) as { readonly traces: readonly unknown[] };
    expect(report).toMatchObject({ schema: 'reapcheck.traces/v1', partial: false, exitCode: 1 });
    expect(report.traces).toMatchObject([{ verdict: 'rejected', failure: { misfits: [{}] } }]);
    expect(code).toBe(1);
  });

  it('stops at Ctrl-C and tells what is left', async () => {
    const stdin = JSON.stringify({
      ...recorded('f-diamond-full-fg'),
      runs: [...recorded('f-diamond-full-fg').runs, ...recorded('f-diamond-full-fg').runs],
    });
    const { code, stdout } = await runCli(['conform', 'trace', '-'], {
      stdin,
      onListen: (interrupt) => interrupt(),
    });
    expect(stdout).toContain('interrupted: 1 trace left');
    expect(code).toBe(130);
  });
});

describe('wrong input of conform trace', () => {
  it('what is no log', async () => {
    const path = temporaryFile('object.json', '{"apiVersion": "v1", "kind": "ConfigMap"}');
    const outcome = await runCli(['conform', 'trace', path]);
    expectError(outcome, 'neither a recording, nor an audit log', 'object.json:1');
  });

  it('a field that is given twice on one line of a log', async () => {
    const event = '{"type": "ADDED", "object": {"metadata": {"name": "a", "name": "b"}}}';
    const stdin = `{"type": "ADDED", "object": {}}\n\n${event}\n`;
    const outcome = await runCli(['conform', 'trace', '-'], { stdin });
    expectError(
      outcome,
      'the field "name" is given twice',
      `:3:${event.lastIndexOf('"name"') + 1}`,
    );
  });

  it('a verb that no request has', async () => {
    const strange = withRequests(recorded('d-orphan-no-deps'), (request) => ({
      ...request,
      verb: 'abolish',
    }));
    const outcome = await runCli(['conform', 'trace', '-'], { stdin: JSON.stringify(strange) });
    expectError(outcome, 'runs[0].requests[0].verb is "abolish"', 'expected: create or update');
  });

  it('an empty log, a folder without any, no such file', async () => {
    expectError(await runCli(['conform', 'trace', '-'], { stdin: '' }), 'the trace is empty');
    expectError(await runCli(['conform', 'trace', temporaryFolder()]), 'there are no traces in');
    expectError(await runCli(['conform', 'trace', '/nowhere']), 'there is no file /nowhere');
    expectError(await runCli(['conform', 'trace']), 'a path is missing');
  });
});

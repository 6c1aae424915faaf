import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countingClock } from '../clock.ts';
import { auditText, type Level } from '../conformance/audit-lines.ts';
import { recordedScenarios, tracesOf } from '../conformance/recorded-traces.ts';
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

  it.each([
    { when: 'after a trace that is short', milliseconds: 0.001, left: '1 trace' },
    { when: 'within a trace that takes long', milliseconds: 50, left: '2 traces' },
  ])('stops at Ctrl-C $when, and tells what is left', async ({ milliseconds, left }) => {
    countingClock(milliseconds);
    const stdin = JSON.stringify({
      ...recorded('f-diamond-full-fg'),
      runs: [...recorded('f-diamond-full-fg').runs, ...recorded('f-diamond-full-fg').runs],
    });
    const { code, stdout } = await runCli(['conform', 'trace', '-', '--timeout', '100000'], {
      stdin,
      onListen: (interrupt) => interrupt(),
    });
    expect(stdout).toContain(`interrupted: ${left} left`);
    expect(code).toBe(130);
  });
});

/** The audit log of a recorded run at a level. */
function auditLog(name: string, level: Level): string {
  const [trace] = tracesOf(name, recorded(name));
  return auditText(trace!, () => level);
}

/** An event of alice at level Metadata, a second after the one before. */
function bareEvent(second: number, verb: string, code: number, status?: string): string {
  return JSON.stringify({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: `event-${second}`,
    stage: 'ResponseComplete',
    requestURI: '/api/v1/namespaces/shop/configmaps/a',
    verb,
    user: { username: 'alice' },
    objectRef: { resource: 'configmaps', namespace: 'shop', name: 'a', apiVersion: 'v1' },
    responseStatus: { metadata: {}, code, ...(status === undefined ? {} : { status }) },
    requestReceivedTimestamp: `2026-01-01T00:00:0${second}.000000Z`,
    stageTimestamp: `2026-01-01T00:00:0${second}.500000Z`,
  });
}

describe('conform trace --partial on logs without bodies', () => {
  const partial = ['conform', 'trace', '--partial', '-'];

  it.each(['Metadata', 'Request'] as const)('accepts %s, and says what was open', async (level) => {
    const stdin = auditLog('f-diamond-full-fg', level);
    const { code, stdout } = await runCli(partial, { stdin });
    expectGolden(`conform-trace-${level.toLowerCase()}.txt`, stdout);
    expect(code).toBe(0);
  });

  it('names --partial if it is not given', async () => {
    const stdin = auditLog('f-diamond-full-fg', 'Metadata');
    const outcome = await runCli(['conform', 'trace', '-'], { stdin });
    expectError(outcome, 'does not show the bodies of requests', 'conform trace --partial');
  });

  it('rejects a GET that finds what has gone', async () => {
    const events = [bareEvent(1, 'get', 404), bareEvent(2, 'get', 200), bareEvent(3, 'patch', 200)];
    const { code, stdout } = await runCli(partial, { stdin: events.join('\n') });
    expectGolden('conform-trace-metadata-rejected.txt', stdout);
    expect(code).toBe(1);
  });

  it('is not green if a DELETE must have been a dry run', async () => {
    const events = [bareEvent(1, 'delete', 200, 'Success'), bareEvent(2, 'get', 200)];
    const { code, stdout } = await runCli(partial, { stdin: events.join('\n') });
    expect(stdout).toContain('explained only if a DELETE was a dry run (for 1 object)');
    expect(code).not.toBe(0);
    const json = await runCli([...partial, '--format', 'json'], { stdin: events.join('\n') });
    expect(JSON.parse(json.stdout).traces).toMatchObject([
      { verdict: 'inconclusive', open: { level: 'Metadata', requests: 2, bodies: 1, dryRuns: 1 } },
    ]);
  });

  it('takes the stages of a request as one, and a panic as open', async () => {
    const last = JSON.parse(bareEvent(2, 'delete', 500)) as object;
    const events = [
      bareEvent(1, 'get', 200),
      JSON.stringify({ ...last, stage: 'RequestReceived' }),
      JSON.stringify({ ...last, stage: 'Panic' }),
      bareEvent(3, 'get', 404),
    ];
    const { code, stdout } = await runCli(partial, { stdin: events.join('\n') });
    expect(stdout).toContain('3 requests');
    expect(code).toBe(0);
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

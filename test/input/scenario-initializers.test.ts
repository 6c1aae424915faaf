import { describe, expect, it } from 'vitest';
import { expectError, type Outcome, runCli, temporaryFile } from '../cli/run-cli.ts';

/** What only some protocols know is refused where it would not be looked at. */

const GOOD = `about: a test
protocol: gc-proposal
objects:
  - apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, generation: 2}
    status: {observedGeneration: 1}
requests:
  - create:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: a, initializers: {pending: [{name: quota.example.com}]}}
  - delete: Deployment/web
    orphanDependents: true
environment:
  initializers: {quota.example.com: rejecting}
  observedGeneration: stuck
`;

function changed(from: string | RegExp, to: string): Promise<Outcome> {
  expect(GOOD).toMatch(from);
  return runCli(['check', temporaryFile('input.yaml', GOOD.replace(from, to))]);
}

describe('initializers and observed generations', () => {
  it('are said to be part of what the verdicts rest on', async () => {
    const { code, stdout } = await changed(/^/, '');
    expect(code).toBe(1);
    expect(stdout).toMatch(/no\s+controller\s+acknowledges\s+them/);
    expect(stdout).toMatch(/These initializers reject objects: quota\.example\.com/);
    expect(stdout).toMatch(/VIOLATED +orphaning completes/);
  });

  it('controllers acknowledge generations unless said otherwise', async () => {
    const { code, stdout } = await changed('observedGeneration: stuck', 'caches: synced');
    expect(code).toBe(0);
    expect(stdout).toMatch(/controllers\s+of\s+workloads\s+acknowledge/);
  });

  it('may be there for a protocol that the command line gives, which replaces the rules', async () => {
    const unknown = GOOD.replace('protocol: gc-proposal', 'rules: {cycleBreaking: none}');
    const file = temporaryFile('input.yaml', unknown);
    const { stdout } = await runCli(['check', file, '--protocol', 'gc-proposal']);
    expect(stdout).toMatch(/These initializers reject objects: quota\.example\.com/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('rules of the file: cycleBreaking=none.');
    expectError(await runCli(['check', file, '--protocol', 'newest']), /does not have/);
    expectError(await runCli(['check', file]), /does not have/);
  });

  it.each([
    ['protocol: gc-proposal', 'protocol: v1.20', /does not have/, /requests\[0\]\.create/],
    [
      '{quota.example.com: rejecting}',
      '{quot.example.com: stuck}',
      /no object has/,
      /did you mean/,
    ],
    ['rejecting', 'failing', /quota\.example\.com"\] is "failing"/, /stuck/],
    ['[{name: quota.example.com}]', '[quota.example.com]', /pending\[0\]/, /input\.yaml:12/],
    [
      'metadata: {name: web,',
      'metadata: {name: web, initializers: {result: {status: Failure}},',
      /cannot exist at the start/,
      /objects\[0\]\.metadata/,
    ],
    [
      /protocol: gc-proposal/,
      'protocol: gc-proposal\nrules: {observedGeneration: ignored}',
      /nothing waits for observedGeneration/,
      /environment\.observedGeneration/,
    ],
  ])('%s -> %s is refused', async (from, to, what, where) => {
    const outcome = await changed(from, to);
    expectError(outcome, what, where);
  });
});

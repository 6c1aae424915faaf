import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MUSEUM_FIELDS } from '../../input/scenarios/museum.ts';
import { documentOf, expectError, runCli, temporaryFile } from '../cli/run-cli.ts';

const DOCUMENT = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/scenarios.md');
const text = readFileSync(DOCUMENT, 'utf8');
const EXAMPLE = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)]
  .map(([, block]) => block ?? '')
  .find((block) => block.includes('museum:'))!;

function checkEntry(from: string | RegExp, to: string, ...options: readonly string[]) {
  expect(EXAMPLE).toMatch(from);
  const file = temporaryFile('entry.yaml', EXAMPLE.replace(from, to));
  return runCli(['check', file, ...options]);
}

describe('an entry of the museum', () => {
  it('is checked on both sides, in one line', async () => {
    const { code, stdout } = await checkEntry(/$/, '');
    expect(stdout).toMatch(/^ok .*entry\.yaml +violated in \d+ steps +holds +\d+ \/ \d+$/m);
    expect(stdout).toContain('2 of 2 checks as expected');
    expect(code).toBe(0);
  });

  it.each([
    [/length: \d+/, 'length: 3', /length of the counterexample to .*: expected 3, found \d+/],
    [/before:\n {2}rules: .*/, 'before:', /expected violated, found (holds|vacuous)/],
    ['ConfigMap/b + finalizer', 'ConfigMap/c + finalizer', /not show, in this order: ConfigMap\/c/],
    [/( {4}- "ConfigMap\/b.*\n)( {4}- .*\n)/, '$2$1', /in this order: ConfigMap\/b \+ finalizer/],
  ])('is judged by all that it says: %s', async (from, to, unexpected) => {
    const { code, stdout } = await checkEntry(from, to);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(unexpected);
    expect(code).toBe(1);
  });

  it.each([
    [
      /property: .*/,
      'property: nothing is stuk',
      /no property "nothing is stuk"/,
      /museum\.property/,
    ],
    ['kind: defect', 'kind: bug', /museum\.kind is "bug"/, /defect or limitation or control/],
    [/after:[\s\S]*/, '', /after is missing/, /entry\.yaml/],
    [/length: \d+/, 'lenght: 3', /unknown field "lenght"/, /did you mean "length"\?/],
    [
      'cycleBreaking: none',
      'cycleBreaking: no',
      /no value "no"/,
      /:\d+:\d+, before\.rules\.cycleBr/,
    ],
    [
      /finishes: holds/,
      'finishes: vacuous',
      /the variant after must expect .* to be holds/,
      /after\.expect\.verdicts/,
    ],
    [/before:/, 'expect: {states: 3}\nbefore:', /must not have expect at the top/, /, expect/],
    [
      /before:/,
      'before:\n  environment: {relists: {Pod: 1}}',
      /no object/,
      /before\.environment\.re/,
    ],
  ])('is refused where it is wrong: %s -> %s', async (from, to, ...parts) => {
    expectError(await checkEntry(from, to), ...parts);
  });

  it('has each of its fields documented', () => {
    expect(MUSEUM_FIELDS.filter((field) => !text.includes(`\`${field}`))).toEqual([]);
  });
});

describe('--museum', () => {
  it('takes ids, and says which side of which entry each check is', async () => {
    const { checks } = await documentOf(['--museum', 'K8S-77081']);
    expect(checks.map(({ title }) => title)).toEqual(['K8S-77081, before', 'K8S-77081, after']);
    expect(checks.map(({ museum }) => museum?.variant)).toEqual(['before', 'after']);
  });

  it('shows the counterexample with --traces', async () => {
    const { stdout } = await runCli(['check', '--museum', 'K8S-77081', '--traces']);
    expect(stdout).toContain('Counterexample to "no collector finalizer is stuck"');
  });

  it('counts verdicts where another property is asked for', async () => {
    const words = ['check', '--museum', 'K8S-77081', '--property', 'nothing is stuck'];
    expect((await runCli(words)).stdout).toMatch(/K8S-77081 +1 violated +1 holds/);
  });

  it('refuses what is no entry, and what does not go with it', async () => {
    expectError(
      await runCli(['check', '--museum', 'K8S-7708']),
      /no entry "K8S-7708"/,
      /K8S-77081/,
    );
    expectError(
      await runCli(['check', '--museum', '--delete', 'cm/a']),
      /cannot be combined with --delete/,
    );
    expectError(await runCli(['check', 'K8S-77081']), /no built-in scenario/);
  });

  it('is listed', async () => {
    const { stdout } = await runCli(['list', 'museum', '--format', 'json']);
    const entries = JSON.parse(stdout) as readonly { id: string; facts: readonly string[] }[];
    expect(entries.find(({ id }) => id === 'K8S-77081')?.facts).toContain('defect');
  });
});

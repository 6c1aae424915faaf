import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, dump, runCli, temporaryFile } from '../cli/run-cli.ts';

/** The text of a line, from 1. */
function lineIn(file: string, line: number): string {
  return readFileSync(file, 'utf8').split('\n')[line - 1] ?? '';
}

const ORPHANED = 'orphaned objects are not collected';

describe('the place of a check', () => {
  it('is the first request, and for a property what is expected of it', async () => {
    const [check] = (await documentOf(['late-dependent-orphan'])).checks;
    const { file, line, properties } = check!.place!;
    expect(file).toBe('scenarios/late-dependent-orphan.yaml');
    expect(lineIn(file, line)).toBe('requests:');
    expect(lineIn(file, properties[ORPHANED]!)).toBe('    orphans-survive: violated');
  });

  it('is the variant for an entry of the museum', async () => {
    const { checks } = await documentOf(['--museum', 'K8S-77081']);
    const lines = checks.map(({ place }) =>
      lineIn(place!.file, place!.properties['no collector finalizer is stuck']!).trim(),
    );
    expect(lines).toEqual(['no-stuck-finalizer: violated', 'no-stuck-finalizer: holds']);
  });

  it('is the outcome for a named outcome', async () => {
    const file = temporaryFile(
      'outcome.yaml',
      `about: one
objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}]
requests: [{delete: ConfigMap/a}]
outcomes:
  it goes: {ConfigMap/a: gone}
`,
    );
    const { stdout } = await runCli(['check', file, '--format', 'json']);
    const [check] = (JSON.parse(stdout) as Awaited<ReturnType<typeof documentOf>>).checks;
    // A file outside of the working directory has its whole path.
    expect(check!.place).toEqual({
      file,
      line: 3,
      properties: { 'outcome: it goes': 5 },
    });
  });

  it.each(['ledger.yaml', 'shop.json'])('is the object that is deleted, in %s', async (name) => {
    const target = name === 'shop.json' ? 'deploy/web' : 'cm/left';
    const { checks } = await documentOf([dump(name), '--delete', target, '--max-states', '5']);
    const { file, line } = checks[0]!.place!;
    expect(file).toBe(relative(process.cwd(), dump(name)));
    expect(lineIn(file, line)).toMatch(new RegExp(`"?name"?: "?${target.split('/')[1]}`));
  });

  it('is nowhere for what came from stdin', async () => {
    const stdin = readFileSync(dump('ledger.yaml'), 'utf8');
    const words = ['check', '-', '--delete', 'cm/left', '--format', 'sarif', '--max-states', '5'];
    const { stdout } = await runCli(words, { stdin });
    expect(stdout).not.toContain('physicalLocation');
    expect(stdout).toContain('fullyQualifiedName');
  });

  it('is the case or the line of a log that does not fit', async () => {
    const facts = 'conformance/facts/data/delete-attempt.json';
    const broken = readFileSync(facts, 'utf8').replaceAll('"kind": "', '"kind": "un');
    const file = temporaryFile('facts.json', broken);
    const { stdout } = await runCli(['conform', 'facts', file, '--format', 'github']);
    const lines = [...stdout.matchAll(/^::warning file=.*facts\.json,line=(\d+),/gm)];
    expect(lines.length).toBeGreaterThan(0);
    for (const [, line] of lines) expect(lineIn(file, Number(line)).trim()).toBe('{');
  });
});

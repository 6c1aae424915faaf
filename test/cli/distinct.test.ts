import { describe, expect, it } from 'vitest';
import { documentOf, expectError, runCli, temporaryFile } from './run-cli.ts';

const NAME = 'no other object of the same name is deleted';
/** There are two ways to it. */
const WORDS = ['patch-races-recreation', '--property', NAME] as const;

describe('--distinct', () => {
  it('adds counterexamples that differ, with how they do, and a token for each', async () => {
    const { checks } = await documentOf([...WORDS, '--distinct', '3']);
    const [{ result, tokens }] = checks as unknown as [(typeof checks)[number]];
    const { alternatives, trace } = result.properties[0]!;
    const { classes, counterexamples } = alternatives!;
    expect(counterexamples).toHaveLength(Math.min(2, classes - 1));
    for (const other of counterexamples) {
      const { added, missing, reordered } = other.differs;
      expect(added.length + missing.length + reordered.length).toBeGreaterThan(0);
      expect(other.trace).not.toEqual(trace);
    }
    expect(tokens.map(({ alternative }) => alternative)).toEqual([
      undefined,
      ...counterexamples.keys(),
    ]);
    for (const { token } of tokens) {
      expect((await runCli(['replay', token])).code).toBe(0);
    }
  });

  it('tells them one after the other, and how many there are', async () => {
    const { stdout } = await runCli(['check', ...WORDS, '--distinct', '3']);
    expect(stdout).toMatch(/^Another counterexample to ".*" \(\d+ steps\)\n {2}differs: /m);
    expect(stdout).toMatch(/Shown: \d of \d+ classes of counterexamples/);
  });

  it('changes nothing else', async () => {
    const [one, several] = await Promise.all([
      documentOf(WORDS),
      documentOf([...WORDS, '--distinct', '3']),
    ]);
    const first = ({ checks }: typeof one) =>
      checks[0]!.result.properties.map(({ alternatives: _, ...rest }) => rest);
    expect(first(several)).toEqual(first(one));
  });

  it('is read back from a stored result, and replayed', async () => {
    const { stdout } = await runCli(['check', ...WORDS, '--distinct', '2', '--format', 'json']);
    const file = temporaryFile('result.json', stdout);
    const { stdout: shown } = await runCli(['render', file, '--format', 'text']);
    expect(shown).toContain('Another counterexample');
    const replayed = await runCli(['replay', file]);
    expect(replayed.stdout).toContain('2 of 2 traces came out as recorded');
  });

  it.each(['itf', 'mermaid', 'dot'])(
    '%s shows the first, and says that there are more',
    async (name) => {
      const { stdout } = await runCli(['check', ...WORDS, '--distinct', '2', '--format', 'json']);
      const file = temporaryFile('result.json', stdout);
      const several = await runCli(['render', file, '--format', name]);
      const one = await runCli(['check', ...WORDS, '--format', name]);
      expect(several).toMatchObject({ code: 0, stdout: one.stdout });
      expect(several.stderr).toMatch(/shows the trace of ".*" in .*; there is 1 more/);
    },
  );

  it.each([
    [['--distinct', '0'], '--distinct does not take "0"'],
    [['--distinct', 'all'], '--distinct does not take "all"'],
    [['--distinct', '2', '--format', 'itf'], '--distinct has no effect with --format itf'],
  ])('refuses %j', async (options, message) => {
    expectError(await runCli(['check', ...WORDS, ...options]), message);
  });
});

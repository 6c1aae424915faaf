import { describe, expect, it } from 'vitest';
import type { ObjectFate, OutcomeWord } from '../../report/document/answer.ts';
import { comparisonOf } from '../../run/questions/comparison.ts';
import { dump, runCli } from '../cli/run-cli.ts';
import { expectGoldenFile } from '../report/golden-file.ts';

const DEPLOYMENT = dump('deployment.yaml');

function outcome(name: string, ...words: readonly OutcomeWord[]) {
  const fates = words.map((fate): ObjectFate => ({ fate, replaced: false, on: [], waits: [] }));
  return { name, fates };
}

describe('comparing policies', () => {
  it('prints the difference, then one row for each object', async () => {
    const { code, stdout } = await runCli(['compare', DEPLOYMENT, 'deploy/web']);
    expectGoldenFile('compare-deployment.txt', stdout.replaceAll(DEPLOYMENT, 'dump.yaml'));
    expect(code).toBe(0);
  });

  it('agrees with each deletion by itself', async () => {
    const json = async (words: readonly string[]) =>
      JSON.parse((await runCli([...words, '--format', 'json'])).stdout).answer.outcomes;
    const compared = await json(['compare', DEPLOYMENT, 'deploy/web']);
    for (const cascade of ['background', 'foreground', 'orphan']) {
      const [alone] = await json(['delete', DEPLOYMENT, 'deploy/web', '--cascade', cascade]);
      expect(compared).toContainEqual(alone);
    }
  });

  it.each([
    [[outcome('a', 'goes', 'goes'), outcome('b', 'goes', 'goes')], 'a and b agree.'],
    [
      [outcome('a', 'goes', 'unknown'), outcome('b', 'goes', 'unknown')],
      'a and b agree in what is known, but 1 object is unknown.',
    ],
    [
      [outcome('a', 'goes', 'goes'), outcome('b', 'goes', 'goes'), outcome('c', 'goes', 'stays')],
      'a and b agree; c leaves 1 object.',
    ],
    [
      [outcome('a', 'goes', 'goes'), outcome('b', 'hangs', 'goes'), outcome('c', 'goes', 'stays')],
      'compared with a: b lets 1 object hang; c leaves 1 object.',
    ],
    [
      [outcome('a', 'goes', 'stays'), outcome('b', 'goes', 'goes'), outcome('c', 'goes', 'goes')],
      'compared with a: b and c take 1 object along.',
    ],
  ])('says where outcomes differ', (outcomes, sentence) => {
    expect(comparisonOf(outcomes)).toBe(sentence);
  });

  it('compares with the policy of a command of kubectl', async () => {
    const { code, stdout } = await runCli(['compare', DEPLOYMENT, 'deploy/web', '--cascade=false']);
    expect(stdout).toMatch(/^Compared with orphan: background and foreground take 2 objects along/);
    expect(code).toBe(0);
  });
});

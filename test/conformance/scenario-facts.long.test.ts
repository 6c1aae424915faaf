import { describe, expect, it } from 'vitest';
import { judge } from '../../conformance/facts/judge.ts';
import { corruptionsOf, extensionsOf, oneOfEachSort } from './corruption.ts';
import { type Case, casesOf, JUDGED, LARGE } from './fact-files.ts';

/** Pods that others of the same case stand for. */
const ALIKE = ['p2', 'p3', 'p4', 'p6', 'p7', 'p8', 'p9'];

/**
 * With ten pods, of which the judge keeps four, this case takes as long as all others together.
 * Three pods are left here: two with both owners, and one with the owner that goes.
 * `REAPCHECK_LARGE=1` judges the case as it is.
 */
function withFewPods(part: Case): Case {
  if (part.id !== 'scen-e2e-two-owners' || process.env.REAPCHECK_LARGE === '1') return part;
  return JSON.parse(JSON.stringify(part), (_, value) => {
    if (Array.isArray(value)) {
      return value.filter((item) => !ALIKE.includes(item.key) && !ALIKE.includes(item.object));
    }
    return value?.count === undefined ? value : { ...value, equals: 2 };
  });
}

const SCENARIOS = casesOf('scenarios').map((part) => withFewPods(part));

const SMALL = SCENARIOS.filter(({ id }) => !LARGE.includes(id));

/**
 * Half of the time of all corruptions is theirs, and their facts are of the kinds of the others'.
 * One in three is enough.
 */
const COSTLY = ['scen-mixed', 'scen-cascade', 'scen-group-3', 'scen-crd'];

/**
 * The facts of a list are demanded together: their order does not matter, and fewer are a weaker
 * demand.
 */
const STILL_TRUE = [
  /(facts|final|always): elements? /,
  // Its owner is never removed, so the demand for the moment of its removal has no effect.
  /^scen-blocking expect\.always\.0\.never\.without/,
];

/** The others are judged for `docs/fidelity.md`, and must pass there: `traces.long.test.ts`. */
const JUDGED_HERE = SCENARIOS.filter(({ id }) => LARGE.includes(id));

describe('scenarios, over all interleavings', () => {
  it.each(JUDGED_HERE.map((one) => [one.id, one] as const))('%s', async (_, part) => {
    expect((await judge(part, JUDGED)).outcome).toEqual({ verdict: 'passed' });
  });
});

describe('the judge of scenarios can say no', () => {
  it('no scenario passes with one fact changed', async () => {
    const survivors: string[] = [];
    let failed = 0;
    for (const part of SMALL) {
      const isCostly = COSTLY.includes(part.id) && process.env.REAPCHECK_LARGE !== '1';
      const corruptions = oneOfEachSort(corruptionsOf(part, 'facts'));
      for (const [index, { what, corrupted }] of corruptions.entries()) {
        if (isCostly && index % 3 !== 0) continue;
        const name = `${part.id} ${what}`;
        if (STILL_TRUE.some((pattern) => pattern.test(name))) continue;
        const { outcome } = await judge(corrupted, JUDGED);
        if (outcome.verdict === 'failed') failed++;
        if (outcome.verdict === 'passed') survivors.push(name);
      }
    }
    expect(survivors).toEqual([]);
    expect(failed).toBeGreaterThan(40);
  });

  it('shows the run that breaks the demand', async () => {
    const part = SMALL.find(({ id }) => id === 'scen-e2e-default');
    const last = (part?.steps.length ?? 0) - 1;
    const facts = [{ object: 'p0', deletionTimestamp: 'set' }];
    const wrong = { ...part, steps: part?.steps.with(last, { do: 'hold', facts }) };
    const { outcome } = await judge(wrong, JUDGED);
    expect(outcome).toMatchObject({ verdict: 'failed', step: last });
    expect(JSON.stringify(outcome)).toContain('test: POST Pod/p0.ns');
  });

  it('unknown fields, steps and kinds are never passed over', async () => {
    for (const part of SMALL) {
      for (const other of extensionsOf(part)) {
        expect((await judge(other, JUDGED)).outcome.verdict).toBe('unsupported');
      }
    }
  });
});

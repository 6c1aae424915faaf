import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CheckResult, check, type Property } from '../../../checker/index.ts';
import { explore, judge, type OracleSpace, sortedText } from '../support/oracle.ts';
import { modelOf, propertiesOf, randomCases } from '../support/random-models.ts';
import { claimsOf, type Network, networkOf, randomProcesses } from '../support/random-processes.ts';
import { randomRuns } from '../support/random-runs.ts';

const MOST_STATES = 300;

/** Names that a property which reads the whole state mentions. */
const ALL_NAMES = [0, 1, 2].flatMap((index) => [`p${index}`, `p${index}a`, `p${index}b`]);

/** Parts of a state. An invariant that reads one of them must see all of its values. */
const PARTS: Readonly<Record<string, (state: Network) => unknown>> = {
  'a cell and a phase': ({ cells, phases }) => [cells.x0, phases.p0 ?? phases.p0a],
  'a mailbox': ({ boxes }) => boxes.b0,
  'the marks': ({ marks }) => Object.keys(marks),
};

it('finds in random processes what brute force finds, and all ends', async () => {
  let fewer = 0;
  const outcomes = new Map<string, number>();
  const parts = fc.constantFrom(null, null, ...Object.keys(PARTS));
  await fc.assert(
    fc.asyncProperty(randomProcesses, parts, fc.boolean(), async (given, part, isLive) => {
      const model = networkOf(given);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null && space.texts.length > 3);
      const claims = claimsOf(given).filter(({ kind }) => isLive || kind !== 'eventually');
      const ends = new Set<string>();
      const values = new Set<string>();
      const collectors: Property<Network>[] = [
        { kind: 'settled', name: 'ends', settled: (state) => ends.add(sortedText(state)).size > 0 },
      ];
      if (part !== null) {
        const holds = (state: Network) => values.add(sortedText(PARTS[part]!(state))).size > 0;
        collectors.push({ kind: 'invariant', name: part, holds });
      }
      const properties = [
        ...claims,
        ...collectors.map((property) => ({ ...property, mentions: ALL_NAMES })),
      ];
      const result = await check({
        model,
        properties,
        reductions: ['partial-order'],
        auditEvery: 1,
      });
      expect(result.defect).toBe(null);
      expect(result.partialOrder!.applied).toBe(true);
      expect([...ends].sort()).toEqual(endsOf(space));
      if (part !== null) expect([...values].sort()).toEqual(valuesIn(space, PARTS[part]!));
      claims.forEach((property, index) => {
        const { verdict } = result.properties[index]!;
        expect(verdict, property.kind).toBe(judge(space, model, property).verdict);
        if (result.partialOrder!.states === 0) return;
        const outcome = `${property.kind} ${verdict}`;
        outcomes.set(outcome, 1 + (outcomes.get(outcome) ?? 0));
      });
      if (result.statistics.states < space.texts.length) fewer++;
    }),
    { numRuns: randomRuns(60) },
  );
  expect(fewer).toBeGreaterThan(16);
  // There are 13, because settled claims and witnesses are never vacuous. Few of them are rare.
  expect(outcomes.size).toBeGreaterThan(10);
});

it('has the verdicts of a search without it in the random models of the other tests', async () => {
  let reducedModels = 0;
  await fc.assert(
    fc.asyncProperty(randomCases, async (given) => {
      const model = modelOf(given);
      fc.pre(explore(model, MOST_STATES) !== null);
      const properties = propertiesOf(given);
      const full = await check({ model, properties });
      const reduced = await check({
        model,
        properties,
        reductions: ['partial-order'],
        auditEvery: 1,
      });
      expect(reduced.defect).toBe(null);
      expect(verdicts(reduced)).toEqual(verdicts(full));
      if (reduced.partialOrder!.states > 0) reducedModels++;
    }),
    { numRuns: randomRuns(25) },
  );
  expect(reducedModels).toBeGreaterThan(1);
});

function endsOf({ texts, transitions }: OracleSpace): readonly string[] {
  const sources = new Set(transitions.map(({ from }) => from));
  return texts.filter((_, state) => !sources.has(state)).sort();
}

function valuesIn({ texts }: OracleSpace, part: (state: Network) => unknown): readonly string[] {
  return [...new Set(texts.map((text) => sortedText(part(JSON.parse(text)))))].sort();
}

function verdicts({ properties }: CheckResult): unknown {
  return properties.map(({ name, verdict }) => [name, verdict]);
}

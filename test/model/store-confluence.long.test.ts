import { describe, expect, it } from 'vitest';
import { TrackedEngine } from '../../checker/engine/tracked.ts';
import { type CheckResult, check } from '../../checker/index.ts';
import { instancesOf } from '../../checker/instances.ts';
import { compileProperties } from '../../checker/judgements.ts';
import { emptyTransitionBuffer } from '../../checker/liveness/graph.ts';
import { decideReductions } from '../../checker/reductions/table.ts';
import { canonicalText } from '../../checker/values/canonical.ts';
import { storeConfluenceOf } from '../../model/confluence/confluence.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup } from '../../model/state/setup.ts';
import { modelOf } from '../../run/assemble.ts';
import { fateProperties } from '../../run/fates.ts';
import { scenarios } from '../scenarios/read.ts';
import { foregroundPods } from './store-setups.ts';

/** Larger built-in scenarios take longer than they are worth. */
const MOST_STATES = 350;
/** With two workers and empty caches they have more. */
const MOST_STATES_COLD = 3000;

interface Seen {
  readonly count: number;
  /** Every visible state. */
  readonly states: ReadonlySet<string>;
  /** Which visible state can follow which. Who takes the step does not matter. */
  readonly steps: ReadonlySet<string>;
}

/** Null: there are too many states. */
function seen(setup: Setup, isReduced: boolean, most: number): Seen | null {
  const model = modelOf(setup, 'fates');
  const hidden = new Set<string>(model.confluence?.writes);
  const instances = instancesOf(model);
  const compiled = compileProperties<Cluster>([], instances);
  const options = { model, properties: [], symmetry: false, confluence: isReduced };
  const reductions = decideReductions(options, instances, compiled);
  const engine = new TrackedEngine<Cluster>({
    ...{ model, instances, ...reductions.predicates, reductions },
  });
  const watched = new Uint8Array(instances.length);
  for (let state = 0; state < engine.stateCount; state++) {
    if (engine.stateCount > most) return null;
    engine.load(state);
    engine.expand({ watched, transition: () => undefined });
  }
  const texts = Array.from({ length: engine.stateCount }, (_, state) => {
    const parts = Object.entries(engine.decode(state)).filter(([section]) => !hidden.has(section));
    return canonicalText(Object.fromEntries(parts)).replaceAll(/"delete-\d+"/g, '"delete"');
  });
  const steps = new Set<string>();
  const buffer = emptyTransitionBuffer();
  texts.forEach((before, state) => {
    const count = engine.successors(state, buffer);
    for (let index = 0; index < count; index++) {
      const after = texts[buffer.targets[index]!]!;
      if (after !== before) steps.add(`${before} ${after}`);
    }
  });
  return { count: engine.stateCount, states: new Set(texts), steps };
}

function verdicts({ properties }: CheckResult): unknown {
  return properties.map(({ name, verdict }) => [name, verdict]);
}

async function expectSame(setup: Setup, most: number): Promise<number> {
  const full = seen(setup, false, most);
  if (full === null) return 1;
  const reduced = seen(setup, true, most)!;
  expect(reduced.states).toEqual(full.states);
  expect(reduced.steps).toEqual(full.steps);
  const properties = fateProperties(setup);
  if (properties.length > 0) {
    const question = { model: modelOf(setup, 'fates'), properties };
    const plain = await check({ ...question, symmetry: false });
    const quick = await check({ ...question, confluence: true, auditEvery: 3 });
    expect(quick.defect).toBe(null);
    expect(verdicts(quick)).toEqual(verdicts(plain));
  }
  return reduced.count / full.count;
}

describe('taking steps about dead objects at once loses no visible state, step or fate', () => {
  const builtIn = scenarios()
    .filter(
      ({ setup, expectation }) =>
        storeConfluenceOf(setup) !== null && (expectation?.states ?? MOST_STATES) < MOST_STATES,
    )
    .flatMap(({ name, setup }): [string, Setup][] => [
      [name, setup],
      [`${name}, two workers, cold`, { ...setup, deleteWorkers: 2, caches: 'cold' }],
    ]);
  let fewer = 0;

  it.each(builtIn)('%s', async (_, setup) => {
    if ((await expectSame(setup, MOST_STATES_COLD)) < 1) fewer++;
  });

  it('saves states', () => {
    expect(fewer).toBeGreaterThan(50);
  });

  it('saves nearly all of them where a ReplicaSet waits for its pods', async () => {
    expect(await expectSame(foregroundPods(2), 100_000)).toBeLessThan(0.01);
  });
});

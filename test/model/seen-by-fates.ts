import { expect } from 'vitest';
import { TrackedEngine } from '../../checker/engine/tracked.ts';
import { type CheckResult, check } from '../../checker/index.ts';
import { instancesOf } from '../../checker/instances.ts';
import { compileProperties } from '../../checker/judgements.ts';
import { emptyTransitionBuffer } from '../../checker/liveness/graph.ts';
import { decideReductions } from '../../checker/reductions/table.ts';
import { canonicalText } from '../../checker/values/canonical.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup } from '../../model/state/setup.ts';
import { modelOf } from '../../run/assemble.ts';
import { fateProperties } from '../../run/fates.ts';

/** What searches for fates see, with and without the steps that they take at once. */

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

/**
 * Expects that the reduced search sees the same states of the store, the same changes, and finds the same
 * fates.
 *
 * @returns which part of the states it has; null if there are more than `most`.
 */
export async function expectSame(setup: Setup, most: number): Promise<number | null> {
  const full = seen(setup, false, most);
  if (full === null) return null;
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

import { describe, expect, it } from 'vitest';
import { TrackedEngine } from '../../checker/engine/tracked.ts';
import { type CheckResult, check, type ReductionName } from '../../checker/index.ts';
import { instancesOf } from '../../checker/instances.ts';
import { compileProperties } from '../../checker/judgements.ts';
import { emptyTransitionBuffer } from '../../checker/liveness/graph.ts';
import { decideReductions } from '../../checker/reductions/table.ts';
import { canonicalText } from '../../checker/values/canonical.ts';
import { confluenceOf } from '../../model/confluence.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup, UserRequest } from '../../model/state/setup.ts';
import { PROPERTIES } from '../../properties/index.ts';
import { modelOf, propertiesOf } from '../../run/assemble.ts';
import { configMap, ownedBy, setupOf } from '../properties/clusters.ts';
import { scenarios } from '../scenarios/read.ts';

const NAMES = PROPERTIES.map(({ name }) => name);
/** Larger built-in scenarios take longer than they are worth: mutants already die in small ones. */
const MOST_STATES = 60;
/** With two workers and cold caches a scenario has about ten times as many states. */
const MOST_STATES_COLD = 25;

const objects = [configMap('owner'), configMap('leaf', { ownerReferences: [ownedBy('owner')] })];

function asking(request: UserRequest): Partial<Setup> {
  return { users: { bob: [{ request, after: [] }] } };
}

describe('workers finish items whose objects are gone at once', () => {
  it.each<[string, Partial<Setup>, boolean]>([
    ['as a rule', {}, true],
    ['not where a relist may swallow a deletion', { relists: { ConfigMap: 1 } }, false],
    ['not where reads may be old', { lags: 1 }, false],
    ['not where kinds come and go', { discovery: { empty: 1, failing: {} } }, false],
    ['not where the collector may forget', asking({ do: 'stopControllers' }), false],
    ['not in the first design', { rules: PROTOCOLS['gc-proposal']! }, false],
  ])('%s', (_, changes, isDeclared) => {
    expect(confluenceOf({ ...setupOf(objects, {}), ...changes }) !== null).toBe(isDeclared);
  });

  it.each<[string, Partial<Setup>, Partial<Cluster>, boolean]>([
    ['an object that is gone', {}, { store: {} }, true],
    ['not one that is there', {}, {}, false],
    [
      'not one that does not exist yet',
      {
        ...asking({ do: 'create', object: objects[1]! }),
        objects: [objects[0]!],
      },
      { store: {} },
      false,
    ],
    [
      'a leaf, although an event for it is queued already',
      {},
      { store: {}, graphChanges: { leaf: true } },
      true,
    ],
    [
      'not an owner for which an event is queued already',
      { objects: [...objects, configMap('below', { ownerReferences: [ownedBy('leaf')] })] },
      { store: {}, graphChanges: { leaf: true } },
      false,
    ],
  ])('%s', (_, changes, parts, isConfluent) => {
    const setup = { ...setupOf(objects, {}), ...changes };
    const model = modelOf(setup);
    const [node] = instancesOf(model)
      .map(({ identity }) => String(identity.parameters.node))
      .filter((name) => name.includes('leaf'));
    const { graphChanges } = parts;
    const cluster = {
      ...model.initial[0]!,
      ...parts,
      ...(graphChanges === undefined ? {} : { graphChanges: { [node!]: true as const } }),
    };
    const parameters = { worker: 'delete-1', node: node! };
    const declared = confluenceOf(setup)!;
    expect(declared.isConfluent(cluster, 'takeForDelete', parameters)).toBe(isConfluent);
  });
});

/**
 * What confluent steps do not write. The name of the busy worker does not matter, because workers
 * are interchangeable.
 */
function visible(cluster: Cluster): string {
  const {
    attemptToDelete: _,
    processing: __,
    deleteWorkers: ___,
    graphChanges: ____,
    watch: _____,
    ...rest
  } = cluster;
  return canonicalText(rest).replaceAll(/"delete-\d+"/g, '"delete"');
}

interface Seen {
  readonly states: ReadonlySet<number>;
  readonly steps: ReadonlySet<string>;
}

/**
 * Every visible state, and which visible state can follow which. `numbers` are those of the texts
 * of visible states; new ones are added.
 */
function seen(setup: Setup, isReduced: boolean, numbers: Map<string, number>): Seen {
  const model = modelOf(setup);
  const instances = instancesOf(model);
  const compiled = compileProperties<Cluster>([], instances);
  const asked: readonly ReductionName[] = isReduced ? ['confluence'] : [];
  const options = { model, properties: [], reductions: asked };
  const reductions = decideReductions(options, instances, compiled);
  const engine = new TrackedEngine<Cluster>({
    ...{ model, instances, ...reductions.predicates, reductions },
  });
  const watched = new Uint8Array(instances.length);
  for (let state = 0; state < engine.stateCount; state++) {
    engine.load(state);
    engine.expand({ watched, transition: () => undefined });
  }
  const shown = Array.from({ length: engine.stateCount }, (_, state) => {
    const text = visible(engine.decode(state));
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    return numbers.get(text)!;
  });
  const steps = new Set<string>();
  const buffer = emptyTransitionBuffer();
  shown.forEach((before, state) => {
    const count = engine.successors(state, buffer);
    for (let index = 0; index < count; index++) {
      const after = shown[buffer.targets[index]!]!;
      const { name } = instances[buffer.actions[index]!]!.identity;
      if (after !== before) steps.add(`${before} ${name} ${after}`);
    }
  });
  return { states: new Set(shown), steps };
}

function verdicts({ properties }: CheckResult): unknown {
  return properties.map(({ name, verdict }) => [name, verdict]);
}

function lengths({ properties }: CheckResult): unknown {
  const paths = properties.filter(({ trace }) => trace?.shape === 'path');
  return paths.map(({ name, trace }) => [name, trace!.steps.length]);
}

describe('confluence loses no verdict and no visible state', () => {
  const builtIn = scenarios().filter(
    ({ setup, expectation }) =>
      confluenceOf(setup) !== null && (expectation.states ?? MOST_STATES) < MOST_STATES,
  );
  const small = builtIn.map(({ name, setup }): [string, Setup] => [name, setup]);
  const cold = builtIn
    .filter(({ expectation }) => (expectation.states ?? MOST_STATES) < MOST_STATES_COLD)
    .map(({ name, setup }): [string, Setup] => [
      `${name}, two workers, cold`,
      { ...setup, deleteWorkers: 2, caches: 'cold' },
    ]);
  const fewer = new Set<string>();

  it.each([...small, ...cold])('%s', async (name, setup) => {
    const numbers = new Map<string, number>();
    expect(seen(setup, true, numbers)).toEqual(seen(setup, false, numbers));
    const question = { model: modelOf(setup), properties: propertiesOf(setup, NAMES) };
    const full = await check({ ...question, reductions: [] });
    const reduced = await check({ ...question, reductions: ['confluence'] });
    expect(reduced.defect).toBe(null);
    expect(verdicts(reduced)).toEqual(verdicts(full));
    // Steps that the search took early are put back in counterexamples, so small ones are as short
    // as possible.
    expect(lengths(reduced)).toEqual(lengths(full));
    expect(reduced.statistics.states).toBeLessThanOrEqual(full.statistics.states);
    if (reduced.statistics.states < full.statistics.states) fewer.add(name);
  });

  it('saves states', () => {
    expect(fewer.size).toBeGreaterThan(20);
  });
});

import { expect, it } from 'vitest';
import { judge } from '../../conformance/recordings/judge.ts';
import type { Trace } from '../../conformance/recordings/logs/observations.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { type ApiObject, keyOf, type ObjectKey } from '../../model/state/objects.ts';
import { tracesOf } from './recorded-traces.ts';
import { configMap, fan } from './simulated-fans.ts';
import { recordingOf } from './simulated-recording.ts';
import { simulate } from './simulated-run.ts';
import { type Deed, Draws, HOLD, type SimulatedSetup, simulatedSetup } from './simulated-setups.ts';

/**
 * Traces with many alike objects, and what makes them decidable: the search for an explanation
 * leaves out what cannot matter. Its slow twin leaves out nothing.
 */
const rules = PROTOCOLS['v1.20']!;
const FEW = 2000;

function traceOf(name: string, setup: SimulatedSetup, draws: Draws): Trace {
  const [trace] = tracesOf(name, recordingOf(name, simulate(setup, rules, draws)));
  if (trace === undefined) throw new Error('a recording of one run has one trace');
  return trace;
}

function verdictOf(trace: Trace, reduced: boolean, states: number) {
  const limits = { states, milliseconds: Number.POSITIVE_INFINITY };
  return judge(trace, { rules, limits, partial: false, reduced }).validation.verdict;
}

/** While the fan is deleted, others hold, change, release and delete objects of it. */
function disturbedFan(dependents: number, draws: Draws): SimulatedSetup {
  const { users, ...rest } = fan(dependents, 'Foreground');
  const all = (users.alice ?? []).flatMap((deed) => (deed.do === 'create' ? [deed.object] : []));
  const objects = all.map((object, index) =>
    index % 5 === 1 ? { ...object, finalizers: [HOLD] } : object,
  );
  const creations = objects.map((object): Deed => ({ do: 'create', object }));
  const any = (): ObjectKey => keyOf(draws.pick(objects.slice(1)));
  const deletion = (policy: 'Foreground' | 'Background'): Deed => {
    return { do: 'delete', key: any(), policy, uid: null, unchanged: false };
  };
  const [owner] = objects;
  return {
    ...rest,
    users: {
      alice: [...creations, ...(users.alice ?? []).slice(objects.length)],
      bob: [
        { do: 'awaitObjects' },
        ...Array.from({ length: 6 }, (): Deed => ({ do: 'label', key: any() })),
      ],
      carl: [
        { do: 'awaitObjects' },
        deletion('Foreground'),
        { do: 'label', key: keyOf(owner as ApiObject) },
        { do: 'setOwners', key: any(), ownerReferences: [] },
        deletion('Background'),
      ],
      thirdparty: objects
        .filter(({ finalizers }) => finalizers.length > 0)
        .map((object): Deed => ({ do: 'release', key: keyOf(object) })),
    },
  };
}

it.each([
  [12, 'Foreground', [0, 12]],
  [12, 'Background', [0]],
  [12, 'Orphan', [0]],
  // More items than the collector has workers.
  [24, 'Foreground', [0]],
] as const)('explains a fan of %i dependents in few states, %s', (dependents, policy, seeds) => {
  const verdicts = seeds.map((seed) => {
    const trace = traceOf(`fan-${seed}`, fan(dependents, policy), new Draws(seed));
    return verdictOf(trace, true, FEW);
  });
  expect(verdicts).toEqual(seeds.map(() => 'accepted'));
});

it.each([
  [30, 5, 0.2, 4],
  [30, 20, 0.05, 0],
])('explains a fan of %i dependents and %i workers, events at pace %d (%i)', (...fanned) => {
  const [dependents, deleteWorkers, deliver, seed] = fanned;
  const { pace, ...rest } = fan(dependents, 'Foreground');
  const setup = { ...rest, deleteWorkers, steps: 20_000, pace: { ...pace, deliver } };
  const trace = traceOf('late', setup, new Draws(seed));
  expect(verdictOf(trace, true, FEW)).toBe('accepted');
});

it('explains fans that others change meanwhile in few states', () => {
  const pace = { user: 1, serve: 1, answer: 1, deliver: 1, take: 1, send: 1, look: 1, hear: 1 };
  const few = { deleteWorkers: 5, orphanWorkers: 5, pace: { ...pace, disturb: 0 } };
  const verdicts = [{}, few].map((changes) => {
    const draws = new Draws(20);
    const setup = { ...disturbedFan(14, draws), ...changes };
    return verdictOf(traceOf('disturbed', setup, draws), true, FEW);
  });
  expect(verdicts).toEqual(['accepted', 'accepted']);
});

it('explains a fan in which many workers are about to look up an owner that stays', () => {
  const draws = new Draws(3);
  const setup = { ...disturbedFan(12, draws), steps: 20_000 };
  expect(verdictOf(traceOf('about to look', setup, draws), true, 3000)).toBe('accepted');
});

/** The trace, and some that differ from it in one read of the collector. */
function withForgedReads(trace: Trace): readonly Trace[] {
  const reads = trace.requests.flatMap(({ collector, verb }, index) =>
    collector && verb === 'get' ? [index] : [],
  );
  const { requests } = trace;
  const forged = reads.slice(0, 4).flatMap((index) => {
    const read = requests[index]!;
    const late = requests.at(-1)!.completed + 1;
    return [
      requests.toSpliced(index, 1),
      [...requests, { ...read, received: late, completed: late + 1 }],
    ];
  });
  return [trace, ...forged.map((changed) => ({ ...trace, requests: changed }))];
}

/** The verdict without what the search leaves out. If there is one, it is that of the search. */
function slowVerdict(trace: Trace, limit: number): ReturnType<typeof verdictOf> {
  const slow = verdictOf(trace, false, limit);
  if (slow !== 'inconclusive')
    expect([trace.name, verdictOf(trace, true, 20_000)]).toEqual([trace.name, slow]);
  return slow;
}

it('judges as the search does that leaves out nothing', () => {
  const seen = { accepted: 0, rejected: 0, inconclusive: 0 };
  for (let seed = 0; seed < 10; seed++) {
    const draws = new Draws(seed);
    const setup = simulatedSetup(draws);
    const small = { ...setup, steps: 60, restarts: 0, deleteWorkers: 2 };
    for (const trace of withForgedReads(traceOf(`small-${seed}`, small, draws))) {
      seen[slowVerdict(trace, 1000)]++;
    }
  }
  expect(seen.accepted).toBeGreaterThan(10);
  expect(seen.rejected).toBeGreaterThan(10);
});

it('explains an owner that another DELETE removes while its worker looks for the finalizer', () => {
  const { users, pace, ...rest } = fan(2, 'Foreground');
  const key = keyOf(configMap('owner', null));
  const label: Deed = { do: 'label', key: keyOf(configMap('d0', 'owner')) };
  const again: Deed = { do: 'delete', key, policy: 'Background', uid: null, unchanged: false };
  const bob: readonly Deed[] = [{ do: 'awaitObjects' }, { do: 'settle' }, label, label, again];
  const verdicts = [16, 28, 77, 78].map((seed) => {
    const draws = new Draws(seed);
    const quick = { user: draws.pick([0.3, 1, 3]), deliver: draws.pick([0.2, 1, 4]) };
    const steps = draws.pick([80, 120, 400]);
    const setup = { ...rest, users: { ...users, bob }, pace: { ...pace, ...quick }, steps };
    const few = { ...setup, deleteWorkers: 3, orphanWorkers: 3 };
    return verdictOf(traceOf(`again-${seed}`, few, draws), true, FEW);
  });
  expect(verdicts).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
});

/** The trace, and some in which a GET of the owner is missing, doubled, late or takes too long. */
function withForgedLookUps(trace: Trace): readonly Trace[] {
  const { requests } = trace;
  const late = Math.max(...requests.map(({ completed }) => completed)) + 1;
  const forged = requests.flatMap((read, index) => {
    if (!read.collector || read.verb !== 'get' || read.name !== 'owner') return [];
    return [
      requests.toSpliced(index, 1),
      [...requests, read],
      [...requests, { ...read, received: late, completed: late + 1 }],
      requests.with(index, { ...read, completed: late }),
    ];
  });
  return [trace, ...forged.map((changed) => ({ ...trace, requests: changed }))];
}

it('judges look-ups of an owner as the search does that leaves out nothing', () => {
  const seen = { accepted: 0, rejected: 0, inconclusive: 0 };
  for (let seed = 0; seed < 4; seed++) {
    const draws = new Draws(seed);
    const policy = draws.pick(['Foreground', 'Foreground', 'Background'] as const);
    const workers = 1 + draws.below(2);
    const small = fan(1 + draws.below(2), policy);
    // Events that are late come while their owner waits in the queue.
    const pace = seed % 2 === 0 ? small.pace : { ...small.pace, deliver: 0.2 };
    const setup = { ...small, deleteWorkers: workers, steps: 400, pace };
    for (const trace of withForgedLookUps(traceOf(`owner-${seed}`, setup, draws))) {
      seen[slowVerdict(trace, 300)]++;
    }
  }
  expect(seen.accepted).toBeGreaterThan(5);
  expect(seen.rejected).toBeGreaterThan(10);
});

it('explains an owner that its worker takes again and again because the graph has lost it', () => {
  const owner = configMap('owner', null);
  const key = keyOf(owner);
  const held = { ...configMap('d0', 'owner'), finalizers: [HOLD] };
  // A worker misses the owner before it is created. What it sends to the graph comes later.
  const alice: readonly Deed[] = [
    { do: 'create', object: held },
    { do: 'create', object: owner },
    { do: 'delete', key, policy: 'Foreground', uid: null, unchanged: false },
    { do: 'create', object: configMap('d1', 'owner') },
    { do: 'label', key: keyOf(held) },
  ];
  const { pace, ...rest } = fan(0, 'Foreground');
  const verdicts = [138, 204].map((seed) => {
    const draws = new Draws(seed);
    const even = { user: 1, serve: 1, answer: 1, deliver: 1, take: 1, send: 1, look: 1, hear: 1 };
    const late = { user: draws.pick([0.1, 0.3, 1]), deliver: draws.pick([0.1, 0.3, 1]) };
    const few = { deleteWorkers: 3, orphanWorkers: 1, steps: 200 };
    const setup = { ...rest, ...few, users: { alice }, pace: { ...pace, ...even, ...late } };
    return verdictOf(traceOf(`polled-${seed}`, setup, draws), true, FEW);
  });
  expect(verdicts).toEqual(['accepted', 'accepted']);
});

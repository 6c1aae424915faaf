import * as z from 'zod';
import {
  type ApiObject,
  type Cluster,
  type DeleteCall,
  EMPTY_CLUSTER,
  ok,
  type World,
} from '../../../model/index.ts';
import { compare, type Difference, failedAt } from '../compare.ts';
import { interpreter, NOTHING_EXPECTED } from '../interpreter.ts';
import { PASSED, Unsupported } from '../outcome.ts';
import { compareOutcome, type StepResult } from './compare-outcome.ts';
import { type BranchStep, inAllInterleavings, LIMIT } from './interleavings.ts';
import { callsOf, deleteCall, targetOf, updateCall } from './requests.ts';
import { errorOf, runRequest, type StoreEvent } from './run-request.ts';
import {
  type BranchRequest,
  type SequenceGiven,
  type SequenceStep,
  type StatedRequest,
  sequenceGiven,
  sequenceStep,
} from './shapes.ts';
import { givenObjects, keyNamed, objectOf, readerAt, worldOf } from './store-fixture.ts';
import { raceWithValidation } from './validation-race.ts';

const DECIDED_BY: Readonly<Record<SequenceStep['do'], string>> = {
  create: 'Store.Create, model/apiserver/create.ts',
  delete: 'Store.Delete, model/apiserver/delete.ts',
  update: 'Store.Update, model/apiserver/update.ts',
  deleteCollection: 'Store.DeleteCollection, model/apiserver/delete-collection.ts',
  watch: 'the events of the store',
  parallel: 'the interleaving of requests, model/apiserver/handle.ts',
  race: 'Store.Delete, model/apiserver/delete.ts',
  finalizeDelete: 'Store.finalizeDelete, model/apiserver/answers.ts',
};

interface Run {
  readonly cluster: Cluster;
  readonly watched: readonly StoreEvent[] | null;
  /** The objects as they were created last, by key. */
  readonly created: Readonly<Record<string, ApiObject>>;
  /** The objects as they were created first, by key. */
  readonly firstCreated: Readonly<Record<string, ApiObject>>;
}

interface Sequence {
  readonly given: SequenceGiven;
  readonly world: World;
}

const schemas = {
  given: sequenceGiven,
  steps: z.array(sequenceStep),
  expect: NOTHING_EXPECTED,
};

/** `store-sequence`: requests to one generic store, one after the other. */
export const interpretStoreSequence = interpreter(schemas, ({ given, steps, rules }) => {
  const sequence = { given, world: worldOf(given, rules) };
  let runs: readonly Run[] = [
    { cluster: EMPTY_CLUSTER, watched: null, created: {}, firstCreated: {} },
  ];
  for (const [index, step] of steps.entries()) {
    const endings = runs.flatMap((run) => take(sequence, run, step, `steps.${index}`));
    for (const { result, difference: found } of endings) {
      const difference = found ?? compareOutcome(sequence.world, step.stated ?? {}, result);
      if (difference !== null) return failedAt(index, difference, DECIDED_BY[step.do]);
    }
    runs = endings.map(({ run }) => run);
  }
  return PASSED;
});

/** One way in which a step can end. */
interface Ending {
  readonly run: Run;
  readonly result: StepResult;
  /** The first difference within the step. */
  readonly difference: Difference | null;
}

/**
 * All ways in which a step can end. Throws `Unsupported`.
 *
 * @param where path of the step in the case.
 */
function take(sequence: Sequence, run: Run, step: SequenceStep, where: string): readonly Ending[] {
  switch (step.do) {
    case 'watch': {
      const watching = { ...run, watched: [] };
      return [end(watching, resultOf(run, watching, { key: null, answer: null }))];
    }
    case 'finalizeDelete': {
      const name = targetOf(sequence.given, step.name);
      const object = givenObjects(sequence.given).find((candidate) => candidate.name === name);
      if (object === undefined) throw new Unsupported(`${where}: no object ${name} is given`);
      const answer = ok(objectOf(sequence.given, object), true);
      return [end(run, resultOf(run, run, { key: null, answer }))];
    }
    case 'parallel':
      return takeParallel(sequence, run, step, where);
    case 'race':
      return takeRace(sequence, run, step);
    default:
      return takeRequests(sequence, run, step);
  }
}

function end(run: Run, result: StepResult): Ending {
  return { run, result, difference: null };
}

function resultOf(
  before: Run,
  after: Run,
  more: Pick<StepResult, 'key' | 'answer'> & Partial<StepResult>,
): StepResult {
  return {
    before: before.cluster,
    after: after.cluster,
    validationCalls: null,
    watched: after.watched,
    moved: false,
    created: after.created,
    ...more,
  };
}

function keyOfStep({ given }: Sequence, step: StatedRequest): string | null {
  if (step.do === 'deleteCollection') return null;
  const several = step.do === 'create' && step.name === undefined && givenObjects(given).length > 1;
  return several ? null : keyNamed(targetOf(given, step.name));
}

function takeRequests(sequence: Sequence, run: Run, step: StatedRequest): readonly Ending[] {
  const key = keyOfStep(sequence, step);
  let after = run;
  let result = resultOf(run, run, { key, answer: null });
  for (const call of callsOf(sequence.given, run.cluster, step)) {
    const cached = cachedFor(sequence, after, key);
    const reading = call.verb === 'delete' ? withCurrentRead(after.cluster, call) : after.cluster;
    const finished = runRequest(reading, sequence.world, call, cached);
    after = withEvents(sequence, { ...after, cluster: finished.cluster }, finished.events);
    const moved = finished.events.length > 0;
    result = resultOf(run, after, { key, answer: finished.answer, moved });
    if ('reason' in finished.answer) break;
  }
  return [end(after, result)];
}

/**
 * A DELETE with the current resourceVersion as precondition: its client has just read the object.
 */
function withCurrentRead(cluster: Cluster, call: DeleteCall): Cluster {
  if (call.client !== readerAt('current')) return cluster;
  return {
    ...cluster,
    unchangedSince: { ...cluster.unchangedSince, [call.client]: call.key },
  };
}

/** The stored object as in a stale cache, if the case gives one. */
function cachedFor(
  { given }: Sequence,
  { cluster, firstCreated }: Run,
  key: string | null,
): ApiObject | undefined {
  const copy = given.cachedCopy;
  if (copy === 'first incarnation') return key === null ? undefined : firstCreated[key];
  const stored = key === null ? undefined : cluster.store[key];
  if (copy === undefined || stored === undefined || copy.name !== stored.name) return undefined;
  return {
    ...stored,
    finalizers: copy.finalizers ?? stored.finalizers,
    generation: copy.generation ?? stored.generation,
  };
}

/**
 * Records new objects as created. The reader of a version has read the object with that version.
 */
function withEvents(sequence: Sequence, run: Run, events: readonly StoreEvent[]): Run {
  const added = events.filter(({ type }) => type === 'ADDED').map(({ object }) => object);
  const created = Object.fromEntries(added.map((object) => [keyNamed(object.name), object]));
  const readers = added.flatMap((object) => {
    const named = givenObjects(sequence.given).find(({ name }) => name === object.name);
    const version = named?.resourceVersion;
    return version === undefined ? [] : [[readerAt(version), keyNamed(object.name)] as const];
  });
  const { cluster } = run;
  return {
    cluster: {
      ...cluster,
      unchangedSince: { ...cluster.unchangedSince, ...Object.fromEntries(readers) },
    },
    watched: run.watched === null ? null : [...run.watched, ...events],
    created: { ...run.created, ...created },
    firstCreated: { ...created, ...run.firstCreated },
  };
}

function takeRace(
  sequence: Sequence,
  run: Run,
  step: Extract<SequenceStep, { do: 'race' }>,
): readonly Ending[] {
  const first = deleteCall(sequence.given, step.first);
  const raced = raceWithValidation(run.cluster, sequence.world, first, (cluster) =>
    updateCall(sequence.given, cluster, step.duringValidation),
  );
  const after = withEvents(sequence, { ...run, cluster: raced.cluster }, raced.events);
  const { answer, validationCalls, interruption } = raced;
  const key = keyNamed(targetOf(sequence.given, step.first.name));
  const moved = raced.events.length > 0;
  const refused = interruption === null ? 'nothing to interrupt' : errorOf(interruption);
  return [
    {
      run: after,
      result: resultOf(run, after, { key, answer, validationCalls, moved }),
      difference: compare('duringValidation.error', null, refused),
    },
  ];
}

function takeParallel(
  sequence: Sequence,
  run: Run,
  step: Extract<SequenceStep, { do: 'parallel' }>,
  where: string,
): readonly Ending[] {
  if (run.watched !== null) throw new Unsupported(`${where}: a watch during parallel requests`);
  const branches = step.branches.map((branch) =>
    (Array.isArray(branch) ? branch : [branch]).flatMap((request) =>
      branchSteps(sequence, run, request),
    ),
  );
  const endings = inAllInterleavings(run.cluster, sequence.world, branches);
  if (endings === null) throw new Unsupported(`${where}: more than ${LIMIT} situations`);
  return endings.map(({ cluster, failure, difference }) => {
    const after = { ...run, cluster };
    const answer = failure ?? ok(null);
    return { run: after, result: resultOf(run, after, { key: null, answer }), difference };
  });
}

function branchSteps(
  { given }: Sequence,
  { cluster }: Run,
  request: BranchRequest,
): readonly BranchStep[] {
  return callsOf(given, cluster, request).map((first, index) => ({
    call: (now) => callsOf(given, now, request)[index] ?? first,
    error: request.stated?.error,
    label: JSON.stringify([request, index]),
  }));
}

import { z } from 'zod';
import { type ApiObject, type Cluster, ok, type World } from '../../../model/index.ts';
import { compare, type Difference } from '../collector/compare-state.ts';
import { type Fact, type Interpreter, parseWith } from '../fact.ts';
import { type CaseOutcome, failed, PASSED, unsupported } from '../outcome.ts';
import { checkOutcome, type StepResult } from './compare-outcome.ts';
import { type BranchStep, inAllInterleavings, LIMIT } from './interleavings.ts';
import { callsOf, deleteCall, targetOf, updateCall } from './requests.ts';
import { errorOf, type StoreEvent, serve } from './run-request.ts';
import {
  type BranchRequest,
  type SequenceGiven,
  type SequenceStep,
  type StatedRequest,
  sequenceGiven,
  sequenceStep,
} from './shapes.ts';
import {
  EMPTY_CLUSTER,
  givenObjects,
  keyNamed,
  objectOf,
  readerAt,
  worldOf,
} from './store-fixture.ts';
import { raceWithValidation } from './validation-race.ts';

/** `store-sequence`: requests to one generic store, one after the other. */

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
  readonly created: Readonly<Record<string, ApiObject>>;
}

interface Sequence {
  readonly given: SequenceGiven;
  readonly world: World;
}

export const interpretStoreSequence: Interpreter = (fact, rules) => {
  const given = parseWith(sequenceGiven, fact.given, 'given');
  const expected = parseWith(z.strictObject({}), fact.expect, 'expect');
  const steps = parseSteps(fact);
  if (given.outcome !== null) return given.outcome;
  if (expected.outcome !== null) return expected.outcome;
  if (!Array.isArray(steps)) return steps as CaseOutcome;
  const sequence = { given: given.value, world: worldOf(given.value, rules) };
  let runs: readonly Run[] = [{ cluster: EMPTY_CLUSTER, watched: null, created: {} }];
  for (const [index, step] of (steps as readonly SequenceStep[]).entries()) {
    const endings: Ending[] = [];
    for (const run of runs) {
      const taken = take(sequence, run, step);
      if (typeof taken === 'string') return unsupported(`steps.${index}: ${taken}`);
      endings.push(...taken);
    }
    for (const { result, difference: found } of endings) {
      const difference = found ?? checkStep(sequence.world, step, result);
      if (difference === null) continue;
      const rule = `${difference.field}, decided by ${DECIDED_BY[step.do]}`;
      return failed(index, difference.expected, difference.got, rule);
    }
    runs = endings.map(({ run }) => run);
  }
  return PASSED;
};

function parseSteps(fact: Fact): readonly SequenceStep[] | CaseOutcome {
  const steps: SequenceStep[] = [];
  for (const [index, part] of fact.steps.entries()) {
    const step = parseWith(sequenceStep, part, `steps.${index}`);
    if (step.outcome !== null) return step.outcome;
    steps.push(step.value);
  }
  return steps;
}

function checkStep(world: World, step: SequenceStep, result: StepResult): Difference | null {
  return step.stated === undefined ? null : checkOutcome(world, step.stated, result);
}

/** One way in which a step can end. */
interface Ending {
  readonly run: Run;
  readonly result: StepResult;
  /** What has not been as stated on the way. */
  readonly difference: Difference | null;
}

/** All ways in which a step can end, or why it cannot be taken. */
function take(sequence: Sequence, run: Run, step: SequenceStep): readonly Ending[] | string {
  switch (step.do) {
    case 'watch': {
      const watching = { ...run, watched: [] };
      return [end(watching, resultOf(run, watching, { key: null, answer: null }))];
    }
    case 'finalizeDelete': {
      const name = targetOf(sequence.given, step.name);
      const object = givenObjects(sequence.given).find((candidate) => candidate.name === name);
      if (object === undefined) return `no object ${name} is given`;
      const answer = ok(objectOf(sequence.given, object), true);
      return [end(run, resultOf(run, run, { key: null, answer }))];
    }
    case 'parallel':
      return takeParallel(sequence, run, step);
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
    const served = serve(after.cluster, sequence.world, call, cachedFor(sequence, after, key));
    after = withEvents(sequence, { ...after, cluster: served.cluster }, served.events);
    const moved = served.events.length > 0;
    result = resultOf(run, after, { key, answer: served.answer, moved });
    if ('reason' in served.answer) break;
  }
  return [end(after, result)];
}

/** The stored object as a cache has it, where the case says that it is stale. */
function cachedFor(
  { given }: Sequence,
  { cluster }: Run,
  key: string | null,
): ApiObject | undefined {
  const copy = given.cachedCopy;
  const stored = key === null ? undefined : cluster.store[key];
  if (copy === undefined || stored === undefined || copy.name !== stored.name) return undefined;
  return {
    ...stored,
    finalizers: copy.finalizers ?? stored.finalizers,
    generation: copy.generation ?? stored.generation,
  };
}

/** New objects are remembered as created, and read at their version by its reader. */
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
): readonly Ending[] | string {
  if (run.watched !== null) return 'a watch across requests that run side by side';
  const branches = step.branches.map((branch) =>
    (Array.isArray(branch) ? branch : [branch]).flatMap((request) =>
      branchSteps(sequence, run, request),
    ),
  );
  const endings = inAllInterleavings(run.cluster, sequence.world, branches);
  if (endings === null) return `more than ${LIMIT} situations`;
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

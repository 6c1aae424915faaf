import {
  type Answer,
  type ApiObject,
  type Cluster,
  deletionStatus,
  equalJson,
  isBeingDeleted,
  type World,
} from '../../../model/index.ts';
import { compare, compareFields, compareStated, type Difference, firstOf } from '../compare.ts';
import { errorOf, type StoreEvent } from './run-request.ts';
import type { StatedMetadata, StatedOutcome, StatedStatus } from './shapes.ts';

/** The result of a step of a `store-sequence`. */
export interface StepResult {
  readonly before: Cluster;
  readonly after: Cluster;
  /** Null for steps that send no request. */
  readonly answer: Answer | null;
  /** The object that the step is about; null for collections. */
  readonly key: string | null;
  /** How often a race validated; null for other steps. */
  readonly validationCalls: number | null;
  /** All events since the watch began; null without a watch. */
  readonly watched: readonly StoreEvent[] | null;
  /** Whether the step wrote to the store. */
  readonly moved: boolean;
  /** The objects as they were created, by key. */
  readonly created: Readonly<Record<string, ApiObject>>;
}

/** The first stated field in which the result differs, in the order of `StatedOutcome`. */
export function compareOutcome(
  world: World,
  stated: StatedOutcome,
  result: StepResult,
): Difference | null {
  const { answer, moved } = result;
  const success = answer !== null && !('reason' in answer) ? answer : null;
  const error = answer === null ? null : errorOf(answer);
  return (
    compareStated('error', stated.error, error) ??
    compareStated('deletedImmediately', stated.deletedImmediately, success?.deleted ?? null) ??
    checkStored(stated.stored, result) ??
    checkReturned(world, stated.returned, result) ??
    checkStatus(world, stated, success?.object ?? null) ??
    compareStated('resourceVersion', stated.resourceVersion, moved ? 'changed' : 'unchanged') ??
    compareStated('validationCalls', stated.validationCalls, result.validationCalls) ??
    checkWatch(stated.watchEvents, result)
  );
}

function checkStored(
  stated: StatedOutcome['stored'],
  { before, after, key }: StepResult,
): Difference | null {
  if (stated === undefined) return null;
  if (Array.isArray(stated)) {
    const objects = Object.values(after.store);
    const names = stated.map(({ name }) => name ?? '');
    const difference = compare('stored', [...names].sort(), objects.map(({ name }) => name).sort());
    if (difference !== null) return difference;
    return firstOf(
      stated.map((metadata) => {
        const object = objects.find(({ name }) => name === metadata.name);
        if (object === undefined) return compare('stored', metadata, null);
        return checkMetadata('stored', metadata, object, null);
      }),
    );
  }
  const object = key === null ? undefined : after.store[key];
  if (stated === null) {
    if (key === null) return compare('stored', [], Object.keys(after.store));
    return compare('stored', null, object ?? null);
  }
  if (object === undefined) return compare('stored', stated, null);
  return checkMetadata('stored', stated, object, key === null ? null : (before.store[key] ?? null));
}

/**
 * Compares only the stated fields. `earlier than before` compares with the object before the step.
 */
function checkMetadata(
  field: string,
  stated: StatedMetadata,
  object: ApiObject,
  before: ApiObject | null,
): Difference | null {
  const { deletionTimestamp, ...plain } = stated;
  return (
    compareFields(`${field}.`, plain, { ...object }) ??
    checkTimestamp(field, deletionTimestamp, object, before)
  );
}

function checkTimestamp(
  field: string,
  stated: StatedMetadata['deletionTimestamp'],
  object: ApiObject,
  before: ApiObject | null,
): Difference | null {
  if (stated === undefined) return null;
  const where = `${field}.deletionTimestamp`;
  if (stated !== 'earlier than before') {
    return compare(where, stated, isBeingDeleted(object) ? 'set' : 'unset');
  }
  const was = before?.deletionTimestamp ?? null;
  const is = object.deletionTimestamp;
  if (was !== null && is !== null && is < was) return null;
  return { field: where, expected: stated, got: { before: was, after: is } };
}

function checkReturned(
  world: World,
  stated: StatedOutcome['returned'],
  { answer, before, key }: StepResult,
): Difference | null {
  if (stated === undefined) return null;
  if (answer === null || 'reason' in answer) return compare('returned', stated, null);
  if (typeof stated === 'number') return compare('returned', stated, answer.items ?? null);
  if (stated === null) return compare('returned', null, answer.object);
  if (answer.object === null) return compare('returned', stated, null);
  if ('status' in stated) return checkStatus(world, stated, answer.object);
  const was = key === null ? null : (before.store[key] ?? null);
  return checkMetadata('returned', stated, answer.object, was);
}

/**
 * The Status with which the store answers a DELETE. A value in brackets names the group or the
 * resource of the store.
 */
function checkStatus(
  world: World,
  stated: StatedStatus,
  object: ApiObject | null,
): Difference | null {
  if (stated.status === undefined && stated.details === undefined) return null;
  if (object === null) return compare('status', stated, null);
  const { status, details } = deletionStatus(world.kinds, object);
  const { group, kind, ...rest } = stated.details ?? {};
  return (
    compareStated('status', stated.status, status) ??
    compareFields('details.', rest, { ...details }) ??
    (group === '(group of the store)'
      ? null
      : compareStated('details.group', group, details.group)) ??
    (kind === '(resource name of the store)'
      ? null
      : compareStated('details.kind', kind, details.kind))
  );
}

function checkWatch(
  stated: StatedOutcome['watchEvents'],
  { watched, created }: StepResult,
): Difference | null {
  if (stated === undefined) return null;
  if (watched === null) return compare('watchEvents', stated, 'no watch');
  const shown = watched.map(({ type, object }, index) => ({
    type,
    ...(stated[index]?.name === undefined ? {} : { name: object.name }),
    ...(stated[index]?.sameAsCreatedExcept === undefined
      ? {}
      : {
          sameAsCreatedExcept: Object.values(created).some((one) => equalJson(one, object))
            ? ['resourceVersion']
            : 'more',
        }),
  }));
  return compare('watchEvents', stated, shown);
}

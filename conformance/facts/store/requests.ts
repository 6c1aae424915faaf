import type { Call, Change, Cluster } from '../../../model/index.ts';
import {
  asDeleteOptions,
  type SequenceGiven,
  type StatedDelete,
  type StatedRequest,
  type StatedUpdate,
} from './shapes.ts';
import { givenObjects, keyNamed, objectOf, readerAt, STORED } from './store-fixture.ts';

/** The name in the step, or else that of the only object of the case. */
export function targetOf(given: SequenceGiven, name: string | undefined): string {
  return name ?? givenObjects(given)[0]?.name ?? '';
}

/** The requests of a step, in order. A create without a name creates every given object. */
export function callsOf(
  given: SequenceGiven,
  cluster: Cluster,
  step: StatedRequest,
): readonly Call[] {
  switch (step.do) {
    case 'create':
      return givenObjects(given)
        .filter(({ name }) => step.name === undefined || step.name === name)
        .map((object) => ({ verb: 'create', client: 'user', object: objectOf(given, object) }));
    case 'delete':
      return [deleteCall(given, step)];
    case 'update':
      return [updateCall(given, cluster, step)];
    case 'deleteCollection':
      return [
        {
          verb: 'deleteCollection',
          client: 'user',
          kind: STORED,
          namespace: 'default',
          options: asDeleteOptions(step.options),
          at: 'list',
          remaining: [],
          current: null,
          listed: 0,
        },
      ];
    default:
      throw new Error(`unknown request ${JSON.stringify(step satisfies never)}`);
  }
}

export function deleteCall(given: SequenceGiven, step: StatedDelete): Call {
  const version = step.options?.preconditions?.resourceVersion;
  return {
    verb: 'delete',
    client: version === undefined ? 'user' : readerAt(version),
    key: keyNamed(targetOf(given, step.name)),
    options: asDeleteOptions(step.options),
    at: 'get',
  };
}

/** A PUT of the stored object with the change. */
export function updateCall(given: SequenceGiven, cluster: Cluster, step: StatedUpdate): Call {
  const key = keyNamed(targetOf(given, step.name));
  return {
    verb: 'update',
    client: 'user',
    key,
    change: changeOf(step),
    uid: cluster.store[key]?.uid ?? null,
    put: true,
    resourceVersion: false,
    at: 'update',
  };
}

function changeOf(step: StatedUpdate): Change {
  const finalizers = step.finalizers ?? step.change?.finalizers;
  if (finalizers !== undefined) return { do: 'setFinalizers', finalizers };
  const labels = step.labels ?? step.change?.labels;
  return labels === undefined ? { do: 'nothing' } : { do: 'touch' };
}

import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  equalJson,
  type ItemCall,
  isBeingDeleted,
  keyOf,
  type Setup,
  type UpdateCall,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOf, whichKeys } from '../relations.ts';
import { change } from '../values.ts';
import { askedBy, sameReferences } from './changes.ts';

function keyOfCall(call: ItemCall): string {
  return call.verb === 'create' ? keyOf(call.object) : call.key;
}

export function isDryRun(call: ItemCall): boolean {
  return call.verb === 'delete' ? call.options.dryRun === true : call.dryRun === true;
}

const FIELDS_OF_DELETION: readonly string[] = [
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'finalizers',
  'phase',
];

/** Names of the fields that differ, without those that the request names. */
export function otherFields(
  old: ApiObject,
  now: ApiObject,
  about: readonly string[],
): readonly string[] {
  const names = new Set([...Object.keys(old), ...Object.keys(now)]) as Set<keyof ApiObject>;
  return [...names].filter((name) => {
    if (about.includes(name)) return false;
    return name === 'ownerReferences'
      ? !sameReferences(old.ownerReferences, now.ownerReferences)
      : !equalJson(old[name], now[name]);
  });
}

/** What is wrong with the generation and the grace period of an object after a DELETE. */
function faultsOfMark(setup: Setup, old: ApiObject, now: ApiObject): readonly string[] {
  const faults: string[] = [];
  const counted = setup.kinds[old.kind]?.storage === 'generic' && old.generation > 0;
  const generation = old.generation + (counted && !isBeingDeleted(old) ? 1 : 0);
  if (isBeingDeleted(now) && now.generation !== generation) {
    faults.push(`${nameOf(now)} has generation ${now.generation} instead of ${generation}`);
  }
  const before = old.deletionGracePeriodSeconds ?? 0;
  const after = now.deletionGracePeriodSeconds ?? 0;
  // A negative grace period counts as one second.
  if (isBeingDeleted(old) && after > (before < 0 ? 1 : before)) {
    faults.push(`the grace period of ${nameOf(now)} grows from ${before} s to ${after} s`);
  }
  return faults;
}

export function isRefusedType(setup: Setup, call: UpdateCall, { kind }: ApiObject): boolean {
  return call.strategicMerge === true && setup.kinds[kind]?.patchTypes === 'mergeOnly';
}

/** Fields in which a new object may differ from the object in the POST. */
const SET_ON_CREATION = ['initializers', 'observedGeneration', 'phase', 'specFinalizers'];

/** The object of a POST with the fields that every creation sets: `rest.BeforeCreate` (1.20). */
function stampedObject(setup: Setup, asked: ApiObject): ApiObject {
  const generation = setup.kinds[asked.kind]?.generation === true ? 1 : asked.generation;
  return { ...asked, generation, deletionTimestamp: null, deletionGracePeriodSeconds: null };
}

/** What is wrong with what this step has written or removed at the key. */
function faultsOfWrite(
  setup: Setup,
  call: ItemCall | null,
  key: string,
  old: ApiObject | undefined,
  now: ApiObject | undefined,
): readonly string[] {
  const name = nameOf((now ?? old) as ApiObject);
  if (call === null) return [`${name} is changed by no request`];
  if (keyOfCall(call) !== key) return [`${name} is changed by a request for another object`];
  if (isDryRun(call)) return [`${name} is changed by a dry run`];
  if (now === undefined) return call.verb === 'create' ? [`${name} is removed by a POST`] : [];
  if (call.verb === 'create') {
    const faults = otherFields(stampedObject(setup, call.object), now, SET_ON_CREATION);
    return [
      ...(old === undefined ? [] : [`${name} is there already, and is created`]),
      ...faults.map((field) => `${name} has another ${field} (${change(call.object, now, field)})`),
    ];
  }
  if (old === undefined) return [`${name} comes into being by a request that is no POST`];
  if (call.verb === 'delete') {
    const others = otherFields(old, now, FIELDS_OF_DELETION);
    return [
      ...others.map((field) => `a DELETE changes ${field} of ${name} (${change(old, now, field)})`),
      ...faultsOfMark(setup, old, now),
    ];
  }
  const asked = askedBy(call.change, old);
  const wanted = { ...old, ...asked };
  return [
    ...(isRefusedType(setup, call, old)
      ? [`${name} takes a patch of a type that its kind does not know`]
      : []),
    ...otherFields(old, now, Object.keys(asked)).map(
      (field) => `an update changes ${field} of ${name} (${change(old, now, field)})`,
    ),
    ...otherFields(wanted, now, [])
      .filter((field) => field in asked)
      .map((field) => `an update sets another ${field} of ${name} (${change(wanted, now, field)})`),
  ];
}

export const REQUEST_DOES_ONLY_WHAT_IT_ASKS = defineProperty({
  id: 'request-does-only-what-it-asks',
  group: 'clients',
  name: 'a request does what it asks for and nothing else',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'A request for an object, and not a dry run, is behind each write of that object. A POST ' +
    'stores what it carries. A PUT or PATCH sets the fields that it names to the values that ' +
    'it names, and no other fields. A DELETE begins the deletion, which raises the generation ' +
    'by one, or shortens the grace period.',
  trigger: 'an object is stored, changed or removed',
  source: 'Kubernetes API conventions, verbs on resources',
  build: (setup) => {
    const faults = (before: Cluster, action: ActionInstance, after: Cluster, key: unknown) =>
      faultsOfWrite(
        setup,
        actingItemCall(setup, before, action),
        String(key),
        before.store[String(key)],
        after.store[String(key)],
      );
    const differs = (before: Cluster, after: Cluster, key: unknown): boolean =>
      !equalJson(before.store[String(key)], after.store[String(key)]);
    return {
      parameters: whichKeys(setup),
      trigger: (before, _action, after, { key }) => differs(before, after, key),
      holds: (before, action, after, { key }) =>
        !differs(before, after, key) || faults(before, action, after, key).length === 0,
      explain: (before, action, after, { key }) =>
        differs(before, after, key) ? faults(before, action, after, key) : [],
    };
  },
});

/** The conditions of this request that the stored object does not meet, in words. */
export function unmetConditions(
  before: Cluster,
  call: ItemCall,
  stored: ApiObject,
): readonly string[] {
  if (call.verb === 'create') return [];
  const { uid, version, reader } = conditionsOf(call);
  return [
    ...(uid !== null && uid !== stored.uid ? [`it is for uid ${uid}`] : []),
    ...(version && before.unchangedSince[reader] !== call.key
      ? ['it is for the version that was read, and that has been written since']
      : []),
  ];
}

function conditionsOf(call: Exclude<ItemCall, { verb: 'create' }>): {
  readonly uid: string | null;
  readonly version: boolean;
  readonly reader: string;
} {
  if (call.verb === 'delete') {
    const { preconditions } = call.options;
    return {
      uid: preconditions?.uid ?? null,
      version: preconditions?.resourceVersion !== undefined,
      reader: preconditions?.resourceVersion === 'outdated' ? '' : call.client,
    };
  }
  // The removal after an update that emptied the finalizers goes by name. Only a PUT still names
  // the uid.
  const decides = call.at === 'update';
  return {
    uid: decides || call.put ? call.uid : null,
    version: decides && call.resourceVersion,
    reader: call.reader ?? call.client,
  };
}

export const PRECONDITIONS_ENFORCED = defineProperty({
  id: 'preconditions-enforced',
  group: 'clients',
  name: 'a request under a condition takes effect only where it is met',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'A request that names a uid, or that demands the version that its client has read, ' +
    'changes or removes no object with another uid, and no object that has been written ' +
    'since.',
  trigger: 'a request with a uid or a version changes or removes an object',
  source:
    'Kubernetes documentation, API reference, Preconditions: "Preconditions must be fulfilled before ' +
    'an operation (update, delete, etc.) is carried out"; ' +
    'https://github.com/kubernetes/kubernetes/issues/25169',
  build: (setup) => {
    const writing = (
      before: Cluster,
      action: ActionInstance,
      after: Cluster,
    ): { readonly call: ItemCall; readonly stored: ApiObject } | null => {
      const call = actingItemCall(setup, before, action);
      if (call === null || call.verb === 'create') return null;
      const { uid, version } = conditionsOf(call);
      const stored = before.store[call.key];
      if (stored === undefined || (uid === null && !version)) return null;
      return equalJson(stored, after.store[call.key]) ? null : { call, stored };
    };
    return {
      trigger: (before, action, after) => writing(before, action, after) !== null,
      holds: (before, action, after) => {
        const found = writing(before, action, after);
        return found === null || unmetConditions(before, found.call, found.stored).length === 0;
      },
      explain: (before, action, after) => {
        const found = writing(before, action, after);
        if (found === null) return [];
        return unmetConditions(before, found.call, found.stored).map(
          (why) => `a request takes effect on ${nameOf(found.stored)}, although ${why}`,
        );
      },
    };
  },
});

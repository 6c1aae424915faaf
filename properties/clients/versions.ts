import type { ActionInstance } from '../../checker/index.ts';
import {
  ACTORS,
  type ApiObject,
  actingItemCall,
  type Cluster,
  equalJson,
  FOREGROUND,
  type Informer,
  isBeingDeleted,
  isObserved,
  isVisible,
  keyOf,
  monitorsComeAndGo,
  type ObjectKey,
  ORPHAN,
  type Setup,
  type Uid,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOf, whichKeys } from '../relations.ts';

/** Clients whose copy of the object is up to date. */
function readers(cluster: Cluster, key: ObjectKey): readonly string[] {
  const clients = Object.keys(cluster.unchangedSince);
  return clients.filter((client) => cluster.unchangedSince[client] === key);
}

interface Reads {
  /** Whether this step writes or removes the object. */
  readonly written: boolean;
  /**
   * Clients whose copies are up to date and should be stale, or are stale and should be up to date.
   */
  readonly wrong: readonly string[];
}

function readsOf(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
  key: ObjectKey,
): Reads | null {
  const old = readers(before, key);
  if (old.length === 0) return null;
  const call = actingItemCall(setup, before, action);
  if (call === null) return null;
  const now = readers(after, key);
  // The answer gives the new version to the client that wrote the object.
  const ofOthers = old.filter((client) => !client.startsWith(call.client));
  const written = !equalJson(before.store[key], after.store[key]);
  if (written) return { written, wrong: ofOthers.filter((client) => now.includes(client)) };
  if ((call.verb === 'create' ? keyOf(call.object) : call.key) === key) return null;
  return { written, wrong: ofOthers.filter((client) => !now.includes(client)) };
}

export const VERSION_OUTDATED_ONLY_BY_WRITE = defineProperty({
  id: 'version-outdated-only-by-write',
  group: 'clients',
  name: 'a version is outdated by a write of the object and by nothing else',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'A client that has read an object can write it under the version that it has read until ' +
    'another client writes or removes the object, and no longer.',
  trigger: 'a request takes a step while a client has the current version of an object',
  source: 'Kubernetes API conventions, Concurrency Control and Consistency: resourceVersion',
  build: (setup) => ({
    parameters: whichKeys(setup),
    trigger: (before, action, after, { key }) =>
      readsOf(setup, before, action, after, String(key)) !== null,
    holds: (before, action, after, { key }) =>
      (readsOf(setup, before, action, after, String(key))?.wrong ?? []).length === 0,
    explain: (before, action, after, { key }) => {
      const reads = readsOf(setup, before, action, after, String(key));
      const object = before.store[String(key)];
      if (reads === null || object === undefined) return [];
      const how = reads.written
        ? 'still counts as the stored one'
        : 'counts as outdated, although nobody has written the object';
      return reads.wrong.map((client) => `the copy of ${nameOf(object)} that ${client} has ${how}`);
    },
  }),
});

/** What the collector reads of an object, without its coordinates. Null if it sees no object. */
function observable(object: ApiObject | undefined): unknown {
  if (object === undefined || !isVisible(object)) return null;
  const { uid, finalizers, ownerReferences } = object;
  return {
    uid,
    ownerReferences,
    beingDeleted: isBeingDeleted(object),
    orphan: finalizers.includes(ORPHAN),
    foreground: finalizers.includes(FOREGROUND),
  };
}

interface About {
  readonly key: ObjectKey;
}

/**
 * How many elements about the object a step has put into these queues. A step that lets none of
 * them become shorter has only put elements at their ends, so nothing else is read: an explorer
 * evaluates a predicate again for all values of what it reads.
 */
function added(
  before: Readonly<Record<string, readonly About[]>>,
  after: Readonly<Record<string, readonly About[]>>,
  key: ObjectKey,
): number {
  const about = (elements: readonly About[]) => elements.filter((one) => one.key === key).length;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].reduce((sum, name) => {
    const { [name]: old = [] } = before;
    const { [name]: now = [] } = after;
    if (now.length < old.length) return sum + about(now) - about(old);
    return now.length === old.length ? sum : sum + about(now.slice(old.length));
  }, 0);
}

/**
 * Whether the collector sees this object in every state. Otherwise watches begin and
 * end, or some kinds are not served.
 */
function hearsAlways(setup: Setup, before: Cluster, key: ObjectKey, uid: Uid): boolean {
  return (
    isObserved(setup, { kind: kindOf(key), uid }) &&
    !monitorsComeAndGo(setup) &&
    before.stopped.controllers === undefined
  );
}

function kindOf(key: ObjectKey): string {
  return key.slice(0, key.indexOf('/'));
}

/** Whether this is a step of a request for the object, and the collector sees the object. */
function isRequested(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
  key: ObjectKey,
): boolean {
  const call = actingItemCall(setup, before, action);
  if (call === null || (call.verb === 'create' ? keyOf(call.object) : call.key) !== key)
    return false;
  const object = before.store[key] ?? after.store[key];
  return hearsAlways(setup, before, key, object?.uid ?? '');
}

/** How many events this step of a request for the object has caused too many; negative: too few. */
function surplus(before: Cluster, after: Cluster, key: ObjectKey): number {
  const told = added(before.watch, after.watch, key);
  const shown = observable(after.store[key]);
  if (!equalJson(observable(before.store[key]), shown)) return told - 1;
  // A change that the collector does not read may cause an event or not.
  return told === 1 && shown !== null && !equalJson(before.store[key], after.store[key]) ? 0 : told;
}

/** Caches of controllers that receive a change too often, or not at all. */
function wronglyTold(
  informers: readonly Informer[],
  before: Cluster,
  after: Cluster,
  key: ObjectKey,
): readonly string[] {
  const changes = equalJson(before.store[key], after.store[key]) ? 0 : 1;
  const unseen = ({ unseen }: Cluster, name: string) => ({ changes: unseen[name] ?? [] });
  return informers
    .filter(({ kind }) => kind === kindOf(key))
    .filter(({ name }) => added(unseen(before, name), unseen(after, name), key) !== changes)
    .map(({ words }) => words);
}

/** What the watch of a kind reports about an object after a break, and what it should report. */
function toldAfterBreak(
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
  key: ObjectKey,
): { readonly told: string; readonly wanted: string } | null {
  const lists = action.name === 'relist' || action.name === 'relistAfterLoss';
  if (!lists || action.parameters.kind !== kindOf(key)) return null;
  const types = (cluster: Cluster): readonly string[] =>
    (cluster.watch[kindOf(key)] ?? []).filter((event) => event.key === key).map(({ type }) => type);
  const [first] = types(before);
  if (first === undefined) return null;
  const known = first !== 'add';
  const there = observable(after.store[key]) !== null;
  const wanted = there ? (known ? 'update' : 'add') : known ? 'delete' : 'nothing';
  return { told: types(after).join(' and ') || 'nothing', wanted };
}

export const WATCH_REPORTS_EVERY_CHANGE = defineProperty({
  id: 'watch-reports-every-change',
  group: 'clients',
  name: 'watches tell of every change and of nothing else',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'Each change of a part of an object that the collector reads causes one event. A request ' +
    'that changes nothing causes none. The caches of controllers receive every change. A ' +
    'watch that has broken reports the difference between what it reported before and what is ' +
    'stored.',
  trigger:
    'a request for an object of a kind that is always watched takes a step, or a watch breaks',
  source:
    'Kubernetes API concepts, Efficient detection of changes: a watch delivers every change that ' +
    'follows a list',
  build: (setup) => {
    const informers = ACTORS.flatMap((actor) => actor.informers?.(setup) ?? []);
    const faults = (
      before: Cluster,
      action: ActionInstance,
      after: Cluster,
      key: ObjectKey,
    ): readonly string[] | null => {
      const broken = toldAfterBreak(before, action, after, key);
      const object = after.store[key] ?? before.store[key];
      if (broken !== null) {
        const { told, wanted } = broken;
        return told === wanted ? [] : [`the new list tells ${told} of ${key} instead of ${wanted}`];
      }
      if (!isRequested(setup, before, action, after, key)) return null;
      if (object === undefined) return [];
      const events = surplus(before, after, key);
      const name = nameOf(object);
      return [
        ...(events > 0 ? [`an event tells of ${name}, which nobody has changed`] : []),
        ...(events < 0 ? [`no event tells of the change of ${name}`] : []),
        ...wronglyTold(informers, before, after, key).map(
          (words) => `the cache of ${words} is not told rightly of ${name}`,
        ),
      ];
    };
    return {
      parameters: whichKeys(setup),
      trigger: (before, action, after, { key }) =>
        toldAfterBreak(before, action, after, String(key)) !== null ||
        isRequested(setup, before, action, after, String(key)),
      holds: (before, action, after, { key }) =>
        (faults(before, action, after, String(key)) ?? []).length === 0,
      explain: (before, action, after, { key }) => faults(before, action, after, String(key)) ?? [],
    };
  },
});

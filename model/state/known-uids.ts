import { belongsToController } from './client-names.ts';
import type { Cluster, ClusterDraft } from './cluster.ts';
import type { Uid } from './objects.ts';

/**
 * Whether anything in a state still refers to a uid. A uid without references is as good as a new
 * one: nothing can confuse an object created with it with the object that had the uid before.
 */

/**
 * The contents of a namespace, as far as a pass over it depends on them: JSON arrays that begin
 * with the kind and the uid, separated by commas.
 */
export type Contents = string;

type Mentions = (text: string, uid: Uid) => boolean;

const isUid: Mentions = (text, uid) => text === uid;
/** The uid is the last part of a name made by `nodeId`. No other text ends like that. */
const isNode: Mentions = (text, uid) => text.endsWith(`,${JSON.stringify(uid)}]`);
const isUidOrNode: Mentions = (text, uid) => isUid(text, uid) || isNode(text, uid);
const isController: Mentions = (text, uid) => belongsToController(text, uid);

const isInContents: Mentions = (text, uid) => {
  const rows = JSON.parse(`[${text}]`) as readonly (readonly unknown[])[];
  return rows.some(([, found]) => found === uid);
};

/** What the keys of a record of the state refer to, and whether the search includes its values. */
interface Part {
  readonly keys?: Mentions;
  readonly values?: 'fields';
}

const PARTS: Readonly<Record<keyof Cluster, Part>> = {
  store: { values: 'fields' },
  unchangedSince: { keys: isController },
  calls: { keys: isController, values: 'fields' },
  users: {},
  // A record of the model itself, which no actor reads.
  promisedOrphans: {},
  surprises: {},
  unearned: {},
  watch: { values: 'fields' },
  unseen: { values: 'fields' },
  graphChanges: { keys: isNode },
  graph: { keys: isUid, values: 'fields' },
  dependents: { keys: isUid, values: 'fields' },
  attemptToDelete: { keys: isNode },
  attemptToOrphan: { keys: isNode, values: 'fields' },
  processing: { keys: isNode, values: 'fields' },
  orphaning: { keys: isNode, values: 'fields' },
  synchronousDeletion: { keys: isNode },
  deleteFailures: { keys: isNode },
  orphanFailures: { keys: isNode },
  synchronousWorkers: { values: 'fields' },
  absentOwners: { keys: isUidOrNode },
  deleteWorkers: { values: 'fields' },
  orphanWorkers: { values: 'fields' },
  controllers: { keys: isController, values: 'fields' },
  stopped: {},
  monitors: {},
  syncing: {},
  lagging: { values: 'fields' },
  notInstalled: {},
  served: {},
  listing: {},
  // Its uids are those of children that are created only once, so none of them returns.
  budget: {},
  outside: {},
};

/**
 * The fields whose values refer to objects, at any depth of a value. Other fields hold names,
 * kinds, keys and the like. What a controller has recorded about a failed sync is not included: it
 * says what the state was like, not which object it was.
 */
const FIELDS: Readonly<Record<string, Mentions>> = {
  uid: isUid,
  uids: isUid,
  claimUid: isUid,
  queuedDependents: isUid,
  // Uids in a node object, or node objects in an entry of the orphan queue.
  dependents: isUidOrNode,
  node: isNode,
  queuedAs: isNode,
  client: isController,
  reader: isController,
  memory: isUid,
  // The namespace controller compares which objects a namespace has.
  contents: isInContents,
  triedContents: isInContents,
};

/** Records within values whose keys are uids: the patches of an orphan worker. */
const RECORDS_BY_UID: readonly string[] = ['calls'];

export function isKnown(cluster: Cluster | ClusterDraft, uid: Uid): boolean {
  return Object.entries(PARTS).some(([name, { keys, values }]) => {
    if (!(name in cluster)) return false;
    const part: Readonly<Record<string, unknown>> = cluster[name as keyof Cluster] ?? {};
    if (keys !== undefined && Object.keys(part).some((key) => keys(key, uid))) return true;
    if (values === undefined) return false;
    // The dependents of a uid are a list without a field of its own.
    const field = name === 'dependents' ? name : '';
    return Object.values(part).some((value) => refersTo(value, field, uid));
  });
}

function refersTo(value: unknown, field: string, uid: Uid): boolean {
  if (typeof value === 'string') return FIELDS[field]?.(value, uid) === true;
  if (typeof value !== 'object' || value === null) return false;
  // What a controller of a user's remembers has fields of any name.
  if (field === 'memory') return JSON.stringify(value).includes(JSON.stringify(uid));
  if (Array.isArray(value)) return value.some((part) => refersTo(part, field, uid));
  const entries = Object.entries(value);
  if (RECORDS_BY_UID.includes(field) && entries.some(([key]) => key === uid)) return true;
  return entries.some(([name, part]) => refersTo(part, name, uid));
}

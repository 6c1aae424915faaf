import { hasContent } from '../actors/namespaces/actor.ts';
import { belongsToController } from '../actors/workloads/generations.ts';
import type { Cluster, ClusterDraft } from './cluster.ts';
import type { Controller } from './controllers.ts';
import type { Uid } from './objects.ts';

/**
 * Whether anybody in a state knows a uid. One that nobody knows is as good as a new one: whoever is
 * created under it cannot be taken for the object that had it before.
 */

type Mentions = (text: string, uid: Uid) => boolean;

const isUid: Mentions = (text, uid) => text === uid;
/** The uid is the last part of a name made by `nodeId`; what is no such name does not end like that. */
const isNode: Mentions = (text, uid) => text.endsWith(`,${JSON.stringify(uid)}]`);
const isUidOrNode: Mentions = (text, uid) => isUid(text, uid) || isNode(text, uid);
const isController: Mentions = (text, uid) => belongsToController(text, uid);

/** What the keys of a record of the state say, and whether its values are to be looked through. */
interface Part {
  readonly keys?: Mentions;
  readonly values?: 'fields' | 'controllers';
}

const PARTS: Readonly<Record<keyof Cluster, Part>> = {
  store: { values: 'fields' },
  unchangedSince: { keys: isController },
  calls: { keys: isController, values: 'fields' },
  users: {},
  // A note of the model's own: nobody in the system knows it.
  promisedOrphans: {},
  surprises: {},
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
  synchronousWorkers: { values: 'fields' },
  absentOwners: { keys: isUidOrNode },
  deleteWorkers: { values: 'fields' },
  orphanWorkers: { values: 'fields' },
  controllers: { keys: isController, values: 'controllers' },
  stopped: {},
  monitors: {},
  syncing: {},
  lagging: { values: 'fields' },
  notInstalled: {},
  served: {},
  listing: {},
  // Of children that are created once each: none of these returns.
  budget: {},
};

/**
 * Fields that say which object is meant, wherever they are in a value; others have names, kinds, keys
 * and the like. What a controller has noted of a sync in vain is none of them: such a note says what
 * things were like, not which object it was.
 */
const FIELDS: Readonly<Record<string, Mentions>> = {
  uid: isUid,
  uids: isUid,
  claimUid: isUid,
  queuedDependents: isUid,
  // Of a node object uids, of one that is queued to be orphaned node objects.
  dependents: isUidOrNode,
  node: isNode,
  queuedAs: isNode,
  client: isController,
  reader: isController,
};

/** Records within values whose keys are uids: the patches of an orphan worker. */
const RECORDS_BY_UID: readonly string[] = ['calls'];

export function isKnown(cluster: Cluster | ClusterDraft, uid: Uid): boolean {
  return Object.entries(PARTS).some(([name, { keys, values }]) => {
    const part: Readonly<Record<string, unknown>> = cluster[name as keyof Cluster];
    if (keys !== undefined && Object.keys(part).some((key) => keys(key, uid))) return true;
    if (values === undefined) return false;
    if (values === 'controllers') {
      const all = Object.values(cluster.controllers) as readonly Controller[];
      if (all.some((controller) => hasSeen(controller, uid))) return true;
    }
    // The dependents of a uid are a list without a field of its own.
    const field = name === 'dependents' ? name : '';
    return Object.values(part).some((value) => speaksOf(value, field, uid));
  });
}

/** A pass over a namespace goes by which objects were in it. */
function hasSeen(controller: Controller, uid: Uid): boolean {
  if (controller.role !== 'namespace') return false;
  if ('seen' in controller) return hasContent(controller.seen, uid);
  return 'triedInVain' in controller && hasContent(controller.triedInVain, uid);
}

function speaksOf(value: unknown, field: string, uid: Uid): boolean {
  if (typeof value === 'string') return FIELDS[field]?.(value, uid) === true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((part) => speaksOf(part, field, uid));
  const entries = Object.entries(value);
  if (RECORDS_BY_UID.includes(field) && entries.some(([key]) => key === uid)) return true;
  return entries.some(([name, part]) => speaksOf(part, name, uid));
}

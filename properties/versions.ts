import type { ActionInstance } from '../checker/index.ts';
import { actingItemCall } from '../model/acting.ts';
import { equalJson } from '../model/equal.ts';
import { keyOf, type ObjectKey } from '../model/objects.ts';
import type { Setup } from '../model/setup.ts';
import type { Cluster } from '../model/state.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { nameOf, whichKeys } from './relations.ts';

/** Whose copies of an object are up to date, and until when. */

/** Clients whose copy of the object is the stored one. */
function readers(cluster: Cluster, key: ObjectKey): readonly string[] {
  const clients = Object.keys(cluster.unchangedSince);
  return clients.filter((client) => cluster.unchangedSince[client] === key);
}

interface Reads {
  /** The object is written or removed by this step. */
  readonly written: boolean;
  /** Copies that are up to date and should not be, or the other way round. */
  readonly wrong: readonly string[];
}

function readsOf(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
  key: ObjectKey,
): Reads | null {
  const call = actingItemCall(setup, before, action);
  const old = readers(before, key);
  if (call === null || old.length === 0) return null;
  const now = readers(after, key);
  // The writer has the new version from the answer.
  const ofOthers = old.filter((client) => !client.startsWith(call.client));
  const written = !equalJson(before.store[key], after.store[key]);
  if (written) return { written, wrong: ofOthers.filter((client) => now.includes(client)) };
  if ((call.verb === 'create' ? keyOf(call.object) : call.key) === key) return null;
  return { written, wrong: ofOthers.filter((client) => !now.includes(client)) };
}

export const CONFLICTS_HAVE_CAUSES: CatalogueEntry = {
  name: 'a version is outdated by a write of the object and by nothing else',
  kind: 'step',
  about:
    'A client that has read an object can write it under the version that it has read until somebody ' +
    'else writes or removes that object, and no longer.',
  trigger: 'a request takes a step, and a client has the version of an object that is stored',
  source: 'Kubernetes API conventions, Concurrency Control and Consistency: resourceVersion',
  fairness: 'none',
  build: (setup) => ({
    kind: 'step',
    name: CONFLICTS_HAVE_CAUSES.name,
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
};

import type { Property } from '../checker/index.ts';
import { type Cluster, formatKey, keyFor, type Setup } from '../model/index.ts';
import { closest } from '../text/suggest.ts';
import type { CatalogueEntry } from './catalogue.ts';
import {
  DELETE_COLLECTION_SKIPS_MISSING,
  DELETE_NEVER_CONFLICTS_WITH_ITSELF,
  VALID_REQUEST_CARRIED_OUT,
} from './clients/answers.ts';
import { PRECONDITIONS_ENFORCED, REQUEST_DOES_ONLY_WHAT_IT_ASKS } from './clients/requests.ts';
import { VERSION_OUTDATED_ONLY_BY_WRITE, WATCH_REPORTS_EVERY_CHANGE } from './clients/versions.ts';
import { CLIENT_WAIT_ENDS, CLIENT_WAITS_UNTIL_GONE } from './clients/waiting.ts';
import {
  GRAPH_EDGES_CONSISTENT,
  GRAPH_KNOWS_WAITING_OWNERS,
  GRAPH_MIRRORS_STORE,
  GRAPH_WAITING_WAS_OBSERVED,
} from './collector/graph.ts';
import {
  ABSENT_OWNER_CACHE_CORRECT,
  DEAD_UIDS_FORGOTTEN,
  RESTART_FORGETS_EVERYTHING,
  WATCH_BREAKS_LIMITED,
} from './collector/memory.ts';
import {
  MONITOR_LISTS_ONLY_SERVED,
  ONE_MONITOR_SYNC_AT_A_TIME,
  SERVED_KINDS_ARE_WATCHED,
  START_WAITS_ONLY_FOR_SERVED_KINDS,
  WORKERS_WAIT_FOR_MONITORS,
} from './collector/monitors.ts';
import {
  COLLECTOR_COMES_TO_REST,
  COLLECTOR_KEEPS_WORKING,
  ONE_WORKER_PER_ITEM,
} from './collector/queues.ts';
import { COLLECTOR_REQUESTS_JUSTIFIED } from './collector/requests.ts';
import {
  NAMESPACE_PODS_FIRST,
  NO_ADMISSION_WHILE_TERMINATING,
  NO_CONTENTS_LEFT_BEHIND,
} from './namespaces/contents.ts';
import {
  NAMESPACE_STATUS_LISTS_REMAINING,
  NAMESPACE_STATUS_REPORTS_RESULT,
} from './namespaces/status.ts';
import {
  DELETION_IS_ONE_WAY,
  EVERY_DELETION_FINISHES,
  NO_STUCK_FINALIZER,
  NOTHING_STUCK,
  RIGHT_OBJECT_DELETED,
} from './objects/deletion.ts';
import {
  FINALIZERS_RESPECTED,
  NO_FINALIZER_ADDED_LATE,
  NO_REMOVAL_WITH_FINALIZER,
} from './objects/finalizers.ts';
import { askedOfObject, forObject, idForObject } from './one-object.ts';
import {
  CASCADE_COMPLETES,
  DANGLING_REFERENCES_GO,
  REFERENCES_HAVE_CURRENT_UID,
  ROOTLESS_OBJECTS_GO,
} from './ownership/cascade.ts';
import {
  COLLECTOR_ADDS_NO_REFERENCE,
  LIVE_OWNER_PROTECTS_DEPENDENT,
  LIVE_OWNER_REFERENCES_KEPT,
  OWNER_FINALIZERS_BEFORE_DEPENDENTS,
  UNOWNED_NEVER_COLLECTED,
} from './ownership/collection.ts';
import {
  FOREGROUND_CYCLES_BROKEN,
  FOREGROUND_WAITS_FOR_BLOCKERS,
  FOREGROUND_WAITS_FOR_OBSERVED_BLOCKERS,
} from './ownership/foreground.ts';
import { ORPHANING_COMPLETES, ORPHANS_SURVIVE } from './ownership/orphans.ts';
import { PROPAGATION_POLICY_HONORED } from './ownership/propagation.ts';
import {
  CONTAINERS_FOLLOW_POD,
  CONTAINERS_START_AND_STOP_WITH_POD,
  KUBELET_WAITS_FOR_CONTAINERS,
  NOTHING_RUNS_ON_LOST_MACHINE,
} from './workloads/containers.ts';
import {
  CUSTOM_CONTROLLER_AS_DESCRIBED,
  WORKLOAD_REACHES_DESIRED_STATE,
} from './workloads/controllers.ts';
import { CREATED_OBJECTS_GO } from './workloads/created.ts';
import { POD_GC_TAKES_ONLY_LEFTOVERS, POD_GRACE_PERIOD_HONORED } from './workloads/pods.ts';
import { CLAIM_IN_USE_STAYS, VOLUME_OUTLIVES_CLAIM } from './workloads/storage.ts';

export { ACTORS_ARE_FAIR, type CatalogueEntry, GROUPS, type Group } from './catalogue.ts';

export { askedOfObject, idForObject, titleForObject } from './one-object.ts';

/** All properties of a deletion, group by group. */
export const PROPERTIES: readonly CatalogueEntry[] = [
  // Objects and finalizers
  FINALIZERS_RESPECTED,
  NO_REMOVAL_WITH_FINALIZER,
  NO_FINALIZER_ADDED_LATE,
  DELETION_IS_ONE_WAY,
  RIGHT_OBJECT_DELETED,
  NOTHING_STUCK,
  EVERY_DELETION_FINISHES,
  NO_STUCK_FINALIZER,
  // Ownership and cascade
  LIVE_OWNER_PROTECTS_DEPENDENT,
  UNOWNED_NEVER_COLLECTED,
  ORPHANS_SURVIVE,
  FOREGROUND_WAITS_FOR_OBSERVED_BLOCKERS,
  FOREGROUND_WAITS_FOR_BLOCKERS,
  OWNER_FINALIZERS_BEFORE_DEPENDENTS,
  PROPAGATION_POLICY_HONORED,
  LIVE_OWNER_REFERENCES_KEPT,
  COLLECTOR_ADDS_NO_REFERENCE,
  CASCADE_COMPLETES,
  ROOTLESS_OBJECTS_GO,
  DANGLING_REFERENCES_GO,
  REFERENCES_HAVE_CURRENT_UID,
  FOREGROUND_CYCLES_BROKEN,
  ORPHANING_COMPLETES,
  // Namespaces and definitions
  NO_ADMISSION_WHILE_TERMINATING,
  NO_CONTENTS_LEFT_BEHIND,
  NAMESPACE_PODS_FIRST,
  NAMESPACE_STATUS_LISTS_REMAINING,
  NAMESPACE_STATUS_REPORTS_RESULT,
  // Workloads, nodes, storage
  POD_GRACE_PERIOD_HONORED,
  CONTAINERS_START_AND_STOP_WITH_POD,
  KUBELET_WAITS_FOR_CONTAINERS,
  NOTHING_RUNS_ON_LOST_MACHINE,
  CONTAINERS_FOLLOW_POD,
  POD_GC_TAKES_ONLY_LEFTOVERS,
  CLAIM_IN_USE_STAYS,
  VOLUME_OUTLIVES_CLAIM,
  WORKLOAD_REACHES_DESIRED_STATE,
  CREATED_OBJECTS_GO,
  CUSTOM_CONTROLLER_AS_DESCRIBED,
  // Clients
  REQUEST_DOES_ONLY_WHAT_IT_ASKS,
  PRECONDITIONS_ENFORCED,
  VALID_REQUEST_CARRIED_OUT,
  DELETE_COLLECTION_SKIPS_MISSING,
  DELETE_NEVER_CONFLICTS_WITH_ITSELF,
  VERSION_OUTDATED_ONLY_BY_WRITE,
  WATCH_REPORTS_EVERY_CHANGE,
  CLIENT_WAITS_UNTIL_GONE,
  CLIENT_WAIT_ENDS,
  // The collector's own bookkeeping
  COLLECTOR_REQUESTS_JUSTIFIED,
  GRAPH_EDGES_CONSISTENT,
  GRAPH_MIRRORS_STORE,
  GRAPH_KNOWS_WAITING_OWNERS,
  GRAPH_WAITING_WAS_OBSERVED,
  ABSENT_OWNER_CACHE_CORRECT,
  DEAD_UIDS_FORGOTTEN,
  ONE_WORKER_PER_ITEM,
  COLLECTOR_KEEPS_WORKING,
  COLLECTOR_COMES_TO_REST,
  WORKERS_WAIT_FOR_MONITORS,
  MONITOR_LISTS_ONLY_SERVED,
  ONE_MONITOR_SYNC_AT_A_TIME,
  START_WAITS_ONLY_FOR_SERVED_KINDS,
  SERVED_KINDS_ARE_WATCHED,
  RESTART_FORGETS_EVERYTHING,
  WATCH_BREAKS_LIMITED,
];

/** All properties, made for one setup. */
export function deletionProperties(setup: Setup): readonly Property<Cluster>[] {
  return PROPERTIES.map((entry) => entry.build(setup));
}

const BY_WORD: ReadonlyMap<string, CatalogueEntry> = new Map(
  PROPERTIES.flatMap((entry) => [
    [entry.id, entry],
    [entry.name, entry],
  ]),
);

/** The property with this id, or with this sentence as its title. */
export function propertyMeant(idOrName: string): CatalogueEntry | undefined {
  return BY_WORD.get(idOrName);
}

/** The property that a title with an object names; null for any other name. */
export function propertyForObject(setup: Setup, name: string): Property<Cluster> | null {
  const asked = askedOfObject(name);
  const entry = asked === null ? undefined : propertyMeant(asked.property);
  return asked === null || entry === undefined ? null : forObject(entry, setup, asked.object);
}

/**
 * Properties that are shipped, for a model of `clusterModel`.
 *
 * @param words ids or titles, also of one object: `every-deletion-finishes for Secret/b`. Absent:
 * all.
 */
export function propertiesFor(
  { setup }: { readonly setup: Setup },
  words?: readonly string[],
): readonly Property<Cluster>[] {
  if (words === undefined) return deletionProperties(setup);
  return words.map((word) => {
    const asked = askedOfObject(word);
    const object = asked === null ? '' : formatKey(keyFor(setup, word, asked.object, 'default'));
    const found =
      asked === null
        ? propertyMeant(word)?.build(setup)
        : propertyForObject(setup, idForObject(asked.property, object));
    if (found !== undefined && found !== null) return found;
    const near = closest(
      asked?.property ?? word,
      PROPERTIES.flatMap(({ id, name }) => [id, name]),
    );
    const next =
      near === null ? 'npx reapcheck list properties prints them all' : `did you mean "${near}"?`;
    throw new Error(`there is no property ${word}; ${next}`);
  });
}

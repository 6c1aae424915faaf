import type { Property } from '../checker/index.ts';
import type { Cluster, Setup } from '../model/index.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { ACCEPTED_IS_DONE, COLLECTIONS_GO_ON, NO_CONFLICT_WITH_ITSELF } from './clients/answers.ts';
import { AS_ASKED_AND_NO_MORE, CONDITIONS_KEPT } from './clients/requests.ts';
import { CHANGES_ARE_TOLD, CONFLICTS_HAVE_CAUSES } from './clients/versions.ts';
import { WAITING_ENDS, WAITING_LASTS } from './clients/waiting.ts';
import {
  DEPENDENTS_MATCH_OWNERS,
  FOREGROUND_NOTICED,
  GRAPH_MIRRORS_STORE,
  WAITS_ARE_TOLD,
} from './collector/graph.ts';
import { ABSENT_IS_ABSENT, BREAKS_ARE_COUNTED, RESTARTS_FORGET } from './collector/memory.ts';
import {
  LISTED_IS_SERVED,
  MONITORS_FIRST,
  NOTHING_UNSERVED_AWAITED,
  ONE_ROUND_AT_A_TIME,
  SERVED_IS_WATCHED,
} from './collector/monitors.ts';
import { COLLECTOR_WORKS, ONE_WORKER_EACH, QUEUES_DRAIN } from './collector/queues.ts';
import { REQUESTS_HAVE_REASONS } from './collector/requests.ts';
import {
  NOTHING_ADMITTED_TO_WHAT_GOES,
  NOTHING_LEFT_BEHIND,
  PODS_FIRST,
} from './namespaces/contents.ts';
import { STATUS_TELLS_HOW_IT_GOES, STATUS_TELLS_WHAT_IS_LEFT } from './namespaces/status.ts';
import {
  DELETION_IS_ONE_WAY,
  EVENTUAL_DELETION,
  NO_STUCK_FINALIZER,
  NOTHING_STUCK,
  RIGHT_OBJECT,
} from './objects/deletion.ts';
import {
  FINALIZERS_RESPECTED,
  NO_FINALIZERS_ADDED,
  NOTHING_LEAVES_WITH_FINALIZERS,
} from './objects/finalizers.ts';
import {
  CASCADE_COMPLETE,
  DANGLING_REFERENCES_GO,
  NOTHING_WITHOUT_ROOT,
} from './ownership/cascade.ts';
import {
  FINALIZERS_BEFORE_DEPENDENTS,
  LIVE_OWNERS_KEPT,
  NO_LIVE_OWNER,
  ONLY_OWNED,
} from './ownership/collection.ts';
import { BLOCKERS_FIRST, CYCLES_BROKEN, OBSERVED_BLOCKERS_FIRST } from './ownership/foreground.ts';
import { ORPHANING_COMPLETES, ORPHANS_SURVIVE } from './ownership/orphans.ts';
import { PROPAGATES_AS_ASKED } from './ownership/propagation.ts';
import {
  CONTAINERS_FOLLOW,
  CONTAINERS_START_AND_STOP,
  DONE_WHEN_ENDED,
  NOTHING_RUNS_WITHOUT_MACHINE,
} from './workloads/containers.ts';
import { OPERATORS_AS_DESCRIBED, WORKLOADS_ARE_KEPT } from './workloads/controllers.ts';
import { GRACE_AS_ASKED, POD_GC_TAKES_LEFTOVERS } from './workloads/pods.ts';
import { CLAIM_IN_USE_STAYS, VOLUME_OUTLIVES_CLAIM } from './workloads/storage.ts';

export { ACTORS_ARE_FAIR, type CatalogueEntry, GROUPS, type Group } from './catalogue.ts';

/** All properties of a deletion, group by group. */
export const PROPERTIES: readonly CatalogueEntry[] = [
  // Objects and finalizers
  FINALIZERS_RESPECTED,
  NOTHING_LEAVES_WITH_FINALIZERS,
  NO_FINALIZERS_ADDED,
  DELETION_IS_ONE_WAY,
  RIGHT_OBJECT,
  NOTHING_STUCK,
  EVENTUAL_DELETION,
  NO_STUCK_FINALIZER,
  // Ownership and cascade
  NO_LIVE_OWNER,
  ONLY_OWNED,
  ORPHANS_SURVIVE,
  OBSERVED_BLOCKERS_FIRST,
  BLOCKERS_FIRST,
  FINALIZERS_BEFORE_DEPENDENTS,
  PROPAGATES_AS_ASKED,
  LIVE_OWNERS_KEPT,
  CASCADE_COMPLETE,
  NOTHING_WITHOUT_ROOT,
  DANGLING_REFERENCES_GO,
  CYCLES_BROKEN,
  ORPHANING_COMPLETES,
  // Namespaces and definitions
  NOTHING_ADMITTED_TO_WHAT_GOES,
  NOTHING_LEFT_BEHIND,
  PODS_FIRST,
  STATUS_TELLS_WHAT_IS_LEFT,
  STATUS_TELLS_HOW_IT_GOES,
  // Workloads, nodes, storage
  GRACE_AS_ASKED,
  CONTAINERS_START_AND_STOP,
  DONE_WHEN_ENDED,
  NOTHING_RUNS_WITHOUT_MACHINE,
  CONTAINERS_FOLLOW,
  POD_GC_TAKES_LEFTOVERS,
  CLAIM_IN_USE_STAYS,
  VOLUME_OUTLIVES_CLAIM,
  WORKLOADS_ARE_KEPT,
  OPERATORS_AS_DESCRIBED,
  // Clients
  AS_ASKED_AND_NO_MORE,
  CONDITIONS_KEPT,
  ACCEPTED_IS_DONE,
  COLLECTIONS_GO_ON,
  NO_CONFLICT_WITH_ITSELF,
  CONFLICTS_HAVE_CAUSES,
  CHANGES_ARE_TOLD,
  WAITING_LASTS,
  WAITING_ENDS,
  // The collector's own bookkeeping
  REQUESTS_HAVE_REASONS,
  DEPENDENTS_MATCH_OWNERS,
  GRAPH_MIRRORS_STORE,
  FOREGROUND_NOTICED,
  WAITS_ARE_TOLD,
  ABSENT_IS_ABSENT,
  ONE_WORKER_EACH,
  COLLECTOR_WORKS,
  QUEUES_DRAIN,
  MONITORS_FIRST,
  LISTED_IS_SERVED,
  ONE_ROUND_AT_A_TIME,
  NOTHING_UNSERVED_AWAITED,
  SERVED_IS_WATCHED,
  RESTARTS_FORGET,
  BREAKS_ARE_COUNTED,
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

import type { Property } from '../checker/index.ts';
import type { Setup } from '../model/setup.ts';
import type { Cluster } from '../model/state.ts';
import { ABSENT_IS_ABSENT, FOREGROUND_NOTICED, ONE_WORKER_EACH } from './bookkeeping.ts';
import { FINALIZERS_BEFORE_DEPENDENTS, NOTHING_WITHOUT_ROOT } from './cascade.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { NO_LIVE_OWNER, ONLY_OWNED, ORPHANS_SURVIVE, RIGHT_OBJECT } from './collection.ts';
import {
  CONTAINERS_FOLLOW,
  CONTAINERS_START_AND_STOP,
  DONE_WHEN_ENDED,
  NOTHING_RUNS_WITHOUT_MACHINE,
} from './containers.ts';
import { NOTHING_LEFT_BEHIND, PODS_FIRST } from './contents.ts';
import {
  DELETION_IS_ONE_WAY,
  FINALIZERS_RESPECTED,
  NO_FINALIZERS_ADDED,
  NOTHING_LEAVES_WITH_FINALIZERS,
} from './finalizers.ts';
import { BLOCKERS_FIRST, OBSERVED_BLOCKERS_FIRST } from './foreground.ts';
import {
  CASCADE_COMPLETE,
  CYCLES_BROKEN,
  EVENTUAL_DELETION,
  NO_STUCK_FINALIZER,
  NOTHING_STUCK,
  ORPHANING_COMPLETES,
} from './progress.ts';
import { PROPAGATES_AS_ASKED } from './propagation.ts';
import { DEPENDENTS_MATCH_OWNERS, GRAPH_MIRRORS_STORE, QUEUES_DRAIN } from './quiet.ts';
import { LIVE_OWNERS_KEPT, REQUESTS_HAVE_REASONS } from './reasons.ts';
import { GRACE_AS_ASKED, NO_CONFLICT_WITH_ITSELF } from './requests.ts';
import {
  CLAIM_IN_USE_STAYS,
  POD_GC_TAKES_LEFTOVERS,
  VOLUME_OUTLIVES_CLAIM,
  WAITING_ENDS,
  WAITING_LASTS,
} from './usage.ts';
import { COLLECTOR_WORKS } from './workers.ts';
import { ACCEPTED_IS_DONE, AS_ASKED_AND_NO_MORE, CONDITIONS_KEPT } from './writes.ts';

export type { CatalogueEntry } from './catalogue.ts';

/** Everything that can be asked of a deletion, safety first. */
export const PROPERTIES: readonly CatalogueEntry[] = [
  FINALIZERS_RESPECTED,
  NOTHING_LEAVES_WITH_FINALIZERS,
  DELETION_IS_ONE_WAY,
  NO_FINALIZERS_ADDED,
  RIGHT_OBJECT,
  NO_LIVE_OWNER,
  ONLY_OWNED,
  ORPHANS_SURVIVE,
  OBSERVED_BLOCKERS_FIRST,
  BLOCKERS_FIRST,
  FINALIZERS_BEFORE_DEPENDENTS,
  PROPAGATES_AS_ASKED,
  GRACE_AS_ASKED,
  NO_CONFLICT_WITH_ITSELF,
  AS_ASKED_AND_NO_MORE,
  CONDITIONS_KEPT,
  ACCEPTED_IS_DONE,
  LIVE_OWNERS_KEPT,
  REQUESTS_HAVE_REASONS,
  NOTHING_LEFT_BEHIND,
  PODS_FIRST,
  CLAIM_IN_USE_STAYS,
  VOLUME_OUTLIVES_CLAIM,
  WAITING_LASTS,
  POD_GC_TAKES_LEFTOVERS,
  CONTAINERS_START_AND_STOP,
  DONE_WHEN_ENDED,
  NOTHING_RUNS_WITHOUT_MACHINE,
  DEPENDENTS_MATCH_OWNERS,
  GRAPH_MIRRORS_STORE,
  FOREGROUND_NOTICED,
  ABSENT_IS_ABSENT,
  ONE_WORKER_EACH,
  NOTHING_STUCK,
  EVENTUAL_DELETION,
  NO_STUCK_FINALIZER,
  CASCADE_COMPLETE,
  NOTHING_WITHOUT_ROOT,
  CYCLES_BROKEN,
  ORPHANING_COMPLETES,
  QUEUES_DRAIN,
  COLLECTOR_WORKS,
  WAITING_ENDS,
  CONTAINERS_FOLLOW,
];

/** All properties, made for one setup. */
export function deletionProperties(setup: Setup): readonly Property<Cluster>[] {
  return PROPERTIES.map((entry) => entry.build(setup));
}

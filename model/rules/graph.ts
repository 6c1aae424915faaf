import { rule } from './rule.ts';

/** The graph builder: what the collector believes. */
export const GRAPH_RULES = {
  virtualNodeIdentity: rule({
    values: ['frozen', 'corrected'],
    proposals: ['frozen', 'frozen'],
    releases: ['frozen', ['v1.20', 'corrected']],
    about: 'Whether a virtual node takes over the coordinates that an event shows.',
    source: 'GraphBuilder.processGraphChanges; kubernetes/kubernetes#92743 (1.20)',
  }),
  nodeVersion: rule({
    values: ['frozen', 'refreshed'],
    proposals: ['frozen', 'frozen'],
    releases: ['frozen'],
    about:
      'Whether a node, and an item that waits, take over the apiVersion and kind in which an event shows the object.',
    source:
      'GraphBuilder.processGraphChanges, GarbageCollector.attemptToDeleteWorker; kubernetes/kubernetes#137036 for kubernetes/kubernetes#102641, not merged by June 2026: no protocol has it',
  }),
  virtualDelete: rule({
    values: ['removes', 'matchingCoordinates'],
    proposals: ['removes', 'removes'],
    releases: ['removes', ['v1.20', 'matchingCoordinates']],
    about:
      'What a virtual delete event removes: the node of that uid, or only one with exactly the verified coordinates.',
    source: 'GraphBuilder.processGraphChanges; kubernetes/kubernetes#92743 (1.20)',
  }),
  ownerMismatch: rule({
    values: ['ignored', 'enqueueDependent'],
    proposals: ['ignored', 'ignored'],
    releases: ['ignored', ['v1.20', 'enqueueDependent']],
    about:
      'Whether a dependent whose reference does not match the known owner is queued for a check.',
    source: 'GraphBuilder.addDependentToOwners; kubernetes/kubernetes#92743 (1.20)',
  }),
  virtualOwnerNamespace: rule({
    values: ['trusted', 'checked'],
    proposals: ['trusted', 'trusted'],
    releases: ['trusted', ['v1.21', 'checked']],
    about:
      'Whether a dependent in a namespace is queued for a check when its owner is known by a reference of a cluster-scoped object only.',
    source: 'GraphBuilder.addDependentToOwners; kubernetes/kubernetes#98068 (1.20.3)',
  }),
  deletionStart: rule({
    values: [
      'deletionTimestampInUpdate',
      'deletionTimestamp',
      'deletionTimestampAndFinalizer',
      'everyEvent',
    ],
    proposals: ['deletionTimestampInUpdate', 'deletionTimestampInUpdate'],
    releases: ['deletionTimestamp', ['v1.16', 'deletionTimestampAndFinalizer']],
    about:
      'Which change starts orphaning or foreground deletion: an update sets deletionTimestamp; deletionTimestamp appears, be it with the object; it and the finalizer are both there for the first time; or every event that shows both.',
    source:
      'deletionStartsWithFinalizer; kubernetes/kubernetes#81081 (1.16); no release acts on every event',
  }),
  replacedObject: rule({
    values: ['updated', 'deletedAndAdded'],
    proposals: ['updated', 'updated'],
    releases: ['updated'],
    about:
      'What the graph builder makes of an update that shows another uid under the same name: an update of the new object only, or a deletion of the old one and then an addition.',
    source:
      'GraphBuilder.controllerFor as of kubernetes/kubernetes#25599; the repair was never shipped',
  }),
} as const;

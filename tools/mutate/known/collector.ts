import type { KnownSurvivors } from '../mutants.ts';

export const COLLECTOR: readonly KnownSurvivors[] = [
  {
    kind: 'equivalent',
    why: 'The data of a node that leaves the graph only decide whether a worker skips it or sends one more GET. The object is gone, or its successor is in the graph and is queued by itself.',
    mutants: [
      'collector/owners, replaceIdentity: detach(cluster, uid, node);, skipped',
      'collector/queue, detach: cluster.attemptToDelete[id] !== undefined, taken for false',
      'collector/queue, detach: cluster.attemptToDelete[id] = detachedFlags(node);, skipped',
      "collector/delete-worker, release: world.rules.nodeVersion === 'refreshed', taken for true",
      "collector/delete-worker, release: held === 'current', taken for true",
      "collector/delete-worker, release: held === 'current', taken for false",
      'collector/delete-worker, takeForDelete: node === null, taken for true',
      'collector/graph-builder, refreshVersion: cluster.attemptToDelete[id] !== undefined, taken for true',
      'collector/graph-builder, refreshVersion: node.identity.apiVersion === apiVersion, taken for false',
      'collector/graph-builder, refreshVersion: node.identity.kind === kind, taken for false',
      "collector/delete-worker, takeForDelete: queued !== 'detached', taken for true",
      'collector/owners, removeNode: detach(cluster, uid, node);, skipped',
    ],
    functions: ['collector/queue, detachedFlags'],
  },
  {
    kind: 'equivalent',
    why: 'A worker reads flags, owners and dependents of a node that has left the graph only after a GET that found the object. Then the uid differs, or the owners are read live.',
    mutants: [
      "collector/queue, detach: cluster.processing[id] === 'current', taken for false",
      'collector/delete-worker, takeForDelete: node !== null, taken for true',
      'collector/delete-worker, takeForDelete: refreshed === id, taken for true',
      'collector/delete-worker, takeForDelete: refreshed === id, taken for false',
      'collector/held, heldDependents: held !== undefined, taken for false',
      "collector/held, heldDependents: held !== 'current', taken for false",
      'collector/queue, detach: cluster.processing[id] = castDraft({ virtual: node.virtual,…, skipped',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The owner is gone while its dependents are queued to be orphaned. A race decides in any case whether they are, and both outcomes stay possible.',
    mutants: [
      "collector/queue, detach: queue[id] === 'current', taken for false",
      'collector/queue, detach: queue[id] = castDraft({ dependents: dependentNodes(cluster,…, skipped',
      "collector/orphan-worker, readDependents: queued !== 'current', taken for false",
      'collector/orphan-worker, readDependents: queued !== undefined, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A worker looks again at an object whose deletion has begun. The DELETE that may follow asks for what the finalizers already say and changes nothing.',
    mutants: [
      'rule itemsBeingDeleted=processed',
      'collector/delete-worker, takeForDelete: leaving, taken for false',
      'collector/delete-worker, takeForDelete: node.beingDeleted, taken for false',
      'collector/delete-worker, takeForDelete: node.deletingDependents, taken for true',
      "collector/delete-worker, takeForDelete: world.rules.itemsBeingDeleted === 'skipped', taken for false",
    ],
  },
  {
    kind: 'equivalent',
    why: 'A worker looks again at a virtual node that was observed meanwhile, or skips one that is gone: one GET more or less.',
    mutants: [
      'rule dequeuedVirtualNode=processed',
      'rule dequeuedVirtualNode=skippedWhenObserved',
      'collector/delete-worker, takeForDelete: virtual, taken for false',
      'collector/delete-worker, takeForDelete: inGraph.virtual, taken for true',
      "collector/delete-worker, takeForDelete: world.rules.dequeuedVirtualNode === 'skippedWhenObserved', taken for false",
      "collector/delete-worker, takeForDelete: world.rules.dequeuedVirtualNode === 'skippedWhenObserved', taken for true",
    ],
  },
  {
    kind: 'equivalent',
    why: 'The item is queued once more than needed, or immediately instead of when it is requeued. The next look finds nothing to do.',
    mutants: [
      'collector/graph-builder, addUnblockedOwnersToDeleteQueue: before.blockOwnerDeletion === true, taken for true',
      'rule unobservedItem=requeued',
      'rule virtualOwnerNamespace=checked',
      "collector/delete-worker, release: world.rules.unobservedItem === 'requeued', taken for true",
      'collector/synchronous-worker, step: code < 400, taken for false',
      'collector/owners, addDependentToOwners: owner === undefined, taken for true',
      'collector/graph-builder, addUnblockedOwnersToDeleteQueue: reference.blockOwnerDeletion === true, taken for true',
      "collector/delete-worker, getItem: 'dropped', answered otherwise",
      "collector/owners, addDependentToOwners: namespace !== '', taken for true",
      "collector/owners, addDependentToOwners: world.rules.virtualOwnerNamespace === 'checked', taken for true",
      'collector/synchronous-worker, takeForSynchronousDeletion: currentNode(cluster, id)?.deletingDependents !== true, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The absence of an owner is final, because no uid comes back. While GETs tell the truth, the absent-owner cache saves GETs and decides nothing.',
    mutants: [
      "collector/absent-owners, rememberAbsent: world.rules.absentOwnerKey === 'none', taken for false",
      'collector/classification, classify: rememberAbsent(cluster, world, coordinatesOf(reference, nam…, skipped',
      'collector/graph-builder, deleteNode: dependents.length > 0, taken for true',
      'collector/graph-builder, deleteNode: dependents.length > 0, taken for false',
      'collector/graph-builder, deleteNode: rememberAbsent(cluster, world, identity);, skipped',
      'collector/absent-owners, has: cluster.absentOwners[key] === undefined, taken for true',
      'collector/classification, classify: isKnownAbsent(cluster, world, reference, item.namespace), taken for false',
      'collector/graph-builder, virtualDelete: rememberAbsent(cluster, world, deleted);, skipped',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The object is gone. Its own event or the next GET says the same as the virtual delete event.',
    mutants: [
      'rule collectorDeleteNotFound=virtualDelete',
      "collector/delete-worker, getItem: world.rules.unknownOwner === 'virtualNode', taken for true",
      "collector/item-deletion, notFound: world.rules.collectorDeleteNotFound === 'retried', taken for false",
      "collector/item-deletion, notFound: 'failed', answered otherwise",
    ],
  },
  {
    kind: 'equivalent',
    why: 'A removal that failed or succeeded is retried from its GET, in place or after the item was queued again. The GET finds what is left to do.',
    mutants: [
      'collector/finalizer, removeFinalizerStep: code === 409, taken for true',
      'collector/finalizer, removeFinalizerStep: code === 409, taken for false',
      'collector/finalizer, removeFinalizerStep: step.attempt < FINALIZER_ATTEMPTS, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The version that was read for the removal stays recorded. The client reads again before it demands a version.',
    mutants: [
      'collector/finalizer, removeFinalizerStep: delete cluster.unchangedSince[client];, skipped',
      'collector/delete-requests, advancePatch: call.reader !== undefined, taken for false',
      'collector/delete-requests, advancePatch: delete cluster.unchangedSince[call.reader];, skipped',
      'collector/delete-worker, runDeleteStep: remembersVersion(world), taken for false',
      'collector/delete-worker, runDeleteStep: delete cluster.unchangedSince[workerName];, skipped',
      'collector/delete-worker, runDeleteStep: cluster.unchangedSince[workerName] !== undefined, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The owner in foreground deletion is queued as well. Its own look queues the dependents that block it, and its removal queues the others.',
    mutants: [
      'collector/graph-builder, startForeground: enqueueForDelete(cluster, dependent);, skipped',
    ],
  },
  {
    kind: 'equivalent',
    why: 'Owners are recorded for a DELETE that demands no version, and nobody reads them.',
    mutants: ['collector/classification, decide: remembersVersion(world), taken for true'],
  },
  {
    kind: 'equivalent',
    why: 'A reference that does not block is changed to one that does not block.',
    mutants: [
      'collector/delete-requests, unblockPatch: reference.blockOwnerDeletion === true, taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The node leaves the graph with this event in both cases.',
    mutants: [
      'collector/graph-builder, processGraphChange: markObserved(cluster, world, event.identity);, skipped',
    ],
  },
  {
    kind: 'equivalent',
    why: 'An empty list of dependents and a missing list are read in the same way.',
    mutants: ['collector/owners, removeDependent: rest.length === 0, taken for false'],
  },
  {
    kind: 'equivalent',
    why: 'A list of one object has no order, and an informer that kept delivering has nothing new to deliver.',
    mutants: [
      'collector/monitors, handOver: events.length > 1, taken for true',
      'collector/monitors, startMonitor: handOver(cluster, world, kind);, skipped',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A conflict leads back to the GET immediately instead of through the queue.',
    mutants: [
      'collector/finalizer, removeFinalizerStep: step.attempt < FINALIZER_ATTEMPTS, taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A collector creates its data again when it starts, whatever a stopped one left behind.',
    functions: ['collector/monitors, endMonitors'],
    mutants: [
      'users/restart, stopControllers: endMonitors(cluster);, skipped',
      'users/restart, stopControllers: world.monitored !== undefined, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A list of one object has only one order.',
    mutants: ['users/restart, startControllers: events.length > 1, taken for true'],
  },
  {
    kind: 'equivalent',
    why: 'A dependent that was queued since it was seen is queued again, whether it names the owner by these coordinates or by others. The second look finds what the first look would find if it came as late.',
    mutants: [
      'collector/graph-builder, markObserved: sameIdentity(node.identity, observed), taken for false',
      'collector/owners, partitionDependents: own.some((reference) => matchesCoordinates(reference, owner…, taken for true',
    ],
  },
  {
    kind: 'missing',
    why: 'The owner has a kind that nothing maps yet, and nothing queues its dependent when the kind is served.',
    mutants: ["collector/classification, classify: 'failed', answered otherwise"],
  },
];

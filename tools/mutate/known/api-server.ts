import type { KnownSurvivors } from '../mutants.ts';

export const API_SERVER: readonly KnownSurvivors[] = [
  {
    kind: 'equivalent',
    why: 'The transaction or the removal that follows makes the same decision again on the stored object, and gives the same answer.',
    mutants: [
      'apiserver/delete, get: check.pending, taken for false',
      'apiserver/delete, get: failure !== null, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A dry run takes the removal step, which checks dryRun itself and removes nothing.',
    mutants: ['apiserver/delete, updateBeforeDelete: dryRun, taken for false'],
  },
  {
    kind: 'equivalent',
    why: 'The next step removes the object, with or without the write of its empty finalizers before. Nobody acts on the event of that write.',
    mutants: [
      'rule strippedFinalizer=goesWithObject',
      "apiserver/delete, updateBeforeDelete: world.rules.strippedFinalizer === 'written', taken for false",
    ],
  },
  {
    kind: 'equivalent',
    why: 'Admission and write become two steps although admission reads nothing that can change. Steps in between do not affect the write.',
    mutants: [
      'apiserver/create, isModelledNamespace: (world.namespaces ?? []).includes(namespace), taken for true',
      'apiserver/create, stepCreate: isModelledNamespace(world, kind, call.object.namespace), taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'An event that changes nothing that the graph builder reads changes neither graph nor queues (docs/model.md merges it).',
    mutants: ['apiserver/store, write: equalJson(old, observed), taken for false'],
  },
  {
    kind: 'equivalent',
    why: 'It changes the order of the references, which nobody reads, or repeats a reference, which the API server drops.',
    mutants: [
      'apiserver/list-order, inPatchOrder: placeIn(order, element) >= 0, taken for true',
      'apiserver/list-order, inPatchOrder: placeIn(order, element) < 0, taken for true',
    ],
    functions: ['apiserver/strategic-merge, mergeReferences'],
  },
  {
    kind: 'equivalent',
    why: 'A PUT with the uid of a removed object is answered with 404 instead of 409. Both are errors, and the client reads again.',
    mutants: [
      'apiserver/update, checkIdentity: call.put, taken for false',
      'apiserver/update, checkIdentity: uid !== null, taken for false',
      "apiserver/update, checkIdentity: uid !== (stored?.uid ?? ''), taken for false",
    ],
  },
  {
    kind: 'equivalent',
    why: 'Each DELETE of an object of the collection is refused for the same reason, only by another part.',
    mutants: [
      'apiserver/delete-collection, stepDeleteCollection: call.internal === true, taken for true',
      'apiserver/delete-collection, stepDeleteCollection: refused !== null, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The generation is noted where nobody waits for it, and not read.',
    mutants: [
      "apiserver/store, observe: world.rules.observedGeneration === 'awaited', taken for true",
      'apiserver/store, observe: kind.observesGeneration === true, taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The version of an etcd member that no longer lags stays recorded. It is recorded again when the member lags again.',
    mutants: ['apiserver/lag, catchUp: delete cluster.unchangedSince[memberReader(key)];, skipped'],
  },
];

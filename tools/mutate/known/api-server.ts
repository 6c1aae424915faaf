import type { KnownSurvivors } from '../mutants.ts';

export const API_SERVER: readonly KnownSurvivors[] = [
  {
    kind: 'equivalent',
    why: 'The transaction or the removal that follows decides on the same once more, on what is stored then, and answers the same.',
    mutants: [
      'apiserver/delete, get: check.pending, taken for false',
      'apiserver/delete, get: failure !== null, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A dry run takes the step of the removal, which looks at dryRun itself and removes nothing.',
    mutants: ['apiserver/delete, updateBeforeDelete: dryRun, taken for false'],
  },
  {
    kind: 'equivalent',
    why: 'The next step removes the object whether or not the write of its empty finalizers comes before; nobody acts on the event of that write.',
    mutants: [
      'rule strippedFinalizer=goesWithObject',
      "apiserver/delete, updateBeforeDelete: world.rules.strippedFinalizer === 'written', taken for false",
    ],
  },
  {
    kind: 'equivalent',
    why: 'Admission and write become two steps where admission reads nothing that can change: what happens in between does not touch the write.',
    mutants: [
      'apiserver/create, isModelledNamespace: (world.namespaces ?? []).includes(namespace), taken for true',
      'apiserver/create, stepCreate: isModelledNamespace(world, kind, call.object.namespace), taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'An event without a difference in what the graph builder reads changes neither graph nor queues (docs/model.md merges it).',
    mutants: ['apiserver/store, write: equalJson(old, observed), taken for false'],
  },
  {
    kind: 'equivalent',
    why: 'It changes the order of the references, which nobody reads, or repeats one that is there, which the API server drops again.',
    functions: ['apiserver/strategic-merge, mergeReferences'],
  },
  {
    kind: 'equivalent',
    why: 'A PUT with the uid of an object that has gone is answered with 404 instead of 409: both are errors, and its client reads again.',
    mutants: [
      'apiserver/update, checkIdentity: call.put, taken for false',
      'apiserver/update, checkIdentity: uid !== null, taken for false',
      "apiserver/update, checkIdentity: uid !== (stored?.uid ?? ''), taken for false",
    ],
  },
  {
    kind: 'equivalent',
    why: 'Each DELETE of an object of the collection is refused for the same reason; only who says no differs.',
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
    why: 'The version of a member of etcd that no longer lags stays noted; it is noted anew when the member lags again.',
    mutants: ['apiserver/lag, catchUp: delete cluster.unchangedSince[memberReader(key)];, skipped'],
  },
];

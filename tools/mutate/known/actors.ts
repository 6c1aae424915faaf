import type { KnownSurvivors } from '../mutants.ts';

export const ACTORS: readonly KnownSurvivors[] = [
  {
    kind: 'equivalent',
    why: 'The objects of a first list are handled in one order more or less, and in the other ones all the same.',
    mutants: [
      'users/restart, startControllers: events.length > 1, taken for false',
      'collector/watch, deliverListed: delete cluster.listing[kind];, skipped',
      'collector/watch, deliverListed: event.key === key, taken for true',
      'collector/watch, deliver: cluster.listing[kind] !== undefined, taken for false',
      'users/restart, startControllers: cluster.listing[kind] = events.length;, skipped',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A version that somebody has read stays noted; whoever demands a version reads anew before.',
    mutants: [
      'users/restart, forgetEverything: workers.includes(name), taken for false',
      'users/restart, forgetEverything: delete cluster.unchangedSince[reader];, skipped',
      'actors/namespaces/sync, forgetful: delete cluster.unchangedSince[client];, skipped',
      'actors/namespaces/sync, forgetful: step.done, taken for false',
      'actors/storage-protection, protectClaim: delete cluster.unchangedSince[client];, skipped',
      'actors/namespaces/sync, stepActor: delete cluster.unchangedSince[client];, skipped',
      "actors/namespaces/sync, stepActor: worker.at === 'updateConditions', taken for false",
    ],
  },
  {
    kind: 'equivalent',
    why: 'Names of children are fixed: a controller that does not wait until it has seen what it has done sends a POST for a child that is there, which is refused, and looks again.',
    mutants: ['actors/workloads/workload-plan, planWorkload: sight.awaits, taken for false'],
    functions: [
      'actors/workloads/workload-plan, owned',
      'actors/workloads/workload-plan, hasExpectations',
      'actors/workloads/workload-reconciler, awaits',
      'actors/workloads/workload-reconciler, isControlled',
      'actors/workloads/workload-reconciler, laterVersions',
      'actors/workloads/workload-reconciler, plan',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The namespace controller makes one more pass, which finds what the one before has found, or is told of an order of kinds at a moment at which it does not choose one.',
    mutants: [
      "actors/namespaces/controller, receiveNamespace: answer.kind === 'done', taken for true",
      "actors/namespaces/controller, receiveNamespace: answer.kind === 'namespace', taken for true",
      "actors/namespaces/controller, receiveNamespace: worker.retry === 'updatePhase', taken for true",
      'actors/namespaces/actor, contentsOf: object.namespace === name, taken for true',
      "actors/namespaces/actor, passOf: 'actor' in state, taken for true",
      'actors/namespaces/actor, emptyNamespace: busy === null, taken for false',
      'actors/namespaces/actor, emptyNamespace: choosing, taken for true',
      'actors/namespaces/actor, emptyNamespace: isDue(world, cluster, name), taken for true',
      'actors/namespaces/actor, emptyNamespace: order.length > 0, taken for false',
      'actors/namespaces/actor, orders: namespaced, taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'What has been finalized leaves with the PUT that finalizes it, or with a DELETE of its controller after that.',
    mutants: [
      'rule finalizedDefinition=deletedAgain',
      'rule finalizedNamespace=deletedByController',
      "actors/namespaces/controller, finalized: rules.finalizedNamespace === 'removedByUpdate', taken for false",
      "actors/definitions, stepDefinition: world.rules.finalizedDefinition === 'left', taken for false",
    ],
  },
  {
    kind: 'equivalent',
    why: 'An informer is kept up to date that nobody reads.',
    mutants: [
      "actors/workloads/operator-reconciler, operatorInformers: reads === 'cache', taken for true",
      'actors/nodes/pod-gc, informers: setup.podGc === undefined, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A volume that is Released is released once more, which changes nothing.',
    mutants: ['actors/storage-protection, isToBeReleased: binding.bound, taken for true'],
  },
  {
    kind: 'equivalent',
    why: 'A PUT of the status that says what is there already is no write.',
    mutants: [
      "actors/namespaces/controller, afterContent: worker.at !== 'updateConditions', taken for true",
      'actors/namespaces/conditions, updateConditions: sameCondition(before, next), taken for false',
      'actors/namespaces/controller, afterContent: conditionsAfter(worker.namespace, worker.pass).changed, taken for true',
      "actors/namespaces/controller, begun: phaseOf(namespace) === 'Terminating', taken for false",
    ],
    functions: ['actors/namespaces/conditions, sameCondition'],
  },
  {
    kind: 'equivalent',
    why: 'How long pods take is only estimated to tell whether what is left counts as an error; the clock of a model stands still, and the namespace is tried again either way.',
    mutants: [
      "actors/namespaces/contents, isPods: type.resource === 'pods', taken for true",
      'actors/namespaces/contents, nextType: isPods(type), taken for true',
      'actors/namespaces/contents, nextType: isPods(type), taken for false',
    ],
    functions: ['actors/namespaces/sync, listedItem', 'actors/namespaces/contents, listedType'],
  },
  {
    kind: 'equivalent',
    why: 'What reaches a collector that does not run, or waits in its queues, is forgotten when it starts or costs one more look.',
    mutants: [
      'users/restart, forgetEverything: cluster.attemptToDelete = {};, skipped',
      'collector/watch, deliver: cluster.stopped.controllers !== undefined, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'Contents are deleted one by one after the DELETE of the collection, which has done the same; or not at all in this pass, where the API server has just said that it does not know the kind: what there is of it then has been created since, as it might have been a moment later.',
    mutants: [
      'actors/namespaces/contents, receiveContent: refused, taken for true',
      'actors/namespaces/contents, receiveContent: refused, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A controller that has nothing to do notes that it has done what it could: whatever gives it something to do reaches its caches, and wakes it.',
    mutants: [
      'actors/workloads/reconciling, finish: tasks.length === 0, taken for false',
      'actors/workloads/reconciling, finish: lacks, taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A controller that may stop for good goes on for ever: each property that could hang on it excuses what it holds (`keepsFinalizer`).',
    mutants: [
      'actors/workloads/reconcilers, reducer: fairnessOfNext(cluster, reconciler) === fairness, taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A watch that breaks with nothing under way tells nothing new; only the number of breaks that are left is another.',
    mutants: ['collector/watch, relist: pending.length === 0, taken for false'],
  },
  {
    kind: 'equivalent',
    why: 'What discovery should not list is asked for and refused, instead of not being asked for: the contents are deleted one by one all the same, or the pass fails all the same.',
    mutants: [
      'actors/namespaces/sync, read: isNotInstalled(cluster, world, name), taken for false',
      'actors/namespaces/sync, typeOf: kind.singlyDeleted === true, taken for false',
      "actors/namespaces/contents, beginDeletion: isSupported(unsupported, 'deletecollection', type), taken for true",
      'actors/namespaces/contents, isSupported: type.verbs !== undefined, taken for false',
      'actors/namespaces/contents, isSupported: type.verbs.includes(operation), taken for true',
    ],
  },
  {
    kind: 'missing',
    why: 'A child that is used up by a refusal is missed only where no other one takes its place, and then the one that goes with its namespace is missed as well.',
    mutants: [
      'actors/workloads/creation, answered: regainChild(cluster, setup, client, answer);, skipped',
      "actors/workloads/creation, answered: call.verb === 'create', taken for false",
      'users/api-server, serve: answer === null, taken for true',
      'actors/workloads/creation, decideChild: isRefused(cluster, world, child), taken for false',
    ],
    functions: ['actors/workloads/creation, regainChild'],
  },
  {
    kind: 'missing',
    why: 'A controller that takes an incomplete discovery for an error tries again, and is only later done: no property minds that.',
    mutants: [
      "actors/namespaces/sync, read: world.rules.notInstalledKinds === 'unavailable', taken for true",
    ],
  },
  {
    kind: 'missing',
    why: 'A namespace controller that has been answered otherwise, or has not been asked, is asked again by the next event: no scenario has an end in between.',
    mutants: [
      'actors/namespaces/actor, isToBeWorkedOn: asked, taken for false',
      'actors/namespaces/sync, answerOf: answer.object === null, taken for true',
    ],
  },
];

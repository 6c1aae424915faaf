import type { KnownSurvivors } from './group.ts';

export const ACTORS: readonly KnownSurvivors[] = [
  {
    kind: 'equivalent',
    why: 'The objects of a first list are handled in one order more or less, and in the other ones all the same.',
    mutants: [
      'restart, startControllers: events.length > 1, taken for false',
      'watch, deliverListed: delete cluster.listing[kind];, skipped',
      'watch, deliverListed: event.key === key, taken for true',
      'watch, deliver: cluster.listing[kind] !== undefined, taken for false',
      'restart, startControllers: cluster.listing[kind] = events.length;, skipped',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A version that somebody has read stays noted; whoever demands a version reads anew before.',
    mutants: [
      'restart, forgetEverything: workers.includes(name), taken for false',
      'restart, forgetEverything: delete cluster.unchangedSince[reader];, skipped',
      'namespace/actor, forgetful: delete cluster.unchangedSince[client];, skipped',
      'namespace/actor, forgetful: step.done, taken for false',
      'actors/storage-protection, protectClaim: delete cluster.unchangedSince[client];, skipped',
      'namespace/actor, stepActor: delete cluster.unchangedSince[client];, skipped',
      "namespace/actor, stepActor: worker.at === 'updateConditions', taken for false",
    ],
  },
  {
    kind: 'equivalent',
    why: 'Names of children are fixed: a controller that does not wait until it has seen what it has done sends a POST for a child that is there, which is refused, and looks again.',
    mutants: ['actors/workload-plan, planWorkload: sight.awaits, taken for false'],
    functions: [
      'actors/workload-plan, hasExpectations',
      'actors/workload-reconciler, awaits',
      'actors/workload-reconciler, isControlled',
      'actors/workload-reconciler, laterVersions',
      'actors/workload-reconciler, plan',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The namespace controller makes one more pass, which finds what the one before has found, or is told of an order of kinds at a moment at which it does not choose one.',
    mutants: [
      'actors/namespaces, contentsOf: object.namespace === name, taken for true',
      "actors/namespaces, emptyNamespace: 'actor' in before, taken for true",
      'actors/namespaces, emptyNamespace: busy === null, taken for false',
      'actors/namespaces, emptyNamespace: choosing, taken for true',
      'actors/namespaces, emptyNamespace: isDue(world, cluster, name), taken for true',
      'actors/namespaces, emptyNamespace: order.length > 0, taken for false',
      'actors/namespaces, orders: namespaced, taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'What has been finalized leaves with the PUT that finalizes it, or with a DELETE of its controller after that.',
    mutants: [
      'rule finalizedDefinition=deletedAgain',
      'rule finalizedNamespace=deletedByController',
      "namespace/controller, finalized: rules.finalizedNamespace === 'removedByUpdate', taken for false",
      "definition/controller, stepDefinition: world.rules.finalizedDefinition === 'left', taken for false",
    ],
  },
  {
    kind: 'equivalent',
    why: 'An informer is kept up to date that nobody reads.',
    mutants: [
      "actors/operator-reconciler, operatorInformers: reads === 'cache', taken for true",
      'actors/pod-gc, informers: setup.podGc === undefined, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A volume that is Released is released once more, which changes nothing.',
    mutants: ['actors/storage-protection, isToBeReleased: binding.bound, taken for true'],
  },
  {
    kind: 'missing',
    why: 'The change only takes runs away: without its informer an actor looks at the store. No outcome is asked for that needs an old cache.',
    mutants: [
      'actors/pod-gc, informers: setup.podGc === undefined, taken for true',
      "actors/storage-protection, informers: keysOf(setup, 'PersistentVolumeClaim').length === 0, taken for true",
    ],
    functions: ['actors/informers, informers'],
  },
  {
    kind: 'missing',
    why: 'Of workloads with caches of their own only a few small scenarios are there: a sync that changes something is told of that and looks again, so that nobody notices what it was told meanwhile.',
    functions: [
      'actors/reconciling, finish',
      'actors/reconciling, planAtOnce',
      'actors/reconciling, send',
      'actors/reconciling, wake',
      'actors/workload-plan, owned',
      'actors/workload-plan, planWorkload',
    ],
  },
  {
    kind: 'missing',
    why: 'Controllers that a user describes may stop or tear down in one scenario each.',
    functions: ['actors/operator-plan, planTeardown', 'actors/reconcilers, actionOf'],
  },
  {
    kind: 'missing',
    why: 'Kinds of contents that refuse a collection or a list are met in two scenarios, where the next pass mends whatever goes wrong.',
    functions: [
      'namespace/actor, answerOf',
      'namespace/contents, beginDeletion',
      'namespace/contents, isUnsupportedAnswer',
      'namespace/contents, listInstead',
      'namespace/contents, receiveContent',
      'namespace/controller, receiveNamespace',
    ],
  },
  {
    kind: 'missing',
    why: 'Pods that finalizers hold are taken by pod gc in two scenarios, in which they could not go anyway.',
    functions: ['actors/pod-gc, reasonFor'],
  },
  {
    kind: 'missing',
    why: 'A pass of the namespace controller that fails is tried again as one that has left something.',
    mutants: [
      "actors/namespaces, emptyNamespace: step.result.outcome === 'remaining', taken for true",
    ],
  },
  {
    kind: 'equivalent',
    why: 'A PUT of the status that says what is there already is no write.',
    mutants: [
      'namespace/conditions, updateConditions: sameCondition(before, next), taken for false',
      'namespace/controller, afterContent: conditionsAfter(worker.namespace, worker.pass).changed, taken for true',
      "namespace/controller, begun: phaseOf(namespace) === 'Terminating', taken for false",
    ],
    functions: ['namespace/conditions, sameCondition'],
  },
  {
    kind: 'equivalent',
    why: 'How long pods take is only estimated to tell whether what is left counts as an error; the clock of a model stands still, and the namespace is tried again either way.',
    mutants: [
      "namespace/contents, isPods: type.resource === 'pods', taken for true",
      'namespace/contents, nextType: isPods(type), taken for true',
      'namespace/contents, nextType: isPods(type), taken for false',
    ],
    functions: ['namespace/actor, listedItem', 'namespace/contents, listedType'],
  },
  {
    kind: 'equivalent',
    why: 'What reaches a collector that does not run, or waits in its queues, is forgotten when it starts or costs one more look.',
    mutants: [
      'restart, forgetEverything: cluster.attemptToDelete = {};, skipped',
      'watch, deliver: cluster.stopped.controllers !== undefined, taken for false',
    ],
  },
  {
    kind: 'missing',
    why: 'Namespaces are judged by their conditions once all is quiet, in one scenario: conditions that change, and errors in them, are not.',
    functions: [
      'namespace/conditions, contentFailure',
      'namespace/conditions, isFinalized',
      'namespace/conditions, updateConditions',
      'namespace/controller, afterContent',
      'namespace/controller, conditionsAfter',
    ],
  },
  {
    kind: 'missing',
    why: 'Nobody counts relists, or looks at what a list and the watch after it tell twice.',
    functions: ['restart, restartCollector', 'watch, compare', 'watch, relist'],
  },
  {
    kind: 'missing',
    why: 'A definition that somebody else has changed is met in one scenario only.',
    functions: ['definition/controller, stepDefinition'],
  },
  {
    kind: 'missing',
    why: 'No property asks whether a user or the owner of a finalizer may send two requests at once, or what a kind is served as in the end.',
    functions: ['users, beginRequest', 'users, removeThirdPartyFinalizer'],
  },
];

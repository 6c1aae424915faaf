import type { KnownSurvivors } from './group.ts';

export const ACTORS: readonly KnownSurvivors[] = [
  {
    kind: 'equivalent',
    why: 'The objects of a first list are handled in one order more or less, and in the other ones all the same.',
    mutants: [
      'restart, startControllers: events.length > 1, taken for false',
      'watch, deliverListed: delete cluster.listing[kind];, skipped',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A version that somebody has read stays noted; whoever demands a version reads anew before.',
    mutants: [
      'restart, forgetEverything: workers.includes(name), taken for false',
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
    why: 'Of workloads with caches of their own only a few small scenarios are there: nobody asks in which turn a StatefulSet creates its pods, or what is left of a sync that is told of a change.',
    functions: [
      'actors/reconciling, finish',
      'actors/reconciling, send',
      'actors/reconciling, wake',
      'actors/workload-plan, isActive',
      'actors/workload-plan, isCounting',
      'actors/workload-plan, manageNames',
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
      'namespace/actor, listedItem',
      'namespace/contents, beginDeletion',
      'namespace/contents, receiveContent',
    ],
  },
  {
    kind: 'missing',
    why: 'Pods that finalizers hold are taken by pod gc in two scenarios, in which they could not go anyway.',
    functions: ['actors/pod-gc, reasonFor'],
  },
  {
    kind: 'missing',
    why: 'No scenario shows a wrong answer of discovery that is empty where one that fails would do harm.',
    mutants: ["actors/discovery, answerOf: word === 'empty', taken for false"],
  },
  {
    kind: 'missing',
    why: 'A pass of the namespace controller that fails is tried again as one that has left something.',
    mutants: [
      "actors/namespaces, emptyNamespace: step.result.outcome === 'remaining', taken for true",
    ],
  },
];

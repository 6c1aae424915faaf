import type { KnownSurvivors } from '../mutants.ts';

export const ACTORS: readonly KnownSurvivors[] = [
  {
    kind: 'equivalent',
    why: 'The objects of a first list are handled in one more order or one fewer. All other orders stay.',
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
    why: 'A version that a client has read stays recorded. A client that demands a version reads it again first.',
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
    why: 'Names of children are fixed. A controller that does not wait until it has seen its own writes sends a POST for a child that exists. The POST is refused, and the controller reconciles again.',
    mutants: ['actors/workload-plan, planWorkload: sight.awaits, taken for false'],
    functions: [
      'actors/workload-plan, owned',
      'actors/workload-plan, hasExpectations',
      'actors/workload-reconciler, awaits',
      'actors/workload-reconciler, isControlled',
      'actors/workload-reconciler, laterVersions',
      'actors/workload-reconciler, plan',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The namespace controller makes one more pass with the same findings, or gets an order of kinds when it does not choose one.',
    mutants: [
      "namespace/controller, receiveNamespace: answer.kind === 'done', taken for true",
      "namespace/controller, receiveNamespace: answer.kind === 'namespace', taken for true",
      "namespace/controller, receiveNamespace: worker.retry === 'updatePhase', taken for true",
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
    why: 'A finalized object leaves with the PUT that finalizes it, or with a later DELETE by its controller.',
    mutants: [
      'rule finalizedDefinition=deletedAgain',
      'rule finalizedNamespace=deletedByController',
      "namespace/controller, finalized: rules.finalizedNamespace === 'removedByUpdate', taken for false",
      "definition/controller, stepDefinition: world.rules.finalizedDefinition === 'left', taken for false",
    ],
  },
  {
    kind: 'equivalent',
    why: 'An informer that nobody reads is kept up to date.',
    mutants: [
      "actors/operator-reconciler, operatorInformers: reads === 'cache', taken for true",
      'actors/pod-gc, informers: setup.podGc === undefined, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A volume in phase Released is released again, which changes nothing.',
    mutants: ['actors/storage-protection, isToBeReleased: binding.bound, taken for true'],
  },
  {
    kind: 'equivalent',
    why: 'A PUT that leaves the status unchanged is not a write.',
    mutants: [
      "namespace/controller, afterContent: worker.at !== 'updateConditions', taken for true",
      'namespace/conditions, updateConditions: sameCondition(before, next), taken for false',
      'namespace/controller, afterContent: conditionsAfter(worker.namespace, worker.pass).changed, taken for true',
      "namespace/controller, begun: phaseOf(namespace) === 'Terminating', taken for false",
    ],
    functions: ['namespace/conditions, sameCondition'],
  },
  {
    kind: 'equivalent',
    why: 'The estimate of how long pods take only decides whether remaining content counts as an error. The clock of a model stands still, and the namespace is retried in both cases.',
    mutants: [
      "namespace/contents, isPods: type.resource === 'pods', taken for true",
      'namespace/contents, nextType: isPods(type), taken for true',
      'namespace/contents, nextType: isPods(type), taken for false',
    ],
    functions: ['namespace/actor, listedItem', 'namespace/contents, listedType'],
  },
  {
    kind: 'equivalent',
    why: 'Whatever reaches a stopped collector, or waits in its queues, is forgotten when it starts, or causes one more look.',
    mutants: [
      'restart, forgetEverything: cluster.attemptToDelete = {};, skipped',
      'watch, deliver: cluster.stopped.controllers !== undefined, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The contents are deleted one by one after the DELETE of the collection, which has already done it. Or they are not deleted in this pass because the API server has just said that it does not know the kind. Objects of the kind were then created since, and could as well have been created a moment later.',
    mutants: [
      'namespace/contents, receiveContent: refused, taken for true',
      'namespace/contents, receiveContent: refused, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A controller with nothing to do records that it is done. Anything that gives it work reaches its caches and wakes it.',
    mutants: [
      'actors/reconciling, finish: tasks.length === 0, taken for false',
      'actors/reconciling, finish: lacks, taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A controller that may stop for good never stops. Every property that depends on it excuses the objects that it holds (`keepsFinalizer`).',
    mutants: [
      'actors/reconcilers, actionOf: fairnessOfNext(cluster, reconciler) === fairness, taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A watch that breaks without pending events delivers nothing new. Only the number of remaining breaks differs.',
    mutants: ['watch, relist: pending.length === 0, taken for false'],
  },
  {
    kind: 'equivalent',
    why: 'The controller requests something that discovery should not list, and the request is refused. In both cases the contents are deleted one by one, or the pass fails.',
    mutants: [
      'namespace/actor, read: isNotInstalled(cluster, world, name), taken for false',
      'namespace/actor, typeOf: kind.singlyDeleted === true, taken for false',
      "namespace/contents, beginDeletion: isSupported(unsupported, 'deletecollection', type), taken for true",
      'namespace/contents, isSupported: type.verbs !== undefined, taken for false',
      'namespace/contents, isSupported: type.verbs.includes(operation), taken for true',
    ],
  },
  {
    kind: 'missing',
    why: 'A child that a refusal uses up is missing only if no other child takes its place. Then the child that leaves with its namespace is missing as well.',
    mutants: [
      'users, serve: regainChild(cluster, setup, client, answer);, skipped',
      "users, serve: call.verb === 'create', taken for false",
      'users, serve: answer !== null, taken for false',
      'actors/workloads, decideChild: isInVain(cluster, world, child), taken for false',
    ],
    functions: ['actors/workloads, regainChild'],
  },
  {
    kind: 'missing',
    why: 'A controller that treats an incomplete discovery as an error retries, and finishes later. No property depends on that.',
    mutants: [
      "namespace/actor, read: world.rules.notInstalledKinds === 'unavailable', taken for true",
    ],
  },
  {
    kind: 'missing',
    why: 'A namespace controller that got another answer, or no question, is asked again at the next event. No scenario ends in between.',
    mutants: [
      'actors/namespaces, isToBeWorkedOn: asked, taken for false',
      'namespace/actor, answerOf: answer.object === null, taken for true',
    ],
  },
];

import type { KnownSurvivors } from '../mutants.ts';

export const ACTORS: readonly KnownSurvivors[] = [
  {
    kind: 'equivalent',
    why: 'A PATCH that takes off a finalizer which the object does not have changes nothing.',
    mutants: ['users/finalizer-owners, removeThirdPartyFinalizer: has, taken for true'],
  },
  {
    kind: 'equivalent',
    why: 'Workers are alike. Any idle one takes the item then, not only the first, with the same effects.',
    mutants: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of the model
      'actors/collector/garbage-collector, isFirstIdle: Object.hasOwn(busy, `${role}-${index}`), taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The objects of a first list are handled in one more order or one fewer. All other orders stay.',
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
    why: 'A version that a client has read stays recorded. A client that demands a version reads it again first.',
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
    why: 'Names of children are fixed. A controller that does not wait until it has seen its own writes sends a POST for a child that exists. The POST is refused, and the controller reconciles again.',
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
    why: 'The namespace controller makes one more pass with the same findings, or gets an order of kinds when it does not choose one.',
    mutants: [
      "actors/namespaces/controller, receiveNamespace: answer.kind === 'done', taken for true",
      "actors/namespaces/controller, receiveNamespace: answer.kind === 'namespace', taken for true",
      "actors/namespaces/controller, receiveNamespace: worker.retry === 'updatePhase', taken for true",
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
    why: 'A finalized object leaves with the PUT that finalizes it, or with a later DELETE by its controller.',
    mutants: [
      'rule finalizedDefinition=deletedAgain',
      'rule finalizedNamespace=deletedByController',
      "actors/namespaces/controller, finalized: rules.finalizedNamespace === 'removedByUpdate', taken for false",
      "actors/definitions, stepDefinition: world.rules.finalizedDefinition === 'left', taken for false",
    ],
  },
  {
    kind: 'equivalent',
    why: 'An informer that nobody reads is kept up to date.',
    mutants: ['actors/nodes/pod-gc, informers: setup.podGc === undefined, taken for false'],
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
      "actors/namespaces/controller, afterContent: worker.at !== 'updateConditions', taken for true",
      'actors/namespaces/conditions, updateConditions: sameCondition(before, next), taken for false',
      'actors/namespaces/controller, afterContent: conditionsAfter(worker.namespace, worker.pass).changed, taken for true',
      "actors/namespaces/controller, begun: phaseOf(namespace) === 'Terminating', taken for false",
    ],
    functions: ['actors/namespaces/conditions, sameCondition'],
  },
  {
    kind: 'equivalent',
    why: 'The estimate of how long pods take only decides whether remaining content counts as an error. The clock of a model stands still, and the namespace is retried in both cases.',
    mutants: [
      "actors/namespaces/contents, isPods: type.resource === 'pods', taken for true",
      'actors/namespaces/contents, nextType: isPods(type), taken for true',
      'actors/namespaces/contents, nextType: isPods(type), taken for false',
    ],
    functions: ['actors/namespaces/sync, listedItem', 'actors/namespaces/contents, listedType'],
  },
  {
    kind: 'equivalent',
    why: 'Whatever reaches a stopped collector, or waits in its queues, is forgotten when it starts, or causes one more look.',
    mutants: [
      'users/restart, forgetEverything: cluster.attemptToDelete = {};, skipped',
      'collector/watch, deliver: cluster.stopped.controllers !== undefined, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'The contents are deleted one by one after the DELETE of the collection, which has already done it. Or they are not deleted in this pass because the API server has just said that it does not know the kind. Objects of the kind were then created since, and could as well have been created a moment later.',
    mutants: [
      'actors/namespaces/contents, receiveContent: refused, taken for true',
      'actors/namespaces/contents, receiveContent: refused, taken for false',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A controller with nothing to do records that it is done. Anything that gives it work reaches its caches and wakes it.',
    mutants: [
      'actors/workloads/reconciling, finish: tasks.length === 0, taken for false',
      'actors/workloads/reconciling, finish: lacks, taken for true',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A watch that breaks without pending events delivers nothing new. Only the number of remaining breaks differs.',
    mutants: ['collector/watch, relist: pending.length === 0, taken for false'],
  },
  {
    kind: 'equivalent',
    why: 'The controller requests something that discovery should not list, and the request is refused. In both cases the contents are deleted one by one, or the pass fails.',
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
    why: 'A child that a refusal uses up is missing only if no other child takes its place. Then the child that leaves with its namespace is missing as well.',
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
    why: 'A namespace controller that got another answer, or no question, is asked again at the next event. No scenario ends in between.',
    mutants: [
      'actors/namespaces/actor, isToBeWorkedOn: asked, taken for false',
      'actors/namespaces/sync, answerOf: answer.object === null, taken for true',
    ],
  },
];

import { isOwnedByActor, type Setup } from '../model/index.ts';

/** What the verdicts of a check rest on, one sentence each, in the words of Kubernetes. */
export function assumptionsOf(setup: Setup, protocol: string): readonly string[] {
  return [
    `Kubernetes ${protocol}; ${workers(setup)}; ${caches(setup)}.`,
    ...finalizers(setup),
    relists(setup),
    ...(setup.orderedDelivery === true
      ? ['Events of all kinds reach the collector in their order, which no Kubernetes promises.']
      : []),
    ...discovery(setup),
    'Every request once begun is served, every watch event is delivered, no queued item is passed over for ever; users may or may not send their requests.',
    ...controllers(setup),
    ...earlyDesigns(setup),
    ...restrictions(setup),
    setup.kubelets === true
      ? 'Nobody else acts: no other controller creates, adopts or deletes anything.'
      : 'Nobody else acts: no other controller creates, adopts or deletes anything, no kubelet ends a grace period.',
  ];
}

function restrictions({
  namespaceRetries,
  namespaceAdmission,
  denied = {},
}: Setup): readonly string[] {
  return [
    ...(namespaceRetries === undefined
      ? []
      : [`The namespace controller gives up after ${counted(namespaceRetries + 1, 'error')}.`]),
    ...(namespaceAdmission === undefined
      ? []
      : ['Whether a namespace is being deleted, admission tells from a cache that may lag.']),
    ...Object.entries(denied).map(([user, rights]) => {
      const words = rights.map(
        ({ verb, resource, subresource }) =>
          `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`,
      );
      return `${user} may not ${words.join(', ')}.`;
    }),
  ];
}

function workers(setup: Setup): string {
  const { deleteWorkers, orphanWorkers } = setup;
  return `${counted(deleteWorkers, 'worker')} for deletion and ${counted(orphanWorkers, 'worker')} for orphaning`;
}

function caches(setup: Setup): string {
  return setup.caches === 'synced'
    ? 'the collector has seen every object at the start'
    : 'the collector has seen nothing at the start';
}

function finalizers(setup: Setup): readonly string[] {
  // What an actor of the model takes off is not taken off by whoever comes along.
  const isOwned = (kind: 'cooperative' | 'stuck', name: string): boolean =>
    kind === 'cooperative' && isOwnedByActor(setup, name);
  const named = (kind: 'cooperative' | 'stuck'): string =>
    Object.keys(setup.finalizers)
      .filter((name) => setup.finalizers[name] === kind && !isOwned(kind, name))
      .join(', ');
  const cooperative = named('cooperative');
  const stuck = named('stuck');
  return [
    ...(cooperative === ''
      ? []
      : [`Removed by their owners once deletion has begun: ${cooperative}.`]),
    ...(stuck === '' ? [] : [`Never removed by their owners: ${stuck}.`]),
  ];
}

function controllers({
  emptiedNamespaces,
  kubelets,
  containers,
  storageProtection,
  nodeController,
  podGc,
  workloads,
  operators = [],
}: Setup): readonly string[] {
  const running = [
    ...(emptiedNamespaces === undefined ? [] : ['the namespace controller']),
    ...(kubelets === true
      ? [`kubelets, which ${containers === true ? 'run containers and ' : ''}end grace periods`]
      : []),
    ...(storageProtection === true ? ['protection of claims and volumes'] : []),
    ...(nodeController === true ? ['the node controller'] : []),
    ...(podGc === undefined ? [] : ['pod gc']),
    ...(workloads === undefined ? [] : [workloadControllers(workloads)]),
    ...operators.map(({ name, fairness }) =>
      fairness === 'none' ? `${name} (which may stop)` : name,
    ),
  ];
  return running.length === 0 ? [] : [`Besides the collector there run ${running.join(', ')}.`];
}

function workloadControllers(workloads: NonNullable<Setup['workloads']>): string {
  const cached = workloads.some(({ caches }) => caches === 'own');
  return cached
    ? 'controllers that create, adopt and remove children, with caches that lag'
    : 'controllers that create children';
}

function discovery({ discovery, neverSyncs, notInstalled, lags, rules }: Setup): readonly string[] {
  const failing = Object.entries(discovery?.failing ?? {}).filter(([, times]) => times > 0);
  const failures = [
    ...((discovery?.empty ?? 0) > 0
      ? [`answer nothing ${counted(discovery?.empty ?? 0, 'time')}`]
      : []),
    ...failing.map(([version, times]) => `fail for ${version} ${counted(times, 'time')}`),
  ];
  return [
    ...(lags === undefined
      ? []
      : [
          rules.etcdReads === 'quorum'
            ? 'GETs are answered by a quorum of etcd: that a member lags is never seen.'
            : `The member of etcd that the collector reads from may lag for one object, ${counted(lags, 'time')}.`,
        ]),
    ...(failures.length === 0 ? [] : [`Discovery may ${failures.join(', ')}.`]),
    ...(neverSyncs === undefined
      ? []
      : [`Never listed for the collector: ${neverSyncs.join(', ')}.`]),
    ...(notInstalled === undefined
      ? []
      : [`The API server has just started; installed later: ${notInstalled.join(', ')}.`]),
  ];
}

function earlyDesigns({ rules, silentControllers, initializers = {} }: Setup): readonly string[] {
  const named = (how: 'rejecting' | 'stuck'): string =>
    Object.keys(initializers)
      .filter((name) => initializers[name] === how)
      .join(', ');
  const [rejecting, stuck] = [named('rejecting'), named('stuck')];
  return [
    ...(rules.observedGeneration === 'ignored'
      ? []
      : [
          silentControllers === true
            ? 'No controller acknowledges a generation, for which the collector waits.'
            : 'Controllers of workloads acknowledge each generation, for which the collector waits.',
        ]),
    ...(rejecting === '' ? [] : [`Objects are rejected by these initializers: ${rejecting}.`]),
    ...(stuck === '' ? [] : [`Initializers that never do their work: ${stuck}.`]),
  ];
}

function relists(setup: Setup): string {
  const some = Object.entries(setup.relists).filter(([, times]) => times > 0);
  if (some.length === 0) return 'Watches never break.';
  const words = some.map(([kind, times]) => `${kind} ${counted(times, 'time')}`);
  return `Watches may break and relist: ${words.join(', ')}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

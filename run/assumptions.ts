import { type FinalizerOwner, isOwnedByActor, type Setup } from '../model/index.ts';
import { plural } from '../text/layout.ts';

/** The assumptions that the verdicts of a check depend on, one sentence each. */
export function assumptionsOf(setup: Setup, protocol: string): readonly string[] {
  return [
    `Kubernetes ${protocol}; ${workers(setup)}; ${caches(setup)}.`,
    ...finalizers(setup),
    relists(setup),
    ...(setup.orderedDelivery === true
      ? ['Events of all kinds reach the collector in order, which Kubernetes does not guarantee.']
      : []),
    ...discovery(setup),
    'Every request that has begun is served, every watch event is delivered, and every queued item is processed eventually; users may or may not send their requests.',
    ...controllers(setup),
    ...earlyDesigns(setup),
    ...restrictions(setup),
    setup.kubelets === true
      ? 'There are no other actors: no other controller creates, adopts or deletes anything.'
      : 'There are no other actors: no other controller creates, adopts or deletes anything, and no kubelet ends a grace period.',
  ];
}

function restrictions({
  namespaceRetries,
  namespaceAdmission,
  definitionLookup,
  denied = {},
}: Setup): readonly string[] {
  return [
    ...(namespaceRetries === undefined
      ? []
      : [`The namespace controller gives up after ${plural(namespaceRetries + 1, 'error')}.`]),
    ...(namespaceAdmission === undefined
      ? []
      : ['Admission reads from a cache that may lag whether a namespace is being deleted.']),
    ...(definitionLookup === undefined
      ? []
      : ['Requests read from a cache that may lag whether a definition is there.']),
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
  return `${plural(deleteWorkers, 'worker')} for deletion and ${plural(orphanWorkers, 'worker')} for orphaning`;
}

function caches(setup: Setup): string {
  return setup.caches === 'synced'
    ? 'the collector has seen every object at the start'
    : 'the collector has seen nothing at the start';
}

function finalizers(setup: Setup): readonly string[] {
  // Finalizers that an actor of the model removes are not removed by anyone else.
  const isOwned = (kind: FinalizerOwner, name: string): boolean =>
    kind === 'cooperative' && isOwnedByActor(setup, name);
  const named = (kind: FinalizerOwner): string =>
    Object.keys(setup.finalizers)
      .filter((name) => setup.finalizers[name] === kind && !isOwned(kind, name))
      .join(', ');
  const cooperative = named('cooperative');
  const unknown = named('unknown');
  const stuck = named('stuck');
  return [
    ...(cooperative === ''
      ? []
      : [`Removed by their owners once deletion has begun: ${cooperative}.`]),
    ...(unknown === '' ? [] : [`Perhaps never removed by their owners: ${unknown}.`]),
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
  return running.length === 0 ? [] : [`Besides the collector, these run: ${running.join(', ')}.`];
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
      ? [`answer nothing ${plural(discovery?.empty ?? 0, 'time')}`]
      : []),
    ...failing.map(([version, times]) => `fail for ${version} ${plural(times, 'time')}`),
  ];
  return [
    ...(lags === undefined
      ? []
      : [
          rules.etcdReads === 'quorum'
            ? 'A quorum of etcd answers GETs, so a lagging member has no effect.'
            : `The member of etcd that the collector reads from may lag for one object, ${plural(lags, 'time')}.`,
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
            ? 'The collector waits for acknowledged generations, and no controller acknowledges them.'
            : 'The collector waits for acknowledged generations, and controllers of workloads acknowledge each one.',
        ]),
    ...(rejecting === '' ? [] : [`These initializers reject objects: ${rejecting}.`]),
    ...(stuck === '' ? [] : [`These initializers never finish: ${stuck}.`]),
  ];
}

function relists(setup: Setup): string {
  const some = Object.entries(setup.relists).filter(([, times]) => times > 0);
  if (some.length === 0) return 'Watches never break.';
  const words = some.map(([kind, times]) => `${kind} ${plural(times, 'time')}`);
  return `Watches may break and relist: ${words.join(', ')}.`;
}

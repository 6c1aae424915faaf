import {
  allFinalizers,
  type ControllerProgram,
  type FinalizerOwner,
  finalizerRemovals,
  formatKey,
  instancesOf,
  isOwnedByActor,
  isRemovedByNone,
  keyOf,
  NAMESPACE_TOKEN,
  plainFinalizer,
  possibleObjects,
  type Setup,
  worldOf,
} from '../model/index.ts';
import { groupedBy, listed, plural } from '../text/layout.ts';

/** The assumptions that the verdicts of a check depend on, one sentence each. */
export function assumptionsOf(setup: Setup, protocol: string): readonly string[] {
  return [
    `Kubernetes ${protocol}; ${workers(setup)}; ${caches(setup)}.`,
    ...finalizers(setup),
    relists(setup),
    ...lostEvents(setup),
    ...(setup.orderedDelivery === true
      ? ['Events of all kinds reach the collector in order, which Kubernetes does not guarantee.']
      : []),
    ...discovery(setup),
    `Every request that has begun is served, every watch event ${setup.lostEvents === undefined ? 'is' : 'that is not lost is'} delivered, and every queued item is processed eventually; users ${setup.usersFinish === true ? 'send all their requests' : 'may or may not send their requests'}.`,
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
  refusesUpdates,
  definitionLookup,
  denied = {},
}: Setup): readonly string[] {
  return [
    ...(namespaceRetries === undefined
      ? []
      : [`The namespace controller gives up after ${plural(namespaceRetries + 1, 'error')}.`]),
    ...(namespaceAdmission === undefined
      ? []
      : [
          namespaceAdmission === 'bounded'
            ? 'Admission reads from a cache that may lag whether a namespace is being deleted. Before the namespace controller begins, the cache has seen it, and what was admitted is stored.'
            : 'Admission reads from a cache that may lag whether a namespace is being deleted.',
        ]),
    ...(refusesUpdates === undefined
      ? []
      : [`Validation refuses every PUT and PATCH of: ${refusesUpdates.join(', ')}.`]),
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

/** Who removes which finalizer, and when. A finalizer has one of these sentences in any case. */
function finalizers(setup: Setup): readonly string[] {
  const { finalizers: possible } = instancesOf(setup);
  const names = new Set([
    ...Object.keys(setup.finalizers),
    ...possible.map(({ finalizer }) => finalizer),
  ]);
  const named = (kind: FinalizerOwner): string =>
    [...names]
      .filter((name) => (setup.finalizers[name] ?? 'cooperative') === kind)
      // Finalizers that an actor of the model removes are not removed by anyone else.
      .filter((name) => kind !== 'cooperative' || !isOwnedByActor(setup, name))
      .map(nameIn)
      .join(', ');
  const cooperative = named('cooperative');
  const unknown = named('unknown');
  const stuck = named('stuck');
  return [
    ...(cooperative === ''
      ? []
      : [
          `Removed by their owners once deletion has begun${setup.refusesUpdates === undefined ? '' : ', if validation accepts it'}: ${cooperative}.`,
        ]),
    ...removedByActors(setup),
    ...specFinalizers(setup),
    ...(unknown === '' ? [] : [`Perhaps never removed by their owners: ${unknown}.`]),
    ...(stuck === '' ? [] : [`Never removed by their owners: ${stuck}.`]),
    ...removedByNone(setup),
  ];
}

function removedByActors(setup: Setup): readonly string[] {
  const keys = new Map<string, Set<string>>();
  const removals = finalizerRemovals(setup);
  for (const { finalizer, key, by } of removals) {
    const sentence = JSON.stringify([finalizer, by]);
    keys.set(sentence, (keys.get(sentence) ?? new Set()).add(formatKey(key)));
  }
  return [...keys].map(([sentence, objects]) => {
    const [finalizer, by] = JSON.parse(sentence) as readonly [string, string];
    return `Removed from ${someOf([...objects])}: ${plainFinalizer(finalizer)}, by ${by}.`;
  });
}

/**
 * `kubernetes` in the `spec.finalizers` of namespaces. Only the namespace controller removes it.
 */
function specFinalizers(setup: Setup): readonly string[] {
  const { unavailableApis = [] } = setup;
  const emptiedNamespaces = new Set(setup.emptiedNamespaces);
  const namespaces = possibleObjects(setup).filter(({ specFinalizers: own = [] }) =>
    own.includes(NAMESPACE_TOKEN),
  );
  const named = (isEmptied: boolean): readonly string[] => [
    ...new Set(
      namespaces
        .filter(({ name }) => emptiedNamespaces.has(name) === isEmptied)
        .map((namespace) => formatKey(keyOf(namespace))),
    ),
  ];
  const [emptied, left] = [named(true), named(false)];
  const answer = unavailableApis.length === 0 ? '' : ' and all of discovery answers';
  return [
    ...(emptied.length === 0
      ? []
      : [
          `Removed from ${someOf(emptied)}: spec.finalizers, by the namespace controller, once nothing is left in the namespace${answer}.`,
        ]),
    ...(left.length === 0
      ? []
      : [`Never removed from ${someOf(left)}: spec.finalizers. No namespace controller runs.`]),
  ];
}

/** What is said of a finalizer that stands in for another one holds for some of its objects. */
function nameIn(finalizer: string): string {
  const plain = plainFinalizer(finalizer);
  return plain === finalizer ? plain : `${plain} (of some objects)`;
}

function removedByNone(setup: Setup): readonly string[] {
  const objects = possibleObjects(setup);
  const { finalizers: possible } = instancesOf(setup);
  const removals = finalizerRemovals(setup);
  const byKey = groupedBy(objects, keyOf);
  const named = new Map(objects.map((object) => [object, new Set(allFinalizers(object))]));
  const found = new Map<string, Set<string>>();
  for (const { finalizer, key } of possible) {
    // Such a finalizer is stuck, wherever it is.
    if ((setup.finalizers[finalizer] ?? 'cooperative') !== 'cooperative') continue;
    const here = byKey.get(key) ?? [];
    const having = here.filter((object) => named.get(object)?.has(finalizer));
    for (const { uid } of having.length > 0 ? having : here) {
      if (!isRemovedByNone(setup, finalizer, key, uid)) continue;
      const isOfAnother = removals.some((one) => one.finalizer === finalizer && one.key === key);
      const name = isOfAnother ? `${formatKey(key)} (uid ${uid})` : formatKey(key);
      found.set(finalizer, (found.get(finalizer) ?? new Set()).add(name));
    }
  }
  return [...found].map(
    ([finalizer, names]) =>
      `Never removed from ${someOf([...names])}: ${plainFinalizer(finalizer)}. Its owner here removes it only from other objects.`,
  );
}

/** At most this many objects are named. */
const NAMED = 4;

function someOf(names: readonly string[]): string {
  return names.length > NAMED ? `${names.length} objects` : listed(names);
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
  programs = [],
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
    ...programs.map(programWords),
  ];
  return running.length === 0 ? [] : [`Besides the collector, these run: ${running.join(', ')}.`];
}

/** A controller in TypeScript, with what may happen to it. */
function programWords({ name, fairness, restarts, runsIn }: ControllerProgram): string {
  const notes = [
    ...(runsIn === undefined ? [] : [`while ${formatKey(runsIn)} is there`]),
    ...(restarts === 0 ? [] : [`which may restart ${plural(restarts, 'time')}`]),
    ...(fairness === 'none' ? ['which may stop'] : []),
  ];
  return notes.length === 0 ? name : `${name} (${notes.join(', ')})`;
}

function workloadControllers(workloads: NonNullable<Setup['workloads']>): string {
  const cached = workloads.some(({ caches }) => caches === 'own');
  return cached
    ? 'controllers that create, adopt and remove children, with caches that lag'
    : 'controllers that create children';
}

function discovery({
  discovery,
  neverSyncs,
  syncsLate,
  notInstalled,
  lags,
  rules,
}: Setup): readonly string[] {
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
    ...(syncsLate === undefined
      ? []
      : [`The collector has just started; first listed after any delay: ${syncsLate.join(', ')}.`]),
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
  const words = watchWords(setup, setup.relists, 'time');
  if (words === '') return 'Watches never break.';
  return `Watches may break and relist: ${words}.`;
}

function lostEvents(setup: Setup): readonly string[] {
  const words = watchWords(setup, setup.lostEvents ?? {}, 'event');
  return words === ''
    ? []
    : [`Watches may lose events, and relist sooner or later if they have: ${words}.`];
}

/** How often something may happen to each watch of a kind, and whose watches these are. */
function watchWords(setup: Setup, by: Readonly<Record<string, number>>, noun: string): string {
  const some = Object.entries(by).filter(([, times]) => times > 0);
  const informers = worldOf(setup).informers ?? [];
  const words = some.map(([kind, times]) => {
    const others = informers.filter((informer) => informer.kind === kind);
    const watching = [...new Set(others.map((informer) => informer.words))];
    const each = watching.length === 0 ? '' : ` each (${listed(['the collector', ...watching])})`;
    return `${kind} ${plural(times, noun)}${each}`;
  });
  return words.join(', ');
}

import { NAMESPACE_CACHE } from '../apiserver/create.ts';
import { DEFINITION_CACHE, definitionKind } from '../apiserver/definition.ts';
import { isNotInstalled } from '../apiserver/installed.ts';
import type { Cluster, ClusterDraft, Unseen } from '../state/cluster.ts';
import {
  deliverToInformer,
  informerLossKey,
  loseInformerEvent,
  nextUnseen,
  relistInformer,
  relistInformerAfterLoss,
  relistKey,
} from '../state/informers.ts';
import { formatKey } from '../state/keys.ts';
import { type Kind, namespaceKind } from '../state/kinds.ts';
import { noteChange } from '../state/programs/process.ts';
import type { Setup } from '../state/setup.ts';
import type { Informer, World } from '../state/world.ts';
import { type Actor, action, orNone } from './actor.ts';
import { requeue } from './workloads/reconciling.ts';

/** The informers of actors that base decisions on their own caches (`Actor.informers`). */
export const INFORMERS: Actor = {
  actions: {
    deliverToInformer: action<{ informer: string }>({
      fairness: 'weak',
      about: 'A change reaches the cache of an actor.',
      parameters: (_setup, { informers = [] }) =>
        orNone(informers.map(({ name }) => ({ informer: name }))),
      reducer: (_setup, world) => {
        const byName = informersByName(world);
        return (cluster, { informer: name }) => {
          const informer = byName.get(name);
          if (informer === undefined || nextUnseen(cluster.unseen[name] ?? []) < 0) return;
          deliverToInformer(cluster, world, informer);
          noteChange(cluster, world);
          requeue(cluster, informer.readers ?? []);
        };
      },
      describe: ({ world }, { informer: name }, before) => {
        const words = world.informers?.find((informer) => informer.name === name)?.words ?? name;
        return `informer of ${words}: sees ${nextWords(before, name)}`;
      },
    }),
    loseInformerEvent: action<{ informer: string }>({
      fairness: 'none',
      about: 'The watch of an actor loses an event and goes on.',
      parameters: losing,
      reducer: (_setup, world) => {
        const byName = informersByName(world);
        return (cluster, { informer: name }) => {
          const informer = byName.get(name);
          if (informer !== undefined) loseInformerEvent(cluster, informer);
        };
      },
      describe: ({ world }, { informer: name }, before) => {
        const { words = name } = informersByName(world).get(name) ?? {};
        return `informer of ${words}: loses ${nextWords(before, name)}`;
      },
    }),
    relistInformerAfterLoss: action<{ informer: string }>({
      fairness: 'weak',
      about: 'A watch of an actor that has lost an event ends; the list shows the difference.',
      parameters: losing,
      reducer: (_setup, world) => relisting(world, relistInformerAfterLoss),
      describe: ({ world }, { informer: name }) => {
        const { words = name, kind = '' } = informersByName(world).get(name) ?? {};
        return `informer of ${words}: its watch of ${kind} ends, it lists anew and compares`;
      },
    }),
    relistInformer: action<{ informer: string }>({
      fairness: 'none',
      about: 'The watch of an actor breaks; the list that follows shows only the difference.',
      parameters: ({ relists }, { informers = [] }) =>
        orNone(
          informers
            .filter(({ kind }) => (relists[kind] ?? 0) > 0)
            .map(({ name }) => ({ informer: name })),
        ),
      reducer: (_setup, world) => relisting(world, relistInformer),
      describe: ({ world }, { informer: name }) => {
        const { words = name, kind = '' } = informersByName(world).get(name) ?? {};
        return `informer of ${words}: its watch of ${kind} breaks, it lists anew and compares`;
      },
    }),
  },
  budget: ({ relists, lostEvents = {} }, { informers = [] }) =>
    Object.fromEntries(
      informers
        .flatMap((informer) => [
          [relistKey(informer), relists[informer.kind] ?? 0] as const,
          [informerLossKey(informer), lostEvents[informer.kind] ?? 0] as const,
        ])
        .filter(([, times]) => times > 0),
    ),
  informers: ({ namespaceAdmission, definitionLookup, kinds }) => {
    const namespaces = namespaceAdmission === undefined ? undefined : namespaceKind(kinds);
    const definitions = definitionLookup === undefined ? undefined : definitionKind(kinds);
    return [
      ...(namespaces === undefined
        ? []
        : [cacheOfApiServer(NAMESPACE_CACHE, 'admission', namespaces)]),
      ...(definitions === undefined
        ? []
        : [cacheOfApiServer(DEFINITION_CACHE, 'the handler of custom resources', definitions)]),
    ];
  },
  isIdle: (_setup, cluster) => Object.values(cluster.unseen).every((queue) => queue.length === 0),
};

/** The reducer of an informer that lists anew, if `relist` says that there is a reason. */
function relisting(world: World, relist: (cluster: ClusterDraft, informer: Informer) => boolean) {
  const byName = informersByName(world);
  return (cluster: ClusterDraft, { informer: name }: { readonly informer: string }): void => {
    const informer = byName.get(name);
    if (informer === undefined || isNotInstalled(cluster, world, informer.kind)) return;
    if (informer.inManager && cluster.stopped.controllers !== undefined) return;
    // A sync that has failed is tried again, whether or not an event is left for it.
    if (!relist(cluster, informer)) return;
    noteChange(cluster, world);
    requeue(cluster, informer.readers ?? []);
  };
}

/** The informers whose watch may lose events. */
function losing({ lostEvents = {} }: Setup, { informers = [] }: World) {
  return orNone(
    informers
      .filter(({ kind }) => (lostEvents[kind] ?? 0) > 0)
      .map(({ name }) => ({ informer: name })),
  );
}

/** The event that the informer sees next. */
function nextWords(cluster: Cluster, name: string): string {
  const pending = cluster.unseen[name] ?? [];
  const at = nextUnseen(pending);
  const next = pending[at];
  if (next === undefined) return 'nothing';
  const first = pending.find(({ key }) => key === next.key) ?? next;
  return eventWords(cluster, first, pending.slice(at + 1));
}

function informersByName({ informers = [] }: World): ReadonlyMap<string, Informer> {
  return new Map(informers.map((informer) => [informer.name, informer]));
}

function cacheOfApiServer(name: string, words: string, { name: kind }: Kind): Informer {
  return { name, words, kind, inManager: false };
}

function eventWords(cluster: Cluster, { key, before }: Unseen, later: readonly Unseen[]): string {
  const next = later.find((unseen) => unseen.key === key);
  const after = next === undefined ? cluster.store[key] : next.before;
  const type = before === null ? 'ADDED' : (after ?? null) === null ? 'DELETED' : 'MODIFIED';
  return `${type} ${formatKey(key)}`;
}

import { NAMESPACE_CACHE } from '../apiserver/create.ts';
import { DEFINITION_CACHE, definitionKind } from '../apiserver/definition.ts';
import type { Cluster, Unseen } from '../state/cluster.ts';
import { deliverToInformer } from '../state/informers.ts';
import { formatKey } from '../state/keys.ts';
import { type Kind, namespaceKind } from '../state/kinds.ts';
import type { Informer } from '../state/world.ts';
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
      reducer: (_setup, { informers = [] }) => {
        const readers = new Map(informers.map((informer) => [informer.name, informer.readers]));
        return (cluster, { informer }) => {
          if ((cluster.unseen[informer]?.length ?? 0) === 0) return;
          deliverToInformer(cluster, informer);
          requeue(cluster, readers.get(informer) ?? []);
        };
      },
      describe: ({ world }, { informer: name }, before) => {
        const words = world.informers?.find((informer) => informer.name === name)?.words ?? name;
        const [first, ...later] = before.unseen[name] ?? [];
        const event = first === undefined ? 'nothing' : eventWords(before, first, later);
        return `informer of ${words}: sees ${event}`;
      },
    }),
  },
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

function cacheOfApiServer(name: string, words: string, { name: kind }: Kind): Informer {
  return { name, words, kind, inManager: false };
}

function eventWords(cluster: Cluster, { key, before }: Unseen, later: readonly Unseen[]): string {
  const next = later.find((unseen) => unseen.key === key);
  const after = next === undefined ? cluster.store[key] : next.before;
  const type = before === null ? 'ADDED' : (after ?? null) === null ? 'DELETED' : 'MODIFIED';
  return `${type} ${formatKey(key)}`;
}

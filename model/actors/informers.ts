import { NAMESPACE_CACHE } from '../apiserver/create.ts';
import type { Cluster, Unseen } from '../state/cluster.ts';
import { deliverToInformer } from '../state/informers.ts';
import { formatKey } from '../state/keys.ts';
import { namespaceKind } from '../state/kinds.ts';
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
  informers: ({ namespaceAdmission, kinds }) => {
    const kind = namespaceKind(kinds);
    if (namespaceAdmission === undefined || kind === undefined) return [];
    const words = 'admission';
    return [{ name: NAMESPACE_CACHE, words, kind: kind.name, inManager: false }];
  },
  isIdle: (_setup, cluster) => Object.values(cluster.unseen).every((queue) => queue.length === 0),
};

function eventWords(cluster: Cluster, { key, before }: Unseen, later: readonly Unseen[]): string {
  const next = later.find((unseen) => unseen.key === key);
  const after = next === undefined ? cluster.store[key] : next.before;
  const type = before === null ? 'ADDED' : (after ?? null) === null ? 'DELETED' : 'MODIFIED';
  return `${type} ${formatKey(key)}`;
}

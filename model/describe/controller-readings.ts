import { roleOf } from '../actors/registry.ts';
import { formatKey } from '../state/keys.ts';
import type { Context, PartReading } from '../words/context.ts';

/** Words for readings of controllers, kubelets, waiting clients, and their caches. */

export function controllerWords({
  context,
  cluster,
  key,
  below,
  value,
}: PartReading): string | null {
  const name = context.names.client(key);
  const state = cluster.controllers[key];
  if (key === '') return null;
  if (state === undefined) return `${name} has nothing under way`;
  const clause = roleOf(state).clause?.(state, name) ?? null;
  if (clause !== null) return clause;
  const [field = ''] = below.slice(-1);
  return field === 'at' ? `${name} is at ${String(value)}` : `${name} is at work`;
}

export function cacheWords(context: Context, name: string): string {
  const informer = context.world.informers?.find((known) => known.name === name);
  if (informer === undefined) return `cache ${name}`;
  return `${informer.words}${informer.words.endsWith('s') ? "'" : "'s"} cache of ${informer.kind}`;
}

export function budgetWords(context: Context, key: string, value: unknown): string {
  const { names } = context;
  const left = typeof value === 'number' ? value : 0;
  const [what, of = ''] = key.split(/ (.*)/);
  switch (what) {
    case 'child':
      return `${names.uid(of)} has ${value === undefined ? '' : 'not '}been created`;
    case 'children':
      return `${names.uid(of.replace(/^of /, ''))} may be given ${times(left)}`;
    case 'relist':
      return `the watch of ${of.startsWith('of ') ? cacheWords(context, of.slice(3)) : of} may break ${times(left)}`;
    case 'loss':
      return `the watch of ${of.startsWith('of ') ? cacheWords(context, of.slice(3)) : of} may lose ${left === 0 ? 'no more events' : `${left} more event${left === 1 ? '' : 's'}`}`;
    case 'lag':
      return `the etcd member of the collector may fall behind ${times(left)}`;
    case 'empty':
    case 'failed':
      return `discovery may fail like that ${times(left)}`;
    default:
      return `"${key}" may happen ${times(left)}`;
  }
}

function times(left: number): string {
  return left === 0 ? 'no more' : `${left} more time${left === 1 ? '' : 's'}`;
}

export function unseenWords(
  { context, cluster, key, below, value }: PartReading,
  objectWords: (field: readonly string[], value: unknown) => string | null,
): string | null {
  const cache = cacheWords(context, key);
  const waiting = cluster.unseen[key] ?? [];
  const [position = '', part, ...field] = below;
  const entry = waiting[Number(position)];
  if (position === 'length' || entry === undefined || part !== 'before') {
    const [first] = waiting;
    return first === undefined
      ? `nothing is on its way to ${cache}`
      : `${cache} has not received a change of ${formatKey(first.key)} yet`;
  }
  const name = formatKey(entry.key);
  if (entry.before === null) return `${cache} does not have ${name} yet`;
  const words = objectWords(field, value);
  return words === null ? null : `${cache} still has that ${name} ${words}`;
}

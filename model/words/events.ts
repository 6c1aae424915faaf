import type { WatchEvent } from '../state/cluster.ts';
import type { Names } from './names.ts';

const EVENT_TYPES = { add: 'ADDED', update: 'MODIFIED', delete: 'DELETED' } as const;

/** A watch event, as the graph builder sees it. */
export function describeEvent(names: Names, event: WatchEvent | undefined): string {
  if (event === undefined) return 'nothing';
  const { identity } = event.object;
  const lost = event.lost === true ? 'lost: ' : '';
  const line = `${lost}${EVENT_TYPES[event.type]} ${names.identity(identity)}`;
  if (event.type !== 'update' || event.old.uid === identity.uid) return line;
  return `${line}, until now uid ${event.old.uid}`;
}

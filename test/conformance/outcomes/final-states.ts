import * as z from 'zod';
import type { Witness } from '../../../checker/index.ts';
import type { RecordedRun } from '../../../conformance/recordings/logs/recording-schema.ts';
import {
  type ApiObject,
  type Cluster,
  isBeingDeleted,
  isOver,
  keyOf,
  type ObjectKey,
  possibleObjects,
  type Setup,
} from '../../../model/index.ts';

/** Final states: the remaining objects, by id. */

/** A remaining object: whether it is being deleted, its finalizers, its owner references. */
export interface Left {
  readonly kind: string;
  readonly deleting: boolean;
  readonly finalizers: readonly string[];
  /** Ids; `?` for the uid of no object. With `!` if the reference blocks. */
  readonly owners: readonly string[];
}

/** By id. */
export type FinalState = Readonly<Record<string, Left>>;

const UNKNOWN = '?';

/** The remaining objects at the end of a recorded run. */
export function recordedFinal(run: RecordedRun): FinalState {
  const ids = idsOf(run);
  return Object.fromEntries(
    run.final
      .map((left): [string, Left] => [
        ids.get(left.uid) ?? left.id,
        {
          kind: left.kind,
          deleting: left.deletionTimestamp !== null && left.deletionTimestamp !== undefined,
          finalizers: left.finalizers ?? [],
          owners: (left.ownerReferences ?? []).map((reference) =>
            owner(ids.get(reference.uid), reference.blockOwnerDeletion === true),
          ),
        },
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function owner(id: string | undefined, blocks: boolean): string {
  return `${id ?? UNKNOWN}${blocks ? '!' : ''}`;
}

/** The body of a request that shows an object. */
export const typedBody = z.looseObject({ apiVersion: z.string().min(1), kind: z.string().min(1) });

const named = z.looseObject({ metadata: z.looseObject({ name: z.string() }) });

/**
 * Ids by uid. The recorder puts a prefix before the names of cluster-scoped objects; ids have
 * none.
 */
function idsOf(run: RecordedRun): ReadonlyMap<string, string> {
  const ids = new Map(run.final.map(({ uid, id }) => [uid, id]));
  const made = run.requests.filter(({ verb, code }) => verb === 'create' && code === 201);
  const times = new Map<string, number>();
  for (const { resource, namespace, body, response } of made) {
    const parsed = named.safeParse(body);
    if (!parsed.success || response === undefined) continue;
    const { name } = parsed.data.metadata;
    const place = `${resource}/${namespace ?? ''}/${name}`;
    const earlier = times.get(place) ?? 0;
    times.set(place, earlier + 1);
    const id = (namespace ?? '') === '' ? (name.split('-').at(-1) ?? name) : name;
    if (!ids.has(response.uid)) ids.set(response.uid, `${id}${"'".repeat(earlier)}`);
  }
  return ids;
}

/**
 * "This final state is possible": it is reachable, all users are done, and all is quiet. Objects
 * that controllers create are compared by their fields, not by id.
 */
export function finalStateProperty(
  setup: Setup,
  name: string,
  final: FinalState,
  generated: ReadonlySet<string>,
): Witness<Cluster> {
  const keys = [...new Set(possibleObjects(setup).map(keyOf))];
  const wanted = canonical(final, isGeneratedId);
  return {
    kind: 'witness',
    name,
    reached: (cluster) =>
      isOver(setup, cluster) &&
      canonical(finalOf(setup, cluster, keys), (id) => generated.has(id)) === wanted,
  };
}

/** The recorder's ids of objects that controllers created. */
function isGeneratedId(id: string): boolean {
  return /^(pod|rs)\d+$/.test(id);
}

/** The remaining objects in a state of the model. Uids of the model are ids. */
export function finalOf(setup: Setup, cluster: Cluster, keys: readonly ObjectKey[]): FinalState {
  const left: [string, Left][] = [];
  for (const key of keys) {
    const object = cluster.store[key];
    if (object !== undefined) left.push([object.uid, leftOf(setup, object)]);
  }
  return Object.fromEntries(left);
}

function leftOf(setup: Setup, object: ApiObject): Left {
  return {
    kind: setup.kinds[object.kind]?.kind ?? object.kind,
    deleting: isBeingDeleted(object),
    finalizers: [...object.finalizers],
    owners: object.ownerReferences.map(({ uid, blockOwnerDeletion }) =>
      owner(uid.startsWith('stranger-') ? undefined : uid, blockOwnerDeletion === true),
    ),
  };
}

/** Whether two final states are the same, apart from the names of generated objects. */
export function sameFinal(
  recorded: FinalState,
  other: FinalState,
  generated: ReadonlySet<string>,
): boolean {
  return canonical(recorded, isGeneratedId) === canonical(other, (id) => generated.has(id));
}

/** Equal for equal states. A generated object is named by its kind and its owners' names. */
function canonical(final: FinalState, isGenerated: (id: string) => boolean): string {
  const nameOf = (id: string): string => {
    const blocks = id.endsWith('!');
    const plain = blocks ? id.slice(0, -1) : id;
    const name = isGenerated(plain) ? `<${words(plain)}>` : plain;
    return blocks ? `${name}!` : name;
  };
  const words = (id: string): string => {
    const left = final[id];
    if (left === undefined) return 'gone';
    const { kind, deleting, finalizers, owners } = left;
    return JSON.stringify([kind, deleting, finalizers, owners.map(nameOf)]);
  };
  return Object.keys(final)
    .map((id) => `${nameOf(id)} ${words(id)}`)
    .sort()
    .join('\n');
}

/**
 * Final states that differ from this one in one object: it is gone, it is (or is not) being
 * deleted, or a removed object exists as it was created. They test that a search can say no.
 */
export function neighbouringFinals(
  setup: Setup,
  final: FinalState,
  generated: ReadonlySet<string>,
): ReadonlyMap<string, FinalState> {
  const changed = new Map<string, FinalState>();
  for (const [id, left] of Object.entries(final)) {
    const { [id]: _, ...rest } = final;
    changed.set(`without ${id}`, rest);
    changed.set(`with ${id} otherwise`, { ...final, [id]: { ...left, deleting: !left.deleting } });
  }
  for (const object of possibleObjects(setup)) {
    const { uid } = object;
    if (final[uid] !== undefined || generated.has(uid)) continue;
    changed.set(`with ${uid}`, { ...final, [uid]: leftOf(setup, object) });
  }
  return changed;
}

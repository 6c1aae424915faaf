import { BUILT_IN_KINDS, customKind } from '../../model/state/kind-table.ts';
import type { KindTable } from '../../model/state/kinds.ts';
import {
  type ApiObject,
  FOREGROUND,
  keyOf,
  type ObjectKey,
  ORPHAN,
  type OwnerReference,
} from '../../model/state/objects.ts';

/** Small random systems: objects that own each other, and what users do to them. */

/** The next step of a user. */
export type Deed =
  | { readonly do: 'create'; readonly object: ApiObject }
  | {
      readonly do: 'delete';
      readonly key: ObjectKey;
      readonly policy: 'Orphan' | 'Foreground' | 'Background' | null;
      /** The uid in the preconditions. */
      readonly uid: string | null;
      /** Whether the object must be unchanged since it was read. */
      readonly unchanged: boolean;
    }
  | {
      readonly do: 'setFinalizers';
      readonly key: ObjectKey;
      readonly finalizers: readonly string[];
      readonly unchanged: boolean;
    }
  | {
      readonly do: 'setOwners';
      readonly key: ObjectKey;
      readonly ownerReferences: readonly OwnerReference[];
    }
  | { readonly do: 'label'; readonly key: ObjectKey }
  | {
      readonly do: 'put';
      readonly key: ObjectKey;
      readonly finalizers: readonly string[];
      /** Whether the body has the uid. */
      readonly named: boolean;
      readonly unchanged: boolean;
    }
  /** DELETE of the collection. */
  | {
      readonly do: 'deleteAll';
      readonly kind: string;
      readonly policy: 'Orphan' | 'Foreground' | 'Background' | null;
    }
  /** Removes the finalizer when the object is being deleted. */
  | { readonly do: 'release'; readonly key: ObjectKey }
  /** Waits until the collector has nothing to do. */
  | { readonly do: 'settle' }
  /** Waits until all objects are created. */
  | { readonly do: 'awaitObjects' };

/** The weights of the kinds of steps. */
export type Pace = Readonly<
  Record<
    'user' | 'serve' | 'answer' | 'deliver' | 'take' | 'send' | 'look' | 'hear' | 'disturb',
    number
  >
>;

export interface SimulatedSetup {
  readonly users: Readonly<Record<string, readonly Deed[]>>;
  readonly deleteWorkers: number;
  readonly orphanWorkers: number;
  readonly restarts: number;
  /** How often a watch of the collector may break. */
  readonly relists?: number;
  readonly pace: Pace;
  readonly steps: number;
}

export const HOLD = 'example.test/hold';

/** A sequence of random draws, determined by a seed (mulberry32). */
export class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1);
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }

  weighted<Item>(items: readonly { readonly weight: number; readonly item: Item }[]): Item {
    const sum = items.reduce((total, { weight }) => total + weight, 0);
    let left = this.#next() * sum;
    for (const { weight, item } of items) {
      left -= weight;
      if (left < 0) return item;
    }
    return this.pick(items).item;
  }
}

const WIDGET = customKind('example.test/v1', 'Widget', true);

/** Built-in kinds, and one of custom resources. */
export const KINDS: KindTable = { ...BUILT_IN_KINDS, [WIDGET.name]: WIDGET };

const FEW_KINDS = ['ConfigMap', 'Secret', 'ReplicaSet.apps'];
const MORE_KINDS = ['ConfigMap', 'Service', 'ReplicaSet.apps', WIDGET.name, WIDGET.name];

/**
 * @param wide with custom resources and Services, which the API server treats in another way, and
 * with PUTs and DELETEs of collections.
 */
export function simulatedSetup(draws: Draws, wide = false): SimulatedSetup {
  const objects = drawObjects(draws, wide ? MORE_KINDS : FEW_KINDS);
  const deeds = (count: number): readonly Deed[] =>
    Array.from({ length: count }, () =>
      wide && draws.chance(0.25) ? drawWideDeed(draws, objects) : drawDeed(draws, objects),
    );
  const creations = objects.map((object): Deed => ({ do: 'create', object }));
  const held = objects.filter(({ finalizers }) => finalizers.includes(HOLD));
  const first: readonly Deed[] = draws.chance(0.6) ? [{ do: 'settle' }] : [];
  const wait: readonly Deed[] = draws.chance(0.85) ? [{ do: 'awaitObjects' }] : [];
  return {
    users: {
      alice: [...creations, ...first, ...deeds(1 + draws.below(3))],
      bob: [...wait, ...first, ...deeds(draws.below(3))],
      thirdparty: held.map((object): Deed => ({ do: 'release', key: keyOf(object) })),
    },
    deleteWorkers: draws.pick([1, 2, 2, 3]),
    orphanWorkers: draws.pick([1, 2]),
    restarts: draws.chance(0.12) ? 1 : 0,
    pace: drawPace(draws),
    steps: draws.pick([80, 160, 320]),
  };
}

function drawPace(draws: Draws): Pace {
  const rate = (): number => draws.pick([0.1, 0.5, 1, 1, 4]);
  return {
    user: draws.pick([0.1, 0.5, 1]),
    serve: rate(),
    answer: rate(),
    deliver: rate(),
    take: rate(),
    send: rate(),
    look: rate(),
    hear: rate(),
    disturb: 0.03,
  };
}

function drawObjects(draws: Draws, kinds: readonly string[]): readonly ApiObject[] {
  const names = ['a', 'b', 'c', 'd'].slice(0, draws.pick([2, 3, 3, 4]));
  const mixed = draws.chance(0.5);
  const bare = names.map((name): ApiObject => {
    const kind = mixed ? draws.pick(kinds) : 'ConfigMap';
    return bareObject(kind, name, `uid-${name}`);
  });
  const objects = bare.map((object, index): ApiObject => {
    const others = bare.filter((_, other) => other < index || draws.chance(0.15));
    const owners = new Set<ApiObject>();
    for (let left = draws.pick([0, 1, 1, 1, 2, 2]); left > 0 && others.length > 0; left--) {
      owners.add(draws.pick(others));
    }
    const ghost = draws.chance(0.05) ? [bareObject('ConfigMap', 'ghost', 'uid-ghost')] : [];
    const ownerReferences = [...owners, ...ghost].map((owner) => reference(draws, owner));
    return { ...object, finalizers: drawFinalizers(draws), ownerReferences };
  });
  return draws.chance(0.2) ? [...objects].reverse() : objects;
}

function bareObject(kind: string, name: string, uid: string): ApiObject {
  return {
    kind,
    namespace: 'default',
    name,
    uid,
    generation: 0,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
  };
}

function reference(draws: Draws, owner: ApiObject): OwnerReference {
  return {
    apiVersion: KINDS[owner.kind]?.apiVersions[0] ?? 'v1',
    kind: KINDS[owner.kind]?.kind ?? owner.kind,
    name: draws.chance(0.03) ? 'other' : owner.name,
    uid: owner.uid,
    ...(draws.chance(0.7) ? { blockOwnerDeletion: true } : {}),
  };
}

function drawFinalizers(draws: Draws): readonly string[] {
  const hold = draws.chance(0.2) ? [HOLD] : [];
  return draws.chance(0.1) ? [...hold, draws.pick([ORPHAN, FOREGROUND])] : hold;
}

function drawDeed(draws: Draws, objects: readonly ApiObject[]): Deed {
  const object = draws.pick(objects);
  const key = keyOf(object);
  const unchanged = draws.chance(0.15);
  switch (draws.below(12)) {
    case 0:
      return { do: 'setFinalizers', key, finalizers: drawFinalizers(draws), unchanged };
    case 1: {
      const kept = object.ownerReferences.filter(() => draws.chance(0.4));
      const added = draws.chance(0.4) ? [reference(draws, draws.pick(objects))] : [];
      const known = new Set(kept.map(({ uid }) => uid));
      const relaxed = kept.map(({ blockOwnerDeletion: _, ...rest }) => rest);
      return {
        do: 'setOwners',
        key,
        ownerReferences: [
          ...(draws.chance(0.3) ? relaxed : kept),
          ...added.filter(({ uid }) => !known.has(uid)),
        ],
      };
    }
    case 2:
      return { do: 'label', key };
    case 3:
      return { do: 'create', object: { ...object, uid: `${object.uid}-again`, finalizers: [] } };
    default:
      return {
        do: 'delete',
        key,
        policy: draws.pick(['Orphan', 'Foreground', 'Foreground', 'Background', null]),
        uid: draws.chance(0.2) ? object.uid : null,
        unchanged,
      };
  }
}

function drawWideDeed(draws: Draws, objects: readonly ApiObject[]): Deed {
  const object = draws.pick(objects);
  if (draws.chance(0.3)) {
    const policy = draws.pick(['Orphan', 'Foreground', 'Background', null] as const);
    return { do: 'deleteAll', kind: object.kind, policy };
  }
  const { finalizers } = object;
  const others = draws.chance(0.5) ? finalizers : drawFinalizers(draws);
  const conditions = { named: draws.chance(0.5), unchanged: draws.chance(0.5) };
  return { do: 'put', key: keyOf(object), finalizers: others, ...conditions };
}

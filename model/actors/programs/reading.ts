import { plainCopy } from '../../apiserver/store.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { cached } from '../../state/informers.ts';
import { instancesOf } from '../../state/instances.ts';
import { formatKey, kindOf, splitKey } from '../../state/keys.ts';
import { type ApiObject, isVisible, keyOf, type ObjectKey } from '../../state/objects.ts';
import type { Readings } from '../../state/programs/process.ts';
import {
  type ControllerProgram,
  type Look,
  programInformer,
} from '../../state/programs/program.ts';
import type { Setup } from '../../state/setup.ts';
import { insideOfPlan } from './purity.ts';

/**
 * What a plan reads. Reads of a cache happen at once. Each live read is a request of its own, so
 * only the first one happens in the same step: before the next one, the plan is interrupted, what
 * it has read is kept, and the next step runs it again with the same answers. For a controller that
 * a scenario describes, all reads are one step. Its plan is the model's own and keeps nothing, so
 * it gets the objects themselves and not copies.
 */

/** Thrown into a plan that has to wait for the next step. */
const INTERRUPTED = Symbol('interrupted');

/** A plan that is asked a question again reads what it did not read the first time. */
export class NotKnown extends Error {}

/** The reads of one run of a plan. */
export class Reading {
  /** Everything that was read, in order. */
  readonly seen: Record<string, Readings[string]> = {};
  /** By key: the object as the plan has read it last, and whether it was the newest version. */
  readonly objects = new Map<
    ObjectKey,
    { readonly object: ApiObject; readonly isNewest: boolean }
  >();
  /** Whether the plan was interrupted before it had read everything. */
  isInterrupted = false;
  readonly #setup: Setup;
  readonly #program: ControllerProgram;
  readonly #cluster: Cluster | ClusterDraft | null;
  readonly #namespace: string;
  readonly #known: Readings;
  #liveReads = 0;

  /**
   * @param cluster null: there is nothing to read but what is known.
   * @param known what the plan has read before, by its names in `seen`.
   */
  constructor(
    setup: Setup,
    program: ControllerProgram,
    cluster: Cluster | ClusterDraft | null,
    namespace: string,
    known: Readings,
  ) {
    this.#setup = setup;
    this.#program = program;
    this.#cluster = cluster;
    this.#namespace = namespace;
    this.#known = known;
  }

  look(): Look {
    const { reads } = this.#program;
    const read = (object: string): ApiObject | null =>
      reads === 'live' ? this.#live(object) : this.#cached(object);
    return Object.assign((object: string) => insideOfPlan(() => read(object)), {
      live: (object: string) => insideOfPlan(() => this.#live(object)),
      list: (kind: string) => insideOfPlan(() => this.#list(kind)),
      outside: (name: string) => insideOfPlan(() => this.#outside(name)),
    });
  }

  /** Whether this run has thrown the error. */
  isInterruption(error: unknown): boolean {
    return this.isInterrupted && error === INTERRUPTED;
  }

  #cached(text: string): ApiObject | null {
    const key = keyFor(this.#setup, planOf(this.#program), text, this.#namespace);
    this.#demandInformer(kindOf(key));
    return this.#object(`cache ${key}`, key, (cluster) => this.#inCache(cluster, key));
  }

  #live(text: string): ApiObject | null {
    const key = keyFor(this.#setup, planOf(this.#program), text, this.#namespace);
    return this.#object(`live ${key}`, key, (cluster) => this.#stored(cluster, key));
  }

  #list(word: string): readonly ApiObject[] {
    const kind = kindFor(this.#setup, planOf(this.#program), word);
    const isLive = this.#program.reads === 'live';
    if (!isLive) this.#demandInformer(kind);
    const keys = instancesOf(this.#setup).keys.filter((key) => kindOf(key) === kind);
    const name = `${isLive ? 'live' : 'cache'} list ${kind}`;
    const isRepeated = Object.hasOwn(this.seen, name);
    const found = this.#read(name, isLive, (cluster) =>
      deeplyFrozen(
        [...keys]
          .sort()
          .flatMap(
            (key) => (isLive ? this.#stored(cluster, key) : this.#inCache(cluster, key)) ?? [],
          ),
      ),
    ) as readonly ApiObject[];
    if (isRepeated) return found;
    for (const object of found) {
      this.#note(keyOf(object), object, isLive, Object.hasOwn(this.#known, name));
    }
    return found;
  }

  #outside(name: string): boolean {
    demandOutside(this.#program, name);
    return this.#read(
      `outside ${name}`,
      true,
      (cluster) => cluster.outside?.[name] === true,
    ) as boolean;
  }

  #object(
    name: string,
    key: ObjectKey,
    read: (cluster: Cluster | ClusterDraft) => ApiObject | null,
  ): ApiObject | null {
    const isLive = name.startsWith('live');
    const isRepeated = Object.hasOwn(this.seen, name);
    const found = this.#read(name, isLive, read) as ApiObject | null;
    if (found !== null && !isRepeated) {
      this.#note(key, found, isLive, Object.hasOwn(this.#known, name));
    }
    return found;
  }

  /** Whether an update of this version would not be a conflict. */
  #note(key: ObjectKey, object: ApiObject, isLive: boolean, isKnown: boolean): void {
    const cluster = this.#cluster;
    if (cluster === null) return;
    const reader = readerOfProgram(this.#program, key);
    const informer = programInformer(this.#program, kindOf(key));
    const isOld = cluster.unseen[informer]?.some((change) => change.key === key) === true;
    const isNewest = isKnown
      ? cluster.unchangedSince[reader] === key
      : cluster.store[key] !== undefined && (isLive || !isOld);
    this.objects.set(key, { object, isNewest });
  }

  #read(
    name: string,
    isLive: boolean,
    read: (cluster: Cluster | ClusterDraft) => Readings[string],
  ): Readings[string] {
    if (Object.hasOwn(this.seen, name)) return this.seen[name]!;
    if (Object.hasOwn(this.#known, name)) {
      const known = deeplyFrozen(this.#known[name]!);
      this.seen[name] = known;
      return known;
    }
    const cluster = this.#cluster;
    if (cluster === null) throw new NotKnown();
    if (isLive) {
      this.#liveReads += 1;
      if (this.#liveReads > 1 && this.#program.described === undefined) {
        this.isInterrupted = true;
        throw INTERRUPTED;
      }
    }
    const found = read(cluster);
    this.seen[name] = found;
    return found;
  }

  #inCache(cluster: Cluster | ClusterDraft, key: ObjectKey): ApiObject | null {
    const found = cached(cluster, programInformer(this.#program, kindOf(key)), key);
    return found === null ? null : this.#given(found);
  }

  #stored(cluster: Cluster | ClusterDraft, key: ObjectKey): ApiObject | null {
    const found = cluster.store[key];
    return found === undefined || !isVisible(found as ApiObject) ? null : this.#given(found);
  }

  #given(object: unknown): ApiObject {
    return this.#program.described === undefined ? frozenCopy(object) : (object as ApiObject);
  }

  #demandInformer(kind: string): void {
    const { name, informers } = this.#program;
    if (informers.includes(kind)) return;
    throw new Error(
      `the plan of ${name} reads ${kind} from a cache, and has no informer for it: add it to informers, or use look.live`,
    );
  }
}

/** Copies what may be a draft, so that a plan cannot keep or change it. */
function frozenCopy(object: unknown): ApiObject {
  return deeplyFrozen(plainCopy(object as Parameters<typeof plainCopy>[0]));
}

/** A frozen plain copy. */
export function deeplyFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const copy: unknown = Array.isArray(value)
    ? value.map((part) => deeplyFrozen(part as unknown))
    : Object.fromEntries(Object.entries(value).map(([field, part]) => [field, deeplyFrozen(part)]));
  return Object.freeze(copy) as Value;
}

/** The name under which the version of an object that a plan has read is remembered. */
export function readerOfProgram({ name }: Pick<ControllerProgram, 'name'>, key: ObjectKey): string {
  return `${name}: ${key}`;
}

/** Who is wrong, for errors. */
export function planOf({ name }: Pick<ControllerProgram, 'name'>): string {
  return `the plan of ${name}`;
}

/**
 * The kind that a word means: its name in the table of kinds, or the kind without its group.
 *
 * @param who names the kind, for the error if there is none.
 */
export function kindFor(setup: Setup, who: string, word: string): string {
  if (Object.hasOwn(setup.kinds, word)) return word;
  const found = Object.values(setup.kinds).filter(({ kind }) => kind === word);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.name;
  const names = Object.keys(setup.kinds).join(', ');
  throw new Error(
    found.length > 1
      ? `${who} names the kind ${word}, which is one of ${found.map((one) => one.name).join(', ')}: give the group as well`
      : `${who} names the kind ${word}; the model has ${names}`,
  );
}

/** The key of the object that a plan or a property names. */
export function keyFor(setup: Setup, who: string, text: string, namespace: string): ObjectKey {
  const names = namesIn(setup);
  const slash = String(text).indexOf('/');
  if (slash < 0) throw new Error(`${who} names ${text}: write KIND/NAME or KIND/NAME.NAMESPACE`);
  const kind = kindFor(setup, who, String(text).slice(0, Math.max(0, slash)));
  const name = String(text).slice(slash + 1);
  const found = names.get(`${kind}/${name}`) ?? names.get(`${kind}/${name}.${namespace}`);
  if (found !== undefined) return found;
  throw new Error(
    `${who} names ${text}, which the model does not have${namespace === '' ? '' : ` in namespace ${namespace}`}; it has ${[...names.values()].map(formatKey).filter(distinct).join(', ')}`,
  );
}

function distinct(value: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(value) === index;
}

const NAMES = new WeakMap<Setup, ReadonlyMap<string, ObjectKey>>();

/** Every object that the model can have: by kind and name, and with the namespace. */
function namesIn(setup: Setup): ReadonlyMap<string, ObjectKey> {
  const known = NAMES.get(setup);
  if (known !== undefined) return known;
  const made = new Map<string, ObjectKey>();
  for (const key of instancesOf(setup).keys) {
    const [kind, namespace, name] = splitKey(key);
    made.set(namespace === '' ? `${kind}/${name}` : `${kind}/${name}.${namespace}`, key);
  }
  NAMES.set(setup, made);
  return made;
}

export function demandOutside({ name, outside }: ControllerProgram, wanted: string): void {
  if (outside.includes(wanted)) return;
  throw new Error(
    `the plan of ${name} names ${wanted}, which is not in its list outside: ${outside.join(', ') || 'empty'}`,
  );
}

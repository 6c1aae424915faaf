import { splitKey } from '../../state/keys.ts';
import { type ApiObject, isBeingDeleted, keyOf, type ObjectKey } from '../../state/objects.ts';
import { isToDelete, type Operator } from '../../state/programs/operator.ts';
import type { Look, Self, Task } from '../../state/programs/program.ts';

/** What a described controller remembers: the names of what it has created in its teardown. */
export type CreatedInTeardown = readonly string[];

type Tasks = readonly Task<CreatedInTeardown>[];
type Plan = (look: Look, self: Self<CreatedInTeardown>) => Tasks;

/** What a plan depends on besides the description. */
export interface PlanSettings {
  /** Keys that objects with an owner reference to the parent can have. */
  readonly dependents: readonly ObjectKey[];
  /** The description says that it never removes its finalizer. */
  readonly keepsFinalizer: boolean;
  /** It reads its own object live before it adopts anything. */
  readonly checksOwner: boolean;
  /** Whether the task `create` names the owner of what it creates. False: the template has it. */
  readonly namesOwner: boolean;
  /** Every key that the model has. Nothing is there under another key. */
  readonly possible: ReadonlySet<ObjectKey>;
}

/** Returns an object as the controller knows it. */
type Read = (key: ObjectKey) => ApiObject | null;

/** The plan of a controller that a scenario describes. */
export function describedPlan(operator: Operator, settings: PlanSettings): Plan {
  const { key, uid } = operator.parent;
  const [, namespace, name] = splitKey(key);
  return (look, self) => {
    if (self.name !== name || self.namespace !== namespace) return [];
    const read: Read = (wanted) => (settings.possible.has(wanted) ? look(nameOf(wanted)) : null);
    const parent = read(key);
    if (parent === null || parent.uid !== uid) return [];
    const writer = new Writer(operator, parent, settings);
    return isBeingDeleted(parent)
      ? teardown(operator, settings, writer, parent, read, self.memory)
      : upkeep(operator, settings, writer, parent, read, look);
  };
}

/** The name by which `look` finds the object from any namespace. */
export function nameOf(key: ObjectKey): string {
  const [kind, namespace, name] = splitKey(key);
  return namespace === '' ? `${kind}/${name}` : `${kind}/${name}.${namespace}`;
}

/** Makes the tasks. */
class Writer {
  readonly #operator: Operator;
  readonly #parent: ApiObject;
  readonly #settings: PlanSettings;

  constructor(operator: Operator, parent: ApiObject, settings: PlanSettings) {
    this.#operator = operator;
    this.#parent = parent;
    this.#settings = settings;
  }

  create(template: ApiObject): Tasks[number] {
    const named = this.#settings.namesOwner && template.ownerReferences.length > 0;
    const controller = named ? { controller: this.#parent } : {};
    return { do: 'create', object: nameOf(keyOf(template)), ...controller };
  }

  delete(key: ObjectKey): Tasks[number] {
    const { propagationPolicy, gracePeriodSeconds, preconditions } =
      this.#operator.deletes.find((one) => one.key === key)?.options ?? {};
    const uid = preconditions?.uid;
    return {
      do: 'delete',
      object: nameOf(key),
      ...(uid === undefined ? {} : { uid }),
      ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    };
  }

  adopt(key: ObjectKey): Tasks[number] {
    return { do: 'adopt', object: nameOf(key), owner: this.#parent, with: 'apply' };
  }

  finalizer(
    what: 'addFinalizer' | 'removeFinalizer',
    key: ObjectKey,
    finalizer: string,
  ): Tasks[number] {
    return { do: what, object: nameOf(key), finalizer, with: 'apply' };
  }

  /** Children that are being deleted and have its finalizer. */
  letGo(read: Read): Tasks {
    const { childFinalizer, creates, createsInTeardown = [] } = this.#operator;
    if (childFinalizer === undefined) return [];
    const keys = new Set([...creates, ...createsInTeardown].map(keyOf));
    return [...keys].flatMap((key) => {
      const child = read(key);
      if (child === null || !isBeingDeleted(child)) return [];
      if (!child.finalizers.includes(childFinalizer)) return [];
      return [this.finalizer('removeFinalizer', key, childFinalizer)];
    });
  }
}

/** The finalizer comes first: anything created before it is set could be left behind. */
function upkeep(
  operator: Operator,
  { checksOwner }: PlanSettings,
  writer: Writer,
  parent: ApiObject,
  read: Read,
  look: Look,
): Tasks {
  const { finalizer, addsFinalizer, creates, adopts = [] } = operator;
  if (addsFinalizer && finalizer !== undefined && !parent.finalizers.includes(finalizer)) {
    return [writer.finalizer('addFinalizer', operator.parent.key, finalizer)];
  }
  const templates = new Map(creates.map((object) => [keyOf(object), object]));
  const missing = [...templates].flatMap(([key, template]) =>
    read(key) === null ? [writer.create(template)] : [],
  );
  const orphans = adopts.filter((key) => {
    const object = read(key);
    if (object === null || isBeingDeleted(object)) return false;
    return !object.ownerReferences.some(({ controller }) => controller === true);
  });
  const adopted = orphans.length > 0 && mayAdopt() ? orphans.map((key) => writer.adopt(key)) : [];
  return [...writer.letGo(read), ...adopted, ...missing];

  /** Mirrors `RecheckDeletionTimestamp` (1.20). */
  function mayAdopt(): boolean {
    if (!checksOwner) return true;
    const now = look.live(nameOf(operator.parent.key));
    return now !== null && now.uid === parent.uid && !isBeingDeleted(now);
  }
}

/**
 * Creates what the teardown needs, each object once. Deletes one object after the other, or one
 * wave after the other, each after the previous one is gone. Then waits, and then removes the
 * finalizer.
 */
function teardown(
  operator: Operator,
  { dependents, keepsFinalizer }: PlanSettings,
  writer: Writer,
  parent: ApiObject,
  read: Read,
  memory: CreatedInTeardown,
): Tasks {
  const { finalizer, deletes, waitsFor, after = [], pausedBy = [], needs = [] } = operator;
  const letting = writer.letGo(read);
  if (letting.length > 0) return letting;
  if (finalizer !== undefined && !parent.finalizers.includes(finalizer)) return [];
  const isGoing = (key: ObjectKey): boolean => {
    const target = read(key);
    return target !== null && isBeingDeleted(target);
  };
  if (after.some((other) => parent.finalizers.includes(other)) || pausedBy.some(isGoing)) return [];
  if (needs.some((key) => read(key) === null)) return [];
  const created = notYetCreated(operator, memory);
  if (created.length > 0) {
    return created.flatMap((child, index) => [
      writer.create(child),
      {
        do: 'remember' as const,
        memory: [...memory, ...created.slice(0, index + 1).map((one) => nameOf(keyOf(one)))],
      },
    ]);
  }
  const waiting = deletes.filter((one) => isToDelete(one, read(one.key)));
  const [next] = waiting;
  if (next !== undefined) {
    const { wave } = next;
    const together = wave === undefined ? [next] : waiting.filter((one) => one.wave === wave);
    const unsent = together.filter(({ key }) => !isGoing(key));
    if (unsent.length > 0) return unsent.map(({ key }) => writer.delete(key));
    if (wave === undefined || together.length < waiting.length) return [];
  }
  const waits = waitsFor.some((what) =>
    what === 'dependents' ? dependents.some(isDependent) : read(what) !== null,
  );
  if (waits || finalizer === undefined || keepsFinalizer) return [];
  return [writer.finalizer('removeFinalizer', operator.parent.key, finalizer)];

  function isDependent(key: ObjectKey): boolean {
    return read(key)?.ownerReferences.some(({ uid }) => uid === parent.uid) === true;
  }
}

/** Several objects can have the same name. */
function notYetCreated(
  { createsInTeardown = [] }: Operator,
  memory: CreatedInTeardown,
): readonly ApiObject[] {
  const done = [...memory];
  return createsInTeardown.filter((child) => {
    const index = done.indexOf(nameOf(keyOf(child)));
    if (index >= 0) done.splice(index, 1);
    return index < 0;
  });
}

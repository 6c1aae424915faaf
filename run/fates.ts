import type { CheckResult, Property, PropertyResult } from '../checker/index.ts';
import { REPLACEMENT } from '../input/cluster/actors.ts';
import { displayName } from '../input/manifests/names.ts';
import {
  type Cluster,
  FOREGROUND,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  type Setup,
  type Uid,
} from '../model/index.ts';
import type { Fate, FateWord } from '../report/document/result-document.ts';

/** Two properties for each object of the setup, with names that no other property has. */
export function fateProperties(setup: Setup): readonly Property<Cluster>[] {
  const requests = Object.entries(setup.users).map(
    ([user, steps]) => [user, steps.length] as const,
  );
  return setup.objects.flatMap((object): Property<Cluster>[] => {
    const key = keyOf(object);
    const isGone = (cluster: Cluster): boolean => cluster.store[key]?.uid !== object.uid;
    const { goes, mayGo, begins, replaced } = namesOf(displayName(object), object.uid);
    const successor = replacementOf(setup, object.uid);
    const isSent = (cluster: Cluster): boolean =>
      requests.every(([user, steps]) => cluster.users[user] === steps);
    return [
      {
        kind: 'eventually',
        name: goes,
        mentions: [key],
        trigger: isSent,
        goal: isGone,
        explain: (cluster) => whyThere(cluster, key),
      },
      { kind: 'witness', name: mayGo, mentions: [key], reached: isGone },
      {
        kind: 'witness',
        name: begins,
        mentions: [key],
        reached: (cluster) => {
          const stored = cluster.store[key];
          return stored?.uid === object.uid && isBeingDeleted(stored);
        },
      },
      ...(successor === null
        ? []
        : [
            {
              kind: 'eventually' as const,
              name: replaced,
              mentions: [key, successor.key],
              trigger: isSent,
              goal: (cluster: Cluster) => cluster.store[successor.key]?.uid === successor.uid,
            },
          ]),
    ];
  });
}

function namesOf(object: string, uid: string) {
  return {
    goes: `${object} (${uid}) goes`,
    mayGo: `${object} (${uid}) may go`,
    begins: `${object} (${uid}) may begin to go`,
    replaced: `${object} (${uid}) is replaced`,
  } as const;
}

/** The object that a workload's controller creates in the place of another one. */
function replacementOf(setup: Setup, uid: Uid): { key: ObjectKey; uid: Uid } | null {
  const children = (setup.workloads ?? []).flatMap((workload) => workload.children);
  const found = children.find((child) => child.uid === `${uid}${REPLACEMENT}`);
  return found === undefined ? null : { key: keyOf(found), uid: found.uid };
}

function whyThere(cluster: Cluster, key: string): readonly string[] {
  const object = cluster.store[key];
  if (object === undefined) return [];
  const name = displayName(object);
  if (!isBeingDeleted(object)) return [`nobody has begun to delete ${name}`];
  const blocking = Object.values(cluster.store).filter((other) =>
    other.ownerReferences.some(
      (reference) => reference.uid === object.uid && reference.blockOwnerDeletion === true,
    ),
  );
  return [
    ...object.finalizers.map((finalizer) => `${name} is blocked by: finalizer ${finalizer}`),
    ...(object.finalizers.includes(FOREGROUND) ? blocking : []).map(
      (other) => `${name} is blocked by: dependent ${displayName(other)}`,
    ),
    ...((object.specFinalizers ?? []).length > 0
      ? [`${name} is blocked by: its contents, which the namespace controller has to delete`]
      : []),
    ...((object.deletionGracePeriodSeconds ?? 0) > 0
      ? [`${name} is in its grace period, which a kubelet has to end`]
      : []),
  ];
}

/** Takes the answers to `fateProperties` out of a result. */
export function splitFates(
  setup: Setup,
  result: CheckResult,
): { readonly fates: readonly Fate[]; readonly result: CheckResult } {
  const byName = new Map(result.properties.map((property) => [property.name, property]));
  const fates = setup.objects.flatMap((object): Fate[] => {
    const names = namesOf(displayName(object), object.uid);
    const goes = byName.get(names.goes);
    const mayGo = byName.get(names.mayGo);
    if (goes === undefined || mayGo === undefined) return [];
    byName.delete(names.goes);
    byName.delete(names.mayGo);
    const fate = fateOf(goes, mayGo);
    const replaced = byName.get(names.replaced)?.verdict === 'holds';
    const begins = byName.get(names.begins)?.verdict === 'holds';
    byName.delete(names.replaced);
    byName.delete(names.begins);
    return [{ object: displayName(object), uid: object.uid, fate, begins, replaced, goes, mayGo }];
  });
  return { fates, result: { ...result, properties: [...byName.values()] } };
}

function fateOf(goes: PropertyResult, mayGo: PropertyResult): FateWord {
  if (goes.verdict === 'holds') return 'goes';
  if (goes.verdict !== 'violated') return 'open';
  if (mayGo.verdict === 'holds') return 'either';
  // Walks, and a search that hit a limit, have not seen every run.
  return mayGo.verdict === 'inconclusive' ? 'open' : 'stays';
}

import type { ApiObject, OwnerReference } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import { displayName, groupOf } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKindIn, byUidIn, remembered } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import { type Evidence, firstHeld, type Held, isReached } from './evidence.ts';

/**
 * What the owner of a finalizer deletes first and waits for, and the dump lacks with all of its
 * kind in that namespace: other finalizers may hold it; null: nothing. If the dump has others of
 * its kind there, it is gone.
 */
export function unseenDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { dump, observations } = evidence;
  return firstHeld('unseen', objects, evidence, (object) => {
    for (const mark of marksOn(observations, object)) {
      if (mark.mark !== 'tearsDown' || mark.tool !== known?.project) continue;
      if (kindsIn(dump).has(`${object.namespace}/${mark.kind}`)) continue;
      const resource = shellQuoted(mark.kind.toLowerCase());
      return {
        why: `${known.owner} deletes ${mark.kind}/${mark.name} before it lets ${displayName(object)} go, and the dump lacks that`,
        asks: `whether anything holds ${mark.kind}/${mark.name}`,
        settle: `kubectl get ${resource} ${shellQuoted(mark.name)} -n ${shellQuoted(object.namespace)} -o yaml --ignore-not-found`,
      };
    }
    return null;
  });
}

/**
 * A finalizer that its owner removes only with an object of other kinds, where none goes; null: one
 * does.
 */
export function aloneDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { onlyWith } = known ?? {};
  if (known === null || onlyWith === undefined) return null;
  return firstHeld('unseen', objects, evidence, (object) => {
    const others = onlyWith
      .flatMap((kind) => byKindIn(evidence.dump).get(kind) ?? [])
      .filter(({ namespace }) => namespace === object.namespace);
    const [first] = others;
    if (others.some((other) => isReached(other, evidence))) return null;
    if (first !== undefined) {
      const why = `${displayName(first)} stays, and ${known.owner} waits for it`;
      return { by: 'used', objects: others, why };
    }
    const [kind = ''] = onlyWith[0]?.split('.') ?? [];
    return {
      why: `${known.owner} removes it only with a deletion of the kind ${kind} in that namespace, and the dump has none of that kind there`,
      asks: `whether there is one of the kind ${kind} in namespace ${object.namespace}`,
      settle: `kubectl get ${kind.toLowerCase()} -n ${shellQuoted(object.namespace)}`,
    };
  });
}

/**
 * An object without the owner that the controller reads first (`GetOwnerMachine`, `GetOwnerCluster`
 * of Cluster API), with none or one that is gone; null: the dump has it.
 */
export function unownedDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { onlyOwnedBy } = known ?? {};
  if (known === null || onlyOwnedBy === undefined) return null;
  const [kind = ''] = onlyOwnedBy.split('.');
  return firstHeld('unseen', objects, evidence, (object) => {
    const owner = object.ownerReferences.find((reference) => kindNamed(reference) === onlyOwnedBy);
    const name = displayName(object);
    if (owner === undefined) {
      return `no ${kind} owns ${name}, and ${known.owner} does nothing for one without`;
    }
    const found = byUidIn(evidence.dump).get(owner.uid);
    if (found !== undefined) {
      const isFirst = isReached(found, evidence) && found.finalizers.length === 0;
      return isFirst
        ? `nothing holds ${displayName(found)}, which owns ${name}, and ${known.owner} does nothing once that is gone`
        : null;
    }
    return {
      why: `the dump lacks ${kind}/${owner.name}, which owns ${name}, and ${known.owner} does nothing once that is gone`,
      asks: `whether ${kind}/${owner.name} is there`,
      settle: `kubectl get ${shellQuoted(onlyOwnedBy.toLowerCase())} ${shellQuoted(owner.name)} -n ${shellQuoted(object.namespace)}`,
    };
  });
}

/** As `KIND.GROUP`, or `KIND` of the core group. */
function kindNamed({ apiVersion, kind }: Pick<OwnerReference, 'apiVersion' | 'kind'>): string {
  const group = groupOf(apiVersion) ?? '';
  return group === '' ? kind : `${kind}.${group}`;
}

/** Kinds without their groups, each with the namespaces in which the dump has some. */
const kindsIn = remembered(
  (dump: readonly ApiObject[]) =>
    new Set(dump.map(({ kind, namespace }) => `${namespace}/${kind.split('.')[0]}`)),
);

import { byUidIn } from '../../input/cluster/lookups.ts';
import { deletesOf } from '../../input/cluster/requests.ts';
import { displayName } from '../../input/manifests/names.ts';
import type { Plan } from '../../input/plan.ts';
import { type ApiObject, isBeingDeleted, keyOf } from '../../model/index.ts';
import type { AnswerObject } from '../../report/document/answer.ts';
import { groupedBy } from '../../text/layout.ts';
import { inPreOrder } from '../../text/orders.ts';

export interface Known {
  readonly object: ApiObject;
  readonly shown: AnswerObject;
}

/**
 * The objects of all plans, each below its owner, without those that only stand for unknown owners.
 */
export function objectsOf(plans: readonly Plan[]): readonly Known[] {
  const found = new Map<string, ApiObject>();
  for (const { setup, cluster } of plans) {
    const unknown = new Set(cluster?.unknownOwners.map(({ reference }) => reference.uid));
    for (const object of setup.objects) {
      if (!unknown.has(object.uid)) found.set(object.uid, object);
    }
  }
  const objects = [...found.values()];
  const asked = new Set(plans.flatMap(({ setup }) => deletesOf(setup).map(({ key }) => key)));
  const ordered = ownersFirst(objects);
  const places = new Map(ordered.map(({ object }, index) => [object.uid, index]));
  return ordered.map(({ object, parent }) => ({
    object,
    shown: {
      name: displayName(object),
      namespace: object.namespace,
      uid: object.uid,
      parent: parent === null ? null : (places.get(parent) ?? null),
      asked: asked.has(keyOf(object)),
      deleting: isBeingDeleted(object),
    },
  }));
}

/** Depth first, so that each tree is in one piece. An object in a cycle has no parent. */
function ownersFirst(
  objects: readonly ApiObject[],
): readonly { readonly object: ApiObject; readonly parent: string | null }[] {
  const byUid = byUidIn(objects);
  const namespaces = new Map(
    objects.filter(({ kind }) => kind === 'Namespace').map(({ name, uid }) => [name, uid]),
  );
  const children = groupedBy(objects, (object) => {
    const owners = object.ownerReferences.filter(({ uid }) => byUid.has(uid));
    const owner = owners.find(({ controller }) => controller === true) ?? owners[0];
    const parent = owner?.uid ?? namespaces.get(object.namespace) ?? null;
    return parent === object.uid ? null : parent;
  });
  const roots = [...(children.get(null) ?? []), ...objects];
  return inPreOrder(roots, ({ uid }) => children.get(uid) ?? []).map(({ item, from }) => ({
    object: item,
    parent: from?.uid ?? null,
  }));
}

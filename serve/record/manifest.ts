import type { ApiObject, KindTable } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import { bodyOfModel } from '../cluster/model-body.ts';

/** The model knows only that a deletion has begun, not when. */
const SOME_TIME = '2000-01-01T00:00:00Z';

/** An object as a scenario has it: what the model keeps of it, and nothing else. */
export function manifestOf(object: ApiObject, kinds: KindTable): Body {
  const kind = kinds[object.kind];
  if (kind === undefined) throw new Error(`the kind ${object.kind} is not in the table`);
  const { name, namespace, uid, generation, finalizers, ownerReferences } = object;
  const { deletionTimestamp, deletionGracePeriodSeconds: grace, specFinalizers = [] } = object;
  const isDeleting = deletionTimestamp !== null;
  return {
    apiVersion: kind.apiVersions[0],
    kind: kind.kind,
    metadata: {
      name,
      ...(namespace === '' ? {} : { namespace }),
      uid,
      ...(generation > 1 ? { generation } : {}),
      ...(finalizers.length === 0 ? {} : { finalizers }),
      ...(ownerReferences.length === 0 ? {} : { ownerReferences }),
      ...(isDeleting ? { deletionTimestamp: SOME_TIME } : {}),
      ...(isDeleting && grace !== null ? { deletionGracePeriodSeconds: grace } : {}),
    },
    ...bodyOfModel(object),
    ...(specFinalizers.length === 0 ? {} : { spec: { finalizers: specFinalizers } }),
  };
}

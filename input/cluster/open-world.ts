import type { ApiObject, OwnerReference } from '../../model/index.ts';
import { shellQuoted } from '../../text/layout.ts';
import type { KindCatalogue } from '../manifests/kind-catalogue.ts';
import { groupOf } from '../manifests/names.ts';
import type { NodeStates } from './nodes.ts';

/**
 * A dump is part of a cluster. An object whose kind the dump has, and that is not in it, is absent.
 * An object of a kind that the dump does not have at all is unknown: nobody asked for it.
 */
export interface OpenWorld {
  /**
   * Whether nothing in the dump says that this owner is there, or that it is not.
   *
   * @param dependent the object that names it; absent: an object of a namespace.
   */
  readonly isUnknown: (
    reference: OwnerReference,
    dependent?: Pick<ApiObject, 'namespace'>,
  ) => boolean;
}

export function ownersUnknownIn(objects: readonly ApiObject[], kinds: KindCatalogue): OpenWorld {
  const present = new Set(objects.map(({ kind }) => kind));
  const uids = new Set(objects.map(({ uid }) => uid));
  const memo = new Map<
    string,
    { readonly isThere: boolean; readonly namespaced: boolean; readonly isRemoved: boolean }
  >();
  const kindOf = ({ apiVersion, kind }: OwnerReference) => {
    const key = `${apiVersion}/${kind}`;
    const known = memo.get(key) ?? {
      isThere: namesOf(apiVersion, kind, kinds).some((name) => present.has(name)),
      namespaced: kinds.resolve(apiVersion, kind)?.namespaced === true,
      isRemoved: kinds.isRemoved({ apiVersion, kind }),
    };
    memo.set(key, known);
    return known;
  };
  return {
    isUnknown: (reference, dependent) => {
      if (uids.has(reference.uid)) return false;
      const { isThere, namespaced, isRemoved } = kindOf(reference);
      // The collector cannot look such an owner up at all, whether or not it is there: a namespaced
      // one of a cluster-scoped object, and one that is named in a version that is not served.
      if ((namespaced && dependent?.namespace === '') || isRemoved) return false;
      return !isThere;
    },
  };
}

/**
 * The names in the table of kinds that this reference can mean. An object has the same uid in all
 * versions, and workloads had it in the group `extensions` as well.
 */
function namesOf(apiVersion: string, kind: string, kinds: KindCatalogue): readonly string[] {
  const group = groupOf(apiVersion) ?? '';
  const exact = kinds.resolve(apiVersion, kind)?.name;
  const table = kinds.table();
  const sameGroup = group === '' ? kind : `${kind}.${group}`;
  const moved =
    group === 'extensions' ? [`${kind}.apps`, `${kind}.networking.k8s.io`, `${kind}.policy`] : [];
  return [...(exact === undefined ? [] : [exact]), sameGroup, ...moved].filter(
    (name) => table[name] !== undefined,
  );
}

/**
 * The resource as kubectl takes it: `PLURAL.GROUP` or `PLURAL.VERSION.GROUP`, or the kind itself if
 * its plural is unknown.
 */
export function resourceOf(
  apiVersion: string,
  kind: string,
  kinds: KindCatalogue,
  ask: 'in any version' | 'in its version' = 'in any version',
): string {
  const known = kinds.resolve(apiVersion, kind);
  const group = groupOf(apiVersion) ?? '';
  const word = known?.resource ?? kind.toLowerCase();
  if (group === '') return shellQuoted(word);
  const version = ask === 'in its version' ? `${apiVersion.split('/').at(-1)}.` : '';
  return shellQuoted(`${word}.${version}${group}`);
}

/**
 * The command that says whether an owner is there.
 *
 * @param ask for what: kubectl knows of an unserved version only if the command names it.
 */
export function settlingCommand(
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
  kinds: KindCatalogue,
  ask: 'in any version' | 'in its version' = 'in any version',
): string {
  // Names come from the input, and a person runs the command.
  const scope = namespace === '' ? '' : ` -n ${shellQuoted(namespace)}`;
  const resource = resourceOf(apiVersion, kind, kinds, ask);
  return `kubectl get ${resource} ${shellQuoted(name)}${scope} -o jsonpath='{.metadata.uid}'  # ${uid}?`;
}

/**
 * Stand-ins for lost nodes of which the dump has no object, and which are not known to be absent.
 */
export function nodesOf(
  lostNodes: readonly string[],
  present: ReadonlySet<string>,
  { absent }: NodeStates,
): readonly ApiObject[] {
  return lostNodes
    .filter((name) => !absent.has(name) && !present.has(name))
    .map((name) => ({ ...NAMELESS, kind: 'Node', namespace: '', name, uid: `node ${name}` }));
}

const NAMELESS = {
  generation: 0,
  finalizers: [],
  ownerReferences: [],
  deletionTimestamp: null,
  deletionGracePeriodSeconds: null,
} as const;

/**
 * An object that stands for an owner of which nothing is known: it is there, and nobody deletes it.
 */
export function standIn(
  { reference, namespace }: { readonly reference: OwnerReference; readonly namespace: string },
  kinds: KindCatalogue,
): ApiObject {
  const kind = kinds.accept(reference.apiVersion, reference.kind, namespace !== '');
  return {
    ...NAMELESS,
    kind: kind.name,
    namespace,
    name: reference.name,
    uid: reference.uid,
    generation: kind.generation ? 1 : 0,
    ...(kind.graceful
      ? { pod: { terminationGracePeriodSeconds: null, scheduled: false, finished: false } }
      : {}),
  };
}

import type { ApiObject, OwnerReference } from '../../model/index.ts';
import { shellQuoted } from '../../text/layout.ts';
import type { KindCatalogue } from '../manifests/kind-catalogue.ts';

/**
 * A dump is part of a cluster. An object whose kind the dump has, and that is not in it, is absent.
 * An object of a kind that the dump does not have at all is unknown: nobody asked for it.
 */
export interface OpenWorld {
  /** Whether nothing in the dump says that this owner is there, or that it is not. */
  readonly isUnknown: (reference: OwnerReference) => boolean;
}

export function ownersUnknownIn(objects: readonly ApiObject[], kinds: KindCatalogue): OpenWorld {
  const present = new Set(objects.map(({ kind }) => kind));
  const uids = new Set(objects.map(({ uid }) => uid));
  return {
    isUnknown: ({ apiVersion, kind, uid }) => {
      if (uids.has(uid)) return false;
      const found = kinds.resolve(apiVersion, kind);
      return found === null || !present.has(found.name);
    },
  };
}

/** The command that says whether an owner is there. */
export function settlingCommand(
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
): string {
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  const scope = namespace === '' ? '' : ` -n ${shellQuoted(namespace)}`;
  const resource = shellQuoted(`${kind.toLowerCase()}${group}`);
  // Names come from the input, and a person runs the command.
  return `kubectl get ${resource} ${shellQuoted(name)}${scope} -o jsonpath='{.metadata.uid}'  # ${uid}?`;
}

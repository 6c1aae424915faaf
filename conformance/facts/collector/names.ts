import {
  type Identity,
  identityOfNode,
  type NodeId,
  type OwnerReference,
  sameIdentity,
} from '../../../model/index.ts';
import { Unsupported } from '../outcome.ts';

/** The short names of a trace for identities. Unknown names throw `Unsupported`. */
export interface Names {
  identity(name: string): Identity;
  /** The name of an identity with these coordinates in any namespace; null if there is none. */
  named(coordinates: Omit<Identity, 'namespace'>): string | null;
  /** The name, or the coordinates where the trace has no name for them. */
  ofIdentity(identity: Identity): string;
  ofNode(id: NodeId): string;
}

export function namesOf(identities: Readonly<Record<string, Identity>>): Names {
  const ofIdentity = (identity: Identity): string => {
    for (const [name, known] of Object.entries(identities)) {
      if (sameIdentity(known, identity)) return name;
    }
    const { apiVersion, kind, namespace, name, uid } = identity;
    return `${apiVersion} ${kind} ${namespace}/${name} uid ${uid}`;
  };
  return {
    identity(name) {
      const found = Object.hasOwn(identities, name) ? identities[name] : undefined;
      if (found === undefined) throw new Unsupported(`there is no reference named ${name}`);
      return found;
    },
    named: (coordinates) =>
      Object.entries(identities).find(([, known]) =>
        sameIdentity(known, { ...coordinates, namespace: known.namespace }),
      )?.[0] ?? null,
    ofIdentity,
    ofNode: (id) => ofIdentity(identityOfNode(id)),
  };
}

/** The owner reference with this name. */
export function referenceNamed(
  table: Readonly<Record<string, OwnerReference>>,
  name: string,
): OwnerReference {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw new Unsupported(`there is no owner reference named ${name}`);
  return found;
}

/** The name of the owner reference with these fields, or its JSON. */
export function nameOfReference(
  table: Readonly<Record<string, OwnerReference>>,
  reference: OwnerReference,
): string {
  const entry = Object.entries(table).find(
    ([, known]) =>
      known.apiVersion === reference.apiVersion &&
      known.kind === reference.kind &&
      known.name === reference.name &&
      known.uid === reference.uid &&
      known.controller === reference.controller &&
      known.blockOwnerDeletion === reference.blockOwnerDeletion,
  );
  return entry?.[0] ?? JSON.stringify(reference);
}

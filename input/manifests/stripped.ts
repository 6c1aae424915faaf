import type { Gap } from '../collections/collection.ts';
import { isMapping, listAt, valueAt } from '../documents/shape.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import { groupOf } from './names.ts';

/**
 * What tools take off the objects that they print or store, and what still shows it:
 *
 * - all that a server adds (kubectl-neat, `helm template`, a repository): no uid. It is a manifest:
 *   `missing-uids.ts`.
 * - spec and status (`jq '{apiVersion, kind, metadata}'`): kinds that never lack a spec, or custom
 *   resources alone that have nothing else.
 * - parts of the metadata (`yq 'del(.metadata.finalizers)'`): `managedFields` name what was there,
 *   and two fields of a deletion go together. Without such a sign, nothing shows it.
 */

/** By group: built-in kinds of which the API server stores no object without a spec. */
const ALWAYS: Readonly<Record<string, readonly string[]>> = {
  '': ['Pod', 'ReplicationController'],
  apps: ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'],
  batch: ['Job', 'CronJob'],
  'admissionregistration.k8s.io': ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'],
};

const SETTLE = 'reapcheck dump-command  # run what it prints';

const WITHOUT_SPEC: Gap = {
  what: 'the input has the metadata of objects alone, while their specs and status say what holds them, who uses them and which controllers run',
  settle: SETTLE,
};

const WITHOUT_METADATA: Gap = {
  what: 'a tool has taken finalizers, owner references or the time of a deletion off objects of the input, and perhaps off more than show it',
  settle: SETTLE,
};

/** Notices an input of which a tool has taken off parts of objects. */
export class Stripped {
  #bare = false;
  #whole = false;
  #part = false;
  #cut = false;
  readonly #kinds: KindCatalogue;

  constructor(kinds: KindCatalogue) {
    this.#kinds = kinds;
  }

  /** Whether parts of the metadata of this object are gone. */
  see(value: unknown): boolean {
    if (!isMapping(value)) return false;
    const { apiVersion, kind, metadata, spec, status } = value;
    const isCut = isMapping(metadata) && lacksMetadata(value, metadata);
    this.#cut ||= isCut;
    const { uid, managedFields, resourceVersion } = isMapping(metadata) ? metadata : {};
    const isServed = (managedFields ?? resourceVersion ?? null) !== null;
    const isPod = apiVersion === 'v1' && kind === 'Pod' && isServed;
    // No pod is without containers.
    const isBare = isPod ? !isMapping(spec) || Object.keys(spec).length === 0 : spec === undefined;
    if (!isBare || (status !== undefined && !isPod)) {
      this.#whole = true;
      return isCut;
    }
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !uid) return isCut;
    const isAlways = ALWAYS[groupOf(apiVersion) ?? '-']?.includes(kind) === true;
    const isAlone = isServed && Object.keys(value).length === 3;
    if (!isAlways && (!isAlone || this.#isBuiltIn(apiVersion, kind))) return isCut;
    this.#bare = true;
    // People who write an object by hand leave these out, and a spec as well.
    if (isPod || (isAlways && managedFields !== undefined)) this.#part = true;
    return isCut;
  }

  #isBuiltIn(apiVersion: string, kind: string): boolean {
    const known = this.#kinds.resolve(apiVersion, kind);
    return known !== null && this.#kinds.isBuiltIn(known);
  }

  isWithoutSpec(): boolean {
    return this.#part || (this.#bare && !this.#whole);
  }

  gaps(): readonly Gap[] {
    return [
      ...(this.isWithoutSpec() ? [WITHOUT_SPEC] : []),
      ...(this.#cut ? [WITHOUT_METADATA] : []),
    ];
  }
}

function lacksMetadata(value: unknown, metadata: Readonly<Record<string, unknown>>): boolean {
  const isDeleted = (metadata.deletionTimestamp ?? null) !== null;
  const leaves =
    (metadata.deletionGracePeriodSeconds ?? null) !== null ||
    (valueAt(value, ['kind']) === 'Namespace' &&
      valueAt(value, ['status', 'phase']) === 'Terminating');
  return (
    (leaves && !isDeleted) ||
    ['finalizers', 'ownerReferences'].some(
      (field) => listAt(metadata, [field]).length === 0 && isManaged(field, metadata),
    )
  );
}

/** Whether `managedFields` name an item of a list. Of one that is empty by now, they name none. */
function isManaged(field: string, metadata: Readonly<Record<string, unknown>>): boolean {
  return listAt(metadata, ['managedFields']).some((one) => {
    const items = valueAt(one, ['fieldsV1', 'f:metadata', `f:${field}`]);
    return isMapping(items) && Object.keys(items).some((key) => /^[kv]:/.test(key));
  });
}

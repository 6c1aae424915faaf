import type { PropertyResult } from '../../checker/index.ts';
import { deletesOf } from '../../input/cluster/requests.ts';
import { displayName } from '../../input/manifests/names.ts';
import { propertyId } from '../../input/property-names.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  keyOf,
  resolveKind,
  type Setup,
} from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';

const OWNERS_DOCUMENTED =
  'https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/';

const BACKGROUND_DOCUMENTED =
  'https://kubernetes.io/docs/concepts/architecture/garbage-collection/#background-deletion';

const OWNER_FINALIZERS = 'https://github.com/kubernetes/kubernetes/issues/111725';

const DEFINITION_DELETED =
  'https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#delete-a-customresourcedefinition';

const FINALIZER_RACE = 'https://github.com/kubernetes/kubernetes/issues/77988';

const TOTALS_LEFT_OUT = 'https://github.com/kubernetes/kubernetes/issues/138208';

/**
 * Where Kubernetes documents the behaviour that breaks a property here; null: nowhere, so it is a
 * risk. A cluster-scoped dependent of a namespaced owner is never collected, and that is
 * documented. So is that a background deletion does not wait, though a foreground deletion had
 * begun. The same holds if an operator deletes it in the background. So is that the conditions of
 * a namespace leave out what is left while pods are left, since 1.33. The first DELETE of a definition begins the deletion of its instances, whatever its policy
 * is. An object may be removed while another DELETE adds `foregroundDeletion`.
 */
export function documentedAt({ name, broken }: PropertyResult, setup: Setup): string | null {
  switch (propertyId(name)) {
    case 'cascade-completes':
      return isOfUnreachable(broken, setup) ? OWNERS_DOCUMENTED : null;
    case 'foreground-waits-for-blockers':
      return isAskedInBackground(broken, setup) || isByOperator(broken, setup)
        ? BACKGROUND_DOCUMENTED
        : null;
    // What is asked is a deletion with dependents. In which order these go is promised nowhere.
    case 'owner-finalizers-before-dependents':
      return OWNER_FINALIZERS;
    case 'propagation-policy-honored':
      return isOfDefinition(broken, setup) ? DEFINITION_DELETED : null;
    case 'no-removal-with-finalizer':
      return loses(broken, setup) ? null : FINALIZER_RACE;
    case 'namespace-status-reports-result':
      return leavesTotalsOut(broken, setup) ? TOTALS_LEFT_OUT : null;
    default:
      return null;
  }
}

/** Whether the owners were in foreground deletion, and a user deletes them in the background. */
function isAskedInBackground(broken: readonly string[], setup: Setup): boolean {
  const { objects } = setup;
  const asked = new Set(
    deletesOf(setup).flatMap(({ key, options }) =>
      options.propagationPolicy === 'Background' ? [key] : [],
    ),
  );
  const owners = objects.filter(
    (object) =>
      asked.has(keyOf(object)) && isBeingDeleted(object) && object.finalizers.includes(FOREGROUND),
  );
  return areOf(owners, broken);
}

/**
 * Whether an operator deletes the owners in the background, and nobody has asked to delete these in
 * the foreground: the collector does for another owner. It may come too late for that anyway.
 */
function isByOperator(broken: readonly string[], setup: Setup): boolean {
  const { objects, operators = [] } = setup;
  const asked = new Set(deletesOf(setup).map(({ key }) => key));
  const byKey = groupedBy(
    operators.flatMap(({ deletes }) => deletes),
    ({ key }) => key,
  );
  const owners = objects.filter((object) => {
    const key = keyOf(object);
    const isInBackground = byKey
      .get(key)
      ?.every(({ options }) => options.propagationPolicy === 'Background');
    return isInBackground === true && !asked.has(key) && !isBeingDeleted(object);
  });
  return areOf(owners, broken);
}

/** Whether each line is about one of these objects. */
function areOf(objects: readonly ApiObject[], broken: readonly string[]): boolean {
  return (
    broken.length > 0 &&
    broken.every((line) => objects.some((one) => line.startsWith(`${displayName(one)} `)))
  );
}

/** `Delete` of the storage of definitions only adds its own finalizer at first. */
function isOfDefinition(broken: readonly string[], { objects, kinds }: Setup): boolean {
  const definitions = objects.filter(
    ({ kind }) => kinds[kind]?.storage === 'customResourceDefinition',
  );
  return (
    broken.length > 0 &&
    broken.every((line) =>
      definitions.some((one) => line.startsWith(`the DELETE of ${displayName(one)} asks `)),
    )
  );
}

/** Whether more is lost than a wait for dependents of which there are none. */
function loses(broken: readonly string[], { objects }: Setup): boolean {
  const owners = new Set(
    objects.flatMap(({ ownerReferences }) => ownerReferences.map(({ uid }) => uid)),
  );
  const alone = objects.filter(({ uid }) => !owners.has(uid)).map(displayName);
  return (
    broken.length === 0 ||
    !broken.every((line) =>
      alone.some((name) => line === `${name} is removed with finalizer ${FOREGROUND} on it`),
    )
  );
}

function leavesTotalsOut(broken: readonly string[], { rules }: Setup): boolean {
  return (
    rules.namespaceContentOrder === 'podsFirst' &&
    rules.namespaceTotals === 'notWhilePodsRemain' &&
    broken.length > 0 &&
    broken.every((line) => line.endsWith(' that something is left'))
  );
}

function isOfUnreachable(broken: readonly string[], setup: Setup): boolean {
  const unreachable = setup.objects.filter(
    ({ namespace, ownerReferences }) =>
      namespace === '' &&
      ownerReferences.some(
        ({ apiVersion, kind }) => resolveKind(setup.kinds, apiVersion, kind)?.namespaced === true,
      ),
  );
  const isExplained = broken.every((line) =>
    unreachable.some((object) => line.includes(displayName(object))),
  );
  return isExplained && broken.length > 0;
}

import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  type OwnerReference,
  refusedDeletion,
  resolveKind,
  type Setup,
  type Uid,
} from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { isEmptied } from '../likeness/colors.ts';
import { definitionName, definitionOfKey } from '../links.ts';
import { contentsIn, remembered, setOf } from '../lookups.ts';
import { deletesOf } from '../requests.ts';

/** The names of the definitions that controllers empty. */
export function definedIn({ definitions = [] }: Pick<Setup, 'definitions'>): ReadonlySet<string> {
  return new Set(definitions.map(definitionOfKey));
}

/** Whether a controller empties the object: a namespace or a definition. */
export function isContainerIn(setup: Setup, object: ApiObject): boolean {
  const { definitions } = setup;
  return (
    isEmptied(setup, object) || (definitions !== undefined && setOf(definitions).has(keyOf(object)))
  );
}

const containersIn = remembered((setup: Setup) =>
  setup.objects.filter((object) => isContainerIn(setup, object)),
);

/**
 * Whether a DELETE of the pods of a namespace gives the grace period of one to the next one
 * (`deleteCollectionOptions`). A pod that is on no node, or has ended, has none; the next one then
 * goes at once, also from a node that is lost.
 */
function sharesGracePeriods({ rules, objects, emptiedNamespaces = [] }: Setup): boolean {
  if (rules.deleteCollectionOptions !== 'shared') return false;
  const contents = contentsIn(objects);
  return emptiedNamespaces.some((name) => {
    const pods = (contents.get(name) ?? []).filter(({ kind }) => kind === 'Pod');
    return pods.length > 1;
  });
}

/**
 * Whether controllers empty namespaces or definitions, and what they do to one object of these does
 * not depend on another one. None of those has dependents, and no namespace has owners.
 */
export const haveContainers = remembered((setup: Setup): boolean => {
  const { namespaceRetries, podGc } = setup;
  const containers = containersIn(setup);
  const shared = new Set(containers.map(({ uid }) => uid));
  return (
    namespaceRetries === undefined &&
    // It would count the terminated pods of all trees.
    (podGc?.terminatedPods ?? 0) === 0 &&
    !sharesGracePeriods(setup) &&
    containers.length > 0 &&
    containers.every(
      (object) => !isEmptied(setup, object) || object.ownerReferences.length === 0,
    ) &&
    !setup.objects.some(({ ownerReferences }) => ownerReferences.some(({ uid }) => shared.has(uid)))
  );
});

/**
 * The namespaces of which every run deletes all contents in the background, again and again until
 * they are gone, once all pods are gone: users delete them, or they are being deleted. They are
 * stored until then, as only the controller takes `kubernetes` off their spec. None where a
 * definition is emptied too, or where discovery fails.
 *
 * @param held names of namespaces that may not be emptied.
 */
export function surelyEmptied(setup: Setup, held: ReadonlySet<string>): ReadonlySet<string> {
  const { objects, rules, definitions = [], unavailableApis = [] } = setup;
  const isPlain = definitions.length + unavailableApis.length === 0;
  if (!isPlain || rules.namespaceContentPolicy !== 'background') return new Set();
  const found = objects.filter(
    (object) =>
      isEmptied(setup, object) &&
      !held.has(object.name) &&
      object.specFinalizers?.includes('kubernetes') === true &&
      (isBeingDeleted(object) || isSurelyDeleted(setup, object)),
  );
  return new Set(found.map(({ name }) => name));
}

/** Whether a user sends a DELETE of the object that the API server accepts in every state. */
export function isSurelyDeleted(setup: Setup, object: ApiObject): boolean {
  const key = keyOf(object);
  if (refusedDeletion(setup.kinds[object.kind], key) !== null) return false;
  return deletesOf(setup).some(
    ({ key: asked, options: { preconditions, dryRun } }) =>
      asked === key && preconditions === undefined && dryRun !== true,
  );
}

/**
 * By uid of each object that a controller empties: what is in it, but for other such objects. A
 * definition has the objects of its kind.
 */
export const contentsByContainer = remembered(
  (setup: Setup): ReadonlyMap<Uid, readonly ApiObject[]> => {
    const { objects, kinds } = setup;
    const byNamespace = contentsIn(objects);
    const byDefinition = groupedBy(objects, ({ kind }) => definitionName(kinds[kind]));
    return new Map(
      containersIn(setup).map((object) => {
        const contents = isEmptied(setup, object) ? byNamespace : byDefinition;
        return [object.uid, contents.get(object.name) ?? []];
      }),
    );
  },
);

/**
 * The emptied namespaces and definitions of these objects, and the definitions of owners that are
 * not there: once one of those is gone, the collector can no longer find out that the owner is
 * absent.
 */
export function containersAround(
  setup: Setup,
  objects: readonly ApiObject[],
  absent: readonly OwnerReference[],
): readonly ApiObject[] {
  const names = new Set([
    ...objects.flatMap(({ namespace, kind }) => [
      `${namespace} of namespaces`,
      definitionName(setup.kinds[kind]),
    ]),
    ...absent.map((reference) => definitionNamed(setup, reference)),
  ]);
  return containersIn(setup).filter((object) => {
    const { name } = object;
    return names.has(isEmptied(setup, object) ? `${name} of namespaces` : name);
  });
}

/** The name of the definition of the kind that a reference names. */
export function definitionNamed(
  { kinds }: Pick<Setup, 'kinds'>,
  { apiVersion, kind }: Pick<OwnerReference, 'apiVersion' | 'kind'>,
): string {
  return definitionName(resolveKind(kinds, apiVersion, kind) ?? undefined);
}

import type { Bytes } from './documents/source.ts';
import {
  aboutDump,
  aroundGiven,
  questionGiven,
  readGivenDump,
  withTargets,
} from './gather-dump.ts';
import { planCollection, planDeletion, withPolicy } from './manifests/deletion.ts';
import { checkOverrides } from './overrides.ts';
import type { Cascade, Plan } from './plan.ts';
import { PROPERTY_NAMES } from './property-names.ts';
import type { WantedPlans } from './wanted-plans.ts';

/** The same deletion with each of these policies. Reads the dump once. Throws `InputError`. */
export async function gatherPolicies(
  given: WantedPlans,
  cascades: readonly Cascade[],
  stdin: Bytes,
): Promise<readonly Plan[]> {
  checkOverrides(given.overrides);
  const read = await readGivenDump(given, stdin);
  const named = withTargets(given, read);
  const question = await questionGiven(named, read);
  return cascades.map((cascade) => {
    const plan = planDeletion(read.dump, { ...question, cascade }, read.kinds, PROPERTY_NAMES);
    return aboutDump(plan, { ...named, cascade });
  });
}

/** A plan without a deletion, and how many objects the dump has. Throws `InputError`. */
export async function gatherCollection(
  given: WantedPlans,
  stdin: Bytes,
): Promise<{ readonly plan: Plan; readonly total: number }> {
  checkOverrides(given.overrides);
  const read = await readGivenDump(given, stdin);
  const { dump, kinds } = read;
  const plan = planCollection(dump, await aroundGiven(given, read), kinds, PROPERTY_NAMES);
  // A token cannot say yet that nothing is deleted: `replay` takes the stored result.
  return { plan: { ...aboutDump(plan, given), subject: null }, total: dump.objects.length };
}

/** An object without an owner in the dump, and the deletion of it with each policy. */
export interface SurveyedRoot {
  /** `Kind/name`, and the namespace, empty for a cluster-scoped object. */
  readonly target: string;
  readonly namespace: string;
  readonly uid: string;
  /** None: the time was up before they were made. */
  readonly plans: readonly Plan[];
}

/**
 * The deletion of each object that no other object of the dump owns, and of each namespace and
 * definition. Throws `InputError`.
 *
 * @param only the namespace to which the objects belong, or which is one of them; null: all.
 * @param isLate whether no time is left to plan further deletions; the first is planned in any
 * case.
 */
export async function gatherSurvey(
  given: WantedPlans,
  cascades: readonly Cascade[],
  only: string | null,
  stdin: Bytes,
  isLate: () => boolean = () => false,
): Promise<readonly SurveyedRoot[]> {
  checkOverrides(given.overrides);
  const read = await readGivenDump(given, stdin);
  const { dump, kinds } = read;
  const uids = new Set(dump.objects.map(({ object }) => object.uid));
  const around = await aroundGiven(given, read);
  const roots = dump.objects.flatMap(({ object }) => {
    const isContainer = STORED_CONTAINERS.includes(kinds.table()[object.kind]?.storage ?? '');
    const isOwned = object.ownerReferences.some(({ uid }) => uids.has(uid));
    const place = object.kind === 'Namespace' ? object.name : object.namespace;
    return (isOwned && !isContainer) || (only !== null && place !== only) ? [] : [object];
  });
  return roots.map(({ kind, name, namespace, uid }, index) => {
    const target = `${kind}/${name}`;
    if (index > 0 && isLate()) return { target, namespace, uid, plans: [] };
    const scope = namespace === '' ? null : namespace;
    const plans: Plan[] = [];
    for (const cascade of cascades) {
      const known = plans.flatMap((plan) => withPolicy(plan, cascade) ?? [])[0];
      const question = { targets: [target], namespace: scope, cascade, around };
      const asked = { ...given, deletions: [target], namespace: scope, cascade };
      const plan = (): Plan => planDeletion(dump, question, kinds, PROPERTY_NAMES);
      plans.push(known ?? aboutDump(plan(), asked));
    }
    return { target, namespace, uid, plans };
  });
}

const STORED_CONTAINERS: readonly string[] = ['namespace', 'customResourceDefinition'];

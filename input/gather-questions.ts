import type { Bytes } from './documents/source.ts';
import { aroundGiven, asGiven, readGivenDump, type WantedPlans } from './gather.ts';
import { planCollection, planDeletion } from './manifests/deletion.ts';
import { checkOverrides } from './overrides.ts';
import type { Cascade, Plan } from './plan.ts';
import { PROPERTY_NAMES } from './property-names.ts';

/** The same deletion with each of these policies. Reads the dump once. Throws `InputError`. */
export async function gatherPolicies(
  given: WantedPlans,
  cascades: readonly Cascade[],
  stdin: Bytes,
): Promise<readonly Plan[]> {
  checkOverrides(given.overrides);
  const { dump, kinds } = await readGivenDump(given, stdin);
  const { deletions, namespace } = given;
  const around = aroundGiven(given);
  return cascades.map((cascade) => {
    const question = { targets: deletions, namespace, cascade, around };
    return asGiven(planDeletion(dump, question, kinds, PROPERTY_NAMES), { ...given, cascade });
  });
}

/** A plan without a deletion, and how many objects the dump has. Throws `InputError`. */
export async function gatherCollection(
  given: WantedPlans,
  stdin: Bytes,
): Promise<{ readonly plan: Plan; readonly total: number }> {
  checkOverrides(given.overrides);
  const { dump, kinds } = await readGivenDump(given, stdin);
  const plan = planCollection(dump, aroundGiven(given), kinds, PROPERTY_NAMES);
  // A token cannot say yet that nothing is deleted: `replay` takes the stored result.
  return { plan: { ...asGiven(plan, given), subject: null }, total: dump.objects.length };
}

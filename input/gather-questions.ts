import type { Bytes } from './documents/source.ts';
import { aroundGiven, asGiven, readGivenDump, type WantedPlans } from './gather.ts';
import { planDeletion } from './manifests/deletion.ts';
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

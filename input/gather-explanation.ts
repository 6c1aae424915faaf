import type { Bytes } from './documents/source.ts';
import { aboutDump, aroundGiven, readGivenDump } from './gather-dump.ts';
import { type Explanation, explanationOf } from './manifests/explanation.ts';
import { PROPERTY_NAMES } from './property-names.ts';
import type { WantedPlans } from './wanted-plans.ts';

/** Reads and validates the input of the question why objects are not gone. Throws `InputError`. */
export async function gatherExplanation(given: WantedPlans, stdin: Bytes): Promise<Explanation> {
  const read = await readGivenDump(given, stdin);
  const { dump, kinds } = read;
  const question = {
    targets: given.deletions,
    namespace: given.namespace,
    around: await aroundGiven(given, read),
  };
  // What never acts is part of the cluster around the objects; not every plan has each finalizer.
  const overrides = { ...given.overrides, stuckFinalizers: [] };
  const explanation = explanationOf(dump, question, kinds, PROPERTY_NAMES, (plan) =>
    aboutDump(plan, { ...given, overrides }),
  );
  if (explanation.targets.length > 0) aboutDump(explanation.plan, given);
  return explanation;
}

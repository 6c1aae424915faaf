import { kindsServedIn } from '../model/index.ts';
import { MESSAGES } from '../text/messages.ts';
import { withProperties } from './asked-properties.ts';
import { type AroundOptions, NOTHING_SAID } from './cluster/around.ts';
import { readFinalizerTable } from './cluster/known/index.ts';
import { hasExpressions } from './cluster/webhooks/admission.ts';
import { admittedIn } from './cluster/webhooks/admitted.ts';
import { setupIn } from './cluster/worlds.ts';
import { readCollection } from './collections/collection.ts';
import type { Bytes } from './documents/source.ts';
import { type DeletionQuestion, planDeletion } from './manifests/deletion.ts';
import { type Dump, readDump } from './manifests/dump.ts';
import { type Expected, NOTHING_EXPECTED, readExpected } from './manifests/expected.ts';
import { KindCatalogue } from './manifests/kind-catalogue.ts';
import { selectedTargets } from './manifests/selection/selected-targets.ts';
import { CLUSTER_PROTOCOL, type Plan } from './plan.ts';
import { PROPERTY_NAMES } from './property-names.ts';
import { asGiven, readGiven, type WantedPlans } from './wanted-plans.ts';
import { lookAt, workClock, workOf } from './work-clock.ts';

/** A plan that deletes objects of a dump. Throws `InputError`. */
export async function gatherDeletion(asked: WantedPlans, stdin: Bytes): Promise<Plan> {
  if (asked.inputs.length === 0 && !asked.cluster) {
    throw MESSAGES.usage(
      '--delete needs a dump of the cluster',
      'kubectl get ... -o yaml | reapcheck check - --delete KIND/NAME',
    );
  }
  const read = await readGivenDump(asked, stdin);
  const given = withTargets(asked, read);
  const plan = planDeletion(
    read.dump,
    await questionGiven(given, read),
    read.kinds,
    PROPERTY_NAMES,
  );
  const [judged = plan] = withProperties([plan], given.properties);
  return aboutDump(judged, given);
}

/** What is asked about a dump, by its options. Throws `InputError`. */
export async function questionGiven(
  given: WantedPlans,
  read: GivenDump,
): Promise<DeletionQuestion> {
  const { deletions: targets, namespace, cascade, grace } = given;
  return {
    ...{ targets, namespace, cascade },
    ...(grace === undefined ? {} : { grace }),
    around: await aroundGiven(given, read),
    expected: await expectedGiven(given, read),
  };
}

/** With the names of what is selected, so that a token is about the same objects. */
export function withTargets(given: WantedPlans, { dump, kinds }: GivenDump): WantedPlans {
  const { selection, ...others } = given;
  if (selection === undefined) return given;
  return { ...others, deletions: selectedTargets(selection, dump, kinds) };
}

/** A dump, and the kinds that it uses. */
export interface GivenDump {
  readonly dump: Dump;
  readonly kinds: KindCatalogue;
}

export async function readGivenDump(given: WantedPlans, stdin: Bytes): Promise<GivenDump> {
  const worked = workClock(workOf(given));
  const { maxMegabytes, limits = {} } = given;
  const look = lookAt(limits, worked);
  const collection =
    given.cluster ?? (await readCollection(given.inputs, stdin, { maxMegabytes, look }));
  const { protocol = CLUSTER_PROTOCOL } = given.overrides;
  const kinds = new KindCatalogue(kindsServedIn(protocol), protocol);
  const dump = readDump(collection, kinds, look);
  if (!hasExpressions(dump)) return { dump, kinds };
  // Few dumps have some, and loading what evaluates them takes long.
  const { expressions } = await import('./cluster/cel/evaluation.ts');
  return { dump: { ...dump, expressions: expressions() }, kinds };
}

/** What `--expect FILE` says must hold. */
export async function expectedGiven(
  given: WantedPlans,
  { dump, kinds }: GivenDump,
): Promise<Expected> {
  if (given.expected === undefined) return NOTHING_EXPECTED;
  const nothing = (async function* () {})();
  const source = await readGiven(given.expected, given, nothing);
  return readExpected(source, dump, kinds, given.namespace, PROPERTY_NAMES);
}

/** What the options say of the cluster around the objects. Throws `InputError`. */
export async function aroundGiven(
  given: WantedPlans,
  { dump, kinds }: GivenDump,
): Promise<AroundOptions> {
  const { around, stuckFinalizers } = given.overrides;
  return {
    ...NOTHING_SAID,
    ...around,
    admitted: admittedIn(around?.admitted ?? [], given.namespace, dump, kinds),
    stuck: stuckFinalizers,
    ...(await finalizerRows(given)),
  };
}

/**
 * `asGiven`, in the world that a token of an answer names: that in which its run was found. Throws
 * `InputError`.
 */
export function aboutDump(unchanged: Plan, given: WantedPlans): Plan {
  const plan = asGiven(unchanged, given);
  const { world } = given.overrides;
  if (world === undefined || plan.cluster === null) return plan;
  return { ...plan, setup: setupIn(plan.setup, plan.cluster, world).setup };
}

/** The rows of `--finalizers FILE`. */
async function finalizerRows(given: WantedPlans): Promise<Pick<AroundOptions, 'finalizers'>> {
  const { finalizerTable } = given.overrides;
  if (finalizerTable === undefined) return {};
  const nothing = (async function* () {})();
  return { finalizers: readFinalizerTable(await readGiven(finalizerTable, given, nothing)) };
}

import type { Limits } from '../checker/index.ts';
import { BUILT_IN_KINDS, kindsServedIn } from '../model/index.ts';
import { InputError } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';
import { ofScenario, withProperties } from './asked-properties.ts';
import { type AroundOptions, NOTHING_SAID } from './cluster/around.ts';
import type { Expressions } from './cluster/cel/value.ts';
import { readFinalizerTable } from './cluster/known/index.ts';
import { hasExpressions } from './cluster/webhooks/admission.ts';
import { admittedIn } from './cluster/webhooks/admitted.ts';
import { setupIn, type World } from './cluster/worlds.ts';
import { type Collection, readCollection } from './collections/collection.ts';
import { documents } from './documents/documents.ts';
import { type Bytes, readSource, type Source } from './documents/source.ts';
import { type DeletionQuestion, planDeletion } from './manifests/deletion.ts';
import { type Dump, readDump } from './manifests/dump.ts';
import { type Expected, NOTHING_EXPECTED, readExpected } from './manifests/expected.ts';
import { KindCatalogue } from './manifests/kind-catalogue.ts';
import { selectedTargets } from './manifests/selection/selected-targets.ts';
import { type InputOptions, isModule } from './options/input-options.ts';
import { checkOverrides, overridden, overridingRules } from './overrides.ts';
import { builtInScenarios, museumEntries } from './package-files.ts';
import { CLUSTER_PROTOCOL, type Overrides, type Plan, type Subject } from './plan.ts';
import { PROPERTY_NAMES } from './property-names.ts';
import { type CheckPlace, scenarioPlace } from './scenarios/check-place.ts';
import { isMuseumEntry, readMuseumEntry } from './scenarios/museum.ts';
import { isScenario, readScenario, type Scenario } from './scenarios/scenario.ts';
import { lookAt, workClock, workOf } from './work-clock.ts';

/** The input, and the options that change the plans made from it. */
export type WantedPlans = Omit<InputOptions, 'limits'> & {
  /** Of the work on a dump: its reading and planning. Absent: none. */
  readonly limits?: Limits;
  /** A cluster that has been read. It takes the place of the inputs. */
  readonly cluster?: Collection | null;
  /**
   * Loads what evaluates expressions of policies and webhooks, as few dumps have some. Absent: they
   * are taken as unknown.
   */
  readonly loadExpressions?: () => Promise<Expressions>;
};

/** Reads and validates all input before any plan runs. Throws `InputError`. */
export async function gatherPlans(given: WantedPlans, stdin: Bytes): Promise<readonly Plan[]> {
  checkOverrides(given.overrides);
  if (given.deletions.length > 0) return [await deletionPlan(given, stdin)];
  const plans = await scenarioPlans(given, stdin);
  return withProperties(plans, given.properties).map((plan) => asGiven(plan, given));
}

/** The plan with what the options change in its model. Throws `InputError`. */
export function asGiven(plan: Plan, given: WantedPlans): Plan {
  // A token cannot read a cluster again as it was: `replay` takes the stored result.
  const subject = given.cluster ? null : subjectOf(plan, given);
  const changed = { ...overridden(plan, given.overrides), subject };
  return inWorld(changed, given.overrides.world);
}

/** The rows of `--finalizers FILE`. */
async function finalizerRows(given: WantedPlans): Promise<Pick<AroundOptions, 'finalizers'>> {
  const { finalizerTable } = given.overrides;
  if (finalizerTable === undefined) return {};
  const nothing = (async function* () {})();
  return { finalizers: readFinalizerTable(await read(finalizerTable, given, nothing)) };
}

/** A token of an answer names the world in which its run was found. */
function inWorld(plan: Plan, world: World | undefined): Plan {
  if (world === undefined || plan.cluster === null) return plan;
  return { ...plan, setup: setupIn(plan.setup, plan.cluster, world).setup };
}

/** What a token must record to make this plan again. */
function subjectOf(plan: Plan, given: WantedPlans): Subject {
  const { museum, deletions, cascade, grace, namespace, expected, overrides } = given;
  return {
    inputs: plan.given === null ? given.inputs : [plan.given],
    museum,
    variant: plan.museum?.variant ?? null,
    deletions,
    cascade,
    ...(grace === undefined ? {} : { grace }),
    namespace,
    ...(expected === undefined ? {} : { expected }),
    overrides,
  };
}

async function deletionPlan(asked: WantedPlans, stdin: Bytes): Promise<Plan> {
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
  return asGiven(judged, given);
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
  const { loadExpressions } = given;
  if (loadExpressions === undefined || !hasExpressions(dump)) return { dump, kinds };
  return { dump: { ...dump, expressions: await loadExpressions() }, kinds };
}

/** What `--expect FILE` says must hold. */
export async function expectedGiven(
  given: WantedPlans,
  { dump, kinds }: GivenDump,
): Promise<Expected> {
  if (given.expected === undefined) return NOTHING_EXPECTED;
  const nothing = (async function* () {})();
  const source = await read(given.expected, given, nothing);
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

function read(file: string, given: WantedPlans, stdin: Bytes): Promise<Source> {
  return readSource(file, stdin, { maxMegabytes: given.maxMegabytes });
}

/** Whether a word is a file: it has a slash or the ending of a data file, or is `-` for stdin. */
export function isFile(input: string): boolean {
  return input === '-' || input.includes('/') || /\.(ya?ml|json)$/i.test(input);
}

async function scenarioPlans(given: WantedPlans, stdin: Bytes): Promise<readonly Plan[]> {
  const builtIn = await (given.museum ? museumEntries() : builtInScenarios());
  const names = given.inputs.length > 0 ? given.inputs : [...builtIn.keys()];
  const plans: Plan[] = [];
  for (const input of names) {
    if (isModule(input)) {
      throw MESSAGES.usage(
        `${input} is a module with a model: only check, simulate, explore, replay and gate take modules`,
        'docs/writing-a-model.md says what it exports',
      );
    }
    const file = isFile(input) ? input : builtIn.get(input);
    if (file === undefined) {
      const known = [...builtIn.keys()];
      throw given.museum
        ? MESSAGES.unknownEntry(input, known)
        : MESSAGES.unknownScenario(input, known);
    }
    plans.push(...plansOf(input, await read(file, given, stdin), given.overrides));
  }
  return plans;
}

/** A scenario is one plan, an entry of the museum one for each of its variants. */
function plansOf(title: string, source: Source, overrides: Overrides): readonly Plan[] {
  const found = [...documents(source)].filter(({ value }) => value !== null);
  const document = found[0];
  if (document === undefined) throw MESSAGES.empty([source.file]);
  if (!isScenario(document)) {
    throw new InputError({
      what: `${source.file} is not a scenario`,
      where: document.place([]),
      expected: 'a scenario with objects and requests; for a dump, --delete',
      next: `reapcheck check ${source.file} --delete KIND/NAME`,
    });
  }
  if (found.length > 1) {
    throw new InputError({
      what: 'the scenario file has a second document',
      where: found[1]!.place([]),
      expected: 'one scenario per file',
    });
  }
  const kinds = (): KindCatalogue => new KindCatalogue(BUILT_IN_KINDS);
  if (!isMuseumEntry(document)) {
    const overriding = overridingRules(overrides);
    const scenario = readScenario(title, document, kinds(), PROPERTY_NAMES, overriding);
    return [scenarioPlan(title, title, scenario, scenarioPlace(document, null))];
  }
  const entry = readMuseumEntry(title, document, kinds, PROPERTY_NAMES);
  const { property, variants } = entry;
  return variants.map(({ variant, scenario }) => ({
    ...scenarioPlan(`${title}, ${variant}`, title, scenario, scenarioPlace(document, variant)),
    museum: { entry: title, title: entry.title, variant, property },
  }));
}

function scenarioPlan(
  title: string,
  given: string,
  scenario: Scenario,
  place: CheckPlace | null,
): Plan {
  return {
    title,
    about: scenario.about,
    source: scenario.source,
    protocol: scenario.protocol,
    setup: scenario.setup,
    cluster: null,
    properties: [...(scenario.properties ?? PROPERTY_NAMES), ...ofScenario(scenario.setup)],
    asked: [],
    expectation: scenario.expectation,
    fates: false,
    cut: [],
    warnings: [],
    given,
    subject: null,
    museum: null,
    place,
  };
}

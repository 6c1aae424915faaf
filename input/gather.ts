import { BUILT_IN_KINDS } from '../model/index.ts';
import { InputError } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';
import { ofScenario, withProperties } from './asked-properties.ts';
import { documents } from './documents/documents.ts';
import type { Bytes, Source } from './documents/source.ts';
import { KindCatalogue } from './manifests/kind-catalogue.ts';
import { isModule } from './options/input-options.ts';
import { checkOverrides, overridingRules } from './overrides.ts';
import { builtInScenarios, museumEntries } from './package-files.ts';
import type { Overrides, Plan } from './plan.ts';
import { PROPERTY_NAMES } from './property-names.ts';
import { type CheckPlace, scenarioPlace } from './scenarios/check-place.ts';
import { isMuseumEntry, readMuseumEntry } from './scenarios/museum.ts';
import { isScenario, readScenario, type Scenario } from './scenarios/scenario.ts';
import { asGiven, readGiven, type WantedPlans } from './wanted-plans.ts';

/** Reads and validates all input before any plan runs. Throws `InputError`. */
export async function gatherPlans(given: WantedPlans, stdin: Bytes): Promise<readonly Plan[]> {
  checkOverrides(given.overrides);
  if (given.deletions.length > 0) {
    // What reads a dump is large, and no scenario needs it.
    const { gatherDeletion } = await import('./gather-dump.ts');
    return [await gatherDeletion(given, stdin)];
  }
  const plans = await scenarioPlans(given, stdin);
  return withProperties(plans, given.properties).map((plan) => asGiven(plan, given));
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
    plans.push(...plansOf(input, await readGiven(file, given, stdin), given.overrides));
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

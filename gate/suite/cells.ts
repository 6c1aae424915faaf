import type { Limits, ReductionName } from '../../checker/index.ts';
import type { Path } from '../../input/documents/document.ts';
import { type Bytes, readSource } from '../../input/documents/source.ts';
import { gatherPlans } from '../../input/gather.ts';
import { inputOptions, isModule } from '../../input/options/input-options.ts';
import { reductionsNamed } from '../../input/options/reductions.ts';
import { MAX_INPUT_DEFAULT, type Values } from '../../input/options/values.ts';
import type { Plan } from '../../input/plan.ts';
import { nameMeant } from '../../input/property-names.ts';
import { shownPath } from '../../input/scenarios/check-place.ts';
import { expectsCounts } from '../../report/document/judge.ts';
import { authoredModel, type LoadModule, withProperties } from '../../run/authored/authored.ts';
import { InputError, type Place } from '../../text/input-error.ts';
import { shellQuoted } from '../../text/layout.ts';
import {
  type Cell,
  type CellParameter,
  type ModuleCell,
  PARAMETERS,
  type ScenarioCell,
} from '../cell.ts';
import { GATE_ERRORS } from '../errors.ts';
import { axesOf, cellName, combinations } from './grid.ts';
import { type Subject, subjectsOf } from './subjects.ts';
import type { Suite } from './suite.ts';
import type { Group } from './suite-schema.ts';

/** All cells of a suite, in its order. Throws `InputError`. */
export async function cellsOf(
  suite: Suite,
  stdin: Bytes,
  load: LoadModule,
): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  const places = new Map<string, Place>();
  for (const [index, group] of suite.content.groups.entries()) {
    const path: Path = ['groups', index];
    const rows = combinations(axesOf(group.grid ?? {}), group.combine ?? 'full');
    for (const subject of await subjectsOf(suite, group, path)) {
      const text = await textOf(subject, stdin);
      const place = suite.document.place(subject.path);
      const found = [];
      if (isModule(subject.name)) {
        if (group.grid !== undefined) throw GATE_ERRORS.gridOfModule(subject.name, place);
        const question = questionOf(suite, group, subject, []);
        found.push(await moduleCell({ subject, parameters: [], question, text }, place, load));
      } else {
        for (const parameters of rows) {
          const question = questionOf(suite, group, subject, parameters);
          const plans = await plansOf(question, cellName(subject.name, parameters), place);
          found.push(...plans.map((plan) => cellOf(plan, { subject, parameters, question, text })));
        }
      }
      for (const cell of found) {
        const first = places.get(cell.name);
        if (first !== undefined) throw GATE_ERRORS.cellTwice(cell.name, first, place);
        places.set(cell.name, place);
        cells.push(cell);
      }
    }
  }
  return cells;
}

/** A check as options of `reapcheck check`. */
interface Question {
  readonly values: Values;
  readonly words: readonly string[];
  readonly limits: Limits;
  /** Null: the suite chooses none. */
  readonly reductions: readonly ReductionName[] | null;
}

function questionOf(
  suite: Suite,
  group: Group,
  { inputs, museum, deletion }: Subject,
  parameters: readonly CellParameter[],
): Question {
  const limits = { ...suite.content.limits, ...group.limits };
  const chosen = (name: string): string | undefined =>
    parameters.find((parameter) => parameter.name === name)?.value;
  const stuck = chosen('stuckFinalizer');
  const reduction = chosen('reduction');
  const options = {
    delete: deletion?.delete,
    cascade: deletion?.cascade,
    namespace: deletion?.namespace,
    protocol: chosen('protocol'),
    rule: parameters.filter(isRule).map(({ name, value }) => `${name}=${value}`),
    workers: chosen('workers'),
    relists: chosen('relists'),
    reduction,
    'stuck-finalizer': stuck === undefined ? undefined : [stuck],
    property: group.properties ?? suite.content.properties,
    'max-states': limits.states,
    'max-depth': limits.depth,
    timeout: limits.seconds,
    memory: limits.megabytes,
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const words = given.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => [`--${name}`, String(one)]),
  );
  return {
    values: { ...Object.fromEntries(given), input: inputs, museum },
    words: ['check', ...inputs, ...(museum ? ['--museum'] : []), ...words],
    limits,
    reductions: reduction === undefined ? null : reductionsNamed(reduction),
  };
}

function isRule({ name }: CellParameter): boolean {
  return !(PARAMETERS as readonly string[]).includes(name);
}

async function plansOf({ values }: Question, name: string, place: Place): Promise<readonly Plan[]> {
  const nothing = (async function* () {})();
  try {
    return await gatherPlans(inputOptions(values), nothing);
  } catch (error) {
    throw error instanceof InputError ? GATE_ERRORS.inCell(error, name, place) : error;
  }
}

interface Making {
  readonly subject: Subject;
  readonly parameters: readonly CellParameter[];
  readonly question: Question;
  readonly text: string;
}

async function moduleCell(
  { subject, parameters, question, text }: Making,
  place: Place,
  load: LoadModule,
): Promise<ModuleCell> {
  const { name, inputs } = subject;
  const [file = name] = inputs;
  const asked = question.values.property;
  const module = await (async () => {
    try {
      const names = Array.isArray(asked) ? asked.map(String) : [];
      return withProperties(authoredModel(await load(file)), names);
    } catch (error) {
      throw error instanceof InputError ? GATE_ERRORS.inCell(error, name, place) : error;
    }
  })();
  // In a lock, an id stands for the property that is shipped.
  const taken = module.properties.find((property) => nameMeant(property.name) !== property.name);
  if (taken !== undefined) throw GATE_ERRORS.nameIsAnId(name, taken.name, place);
  return {
    name,
    scenario: name,
    parameters,
    plan: null,
    module,
    limits: question.limits,
    reductions: null,
    file: shownPath(file) ?? file,
    text,
    again: ['reapcheck', ...question.words].map(shellQuoted).join(' '),
  };
}

function cellOf(plan: Plan, { subject, parameters, question, text }: Making): ScenarioCell {
  const scenario = scenarioName(plan, subject);
  const name = cellName(scenario, parameters);
  return {
    name,
    scenario,
    parameters,
    // The name does not depend on the working directory.
    // A deletion always tells the fates of its objects, whatever else is judged.
    plan: {
      ...plan,
      title: name,
      setup: { ...plan.setup, name },
      fates: subject.deletion !== null,
    },
    module: null,
    limits: question.limits,
    reductions: question.reductions ?? (expectsCounts(plan.expectation) ? [] : null),
    file: subject.files.map((file) => shownPath(file) ?? file).join(', '),
    text,
    again: ['reapcheck', ...question.words].map(shellQuoted).join(' '),
  };
}

function scenarioName({ museum, title }: Plan, { name, deletion }: Subject): string {
  if (deletion !== null) return `${name}: ${title}`;
  return museum === null ? name : `${name}, ${museum.variant}`;
}

async function textOf({ files }: Subject, stdin: Bytes): Promise<string> {
  const texts: string[] = [];
  for (const file of files) {
    texts.push((await readSource(file, stdin, { maxMegabytes: MAX_INPUT_DEFAULT })).text);
  }
  return texts.join('\n');
}

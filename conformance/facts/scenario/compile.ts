import { keyOf, type Rules, resolveKind, type Setup } from '../../../model/index.ts';
import type { Fact } from '../fact.ts';
import { type CaseOutcome, Unsupported } from '../outcome.ts';
import { storeAfter } from './before-collector.ts';
import { DEFINITIONS, definitionOf, touchedDefinitions } from './definitions.ts';
import { type Fixture, fixtureOf, keyWithUid, possibleKeys } from './fixture.ts';
import { modelFact, objectsIn } from './model-facts.ts';
import { type Reducible, reduceScenario } from './reduce.ts';
import type { Expected, StatedFact, Step } from './schema.ts';
import { type Question, type UserPrograms, writePrograms } from './user-programs.ts';

/** A scenario as a setup of the model and the questions for the explorer. */
export interface CompiledScenario {
  readonly setup: Setup;
  readonly questions: readonly Question[];
}

export function compile(
  fact: Pick<Fact, 'id' | 'assumes'>,
  stated: Reducible,
  rules: Rules,
): CompiledScenario | CaseOutcome {
  const known = fixtureOf(stated.given, stated.steps);
  const { given, steps, expected } = reduceScenario(
    stated,
    (apiVersion, kind) => resolveKind(known.kinds, apiVersion, kind) !== null,
  );
  const fixture = fixtureOf(given, steps);
  const definitions = touchedDefinitions(steps);
  const namespaces = fixture.objects.filter(
    ({ kind }) => fixture.kinds[kind]?.storage === 'namespace',
  );
  const setup: Setup = {
    name: fact.id,
    kinds:
      definitions.length === 0
        ? fixture.kinds
        : { ...fixture.kinds, [DEFINITIONS.name]: DEFINITIONS },
    rules,
    objects: definitions
      .filter(({ first }) => first === 'deleteDefinition')
      .map(({ kind }) => definitionOf(fixture, kind, 0)),
    users: {},
    // Only the steps remove finalizers.
    finalizers: Object.fromEntries(finalizersOf(fixture, steps).map((name) => [name, 'stuck'])),
    deleteWorkers: 2,
    orphanWorkers: 1,
    caches: 'synced',
    relists: {},
    ...(namespaces.length === 0
      ? {}
      : { emptiedNamespaces: [...new Set(namespaces.map(({ name }) => name))] }),
    ...(definitions.length === 0
      ? {}
      : { definitions: definitions.map(({ kind }) => keyOf(definitionOf(fixture, kind, 0))) }),
  };
  const settlesFirst = (fact.assumes ?? []).length > 0;
  const start = steps.findIndex((step) => step.do === 'startCollector');
  if (start >= 0 !== (given.collector === 'stopped')) {
    throw new Unsupported('the collector starts although it runs, or it never starts');
  }
  if (start < 0) {
    const programs = writePrograms(fixture, steps, settlesFirst);
    return compiled({ ...setup, users: programs.users }, fixture, programs, expected, 0);
  }
  const objects = storeAfter(fixture, steps.slice(0, start), setup);
  if ('verdict' in objects) return objects;
  const programs = writePrograms(fixture, steps.slice(start), settlesFirst);
  const after: Setup = { ...setup, objects, users: programs.users, caches: 'cold' };
  return compiled(after, fixture, programs, expected, start);
}

function finalizersOf(fixture: Fixture, steps: readonly Step[]): readonly string[] {
  const set = steps.flatMap((step) => (step.do === 'update' ? step.finalizers : []));
  return [...new Set([...fixture.objects.flatMap(({ finalizers }) => finalizers), ...set])];
}

function compiled(
  setup: Setup,
  fixture: Fixture,
  programs: UserPrograms,
  { final = [], always = [] }: Expected,
  firstStep: number,
): CompiledScenario {
  const shifted = programs.questions.map((question) =>
    question.step === 'expect' ? question : { ...question, step: question.step + firstStep },
  );
  const atEnd: Question = {
    step: 'expect',
    ask: 'whenQuiet',
    point: programs.end,
    awaited: programs.awaited ?? [],
    facts: final.map((stated) => modelFact(fixture, stated)),
  };
  const never = always.map(({ never: { fact, without } }): Question => {
    const objects = [fact, without].flatMap((stated) => creatorsOf(fixture, stated));
    const after = objects.flatMap((key) => {
      const point = programs.created.get(key);
      return point === undefined ? [] : [{ user: point.user, steps: point.steps }];
    });
    return {
      step: 'expect',
      ask: 'never',
      after,
      fact: modelFact(fixture, fact),
      without: modelFact(fixture, without),
    };
  });
  return { setup, questions: [...shifted, ...(final.length > 0 ? [atEnd] : []), ...never] };
}

/** Keys of the objects that must exist before the fact has a meaning. */
function creatorsOf(fixture: Fixture, stated: StatedFact): readonly string[] {
  if (!('count' in stated)) return objectsIn(stated);
  const keys = possibleKeys(fixture, stated.count.kind, stated.count.namespace);
  return fixture.objects
    .filter((object) => keys.includes(keyOf(object)))
    .map(({ uid }) => keyWithUid(uid));
}

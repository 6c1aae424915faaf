import { keyOf, type Rules, resolveKind, type Setup } from '../../../model/index.ts';
import type { Fact } from '../fact.ts';
import type { CaseOutcome } from '../outcome.ts';
import { storeAfter } from './before-collector.ts';
import { DEFINITIONS, definitionOf, touchedDefinitions } from './definitions.ts';
import { type Cast, castOf, keyWithUid, NotUnderstood, placesOf } from './fixture.ts';
import { modelFact, objectsIn } from './model-facts.ts';
import { type Reducible, reduceScenario } from './reduce.ts';
import type { Expected, StatedFact, Step } from './schema.ts';
import { type Question, type Script, writeScript } from './user-programs.ts';

/** A scenario as the explorer takes it. */
export interface Play {
  readonly setup: Setup;
  readonly questions: readonly Question[];
}

export function compile(
  fact: Pick<Fact, 'id' | 'assumes'>,
  stated: Reducible,
  rules: Rules,
): Play | CaseOutcome {
  const known = castOf(stated.given, stated.steps);
  const { given, steps, expected } = reduceScenario(
    stated,
    (apiVersion, kind) => resolveKind(known.kinds, apiVersion, kind) !== null,
  );
  const cast = castOf(given, steps);
  const definitions = touchedDefinitions(steps);
  const namespaces = cast.objects.filter(({ kind }) => cast.kinds[kind]?.storage === 'namespace');
  const setup: Setup = {
    name: fact.id,
    kinds:
      definitions.length === 0 ? cast.kinds : { ...cast.kinds, [DEFINITIONS.name]: DEFINITIONS },
    rules,
    objects: definitions
      .filter(({ first }) => first === 'deleteDefinition')
      .map(({ kind }) => definitionOf(cast, kind, 0)),
    users: {},
    // Nobody but the steps takes a finalizer off.
    finalizers: Object.fromEntries(finalizersOf(cast, steps).map((name) => [name, 'stuck'])),
    deleteWorkers: 2,
    orphanWorkers: 1,
    caches: 'synced',
    relists: {},
    ...(namespaces.length === 0
      ? {}
      : { emptiedNamespaces: [...new Set(namespaces.map(({ name }) => name))] }),
    ...(definitions.length === 0
      ? {}
      : { definitions: definitions.map(({ kind }) => keyOf(definitionOf(cast, kind, 0))) }),
  };
  const settlesFirst = (fact.assumes ?? []).length > 0;
  const start = steps.findIndex((step) => step.do === 'startCollector');
  if (start >= 0 !== (given.collector === 'stopped')) {
    throw new NotUnderstood('a collector that starts although it runs, or never starts');
  }
  if (start < 0) {
    const script = writeScript(cast, steps, settlesFirst);
    return play({ ...setup, users: script.users }, cast, script, expected, 0);
  }
  const objects = storeAfter(cast, steps.slice(0, start), setup);
  if ('verdict' in objects) return objects;
  const script = writeScript(cast, steps.slice(start), settlesFirst);
  const after: Setup = { ...setup, objects, users: script.users, caches: 'cold' };
  return play(after, cast, script, expected, start);
}

function finalizersOf(cast: Cast, steps: readonly Step[]): readonly string[] {
  const set = steps.flatMap((step) => (step.do === 'update' ? step.finalizers : []));
  return [...new Set([...cast.objects.flatMap(({ finalizers }) => finalizers), ...set])];
}

function play(
  setup: Setup,
  cast: Cast,
  script: Script,
  { final = [], always = [] }: Expected,
  firstStep: number,
): Play {
  const shifted = script.questions.map((question) =>
    question.step === 'expect' ? question : { ...question, step: question.step + firstStep },
  );
  const atEnd: Question = {
    step: 'expect',
    ask: 'whenQuiet',
    place: script.end,
    awaited: script.awaited ?? [],
    facts: final.map((stated) => modelFact(cast, stated)),
  };
  const never = always.map(({ never: { fact, without } }): Question => {
    const objects = [fact, without].flatMap((stated) => creatorsOf(cast, stated));
    const after = objects.flatMap((key) => {
      const place = script.created.get(key);
      return place === undefined ? [] : [{ user: place.user, steps: place.steps }];
    });
    return {
      step: 'expect',
      ask: 'never',
      after,
      fact: modelFact(cast, fact),
      without: modelFact(cast, without),
    };
  });
  return { setup, questions: [...shifted, ...(final.length > 0 ? [atEnd] : []), ...never] };
}

/** Keys of the objects that have to be there before the fact means anything. */
function creatorsOf(cast: Cast, stated: StatedFact): readonly string[] {
  if (!('count' in stated)) return objectsIn(stated);
  const places = placesOf(cast, stated.count.kind, stated.count.namespace);
  return cast.objects
    .filter((object) => places.includes(keyOf(object)))
    .map(({ uid }) => keyWithUid(uid));
}

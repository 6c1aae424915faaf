import { plainSteps } from './fixture.ts';
import { objectsIn } from './model-facts.ts';
import {
  branchesOf,
  type Expected,
  type Given,
  type PlainStep,
  type StatedFact,
  type StatedObject,
  type Step,
} from './schema.ts';

/**
 * Reduces a scenario to what its facts depend on, so that all its interleavings can be explored.
 *
 * Objects are *alike* if one step creates them with the same kind, namespace, finalizers and owner
 * references, nothing refers to them, the same patches and updates follow for each of them and no
 * other step uses them, and every fact about one of them is stated for all of them in the same
 * list. Up to three alike objects are kept. Of more, two are kept, or one if no fact is about them.
 * This loses nothing:
 *
 * - A fact of the scenario is about one of them, or counts all or none of them.
 * - They do not refer to each other. The API server handles one without reading another; the
 *   collector decides about one by GETs of the object itself and of its owners.
 * - They interact only through their owners: an owner's node asks whether *some* dependent
 *   (blocking, or with other coordinates, or deleting its own dependents) is left, never how many.
 *   So a run with many of them, projected to the one that a fact is about, is a run with that one
 *   and a second one that represents all others: the one that exists longest. If no fact is about
 *   any of them, the one that represents the others is enough.
 *
 * Of one object's owner references to kinds that no server knows, the first is kept: the collector
 * looks up references in their order and stops at the first that it cannot map. The others would
 * only add nodes of kinds that it cannot map either, and it sends no request for those.
 */
const MOST_KEPT = 3;

export interface Reducible {
  readonly given: Given;
  readonly steps: readonly Step[];
  readonly expected: Expected;
}

export interface Reduced extends Reducible {
  /** One sentence for each reduction. */
  readonly cut: readonly string[];
}

/** @param isServed whether the server knows a kind under that apiVersion. */
export function reduceScenario(
  scenario: Reducible,
  isServed: (apiVersion: string, kind: string) => boolean,
): Reduced {
  const dropped = new Set<string>();
  const cut: string[] = [];
  for (const group of groupsOf(scenario)) {
    if (group.length <= MOST_KEPT || !countsAllow(scenario, group)) continue;
    const kept = isAskedAbout(scenario, group) ? 2 : 1;
    for (const { key } of group.slice(kept)) dropped.add(key);
    const [first] = group;
    cut.push(`${group.length} objects like ${first?.key}: ${kept} kept`);
  }
  const fewer = dropped.size === 0 ? scenario : withoutObjects(scenario, dropped);
  return { ...withoutUnserved(fewer, isServed, cut), cut };
}

function groupsOf({ steps, expected }: Reducible): readonly (readonly StatedObject[])[] {
  const lists = factLists(steps, expected);
  const touched = touchedKeys(steps);
  const groups = new Map<string, StatedObject[]>();
  for (const [index, step] of steps.entries()) {
    if (step.do !== 'create') continue;
    for (const object of step.objects) {
      if (touched.has(object.key)) continue;
      const { key, name: _, ...rest } = object;
      const stated = lists.map((list) => factsAbout(list, key));
      const likeness = JSON.stringify([index, rest, stated, changesOf(steps, key)]);
      groups.set(likeness, [...(groups.get(likeness) ?? []), object]);
    }
  }
  return [...groups.values()];
}

/** The steps that change the object, without its name. */
function changesOf(steps: readonly Step[], key: string): readonly unknown[] {
  return steps.filter((step) => changesOnly(step, key)).map((step) => ({ ...step, object: '' }));
}

/** Whether the step is a patch or an update of that object, outside of parallel steps. */
function changesOnly(step: Step, key: string): boolean {
  return (step.do === 'patch' || step.do === 'update') && step.object === key;
}

function isAskedAbout({ steps, expected }: Reducible, group: readonly StatedObject[]): boolean {
  const facts = factLists(steps, expected).flat();
  return group.some((object) =>
    facts.some((fact) =>
      'count' in fact ? isCounted(fact, object) : objectsIn(fact).includes(object.key),
    ),
  );
}

/** The facts of one list about an object, without its name. */
function factsAbout(list: readonly StatedFact[], key: string): readonly unknown[] {
  return list
    .filter((fact) => objectsIn(fact).includes(key))
    .map((fact) => ({
      ...fact,
      ...('object' in fact ? { object: '' } : {}),
      ...('collectorKnows' in fact ? { collectorKnows: '' } : {}),
    }));
}

function factLists(steps: readonly Step[], expected: Expected): readonly (readonly StatedFact[])[] {
  const inSteps = plainSteps(steps).map((step): readonly StatedFact[] => {
    if ('facts' in step) return step.facts;
    if (step.do !== 'awaitCollectorKnows') return [];
    return step.objects.map((key) => ({ collectorKnows: key, equals: true }));
  });
  const always = expected.always ?? [];
  const sides = (['fact', 'without'] as const).map((side) =>
    always.map(({ never }) => never[side]),
  );
  return [...inSteps, expected.final ?? [], ...sides];
}

/** Keys of objects that a step uses other than by changing them, or that another has as owner. */
function touchedKeys(steps: readonly Step[]): ReadonlySet<string> {
  const touched = new Set<string>();
  const owner = (stated: object): void => {
    if ('to' in stated) touched.add(String(stated.to));
    if ('uidOf' in stated) touched.add(String(stated.uidOf));
  };
  const alone = new Set<PlainStep | Step>(steps);
  for (const step of plainSteps(steps)) {
    const changed = 'object' in step && alone.has(step) && changesOnly(step, step.object);
    if ('object' in step && !changed) touched.add(step.object);
    if (step.do === 'delete' && step.options?.preconditions !== undefined) {
      owner(step.options.preconditions);
    }
    if (step.do === 'patch' && step.addOwner !== undefined) owner(step.addOwner);
    if (step.do !== 'create') continue;
    for (const { ownerReferences = [] } of step.objects) {
      if (typeof ownerReferences !== 'string') for (const stated of ownerReferences) owner(stated);
    }
  }
  return touched;
}

type Count = Extract<StatedFact, { count: unknown }>;

/** Each count with the list in which it is stated. */
function countsOf({ steps, expected }: Reducible): readonly [Count, readonly StatedFact[]][] {
  return factLists(steps, expected).flatMap((list) =>
    list.flatMap((fact): [Count, readonly StatedFact[]][] =>
      'count' in fact ? [[fact, list]] : [],
    ),
  );
}

/** Keys of the objects that exist if the facts of the list are true. */
function existingBy(list: readonly StatedFact[]): ReadonlySet<string> {
  return new Set(
    list.flatMap((fact) =>
      'object' in fact && !('exists' in fact && !fact.exists) ? [fact.object] : [],
    ),
  );
}

/** The created objects that a count includes and that exist by the other facts of its list. */
function countedExisting(
  { steps }: Pick<Reducible, 'steps'>,
  count: Count,
  list: readonly StatedFact[],
): readonly StatedObject[] {
  const existing = existingBy(list);
  return plainSteps(steps)
    .flatMap((step) => (step.do === 'create' ? step.objects : []))
    .filter((object) => existing.has(object.key) && isCounted(count, object));
}

function isCounted({ count }: Count, object: StatedObject): boolean {
  const { kind, namespace } = count;
  return kind === object.kind && (namespace === '' || namespace === object.namespace);
}

/**
 * Every count that includes these objects is zero, or at least as large as the group, or the facts
 * beside it name all that it counts.
 */
function countsAllow(scenario: Reducible, group: readonly StatedObject[]): boolean {
  const [first] = group;
  if (first === undefined) return false;
  return countsOf(scenario)
    .filter(([count]) => isCounted(count, first))
    .every(
      ([count, list]) =>
        count.equals === 0 ||
        count.equals >= group.length ||
        countedExisting(scenario, count, list).length === count.equals,
    );
}

function withoutObjects(scenario: Reducible, dropped: ReadonlySet<string>): Reducible {
  const gone = plainSteps(scenario.steps)
    .flatMap((step) => (step.do === 'create' ? step.objects : []))
    .filter(({ key }) => dropped.has(key));
  const keep = (facts: readonly StatedFact[]): StatedFact[] =>
    facts
      .filter((fact) => !objectsIn(fact).some((key) => dropped.has(key)))
      .map((fact) => recounted(scenario, fact, gone, facts));
  const plain = (step: PlainStep): PlainStep => {
    if (step.do === 'create') {
      return { ...step, objects: step.objects.filter(({ key }) => !dropped.has(key)) };
    }
    if (step.do === 'awaitCollectorKnows') {
      return { ...step, objects: step.objects.filter((key) => !dropped.has(key)) };
    }
    return 'facts' in step ? { ...step, facts: keep(step.facts) } : step;
  };
  const { final, always } = scenario.expected;
  return {
    given: scenario.given,
    steps: scenario.steps
      .filter((step) => ![...dropped].some((key) => changesOnly(step, key)))
      .map((step) =>
        step.do === 'parallel'
          ? { do: step.do, branches: branchesOf(step).map((branch) => branch.map(plain)) }
          : plain(step),
      ),
    expected: {
      ...(final === undefined ? {} : { final: keep(final) }),
      ...(always === undefined
        ? {}
        : {
            always: always
              .filter(({ never }) => keep([never.fact, never.without]).length === 2)
              .map(({ never }) => ({
                never: {
                  fact: recounted(scenario, never.fact, gone, []),
                  without: recounted(scenario, never.without, gone, []),
                },
              })),
          }),
    },
  };
}

/** @param list the facts that are stated together with this one. */
function recounted(
  scenario: Reducible,
  fact: StatedFact,
  gone: readonly StatedObject[],
  list: readonly StatedFact[],
): StatedFact {
  if (!('count' in fact) || fact.equals === 0) return fact;
  const named = countedExisting(scenario, fact, list);
  const all = named.length === fact.equals ? gone.filter((object) => named.includes(object)) : gone;
  const cut = all.filter((object) => isCounted(fact, object)).length;
  return { ...fact, equals: fact.equals - cut };
}

function withoutUnserved(
  scenario: Reducible,
  isServed: (apiVersion: string, kind: string) => boolean,
  cut: string[],
): Reducible {
  const { ownerSets = {} } = scenario.given;
  const sets = Object.entries(ownerSets).map(([name, owners]) => {
    let unserved = 0;
    const kept = owners.filter((owner) => {
      if (!('kind' in owner) || isServed(owner.apiVersion, owner.kind)) return true;
      unserved++;
      return unserved === 1;
    });
    if (unserved > 1) cut.push(`${unserved} references to kinds not served in ${name}: 1 is kept`);
    return [name, kept] as const;
  });
  return { ...scenario, given: { ...scenario.given, ownerSets: Object.fromEntries(sets) } };
}

import type { Verdict } from '../../checker/index.ts';
import { nameMeant, propertyId } from '../../input/property-names.ts';
import type { CellFacts, CellSize } from '../../report/document/gate-document.ts';
import type { Cell, PinnedCell } from '../cell.ts';
import { isOfMachine, short } from '../facts.ts';
import { digestOf } from '../run/digest.ts';
import type { CellEntry, Lock } from './lock-schema.ts';

/**
 * A verdict is pinned once. Where a scenario states the results of its cell under `expect`, the
 * lock lists only what differs from them, and a digest of all results.
 */

/** The lock names a property by its id, and one without an id by its sentence. */
export function propertyKey(name: string): string {
  return propertyId(name) ?? name;
}

/** The sentence of the property that a lock names so. */
export function propertyNamed(key: string): string {
  return nameMeant(key);
}

/** The results that a scenario states for its cell. */
export interface Stated {
  readonly verdicts: Readonly<Record<string, Verdict>>;
  readonly size: Partial<CellSize>;
}

export const NOTHING_STATED: Stated = { verdicts: {}, size: {} };

export function statedBy({ plan }: Pick<Cell, 'plan'>): Stated {
  if (plan === null || plan.expectation === null) return NOTHING_STATED;
  const { verdicts, states, transitions, depth } = plan.expectation;
  return {
    verdicts,
    size: {
      ...(states === undefined ? {} : { states }),
      ...(transitions === undefined ? {} : { transitions }),
      ...(depth === undefined ? {} : { depth }),
    },
  };
}

const SIZES = ['states', 'transitions', 'depth'] as const;
const VERDICTS = ['holds', 'violated', 'inconclusive', 'vacuous'] as const;

type Verdicts = ReadonlyMap<string, Verdict>;

/** What the lock says about a cell, with everything in order of its name. */
export function entryOf(
  { facts, scenario, question, protocol, rules }: Omit<PinnedCell, 'isCertain'>,
  stated: Stated,
  properties: Lock['properties'],
): CellEntry {
  const { outcome, size, actions, fates } = facts;
  const verdicts = new Map(Object.entries(facts.verdicts));
  const isSelected = !properties.every((key) => verdicts.has(propertyNamed(key)));
  const usual = usualVerdicts(stated, isSelected ? [] : properties);
  const other = (verdict: Verdict): readonly string[] =>
    [...verdicts].flatMap(([name, found]) =>
      found === verdict && usual.get(name) !== found ? [name] : [],
    );
  const counts = exercised(verdicts).map((name) => ownValue(facts.triggered, name) ?? 0);
  return {
    scenario,
    question,
    ...(protocol === null ? {} : { protocol }),
    ...unlessEmpty('rules', inOrder(rules)),
    ...(outcome === 'complete' ? {} : { outcome }),
    results: resultsDigest(facts),
    ...Object.fromEntries(
      size === null
        ? []
        : SIZES.filter((name) => stated.size[name] !== size[name]).map((name) => [
            name,
            size[name],
          ]),
    ),
    ...(counts.some((times) => times > 0) ? { triggered: counts } : {}),
    ...unlessEmpty('actions', inOrder(actions)),
    ...unlessEmpty('fates', inOrder(fates)),
    ...(isSelected ? { judges: 'selected' } : {}),
    ...Object.assign({}, ...VERDICTS.map((verdict) => list(verdict, other(verdict)))),
    ...list(
      'notJudged',
      [...usual.keys()].filter((name) => !verdicts.has(name)),
    ),
    ...unlessEmpty(
      'traces',
      inOrder(
        Object.fromEntries(
          Object.entries(facts.traces).map(([name, { length, shape, digest }]) => [
            propertyKey(name),
            { steps: length, shape, digest },
          ]),
        ),
      ),
    ),
  };
}

/**
 * What an entry pins. The scenario may have been edited since the lock was written. If so, the
 * results that were found now may be the pinned ones: the digest tells. If they are not, the pinned
 * results are known in part only, and what is not known is taken to be as found.
 *
 * @param found null where the cell was not run.
 */
export function pinnedIn(
  entry: CellEntry,
  properties: Lock['properties'],
  stated: Stated,
  found: CellFacts | null,
): PinnedCell {
  const { scenario, question, protocol = null, rules = {} } = entry;
  const inputs = { scenario, question, protocol, rules };
  const isPinned = (facts: CellFacts): boolean => resultsDigest(facts) === entry.results;
  const facts = factsIn(entry, properties, stated);
  if (isPinned(facts)) return { ...inputs, facts, isCertain: true };
  const same = factsIn(entry, properties, {
    verdicts: found?.verdicts ?? {},
    size: found?.size ?? {},
  });
  if (isPinned(same)) return { ...inputs, facts: same, isCertain: true };
  const size = wholeSize(entry) ?? found?.size ?? null;
  return { ...inputs, facts: { ...same, size, triggered: {} }, isCertain: false };
}

function factsIn(
  entry: CellEntry,
  properties: Lock['properties'],
  { verdicts: statedVerdicts, size: statedSize }: Stated,
): CellFacts {
  const { outcome = 'complete', judges, notJudged = [], traces = {} } = entry;
  const verdicts = usualVerdicts(
    { verdicts: statedVerdicts, size: {} },
    judges === 'selected' ? [] : properties,
  );
  for (const verdict of VERDICTS) {
    for (const key of entry[verdict] ?? []) verdicts.set(propertyNamed(key), verdict);
  }
  for (const key of notJudged) verdicts.delete(propertyNamed(key));
  return {
    outcome,
    size: isOfMachine(outcome) ? null : wholeSize({ ...statedSize, ...entry }),
    verdicts: Object.fromEntries(verdicts),
    triggered: triggeredIn(entry, verdicts),
    traces: Object.fromEntries(
      Object.entries(traces).map(([key, { steps, shape, digest }]) => [
        propertyNamed(key),
        { length: steps, shape, digest },
      ]),
    ),
    actions: entry.actions ?? {},
    fates: entry.fates ?? {},
  };
}

/** Verdicts that need no mention in the lock. */
function usualVerdicts({ verdicts }: Stated, properties: Lock['properties']): Map<string, Verdict> {
  return new Map([
    ...properties.map((key) => [propertyNamed(key), 'vacuous'] as const),
    ...Object.entries(verdicts),
  ]);
}

function wholeSize({ states, transitions, depth }: Partial<CellSize>): CellSize | null {
  return states === undefined || transitions === undefined || depth === undefined
    ? null
    : { states, transitions, depth };
}

function triggeredIn({ triggered = [] }: CellEntry, verdicts: Verdicts): Record<string, number> {
  const names = exercised(verdicts);
  if (names.length !== triggered.length) return {};
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const times = triggered[index]!;
      return times === 0 ? [] : [[name, times]];
    }),
  );
}

/** In the order of their keys: a vacuous property was exercised by nothing. */
function exercised(verdicts: Verdicts): readonly string[] {
  return [...verdicts]
    .filter(([, verdict]) => verdict !== 'vacuous')
    .map(([name]) => name)
    .sort((one, other) => (propertyKey(one) < propertyKey(other) ? -1 : 1));
}

function resultsDigest({ verdicts, size }: CellFacts): string {
  return short(digestOf([verdicts, size]));
}

function list(field: string, properties: readonly string[]): Record<string, readonly string[]> {
  return properties.length === 0 ? {} : { [field]: properties.map(propertyKey).sort() };
}

function ownValue(record: Readonly<Record<string, number>>, name: string): number | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function unlessEmpty<Name extends string, Value>(
  name: Name,
  record: Record<string, Value>,
): { readonly [Key in Name]?: Record<string, Value> } {
  if (Object.keys(record).length === 0) return {};
  return { [name]: record } as { readonly [Key in Name]: Record<string, Value> };
}

export function inOrder<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  const names = Object.keys(record).sort();
  return Object.fromEntries(names.map((name) => [name, record[name]!]));
}

import { equalJson } from '../../model/index.ts';
import { type CaseOutcome, failed, PASSED } from './outcome.ts';

/** The first value in which the model differs from what the case states. */
export interface Difference {
  readonly field: string;
  readonly expected: unknown;
  readonly got: unknown;
}

export function compare(field: string, expected: unknown, got: unknown): Difference | null {
  return equalJson(expected, got) ? null : { field, expected, got };
}

/** A field that a case may leave out: undefined constrains nothing. */
export function compareStated(field: string, stated: unknown, got: unknown): Difference | null {
  return stated === undefined ? null : compare(field, stated, got);
}

/** The stated fields of an object, in the order in which the case states them. */
export function compareFields(
  prefix: string,
  stated: object,
  got: Readonly<Record<string, unknown>>,
): Difference | null {
  return firstOf(
    Object.entries(stated).map(([name, value]) =>
      compareStated(`${prefix}${name}`, value, got[name] ?? null),
    ),
  );
}

export function firstOf(differences: Iterable<Difference | null>): Difference | null {
  for (const difference of differences) if (difference !== null) return difference;
  return null;
}

/** Lists whose order does not count; undefined constrains nothing. */
export function compareSets(
  field: string,
  stated: readonly unknown[] | undefined,
  got: readonly unknown[],
): Difference | null {
  return stated === undefined ? null : compare(field, sorted(stated), sorted(got));
}

function sorted(list: readonly unknown[]): readonly unknown[] {
  const texts = list.map((item) => ({ item, text: JSON.stringify(item) }));
  texts.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return texts.map(({ item }) => item);
}

/** Lists in order, of each element only the stated fields; undefined constrains nothing. */
export function compareListed(
  field: string,
  stated: readonly unknown[] | undefined,
  got: readonly unknown[],
): Difference | null {
  if (stated === undefined) return null;
  const same =
    stated.length === got.length && stated.every((item, index) => agrees(item, got[index]));
  return same ? null : { field, expected: stated, got };
}

/** Whether every stated field has its stated value, at any depth. */
function agrees(stated: unknown, got: unknown): boolean {
  if (typeof stated !== 'object' || stated === null || Array.isArray(stated)) {
    return equalJson(stated, got);
  }
  if (typeof got !== 'object' || got === null) return false;
  return Object.entries(stated).every(
    ([key, value]) => value === undefined || agrees(value, Reflect.get(got, key)),
  );
}

/**
 * @param step index of the step after which the difference was found, or `expect` for the end.
 * @param decidedBy the function of Kubernetes, and the file of the model that mirrors it.
 */
export function failedAt(
  step: number | 'expect',
  { field, expected, got }: Difference,
  decidedBy: string,
): CaseOutcome {
  return failed(step, expected, got, `${field}, decided by ${decidedBy}`);
}

/** The outcome of a comparison at the end of a case. */
export function passedOr(difference: Difference | null, decidedBy: string): CaseOutcome {
  return difference === null ? PASSED : failedAt('expect', difference, decidedBy);
}

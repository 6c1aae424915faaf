import { canonicalText, fromCanonicalText, isKnownCanonical } from './canonical.ts';

/** The number that means "no such entry". */
export const ABSENT = 0;

/**
 * Gives equal JSON values the same number and the same deep-frozen object. All values must get
 * their numbers here: a second source of numbers would split equal states.
 */
export class Interner {
  /** By number. The first one means `ABSENT`. */
  readonly values: unknown[] = [undefined];
  private readonly numberOfText = new Map<string, number>();
  /** Objects made here, and others that are known to be canonical: they cannot change. */
  private readonly numberOfObject = new WeakMap<object, number>();

  /** Throws `BadValueError` if the value is not plain JSON. */
  number(value: unknown): number {
    const isObject = typeof value === 'object' && value !== null;
    if (isObject) {
      const known = this.numberOfObject.get(value);
      if (known !== undefined) return known;
    }
    const number = this.numberOfCanonical(canonicalText(value));
    if (isObject && isKnownCanonical(value)) this.numberOfObject.set(value, number);
    return number;
  }

  /** The number of the value with this canonical text. */
  numberOfCanonical(text: string): number {
    const known = this.numberOfText.get(text);
    if (known !== undefined) return known;
    const number = this.values.length;
    const kept = fromCanonicalText(text);
    this.values.push(kept);
    this.numberOfText.set(text, number);
    if (typeof kept === 'object' && kept !== null) this.numberOfObject.set(kept, number);
    return number;
  }
}

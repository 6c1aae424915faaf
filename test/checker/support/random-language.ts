/** A small language for random reducers and predicates. */

export type Item = number | null | { n: number };

/**
 * A state of random models. `cells` holds entries, `marks` flags and `lines` queues. The entries of
 * `wide` change together, so that rows have several words without many states.
 */
export interface RandomState {
  phase: Item;
  mode: Item;
  cells: Record<string, Item>;
  marks: Record<string, true>;
  lines: Record<string, Item[]>;
  wide: Record<string, number>;
}

/** Their order as text is not their order in an object, where `9` and `10` come first. */
export const CELL_KEYS = ['a', 'b', '9', '10'] as const;
export const MARK_KEYS = ['m', '7', '11'] as const;
export const LINE_KEYS = ['p', 'q'] as const;
export const WIDE_KEYS = Array.from({ length: 20 }, (_, index) => `w${index}`);

export type SectionName = 'cells' | 'marks' | 'lines';
export type ValueName = 'phase' | 'mode';

/** The key of the loop or the parameter, or a fixed key if there is none. */
export interface Key {
  readonly from: 'name' | 'parameter' | 'loop';
  /** Index into the keys of the section, taken modulo their number. */
  readonly name: number;
}

export type Expression =
  | { readonly kind: 'constant'; readonly item: Item }
  | { readonly kind: 'parameter' }
  | { readonly kind: 'register'; readonly register: number }
  | { readonly kind: 'value'; readonly value: ValueName }
  | { readonly kind: 'cell'; readonly key: Key }
  | { readonly kind: 'wide'; readonly index: number }
  | { readonly kind: 'count'; readonly section: SectionName }
  | { readonly kind: 'firstKey'; readonly section: SectionName }
  | { readonly kind: 'text'; readonly section: SectionName }
  | { readonly kind: 'length'; readonly line: Key }
  | { readonly kind: 'element'; readonly line: Key; readonly position: number }
  | { readonly kind: 'last'; readonly line: Key }
  | { readonly kind: 'total'; readonly line: Key }
  | { readonly kind: 'successor'; readonly of: Expression }
  | { readonly kind: 'wrapped'; readonly of: Expression }
  | { readonly kind: 'copy'; readonly of: Expression };

export type Condition =
  | { readonly kind: 'equal'; readonly one: Expression; readonly other: Expression }
  | { readonly kind: 'isObject'; readonly of: Expression }
  | {
      readonly kind: 'has';
      readonly section: SectionName;
      readonly key: Key;
      readonly how: HasForm;
    }
  | { readonly kind: 'contains'; readonly line: Key; readonly number: number }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'and'; readonly one: Condition; readonly other: Condition };

/** The ways to test whether there is an entry. */
export type HasForm = 'in' | 'hasOwn' | 'undefined' | 'truthy' | 'keys';

export type Statement =
  | {
      readonly kind: 'if';
      readonly condition: Condition;
      readonly whenTrue: Program;
      readonly whenFalse: Program;
    }
  | { readonly kind: 'load'; readonly register: number; readonly from: Expression }
  | { readonly kind: 'setField'; readonly of: Expression; readonly to: Expression }
  | { readonly kind: 'setValue'; readonly value: ValueName; readonly to: Expression }
  | { readonly kind: 'setCell'; readonly key: Key; readonly to: Expression }
  | { readonly kind: 'deleteKey'; readonly section: SectionName; readonly key: Key }
  | { readonly kind: 'setMark'; readonly key: Key }
  | { readonly kind: 'setLine'; readonly line: Key; readonly to: readonly Expression[] }
  | { readonly kind: 'moveLine'; readonly from: Key; readonly to: Key }
  | { readonly kind: 'push'; readonly line: Key; readonly item: Expression }
  | { readonly kind: 'pushOnce'; readonly line: Key; readonly mark: Key; readonly item: Expression }
  | { readonly kind: 'unshift'; readonly line: Key; readonly item: Expression }
  | { readonly kind: 'shift'; readonly line: Key; readonly register: number }
  | { readonly kind: 'advance'; readonly line: Key; readonly to: Expression }
  | { readonly kind: 'pop'; readonly line: Key; readonly register: number }
  | { readonly kind: 'splice'; readonly line: Key; readonly position: number }
  | {
      readonly kind: 'setElement';
      readonly line: Key;
      readonly position: number;
      readonly to: Expression;
    }
  | { readonly kind: 'truncate'; readonly line: Key; readonly length: number }
  | { readonly kind: 'spread'; readonly from: Expression }
  | { readonly kind: 'clear'; readonly section: SectionName }
  | { readonly kind: 'replaceCells'; readonly key: Key; readonly to: Expression }
  | { readonly kind: 'forEach'; readonly section: SectionName; readonly body: Program };

export type Program = readonly Statement[];

export interface RandomParameters {
  readonly key?: number;
  readonly n?: number;
}

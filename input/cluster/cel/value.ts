/** A value of an expression, of which parts may be unknown. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Unknown
  | Failed
  | Computed
  | readonly Value[]
  | Mapping;

/** What is not known. An expression that needs it is not decided. */
export class Unknown {
  /** @param what as the object of "needs to know": `who sends the DELETE`. */
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

/** What the API server cannot evaluate: whatever uses it fails as well. */
export class Failed {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The value of another expression, as it was evaluated. */
export class Computed {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** Fields by their names. Values are made when they are asked for, as most never are. */
export class Mapping {
  private readonly made = new Map<string, Value | undefined>();
  readonly names: readonly string[];
  private readonly make: (name: string) => Value | undefined;
  /** What a field that is not among the names is: undefined, or unknown. */
  private readonly other: (name: string) => Unknown | undefined;
  /** Whether there can be no other fields. */
  readonly isWhole: boolean;

  constructor(
    names: readonly string[],
    make: (name: string) => Value | undefined,
    other: ((name: string) => Unknown | undefined) | null,
  ) {
    this.names = names;
    this.make = make;
    this.other = other ?? (() => undefined);
    this.isWhole = other === null;
  }

  at(name: string): Value | undefined {
    if (!this.names.includes(name)) return this.other(name);
    if (!this.made.has(name)) this.made.set(name, this.make(name));
    return this.made.get(name);
  }
}

/**
 * A mapping without anything unknown beside these fields. Fields that are undefined are not there.
 */
export function mapping(fields: Readonly<Record<string, Value | undefined>>): Mapping {
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined);
  return new Mapping(names, (name) => fields[name], null);
}

/** By name: what an expression can use. */
export type Variables = ReadonlyMap<string, () => Value>;

/** What an expression is, as far as it can be known. */
export type Evaluated =
  | { readonly is: 'known'; readonly value: unknown }
  /** The API server cannot evaluate it either. */
  | { readonly is: 'error'; readonly message: string }
  /** @property what as of `Unknown`. */
  | { readonly is: 'unknown'; readonly what: string };

/** Evaluates expressions in CEL. */
export interface Expressions {
  evaluate(expression: string, variables: Variables): Evaluated;
  /** Whether it can be true or false only, as long as it is about the request alone. */
  cannotFail(expression: string): boolean;
}

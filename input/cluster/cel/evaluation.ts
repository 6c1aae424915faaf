import {
  type CelInput,
  type CelValue,
  celEnv,
  celError,
  celList,
  isCelError,
  isCelList,
  isCelMap,
  plan,
} from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { fieldsOf, isPartial, type Making } from './fields.ts';
import { called, isOpaque, NAMES } from './functions/index.ts';
import { LACKING, STEP, type Syntax, syntaxOf, TooLarge } from './syntax.ts';
import { total } from './total.ts';
import {
  Computed,
  type Evaluated,
  type Expressions,
  Failed,
  Mapping,
  Unknown,
  type Value,
  type Variables,
} from './value.ts';

/**
 * Evaluates expressions in CEL where some of the values are unknown. What is unknown is an error
 * for the library, which goes its way as CEL says: `true || error` is true, `error` in an argument
 * is the result. So a result that is no error does not depend on what is unknown, and an error that
 * met something unknown is no result. Everything that the library does not do as Kubernetes counts
 * as unknown as well.
 */

/** Steps of an expression: calls, turns of loops, and what they have to look through. */
const MOST_STEPS = 200_000;
const TOO_MUCH = 'its result, which takes too much work';

type Result = CelValue | ReturnType<typeof celError>;
type Planned = ReturnType<typeof plan>;
type Environment = ReturnType<typeof celEnv>;
type Functions = Environment['funcs'];
type Group = NonNullable<ReturnType<Functions['find']>>;

export function expressions(): Expressions {
  return new Evaluation();
}

/** Without those of which nothing shows that the library writes what the API server does. */
const STRINGS = strings.filter(({ name }) => name !== 'format');

class Evaluation implements Expressions {
  private readonly library = celEnv({ funcs: STRINGS });
  private readonly environment: Environment;
  private readonly planned = new Map<string, Planned | Unknown>();
  private readonly costly = new Set<string>();
  /** Of the evaluation that runs: what is made of values. A weak map of all would cost more. */
  private readonly made = new Map<object, CelValue>();
  /**
   * Of the evaluation that runs: what unknown things it met, and the steps that it may still do.
   */
  private met: string[] = [];
  private left = 0;
  private readonly making: Making = {
    celOf: (value) => this.celOf(value),
    unknown: (what) => this.unknown(what),
  };
  /** A variable is evaluated within what uses it, and takes from its steps. */
  private depth = 0;

  constructor() {
    const find = (name: string): Group | undefined => this.functionsNamed(name);
    const functions: Functions = Object.assign(Object.create(this.library.funcs), { find });
    this.environment = Object.create(this.library, { funcs: { value: functions } });
  }

  evaluate(expression: string, variables: Variables): Evaluated {
    if (this.costly.has(expression)) return { is: 'unknown', what: TOO_MUCH };
    const planned = this.planFor(expression, variables);
    if (planned instanceof Unknown) return { is: 'unknown', what: planned.what };
    const outer = this.met;
    this.met = [];
    if (this.depth === 0) {
      this.left = MOST_STEPS;
      this.made.clear();
    }
    this.depth += 1;
    const result = planned(this.bindings(variables));
    this.depth -= 1;
    const [what] = this.met;
    this.met = outer;
    if (this.left <= 0) {
      this.costly.add(expression);
      return { is: 'unknown', what: TOO_MUCH };
    }
    if (!isCelError(result)) return { is: 'known', value: result };
    if (what !== undefined) return { is: 'unknown', what };
    const fault = faultIn(result);
    return fault === null ? { is: 'unknown', what: 'its result' } : { is: 'error', message: fault };
  }

  cannotFail(expression: string): boolean {
    try {
      return total(syntaxOf(expression, this.library, new Set(['request'])));
    } catch {
      return false;
    }
  }

  private planFor(expression: string, variables: Variables): Planned | Unknown {
    const names = [...variables.keys()].sort();
    const key = `${names.join(' ')} ${expression}`;
    const known = this.planned.get(key);
    if (known !== undefined) return known;
    const planned = this.planOf(expression, new Set(names));
    this.planned.set(key, planned);
    return planned;
  }

  private planOf(expression: string, names: ReadonlySet<string>): Planned | Unknown {
    let syntax: Syntax;
    try {
      syntax = syntaxOf(expression, this.library, names);
    } catch (error) {
      const isLarge = error instanceof TooLarge || error instanceof RangeError;
      return new Unknown(isLarge ? TOO_MUCH : 'an expression that cannot be read here');
    }
    try {
      return plan(this.environment, syntax);
    } catch {
      return new Unknown('an expression that cannot be evaluated here');
    }
  }

  /** Values are made when they are asked for: a property for each would take most of the time. */
  private bindings(variables: Variables): Record<string, CelInput> {
    const get = (_: object, name: string | symbol): CelInput | undefined => {
      const value = typeof name === 'string' ? variables.get(name) : undefined;
      return value === undefined ? undefined : this.celOf(value());
    };
    return new Proxy({}, { get });
  }

  private functionsNamed(name: string): Group | undefined {
    if (name === STEP) return this.own(name, () => this.stepped(1) ?? true);
    if (name === LACKING) return this.own(name, ([what]) => this.unknown(String(what)));
    const found = this.library.funcs.find(name);
    if (found === undefined && !NAMES.has(name)) return undefined;
    return this.own(name, (args, target, id) => {
      const all = target === undefined ? args : [target, ...args];
      const over = this.stepped(this.workOf(name, all));
      if (over !== null) return over;
      const isOfKeys = name === '@in' && isCelMap(args[1]);
      const unknown = COMPARING.has(name) && !isOfKeys ? this.unknownIn(all) : null;
      if (unknown !== null) return unknown;
      const own = this.kubernetes(name, all);
      if (own !== undefined) return own;
      return found?.call(id, target, args) ?? this.unknown(`the function ${name} of such values`);
    });
  }

  /** A function that Kubernetes adds; undefined: the library has it. */
  private kubernetes(name: string, args: readonly CelValue[]): Result | undefined {
    const isMeant = NAMES.has(name) || args.some(isOpaque);
    if (!isMeant) return undefined;
    const result = this.unknownIn(args) ?? called(name, args, (a, b) => this.equal(a, b));
    if (result === null) return this.unknown(`the function ${name} of such values`);
    if (result !== undefined) return result;
    return args.some(isOpaque) ? this.unknown(`the function ${name} of such values`) : undefined;
  }

  private equal(one: CelValue, other: CelValue): boolean | null {
    if (isOpaque(one) || isOpaque(other)) return null;
    const result = this.library.funcs.find('_==_')?.call(0, undefined, [one, other]);
    return typeof result === 'boolean' ? result : null;
  }

  private own(
    name: string,
    call: (args: CelValue[], target: CelValue | undefined, id: number) => Result,
  ): Group {
    return {
      name,
      [Symbol.iterator]: () => [][Symbol.iterator](),
      call: (id, target, args) => call(args, target, id),
    };
  }

  /** An error if no steps are left; null: there are. */
  private stepped(count: number): ReturnType<typeof celError> | null {
    this.left -= count;
    return this.left > 0 ? null : celError('out of steps');
  }

  private unknown(what: string): ReturnType<typeof celError> {
    this.met.push(what);
    return celError(what);
  }

  /** What a call may have to look through, or to write. */
  private workOf(name: string, args: readonly CelValue[]): number {
    const sizes = args.map((arg) => this.sizeOf(arg, this.left));
    const isProduct = MULTIPLYING.has(name);
    return (
      1 +
      sizes.reduce((all, size) => (isProduct ? all * (1 + size) : all + size), isProduct ? 1 : 0)
    );
  }

  /** The parts of a value, at most about so many: lists of the same lists can have very many. */
  private sizeOf(value: CelValue, most: number): number {
    if (typeof value === 'string') return value.length / 16;
    if (isCelList(value)) return this.sizeOfAll(value, value.size, most);
    if (isCelMap(value) && !isPartial(value)) {
      return this.sizeOfAll(value.values(), value.size, most);
    }
    return 1;
  }

  private sizeOfAll(values: Iterable<CelValue>, count: number, most: number): number {
    let size = count;
    for (const value of values) {
      if (size > most) break;
      size += typeof value === 'object' ? this.sizeOf(value, most - size) : 0;
    }
    return size;
  }

  /** The error of something unknown in one of these values; null: there is none. */
  private unknownIn(values: Iterable<CelValue>): ReturnType<typeof celError> | null {
    for (const value of values) {
      if (isCelError(value)) return value;
      // The library asks a partial map for its size, which is an error.
      const isLooked = isCelList(value) || (isCelMap(value) && !isPartial(value));
      const found = isLooked ? this.unknownIn(value.values()) : null;
      if (found !== null) return found;
    }
    return null;
  }

  /** An error for what is unknown, which no type of the library permits as a value. */
  private celOf(value: Value): CelValue {
    if (value instanceof Unknown) return this.unknown(value.what) as never;
    if (value instanceof Computed) return value.value as CelValue;
    if (value instanceof Failed) return celError(value.message) as never;
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
    if (typeof value !== 'object' || value === null) return value;
    const known = this.made.get(value);
    if (known !== undefined) return known;
    const made = value instanceof Mapping ? fieldsOf(value, this.making) : this.listOf(value);
    // A list that has something unknown is unknown, and is asked again each time.
    if (!isCelError(made)) this.made.set(value, made);
    return made;
  }

  private listOf(values: readonly Value[]): CelValue {
    const items = values.map((value) => this.celOf(value));
    return items.find((item) => isCelError(item)) ?? celList(items);
  }
}

/** They look through values, and take an error in one as different from everything. */
const COMPARING: ReadonlySet<string> = new Set(['_==_', '_!=_', '@in']);

/** What they write can be as long as one argument times another. */
const MULTIPLYING: ReadonlySet<string> = new Set(['replace', 'join', 'matches']);

/** The words of an error that the API server has as well; null: it may have none. */
function faultIn(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const causes = error.cause === undefined ? [] : [error.cause].flat();
  const isMissing = /^(?:field not found|no such key): /.test(error.message);
  if (!isMissing || causes.some((cause) => faultIn(cause) === null)) return null;
  return error.message.replace(/^field not found: /, 'no such key: ');
}

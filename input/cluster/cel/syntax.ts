import { type CelEnv, parse } from '@bufbuild/cel';
import { LIBRARIES, NAMES } from './functions/index.ts';

/**
 * The syntax of an expression, as the library reads it. What the library would evaluate in another
 * way than Kubernetes is replaced by a call that is never decided. Optional fields become the
 * conditions that they stand for.
 */

export type Syntax = ReturnType<typeof parse>['expr'];
type Kind = Syntax['exprKind'];

/** Calls that nobody can write: the lexer knows no such name. */
export const STEP = '@step';
export const LACKING = '@lacking';

/** Characters. No policy that a person writes is as long. */
const LONGEST = 10_000;
/** Parts of an expression, after optional fields are replaced. */
const MOST_PARTS = 5_000;

export class TooLarge extends Error {}

/** What the library plans by itself. */
const PLANNED: ReadonlySet<string> = new Set([
  ...['_[_]', '_?_:_', '_&&_', '_||_', '@not_strictly_false'],
]);
const TYPES: ReadonlySet<string> = new Set([
  ...['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map', 'null_type', 'type'],
]);

/** Throws `TooLarge`, or another error for what is no expression of the library. */
export function syntaxOf(text: string, env: CelEnv, variables: ReadonlySet<string>): Syntax {
  if (text.length > LONGEST) throw new TooLarge();
  const parsed = parse(withoutQuestionMarks(text));
  return new Rewriting(env).rewritten(parsed.expr, variables);
}

/** A field that stands for the question mark of the next one, which the parser does not know. */
const OPTIONAL = 'optional__';
const TOKENS = /"[^"\n]*"|'[^'\n]*'|\/\/[^\n]*|\.\?|\[\?/g;
/** Strings with these end elsewhere than the pattern above has it. */
const HARD = /\\|"""|'''/;

function withoutQuestionMarks(text: string): string {
  if (!text.includes('.?') && !text.includes('[?')) return text;
  if (text.includes(OPTIONAL) || HARD.test(text))
    throw new Error('it is not clear what is optional');
  return text.replaceAll(TOKENS, (token) => {
    if (token === '.?') return `.${OPTIONAL}.`;
    return token === '[?' ? `.${OPTIONAL}[` : token;
  });
}

class Rewriting {
  private parts = 0;
  private readonly env: CelEnv;

  constructor(env: CelEnv) {
    this.env = env;
  }

  rewritten(expr: Syntax, scope: ReadonlySet<string>): Syntax {
    this.parts += 1;
    if (this.parts > MOST_PARTS) throw new TooLarge();
    const { exprKind: kind } = expr;
    const inScope = (part: Syntax): Syntax => this.rewritten(part, scope);
    switch (kind.case) {
      case 'constExpr':
        return expr;
      case 'identExpr': {
        const { name } = kind.value;
        return scope.has(name) || TYPES.has(name) ? expr : lacking(expr, name);
      }
      case 'selectExpr': {
        const { testOnly, operand } = kind.value;
        if (testOnly && operand !== undefined) return this.linked(expr, inScope(operand), scope);
        return this.optionalFrom(expr) ? lacking(expr, 'optional values') : this.link(expr, scope);
      }
      case 'callExpr':
        return this.call(expr, scope);
      case 'listExpr': {
        const { elements, optionalIndices } = kind.value;
        if (optionalIndices.length > 0) return lacking(expr, 'optional values');
        const value = { ...kind.value, elements: elements.map(inScope) };
        return { ...expr, exprKind: { case: 'listExpr', value } };
      }
      case 'structExpr': {
        const { messageName, entries } = kind.value;
        if (messageName !== '') return lacking(expr, messageName);
        if (entries.some((entry) => entry.optionalEntry)) return lacking(expr, 'optional values');
        const rewritten = entries.map((entry) => ({
          ...entry,
          keyKind:
            entry.keyKind.case === 'mapKey'
              ? { case: 'mapKey' as const, value: inScope(entry.keyKind.value) }
              : entry.keyKind,
          ...(entry.value === undefined ? {} : { value: inScope(entry.value) }),
        }));
        const value = { ...kind.value, entries: rewritten };
        return { ...expr, exprKind: { case: 'structExpr', value } };
      }
      case 'comprehensionExpr':
        return this.comprehension(expr, kind.value, scope);
      default:
        return lacking(expr, 'an expression');
    }
  }

  /** Each turn of the loop is a step. */
  private comprehension(
    expr: Syntax,
    value: Extract<Kind, { case: 'comprehensionExpr' }>['value'],
    scope: ReadonlySet<string>,
  ): Syntax {
    const { accuVar, iterVar, iterVar2 } = value;
    const { accuInit, iterRange, loopCondition, loopStep, result } = value;
    if (iterVar2 !== '' || !accuInit || !iterRange || !loopCondition || !loopStep || !result) {
      return lacking(expr, 'a macro');
    }
    const inner = new Set([...scope, accuVar, iterVar]);
    const step = called(expr, STEP, []);
    const condition = this.rewritten(loopCondition, inner);
    const rewritten = {
      ...value,
      accuInit: this.rewritten(accuInit, scope),
      iterRange: this.rewritten(iterRange, scope),
      loopCondition: called(expr, '_&&_', [step, condition]),
      loopStep: this.rewritten(loopStep, inner),
      result: this.rewritten(result, inner),
    };
    return { ...expr, exprKind: { case: 'comprehensionExpr', value: rewritten } };
  }

  private call(expr: Syntax, scope: ReadonlySet<string>): Syntax {
    const { exprKind: kind } = expr;
    if (kind.case !== 'callExpr') return expr;
    const { function: name, target, args } = kind.value;
    const optional = target === undefined ? null : this.optionalFrom(target);
    if (target !== undefined && optional !== null) {
      const [other] = args;
      if (name === 'hasValue') return this.present(optional, scope);
      if (name === 'orValue' && other !== undefined) {
        return called(expr, '_?_:_', [
          this.present(optional, scope),
          this.chained(optional, optional.links.length, scope),
          this.rewritten(other, scope),
        ]);
      }
      return lacking(expr, 'optional values');
    }
    if (name === '_[_]') return this.link(expr, scope);
    const library = libraryOf(target, scope);
    if (library !== null) {
      const own = `@${library}.${name}`;
      if (!NAMES.has(own)) return lacking(expr, `the function ${library}.${name}`);
      return called(
        expr,
        own,
        args.map((part) => this.rewritten(part, scope)),
      );
    }
    const isKnown = PLANNED.has(name) || NAMES.has(name) || this.env.funcs.find(name) !== undefined;
    if (!isKnown) return lacking(expr, `the function ${name}`);
    const value = {
      ...kind.value,
      ...(target === undefined ? {} : { target: this.rewritten(target, scope) }),
      args: args.map((part) => this.rewritten(part, scope)),
    };
    return { ...expr, exprKind: { case: 'callExpr', value } };
  }

  /** A field or a key of something that is not optional. */
  private link(expr: Syntax, scope: ReadonlySet<string>): Syntax {
    const operand = operandOf(expr);
    if (operand === null) return lacking(expr, 'an expression');
    return this.linked(expr, this.rewritten(operand, scope), scope);
  }

  /** The same field or key of another operand. */
  private linked(expr: Syntax, operand: Syntax, scope: ReadonlySet<string>): Syntax {
    this.parts += 1;
    if (this.parts > MOST_PARTS) throw new TooLarge();
    const { exprKind: kind } = expr;
    if (kind.case === 'selectExpr') {
      return { ...expr, exprKind: { ...kind, value: { ...kind.value, operand } } };
    }
    if (kind.case !== 'callExpr') return lacking(expr, 'an expression');
    const keys = kind.value.args.slice(1).map((key) => this.rewritten(key, scope));
    return { ...expr, exprKind: { ...kind, value: { ...kind.value, args: [operand, ...keys] } } };
  }

  /** The links of an optional value, and what they begin at; null: it is no optional value. */
  private optionalFrom(expr: Syntax): Optional | null {
    const links: { expr: Syntax; isOptional: boolean }[] = [];
    let at: Syntax | null = expr;
    while (at !== null) {
      const operand = operandOf(at);
      if (operand === null) break;
      const isMarked = isMark(operand);
      links.unshift({ expr: at, isOptional: isMarked });
      at = isMarked ? operandOf(operand) : operand;
    }
    const first = links.findIndex(({ isOptional }) => isOptional);
    const base = first === -1 ? null : operandOf(links[first]?.expr ?? expr);
    const start = base === null ? null : operandOf(base);
    if (start === null) return null;
    // After the first question mark, each field is one of an optional value.
    return { base: start, links: links.slice(first).map((link) => link.expr) };
  }

  private chained({ base, links }: Optional, count: number, scope: ReadonlySet<string>): Syntax {
    return links
      .slice(0, count)
      .reduce((operand, link) => this.linked(link, operand, scope), this.rewritten(base, scope));
  }

  private present(optional: Optional, scope: ReadonlySet<string>): Syntax {
    const { links } = optional;
    return links
      .map((link, index) => this.presentAt(link, this.chained(optional, index, scope), scope))
      .reduce((all, one) => called(one, '_&&_', [all, one]));
  }

  private presentAt(link: Syntax, operand: Syntax, scope: ReadonlySet<string>): Syntax {
    const { exprKind: kind } = link;
    if (kind.case === 'selectExpr') {
      const value = { ...kind.value, operand, testOnly: true };
      return { ...link, exprKind: { case: 'selectExpr', value } };
    }
    const key = kind.case === 'callExpr' ? kind.value.args[1] : undefined;
    const isText =
      key?.exprKind.case === 'constExpr' && key.exprKind.value.constantKind.case === 'stringValue';
    if (key === undefined || !isText) return lacking(link, 'optional values');
    return called(link, '@in', [this.rewritten(key, scope), operand]);
  }
}

interface Optional {
  readonly base: Syntax;
  readonly links: readonly Syntax[];
}

/** The library that a name before a point stands for; null: it stands for a value. */
function libraryOf(target: Syntax | undefined, scope: ReadonlySet<string>): string | null {
  if (target?.exprKind.case !== 'identExpr') return null;
  const { name } = target.exprKind.value;
  return Object.hasOwn(LIBRARIES, name) && !scope.has(name) ? name : null;
}

/** Of what an expression is a field or a key; null: it is neither. */
function operandOf({ exprKind: kind }: Syntax): Syntax | null {
  if (kind.case === 'selectExpr') return kind.value.testOnly ? null : (kind.value.operand ?? null);
  if (kind.case !== 'callExpr' || kind.value.function !== '_[_]') return null;
  return kind.value.args[0] ?? null;
}

function isMark({ exprKind: kind }: Syntax): boolean {
  return kind.case === 'selectExpr' && kind.value.field === OPTIONAL;
}

function called(place: Syntax, name: string, args: readonly Syntax[]): Syntax {
  const value = { $typeName: 'cel.expr.Expr.Call' as const, function: name, args: [...args] };
  return { ...place, exprKind: { case: 'callExpr', value } };
}

/** Something that is never decided. */
function lacking(place: Syntax, what: string): Syntax {
  const constantKind = { case: 'stringValue' as const, value: what };
  const value = { $typeName: 'cel.expr.Constant' as const, constantKind };
  const name: Syntax = { ...place, exprKind: { case: 'constExpr', value } };
  return called(place, LACKING, [name]);
}

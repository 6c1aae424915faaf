import { parse } from 'acorn';
import type { Node } from 'estree';
import { walk } from 'estree-walker';
import MagicString from 'magic-string';

/**
 * Small systematic changes to the decisions in a module: a condition is taken for true or for
 * false, a statement is skipped, a branch of a switch is left out, or a function returns another of
 * its words. One text contains all changes, each behind its own switch (mutant schemata), so that a
 * module is loaded once for all of its mutants.
 */

export type DecisionChange =
  | 'taken for true'
  | 'taken for false'
  | 'skipped'
  | 'forgotten'
  | 'answered otherwise';

export interface Decision {
  readonly line: number;
  /** The function that it is in. */
  readonly function: string;
  readonly change: DecisionChange;
  /** The code that is changed, on one line, shortened. */
  readonly code: string;
}

export interface Instrumented {
  readonly decisions: readonly Decision[];
  readonly text: string;
}

type Placed = Node & { readonly start: number; readonly end: number };

const COMPARISONS: readonly string[] = ['===', '!==', '<', '>', '<=', '>='];
const CODE_WIDTH = 60;

/** Names of functions in scope of the text. */
export interface Switches {
  /** Whether the decision of this number is changed. */
  readonly isOn: string;
  /**
   * Returns the unchanged value of a condition. Its number is that of the change to true. The
   * change to false has the next number.
   */
  readonly noted: string;
}

/**
 * @param text JavaScript of a module.
 * @param first number of its first decision.
 * @param skipped names of functions that decide nothing about transitions.
 */
export function instrument(
  text: string,
  first: number,
  skipped: ReadonlySet<string>,
  { isOn, noted }: Switches,
): Instrumented {
  const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: false });
  const magic = new MagicString(text);
  const decisions: Decision[] = [];
  const ancestors: Placed[] = [];
  const note = (node: Placed, change: DecisionChange, shown: Placed = node): string => {
    const line = text.slice(0, node.start).split('\n').length;
    const code = shortened(text.slice(shown.start, shown.end));
    decisions.push({ line, function: functionOf(ancestors), change, code });
    return `${isOn}(${first + decisions.length - 1})`;
  };
  const wrap = (node: Placed, before: string, after: string): void => {
    magic.prependRight(node.start, before);
    magic.appendLeft(node.end, after);
  };
  walk(program as unknown as Node, {
    enter(node) {
      if (skipped.has(ownName(node))) this.skip();
      else ancestors.push(node as Placed);
    },
    leave(node) {
      // A skipped node is left without having been pushed.
      if (ancestors.at(-1) !== node) return;
      ancestors.pop();
      const placed = node as Placed;
      const parent = ancestors.at(-1);
      if (parent === undefined || functionOf(ancestors) === '') return;
      if (isCondition(placed, parent)) {
        const number = first + decisions.length;
        const yes = note(placed, 'taken for true');
        const no = note(placed, 'taken for false');
        wrap(placed, `(${yes} ? true : ${no} ? false : ${noted}(${number}, (`, ')))');
      } else if (isEffect(placed)) {
        wrap(placed, `{ if (!${note(placed, 'skipped')}) { `, ' } }');
      } else if (placed.type === 'SwitchCase' && placed.test && placed.consequent.length > 0) {
        const inside = placed.consequent[0] as Placed;
        const off = note(placed, 'forgotten', placed.test as Placed);
        magic.prependRight(inside.start, `if (${off}) return; `);
      } else {
        const other = otherAnswer(placed, parent, ancestors);
        if (other === null) return;
        wrap(placed, `(${note(placed, 'answered otherwise')} ? ${other} : `, ')');
      }
    },
  });
  return { decisions, text: magic.toString() };
}

/**
 * An atom of a condition or of a returned truth value. The operands of a connective are atoms, the
 * connective is not.
 */
function isCondition(node: Placed, parent: Placed): boolean {
  if (node.type === 'LogicalExpression' || isNegation(node)) return false;
  switch (parent.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return parent.test === node;
    case 'LogicalExpression':
      return parent.operator !== '??';
    case 'UnaryExpression':
      return parent.operator === '!';
    case 'ReturnStatement':
    case 'ArrowFunctionExpression':
      return isTruth(node);
    default:
      return false;
  }
}

function isNegation(node: Node): boolean {
  return node.type === 'UnaryExpression' && node.operator === '!';
}

function isTruth(node: Node): boolean {
  return node.type === 'BinaryExpression' && COMPARISONS.includes(node.operator);
}

/** A statement with an effect: a call, an assignment or a deletion. */
function isEffect(node: Placed): boolean {
  if (node.type !== 'ExpressionStatement') return false;
  const { expression } = node;
  if (expression.type === 'UnaryExpression') return expression.operator === 'delete';
  return expression.type === 'CallExpression' || expression.type === 'AssignmentExpression';
}

/** For a string that a function returns: another string that it returns elsewhere. */
function otherAnswer(node: Placed, parent: Placed, ancestors: readonly Placed[]): string | null {
  if (!isReturnedWord(node, parent)) return null;
  const whole = ancestors.findLast((ancestor) => ancestor.type.includes('Function'));
  if (whole === undefined) return null;
  const words: string[] = [];
  walk(whole, {
    enter(inner, above) {
      if (above !== null && isReturnedWord(inner, above)) words.push(String(inner.value));
    },
  });
  const distinct = [...new Set(words)];
  if (distinct.length < 2) return null;
  return JSON.stringify(distinct[(distinct.indexOf(String(node.value)) + 1) % distinct.length]);
}

function isReturnedWord(
  node: Node,
  parent: Node,
): node is Extract<Node, { readonly type: 'Literal' }> & Placed {
  if (node.type !== 'Literal' || typeof node.value !== 'string') return false;
  if (parent.type === 'ConditionalExpression') return parent.test !== node;
  return parent.type === 'ReturnStatement';
}

/** The name that this node gives to a function, or an empty string. */
function ownName(node: Node): string {
  if (node.type === 'FunctionDeclaration') return node.id?.name ?? '';
  if (node.type === 'Property' || node.type === 'VariableDeclarator') {
    const name = node.type === 'Property' ? node.key : node.id;
    const value = node.type === 'Property' ? node.value : node.init;
    const isFunction = value?.type.includes('Function') === true;
    return isFunction && name.type === 'Identifier' ? name.name : '';
  }
  return '';
}

function functionOf(ancestors: readonly Placed[]): string {
  const names = ancestors.map(ownName);
  return names.findLast((name) => name !== '') ?? '';
}

function shortened(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length <= CODE_WIDTH ? line : `${line.slice(0, CODE_WIDTH - 1)}…`;
}

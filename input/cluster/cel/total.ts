import type { Syntax } from './syntax.ts';

/**
 * Functions that give a result for whatever strings, booleans and lists of strings they are given.
 */
const TOTAL: ReadonlySet<string> = new Set([
  ...['_==_', '_!=_', '!_', '_&&_', '_||_', '@in', '@not_strictly_false', '@step'],
  ...['startsWith', 'endsWith', 'contains', '_?_:_'],
]);

/**
 * Whether an expression about the user who sends a request is true or false for each user, and
 * never an error: a policy with the condition `request.userInfo.username != "admin"` is evaluated
 * or not, and refuses nothing by its condition.
 */
export function total(expr: Syntax): boolean {
  const { exprKind: kind } = expr;
  switch (kind.case) {
    case 'constExpr':
    case 'identExpr':
      return true;
    case 'selectExpr':
      return SET.has(pathOf(expr));
    case 'callExpr': {
      const { function: name, target, args } = kind.value;
      return TOTAL.has(name) && [...(target ? [target] : []), ...args].every(total);
    }
    case 'listExpr':
      return kind.value.elements.every(total);
    case 'comprehensionExpr': {
      const { accuInit, iterRange, loopCondition, loopStep, result } = kind.value;
      const parts = [accuInit, iterRange, loopCondition, loopStep, result];
      return parts.every((part) => part !== undefined && total(part));
    }
    default:
      return false;
  }
}

/** Fields that are always set, of those that nobody knows. */
const SET: ReadonlySet<string> = new Set([
  ...['request.operation', 'request.userInfo', 'request.userInfo.username'],
  'request.userInfo.groups',
]);

function pathOf({ exprKind: kind }: Syntax): string {
  if (kind.case === 'identExpr') return kind.value.name;
  if (kind.case !== 'selectExpr' || kind.value.testOnly || !kind.value.operand) return '';
  return `${pathOf(kind.value.operand)}.${kind.value.field}`;
}

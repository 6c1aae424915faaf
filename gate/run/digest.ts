import { createHash } from 'node:crypto';
import { canonical } from '../../run/execution.ts';
import { type Cell, type CellInputs, type CodeDigests, PARAMETERS } from '../cell.ts';

/** Of any value made of JSON; the same whatever the order of its fields. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** Of what a cell is made of, by part: so that a difference can be given a name. */
export function cellInputs({ text, plan, parameters, limits, symmetry }: Cell): CellInputs {
  const isOther = (name: string): boolean =>
    name !== 'protocol' && PARAMETERS.some((parameter) => parameter === name);
  return {
    scenario: digestOf(text),
    rules: digestOf(plan.setup.rules),
    question: digestOf([
      parameters.filter(({ name }) => isOther(name)),
      plan.properties,
      limits,
      symmetry,
    ]),
  };
}

/**
 * Of all that a cell's report depends on. The plan stands for what was made of the input; the version
 * of Node is there for what it sorts and rounds.
 */
export function cellKey(cell: Cell, code: CodeDigests): string {
  return digestOf([code, process.versions.node.split('.', 1), cell]);
}

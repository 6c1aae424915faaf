import { createHash } from 'node:crypto';
import { canonical } from '../../run/execution.ts';
import {
  type Cell,
  type CellInputs,
  type CodeDigests,
  PARAMETERS,
  type ScenarioCell,
} from '../cell.ts';

/** Digest of a JSON value. The order of fields does not matter. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** Digests of the inputs of a cell by part, so that a drift can name the part that changed. */
export function cellInputs({
  text,
  plan,
  module,
  parameters,
  limits,
  reductions,
}: Cell): CellInputs {
  const isOther = (name: string): boolean =>
    name !== 'protocol' && PARAMETERS.some((parameter) => parameter === name);
  return {
    scenario: digestOf(text),
    rules: digestOf(plan?.setup.rules ?? {}),
    question: digestOf([
      parameters.filter(({ name }) => isOther(name)),
      plan?.properties ?? module?.properties.map(({ name }) => name),
      limits,
      reductions,
    ]),
  };
}

/**
 * Digest of everything that a cell's report depends on. The plan represents the input. The major
 * version of Node counts because sorting and rounding might differ.
 */
export function cellKey(cell: ScenarioCell, code: CodeDigests): string {
  return digestOf([code, process.versions.node.split('.', 1), cell]);
}

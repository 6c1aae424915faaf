import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkArguments } from '../../cli/check-arguments.ts';
import type { CellOutcome, CodeDigests, ScenarioCell } from '../../gate/cell.ts';
import { gatherPlans } from '../../input/gather.ts';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import type { CheckReport } from '../../report/document/result-document.ts';

/** Cells of built-in scenarios, without a suite. */

export const CODE: CodeDigests = {
  checker: 'a',
  model: 'b',
  properties: 'c',
  input: 'd',
  packages: 'e',
};

/** Scenarios with fewer than a hundred states each. */
export const SMALL = ['background-chain', 'dangling-owner', 'self-owner-foreground'];

export async function cellOf(
  scenario: string,
  changes: Partial<ScenarioCell> = {},
): Promise<ScenarioCell> {
  const [plan] = await gatherPlans(
    checkArguments({ input: [scenario] }, []),
    (async function* () {})(),
  );
  return {
    name: scenario,
    scenario,
    parameters: [],
    plan: plan!,
    module: null,
    limits: {},
    reductions: [],
    file: `scenarios/${scenario}.yaml`,
    text: readFileSync(join(PACKAGE_FOLDER, 'scenarios', `${scenario}.yaml`), 'utf8'),
    again: `reapcheck check ${scenario}`,
    ...changes,
  };
}

export const NEVER = () => false;

/** Removes the times, which differ from run to run. */
export function timeless(outcomes: readonly CellOutcome[]): readonly unknown[] {
  return outcomes.map((outcome) =>
    outcome.kind === 'done' ? timelessReport(outcome.report) : outcome,
  );
}

function timelessReport(report: CheckReport): unknown {
  const { cpuSeconds, wallSeconds, ...statistics } = report.result.statistics;
  return { ...report, result: { ...report.result, statistics } };
}

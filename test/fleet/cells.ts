import { openFleet } from '../../fleet/place.ts';
import { redisAddress } from '../../fleet/redis/address.ts';
import type { CellOutcome, ScenarioCell } from '../../gate/cell.ts';
import { runCell } from '../../gate/run/run-cell.ts';
import { cellRunner } from '../../gate/run/run-cells.ts';
import { PATIENCE } from '../clock.ts';
import { CODE, cellOf, SMALL, timeless } from '../gate/cells.ts';

/** Small cells that no earlier run has left in Redis: their last word differs. */
export async function freshCells(run: string, count: number): Promise<readonly ScenarioCell[]> {
  const cells = await Promise.all(SMALL.map((scenario) => cellOf(scenario)));
  return Array.from({ length: count }, (_, index): ScenarioCell => {
    const cell = cells[index % cells.length]!;
    return { ...cell, name: `${cell.name} ${index}`, again: `${cell.again} # ${run} ${index}` };
  });
}

const known = new Map<string, unknown>();

/** What the cells give without a fleet, but for times. */
export async function expectedOf(cells: readonly ScenarioCell[]): Promise<readonly unknown[]> {
  const expected: unknown[] = [];
  for (const { again, ...cell } of cells) {
    const key = cell.scenario;
    if (!known.has(key)) {
      const report = await runCell({ ...cell, again: '' });
      const outcome: CellOutcome = { kind: 'done', report, cached: false };
      known.set(key, JSON.parse(JSON.stringify(timeless([outcome])[0])));
    }
    expected.push({ ...(known.get(key) as object), again });
  }
  return expected;
}

/** Runs the cells by the fleet, in this process. */
export async function runByFleet(
  url: string,
  cells: readonly ScenarioCell[],
  {
    patience = PATIENCE / 1000,
    onDone,
  }: { patience?: number; onDone?: (done: number) => void } = {},
): Promise<readonly unknown[]> {
  const options = { patience, until: null, note: () => undefined };
  const place = await openFleet(redisAddress('fleet', url, {}), 'models', options);
  try {
    const outcomes = await cellRunner({ code: CODE, place })(cells, {
      interrupted: () => false,
      pinnedStates: new Map(),
      ...(onDone === undefined ? {} : { onDone }),
    });
    return timeless(outcomes);
  } finally {
    await place.close();
  }
}

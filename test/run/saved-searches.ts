import type { CheckpointStore } from '../../checker/index.ts';
import { gatherPlans } from '../../input/gather.ts';
import { inputOptions } from '../../input/options/input-options.ts';
import type { Plan } from '../../input/plan.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { runPlan, type SearchOptions } from '../../run/assemble.ts';

/** The plan of a scenario, by name or file. */
export async function planOf(scenario: string): Promise<Plan> {
  const [plan] = await gatherPlans(inputOptions({ input: [scenario] }), nothing());
  return plan!;
}

/** The report as text, without times. */
export async function reported(plan: Plan, options: Partial<SearchOptions> = {}): Promise<string> {
  const search = { engine: 'tracked', limits: {}, auditEvery: 20, ...options } as const;
  return timeless(await runPlan(plan, search, 'again'));
}

export function timeless(report: CheckReport): string {
  return JSON.stringify(report, (key, value: unknown) => (/Seconds$/.test(key) ? 0 : value), 1);
}

/** Keeps the blocks, and begins with some. */
export function memoryStore(begin: readonly Uint8Array[] = []): CheckpointStore & {
  readonly kept: Uint8Array[];
} {
  const kept = [...begin];
  return {
    kept,
    blocks: () => begin,
    append: (parts) => void kept.push(Buffer.concat(parts)),
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

import fc from 'fast-check';
import { expect } from 'vitest';
import { PLAIN_WORLD, type World } from '../../input/cluster/worlds.ts';
import type { Plan } from '../../input/plan.ts';
import type { Budget, Decision } from '../../run/questions/deciding/decision.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';

/** Long enough for any of these; no test waits for it. */
export function budget(): Budget {
  return {
    ...{ search: { engine: 'tracked', auditEvery: 0 }, limits: {} },
    ...{ deadline: Date.now() + 600_000, known: new Map(), acceptBounded: false },
    ...{ onProgress: () => undefined, interrupted: () => false },
  };
}

/** The fates by uid. */
export function words(decision: Decision | null): Readonly<Record<string, string>> {
  const fates = [...(decision?.fates ?? [])];
  return Object.fromEntries(fates.map(([uid, { fate }]) => [uid, fate] as const).sort());
}

/** Whether the owners of finalizers of which nothing is known act, or may act. */
export const worlds: fc.Arbitrary<World> = fc
  .constantFrom('act' as const, 'may' as const)
  .map((finalizers): World => ({ ...PLAIN_WORLD, finalizers }));

/** So few states that only the smallest pieces are decided. */
const FEW = 60;
/** A whole with more of them takes too long. */
const MANY = 60_000;

/**
 * Pieces have the fates of the whole, or decide nothing, and so have some of them. Returns whether
 * they decide all.
 */
export async function decidedAsWhole(plan: Plan, world: World): Promise<boolean> {
  const pieces = await inPieces(plan, world, budget());
  const isAll = pieces?.by === 'search';
  const some = await inPieces(plan, world, { ...budget(), limits: { states: FEW } });
  const found = [pieces, some].filter((decision) => decision !== null);
  if (found.length === 0) return false;
  const limits = isAll ? {} : { states: MANY };
  const whole = await grown(plan, world, { ...budget(), limits });
  if (whole === null) return false;
  if (isAll) expect(words(pieces)).toEqual(words(whole));
  for (const decision of found) expect(words(whole)).toMatchObject(words(decision));
  return isAll;
}

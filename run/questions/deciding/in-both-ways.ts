import { divided } from '../../../input/cluster/parts.ts';
import { setupIn, type World } from '../../../input/cluster/worlds.ts';
import type { Plan } from '../../../input/plan.ts';
import type { Uid } from '../../../model/index.ts';
import type { Fate } from '../../../report/document/result-document.ts';
import { type Budget, clusterOf, type Decision, eitherWay } from './decision.ts';
import { inPieces } from './in-pieces.ts';

/**
 * The objects that go or stay where owners of finalizers may act or not, and there are no pieces
 * then, as an operator that may stop at any time is not like a user: those that go on every run if
 * all owners act, and stay on every run if none does. All those runs are possible. Of the other
 * objects, nothing is said: the owners may also stop halfway.
 *
 * Null: there are no such objects.
 */
export async function inBothWays(
  plan: Plan,
  world: World,
  budget: Budget,
): Promise<Decision | null> {
  if (world.finalizers !== 'may') return null;
  const acting = await inPieces(plan, { ...world, finalizers: 'act' }, budget);
  const idle = acting && (await inPieces(plan, { ...world, finalizers: 'never' }, budget));
  if (acting === null || idle === null) return null;
  const { setup } = setupIn(plan.setup, clusterOf(plan), world);
  const fates = new Map<Uid, Fate>();
  for (const { uid } of setup.objects) {
    const either = eitherWay(acting.fates.get(uid), idle.fates.get(uid));
    if (either !== null) fates.set(uid, either);
  }
  if (fates.size === 0) return null;
  const worlds = divided(setup, 'chains').map(
    (_, number): World => ({ ...world, part: { division: 'chains', number } }),
  );
  const by = fates.size === setup.objects.length ? 'search' : 'some';
  const wasFull = acting.isFull === true || idle.isFull === true;
  return { ...idle, ...{ world, fates, worlds, by }, ...(wasFull ? { isFull: true } : {}) };
}

import { setImmediate } from 'node:timers/promises';
import type { World } from '../../../input/cluster/worlds.ts';
import type { Plan } from '../../../input/plan.ts';
import type { Uid } from '../../../model/index.ts';
import type { Fate } from '../../../report/document/result-document.ts';
import {
  type Budget,
  type Decision,
  isFull,
  isLate,
  partOf,
  undecided,
  wasFull,
} from './decision.ts';
import { grown, walked, withoutTraces } from './grow.ts';
import { arePartsEnough, hasParts, inParts } from './in-parts.ts';
import { inPieces } from './in-pieces.ts';

/**
 * The part of the time for a search of the whole, if there are parts or none; the rest is for
 * those.
 */
const OF_WHOLE = { alone: 0.6, withParts: 0.2 } as const;
const IN_PARTS = 0.85;
const IN_PIECES = 0.85;

/**
 * Finds the fates of all objects of a plan in a world: by a search of the whole, or of its parts
 * where these say the same. Otherwise the fates of those that pieces prove, or walks at random.
 */
export async function decide(plan: Plan, world: World, budget: Budget): Promise<Decision> {
  await setImmediate();
  if (isLate(budget)) return undecided(world);
  // To divide objects takes memory as well.
  if (isFull(budget)) return undecided(world, true);
  // `--reduction none` asks for a search of all objects together.
  if (budget.search.reductions?.length === 0) return asOne(plan, world, budget);
  const pieces = await inPieces(plan, world, partOf(budget, IN_PIECES));
  if (pieces?.by === 'search') return pieces;
  const whole = await inRest(plan, world, budget);
  return pieces === null || SURE.includes(whole.by) ? whole : withHints(pieces, whole);
}

/** What pieces prove, and of the other objects what one run shows. */
function withHints(pieces: Decision, whole: Decision): Decision {
  const hints = [...whole.fates].map(([uid, fate]): [Uid, Fate] => {
    return [uid, fate.fate === 'open' ? fate : { ...withoutTraces(fate), fate: 'open' }];
  });
  return {
    ...pieces,
    fates: new Map([...hints, ...pieces.fates]),
    reports: [...pieces.reports, ...whole.reports],
    ...(wasFull(pieces) || wasFull(whole) ? { isFull: true } : {}),
  };
}

/** Where all objects are decided. What pieces prove of some is better than any other basis. */
const SURE: readonly Decision['by'][] = ['search', 'bounded'];

/** With what pieces have left of the time and of the memory. */
async function inRest(plan: Plan, world: World, budget: Budget): Promise<Decision> {
  if (isLate(budget)) return undecided(world);
  if (isFull(budget)) return undecided(world, true);
  return asWhole(plan, world, budget);
}

async function asWhole(plan: Plan, world: World, budget: Budget): Promise<Decision> {
  if (arePartsEnough(plan, world)) return inParts(plan, world, partOf(budget, IN_PARTS));
  if (!hasParts(plan, world)) return asOne(plan, world, budget);
  const own = partOf(budget, OF_WHOLE.withParts);
  const whole = await grown(plan, world, own, { latest: budget.deadline });
  return whole ?? inParts(plan, world, partOf(budget, IN_PARTS));
}

/** All objects together, or walks at random if that does not end. */
async function asOne(plan: Plan, world: World, budget: Budget): Promise<Decision> {
  const own = partOf(budget, OF_WHOLE.alone);
  const whole = await grown(plan, world, own, { latest: budget.deadline });
  return whole ?? walked(plan, world, budget);
}

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { OpenStep } from '../../model/index.ts';
import type { ServedCluster } from '../cluster/cluster.ts';
import { clear } from './fair.ts';
import { DELIVERIES, Rest } from './rest.ts';
import type { Schedule } from './schedule.ts';

/** Milliseconds without a request after which the controllers go on by themselves. */
const QUIET = 250;
const STEPS_IN_A_ROW = 500;
/** A step, or an event for a client, may be held back for so many others. */
const LONGEST_DELAY = 40;
/** One step in so many is held back. */
const DELAYED = 4;
/** How many steps may follow a request before the next one. */
const MOST_AFTER = 12;

/** A step that may come, of the model or of a watch of a client. */
interface Choice {
  /** The same for the same step at another time. */
  readonly name: string;
  readonly isDelivery: boolean;
  take(): boolean;
}

/**
 * A reproducible adversary: it draws each next step, also between the steps of a request, and holds
 * back any step, delivery or event for a while. No step waits for ever.
 *
 * The same seed and the same requests in the same order give the same run, with the same pauses
 * between them. In a pause, which is a time without any request, the controllers finish their work.
 *
 * @param quiet milliseconds after which a pause begins. Null: there are no pauses.
 */
export function seededSchedule(
  cluster: ServedCluster,
  seed: number,
  quiet: number | null = QUIET,
): Schedule {
  const generator = xoroshiro128plus(seed);
  const draw = (limit: number): number => uniformInt(generator, 0, limit - 1);
  const rest = new Rest(cluster);
  /** Until which step each choice is held back. */
  const held = new Map<string, number>();
  const seen = new Set<string>();
  const watches = new Map<number, () => boolean>();
  const waiting = new Set<number>();
  let watchCount = 0;
  let now = 0;
  let timer: NodeJS.Timeout | NodeJS.Immediate | null = null;
  let stopped = false;

  const choices = (): readonly Choice[] => [
    ...cluster
      .candidates()
      .filter(({ fairness }) => fairness !== 'none' || draw(LONGEST_DELAY) === 0)
      .map((step) => ({
        name: nameOf(step),
        isDelivery: DELIVERIES.includes(step.name),
        take: () => cluster.take(step),
      })),
    ...[...waiting].map((watch) => ({
      name: `watch ${watch}`,
      isDelivery: true,
      take: () => {
        const more = watches.get(watch)?.() ?? false;
        if (!more) waiting.delete(watch);
        return true;
      },
    })),
  ];

  const isHeld = (name: string): boolean => {
    if (!seen.has(name)) {
      seen.add(name);
      if (draw(DELAYED) === 0) held.set(name, now + 1 + draw(LONGEST_DELAY));
    }
    return (held.get(name) ?? 0) > now;
  };

  /** Null: nothing is possible. */
  const takeOne = (): Choice | null => {
    now += 1;
    const possible = [...choices()];
    const free = possible.filter(({ name }) => !isHeld(name));
    for (const pool of [free, possible]) {
      while (pool.length > 0) {
        const [choice] = pool.splice(draw(pool.length), 1);
        if (choice?.take() !== true) continue;
        // The next time, the same step may be held back again.
        seen.delete(choice.name);
        held.delete(choice.name);
        return choice;
      }
    }
    return null;
  };

  const finish = (): void => {
    timer = null;
    for (let steps = 0; steps < STEPS_IN_A_ROW; steps++) {
      const taken = takeOne();
      if (taken === null) return;
      const wait = rest.after(taken.isDelivery);
      if (wait > 0) {
        timer = setTimeout(finish, wait);
        return;
      }
    }
    timer = setImmediate(finish);
  };

  const later = (): void => {
    if (timer !== null) clear(timer);
    if (!stopped && quiet !== null) timer = setTimeout(finish, quiet);
  };

  return {
    words: `seed:${seed}: a reproducible adversary that reorders and delays steps`,
    manual: false,
    wake: () => {
      if (stopped) return;
      while (cluster.hasPending() && takeOne() !== null);
      for (let after = draw(MOST_AFTER); after > 0 && takeOne() !== null; after--);
      later();
    },
    watch: ({ flush }) => {
      watchCount += 1;
      const watch = watchCount;
      watches.set(watch, flush);
      return {
        notify: () => {
          waiting.add(watch);
          later();
        },
        end: () => {
          watches.delete(watch);
          waiting.delete(watch);
        },
      };
    },
    stop: () => {
      stopped = true;
      if (timer !== null) clear(timer);
    },
  };
}

function nameOf({ name, parameters }: OpenStep): string {
  return `${name} ${JSON.stringify(parameters)}`;
}

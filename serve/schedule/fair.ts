import type { OpenStep } from '../../model/index.ts';
import type { ServedCluster } from '../cluster/cluster.ts';
import { DELIVERIES, Rest } from './rest.ts';
import { atOnce, type Schedule, serveClients } from './schedule.ts';

/** After so many steps, the server looks for new requests. */
const STEPS_IN_A_ROW = 200;

/** Events come first, so that controllers act on what they can know. */
const FIRST: readonly string[] = ['serve', ...DELIVERIES];

/**
 * A good day: requests are answered at once, events arrive at once and in order, and every
 * controller does its next step in turn. No disturbance happens.
 */
export function fairSchedule(cluster: ServedCluster): Schedule {
  const rest = new Rest(cluster);
  let timer: NodeJS.Timeout | NodeJS.Immediate | null = null;
  let stopped = false;
  let turn = 0;

  const run = (): void => {
    timer = null;
    for (let steps = 0; steps < STEPS_IN_A_ROW; steps++) {
      const taken = takeOne();
      if (taken === null) return;
      const wait = rest.after(DELIVERIES.includes(taken.name));
      if (wait > 0) {
        timer = setTimeout(run, wait);
        return;
      }
    }
    timer = setImmediate(run);
  };

  /** Null: nothing is possible. */
  const takeOne = (): OpenStep | null => {
    const possible = cluster.candidates().filter(({ fairness }) => fairness !== 'none');
    const first = possible.filter(({ name }) => FIRST.includes(name));
    const found = first.find((step) => cluster.take(step));
    if (found !== undefined) return found;
    const others = possible.filter(({ name }) => !FIRST.includes(name));
    turn += 1;
    return inTurn(others, turn).find((step) => cluster.take(step)) ?? null;
  };

  return {
    words: 'fair: every controller does its next step in turn, and events arrive at once',
    manual: false,
    wake: () => {
      if (stopped) return;
      serveClients(cluster);
      if (timer !== null) clear(timer);
      timer = setImmediate(run);
    },
    watch: atOnce,
    stop: () => {
      stopped = true;
      if (timer !== null) clear(timer);
    },
  };
}

function inTurn(steps: readonly OpenStep[], turn: number): readonly OpenStep[] {
  if (steps.length === 0) return steps;
  const at = turn % steps.length;
  return [...steps.slice(at), ...steps.slice(0, at)];
}

export function clear(timer: NodeJS.Timeout | NodeJS.Immediate): void {
  clearTimeout(timer as NodeJS.Timeout);
  clearImmediate(timer as NodeJS.Immediate);
}

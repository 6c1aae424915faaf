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
  /** How often each action had its turn, by name, and all of them, by no name. */
  const turns = new Map<string, number>();

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
    const possible = cluster.model.actions.filter(({ fairness }) => fairness !== 'none');
    const first = possible.filter(({ name }) => FIRST.includes(name));
    const others = possible.filter(({ name }) => !FIRST.includes(name));
    for (const action of [...first, ...inTurn(others, nextTurn(''))]) {
      const steps = cluster.candidatesOf(action);
      // A queue is first in, first out, so no item of it waits for ever.
      const isInTurn = 'length' in steps && others.includes(action);
      for (const step of isInTurn ? inTurn(steps, nextTurn(action.name)) : steps) {
        if (cluster.take(step)) return step;
      }
    }
    return null;
  };

  const nextTurn = (of: string): number => {
    const turn = (turns.get(of) ?? 0) + 1;
    turns.set(of, turn);
    return turn;
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

function inTurn<One>(all: readonly One[], turn: number): readonly One[] {
  if (all.length === 0) return all;
  const at = turn % all.length;
  return [...all.slice(at), ...all.slice(0, at)];
}

export function clear(timer: NodeJS.Timeout | NodeJS.Immediate): void {
  clearTimeout(timer as NodeJS.Timeout);
  clearImmediate(timer as NodeJS.Immediate);
}

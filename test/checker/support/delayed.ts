import type { Action, Model, Parameters } from '../../../checker/model.ts';

/** A state with counters. */
export type Delayed<State> = State & { ticks: Record<string, number> };

const TICKS = ['t0', 't1', 't2', 't3'];
const LAST_TICK = 3;

/**
 * The model with four counters, which has many more states. Its first action waits for all of them.
 */
export function delayed<State>(model: Model<State>): Model<Delayed<State>> {
  const actions = Object.entries(model.actions).map(([name, action], index) => {
    const reduce = (draft: Delayed<State>, parameters: Parameters) => {
      if (index === 0 && TICKS.some((tick) => draft.ticks[tick] !== LAST_TICK)) return;
      action.reduce(draft as never, parameters);
    };
    return [name, { ...action, reduce }] as const;
  });
  const tick: Action<Delayed<State>> = {
    parameters: TICKS.map((name) => ({ name })),
    fairness: 'weak',
    reduce({ ticks }, { name }) {
      const counted = ticks as Record<string, number>;
      const now = counted[String(name)] ?? 0;
      if (now < LAST_TICK) counted[String(name)] = now + 1;
    },
  };
  return {
    ...(model.symmetry === undefined ? {} : { symmetry: model.symmetry }),
    name: 'delayed',
    slots: { ...model.slots, ticks: 'entries' },
    initial: model.initial.map((state) => ({ ...state, ticks: {} })),
    actions: { ...Object.fromEntries(actions), tick } as Model<Delayed<State>>['actions'],
  };
}

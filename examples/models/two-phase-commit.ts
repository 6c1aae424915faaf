import { combinations, defineModel, defineProperty, symmetryOf } from 'reapcheck/checker';

/** Two-phase commit as in Gray and Lamport, "Consensus on transaction commit". */
interface Commit {
  readonly managers: Readonly<Record<string, 'working' | 'prepared' | 'committed' | 'aborted'>>;
  readonly coordinator: 'init' | 'committed' | 'aborted';
  readonly noted: Readonly<Record<string, true>>;
  /** Messages are never consumed. */
  readonly prepared: Readonly<Record<string, true>>;
  readonly decision: Readonly<Record<string, true>>;
}

export function twoPhaseCommit(count: number) {
  const names = Array.from({ length: count }, (_, index) => `manager${index + 1}`);
  const parameters = combinations({ manager: names });
  const managers = Object.fromEntries(names.map((name) => [name, 'working' as const]));
  const start: Commit = { managers, coordinator: 'init', noted: {}, prepared: {}, decision: {} };
  const model = defineModel({
    name: `two-phase commit, ${count} managers`,
    initial: [start],
    slots: {
      managers: 'entries',
      coordinator: 'value',
      noted: 'flags',
      prepared: 'flags',
      decision: 'flags',
    },
    symmetry: symmetryOf({ managers: names }),
    actions: {
      note: {
        parameters,
        reduce({ coordinator, prepared, noted }, { manager }) {
          if (coordinator === 'init' && prepared[manager]) noted[manager] = true;
        },
      },
      commitAll: {
        reduce(draft) {
          if (draft.coordinator !== 'init' || !names.every((name) => draft.noted[name])) return;
          draft.coordinator = 'committed';
          draft.decision.commit = true;
        },
      },
      abortAll: {
        reduce(draft) {
          if (draft.coordinator !== 'init') return;
          draft.coordinator = 'aborted';
          draft.decision.abort = true;
        },
      },
      prepare: {
        parameters,
        reduce({ managers, prepared }, { manager }) {
          if (managers[manager] !== 'working') return;
          managers[manager] = 'prepared';
          prepared[manager] = true;
        },
      },
      chooseAbort: {
        parameters,
        reduce({ managers }, { manager }) {
          if (managers[manager] === 'working') managers[manager] = 'aborted';
        },
      },
      learn: {
        parameters: combinations({ manager: names, decision: ['committed', 'aborted'] }),
        reduce(draft, { manager, decision }) {
          if (draft.decision[decision === 'committed' ? 'commit' : 'abort'])
            draft.managers[manager] = decision;
        },
      },
    },
  });
  const agree = defineProperty(model, {
    kind: 'invariant',
    name: 'managers agree',
    holds: ({ managers }) => {
      const states = Object.values(managers);
      return !states.includes('committed') || !states.includes('aborted');
    },
  });
  return { model, agree };
}

const three = twoPhaseCommit(3);
export const { model } = three;
export const properties = [three.agree];

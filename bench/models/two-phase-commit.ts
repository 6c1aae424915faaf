import type { Invariant } from '../../checker/index.ts';
import { combinations, defineModel, type Model } from '../../checker/index.ts';

/**
 * State of Lamport's two-phase commit. Sets are records of flags, so that each member is a slot.
 */
export interface TwoPhaseCommit {
  readonly managers: Readonly<Record<string, 'working' | 'prepared' | 'committed' | 'aborted'>>;
  readonly coordinator: 'init' | 'committed' | 'aborted';
  /** Managers whose "prepared" the coordinator has noted. */
  readonly noted: Readonly<Record<string, true>>;
  /** Managers that have sent "prepared". Messages are never consumed. */
  readonly preparedSent: Readonly<Record<string, true>>;
  readonly decisionSent: Readonly<Record<string, true>>;
}

function managerNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `manager${index + 1}`);
}

/** One coordinator and `count` resource managers. */
export function twoPhaseCommit(count: number): Model<TwoPhaseCommit> {
  const names = managerNames(count);
  const parameters = combinations({ manager: names });
  return defineModel<TwoPhaseCommit>({
    name: `two-phase commit, ${count} managers`,
    slots: {
      managers: 'entries',
      coordinator: 'value',
      noted: 'flags',
      preparedSent: 'flags',
      decisionSent: 'flags',
    },
    initial: [
      {
        managers: Object.fromEntries(names.map((name) => [name, 'working' as const])),
        coordinator: 'init',
        noted: {},
        preparedSent: {},
        decisionSent: {},
      },
    ],
    actions: {
      note: {
        parameters,
        reduce(draft, { manager }) {
          if (draft.coordinator === 'init' && draft.preparedSent[String(manager)]) {
            draft.noted[String(manager)] = true;
          }
        },
      },
      commitAll: {
        reduce(draft) {
          if (draft.coordinator !== 'init' || !names.every((name) => draft.noted[name])) return;
          draft.coordinator = 'committed';
          draft.decisionSent.commit = true;
        },
      },
      abortAll: {
        reduce(draft) {
          if (draft.coordinator !== 'init') return;
          draft.coordinator = 'aborted';
          draft.decisionSent.abort = true;
        },
      },
      prepare: {
        parameters,
        reduce(draft, { manager }) {
          if (draft.managers[String(manager)] !== 'working') return;
          draft.managers[String(manager)] = 'prepared';
          draft.preparedSent[String(manager)] = true;
        },
      },
      chooseAbort: {
        parameters,
        reduce(draft, { manager }) {
          if (draft.managers[String(manager)] === 'working') {
            draft.managers[String(manager)] = 'aborted';
          }
        },
      },
      learnCommit: {
        parameters,
        reduce(draft, { manager }) {
          if (draft.decisionSent.commit) draft.managers[String(manager)] = 'committed';
        },
      },
      learnAbort: {
        parameters,
        reduce(draft, { manager }) {
          if (draft.decisionSent.abort) draft.managers[String(manager)] = 'aborted';
        },
      },
    },
  });
}

/** No manager has committed while another has aborted; one instance for each pair. */
export function consistent(count: number): Invariant<TwoPhaseCommit> {
  const names = managerNames(count);
  return {
    kind: 'invariant',
    name: 'managers agree',
    parameters: names.flatMap((one, index) =>
      names.slice(index + 1).map((other) => ({ one, other })),
    ),
    holds({ managers }, parameters) {
      const one = managers[String(parameters.one)];
      const other = managers[String(parameters.other)];
      return one === 'committed' ? other !== 'aborted' : one !== 'aborted' || other !== 'committed';
    },
  };
}

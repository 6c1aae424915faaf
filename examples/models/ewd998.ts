import { combinations, defineModel, defineProperty } from 'reapcheck/checker';

/**
 * EWD998: Safra's detection of termination on a ring (E. W. Dijkstra, "Shmuel Safra's version of
 * termination detection", 1987). A node counts messages sent less messages received; a token adds
 * up the counts.
 */
interface Ring {
  readonly active: Readonly<Record<string, true>>;
  readonly black: Readonly<Record<string, true>>;
  readonly counts: Readonly<Record<string, number>>;
  /** Messages on their way to a node. */
  readonly pending: Readonly<Record<string, number>>;
  readonly token: { readonly at: number; readonly sum: number; readonly isBlack: boolean };
}

const nodes = [0, 1, 2];
const zeros = { 0: 0, 1: 0, 2: 0 };
const start: Ring = {
  active: { 0: true, 1: true, 2: true },
  black: {},
  counts: zeros,
  pending: zeros,
  token: { at: 0, sum: 0, isBlack: true },
};

/** What node 0 concludes from the token. */
const isDetected = ({ token, counts, black, active }: Ring): boolean =>
  token.at === 0 && !token.isBlack && !black[0] && !active[0] && token.sum + counts[0]! === 0;

const isTerminated = ({ active, pending }: Ring): boolean =>
  Object.keys(active).length === 0 && Object.values(pending).every((count) => count === 0);

/** If a receiver stays white, messages that overtake the token are missed. */
export const ewd998With = (blackens: boolean) =>
  defineModel({
    name: 'EWD998, 3 nodes',
    initial: [start],
    slots: {
      active: 'flags',
      black: 'flags',
      counts: 'entries',
      pending: 'entries',
      token: 'value',
    },
    actions: {
      probe: {
        fairness: 'weak',
        reduce(draft) {
          if (draft.token.at !== 0) return;
          if (!draft.token.isBlack && !draft.black[0] && draft.token.sum + draft.counts[0]! <= 0)
            return;
          draft.token = { at: nodes.length - 1, sum: 0, isBlack: false };
          delete draft.black[0];
        },
      },
      pass: {
        parameters: combinations({ node: nodes.slice(1) }),
        fairness: 'weak',
        reduce({ token, active, counts, black }, { node }) {
          if (token.at !== node || active[node]) return;
          token.at--;
          token.sum += counts[node]!;
          if (black[node]) token.isBlack = true;
          delete black[node];
        },
      },
      send: {
        parameters: combinations({ from: nodes, to: nodes }),
        reduce({ active, counts, pending }, { from, to }) {
          if (from === to || !active[from]) return;
          counts[from]!++;
          pending[to]!++;
        },
      },
      receive: {
        parameters: combinations({ node: nodes }),
        fairness: 'weak',
        reduce({ active, black, counts, pending }, { node }) {
          if (pending[node] === 0) return;
          pending[node]!--;
          counts[node]!--;
          active[node] = true;
          if (blackens) black[node] = true;
        },
      },
      rest: {
        parameters: combinations({ node: nodes }),
        reduce({ active }, { node }) {
          delete active[node];
        },
      },
    },
  });

export const ewd998 = ewd998With(true);

/** The ring has infinitely many states: a search needs a constraint. */
export const within = ({ counts, pending, token }: Ring): boolean =>
  Object.values(counts).every((count) => Math.abs(count) <= 1) &&
  Object.values(pending).every((count) => count <= 1) &&
  Math.abs(token.sum) <= 2;

export const ewd998Properties = [
  defineProperty(ewd998, {
    kind: 'invariant',
    name: 'what is detected is true',
    trigger: isDetected,
    holds: isTerminated,
  }),
  defineProperty(ewd998, {
    kind: 'eventually',
    name: 'termination is detected',
    trigger: isTerminated,
    goal: isDetected,
  }),
];

export { ewd998 as model, ewd998Properties as properties };

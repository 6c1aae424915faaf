import { combinations, defineModel, defineProperty } from 'reapcheck/checker';

/** A lock with a line of waiting clients, who may give up. */
export interface Lock {
  readonly holder: string | null;
  readonly waiting: { readonly line: readonly string[] };
}

const start: Lock = { holder: null, waiting: { line: [] } };
const clients = combinations({ client: ['a', 'b', 'c'] });

export const lock = defineModel({
  name: 'lock service',
  initial: [start],
  slots: { holder: 'value', waiting: 'queues' },
  actions: {
    acquire: {
      parameters: clients,
      reduce(draft, { client }) {
        if (draft.holder === client || draft.waiting.line.includes(client)) return;
        if (draft.holder === null) draft.holder = client;
        else draft.waiting.line.push(client);
      },
    },
    giveUp: {
      parameters: clients,
      reduce(draft, { client }) {
        draft.waiting.line = draft.waiting.line.filter((other) => other !== client);
      },
    },
    release: {
      parameters: clients,
      fairness: 'weak',
      reduce(draft, { client }) {
        if (draft.holder === client) draft.holder = draft.waiting.line.shift() ?? null;
      },
    },
  },
});

export const properties = [
  defineProperty(lock, {
    kind: 'invariant',
    name: 'nobody waits for a free lock',
    holds: ({ holder, waiting }) => holder !== null || waiting.line.length === 0,
  }),
  defineProperty(lock, {
    kind: 'eventually',
    name: 'a client that waits holds the lock, or gives up',
    parameters: clients,
    trigger: ({ waiting }, { client }) => waiting.line.includes(client),
    goal: ({ holder, waiting }, { client }) => holder === client || !waiting.line.includes(client),
  }),
];

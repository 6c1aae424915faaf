import { combinations, defineModel, defineProperty, symmetryOf } from 'reapcheck/checker';

/** Leader election of Raft. Requests reach whom they reach, or nobody. */
interface Election {
  readonly servers: Readonly<
    Record<
      string,
      {
        readonly role: 'follower' | 'candidate' | 'leader';
        readonly term: number;
        readonly votedFor: string | null;
      }
    >
  >;
  /** `voter>candidate>term`: a vote that was cast. */
  readonly votes: Readonly<Record<string, true>>;
}

const names = ['s1', 's2', 's3'] as const;
const server = combinations({ server: names });
const start: Election = {
  servers: Object.fromEntries(
    names.map((name) => [name, { role: 'follower', term: 0, votedFor: null }] as const),
  ),
  votes: {},
};

/** If votes are not written to disk, a server that restarts may vote twice in a term. */
export const raftWith = ({ terms, onDisk }: { terms: number; onDisk: boolean }) =>
  defineModel({
    name: 'Raft election',
    initial: [start],
    slots: { servers: 'entries', votes: 'flags' },
    symmetry: symmetryOf({ servers: names }, { separator: '>' }),
    actions: {
      timeOut: {
        parameters: server,
        reduce({ servers, votes }, { server }) {
          const own = servers[server]!;
          if (own.role === 'leader' || own.term === terms) return;
          servers[server] = { role: 'candidate', term: own.term + 1, votedFor: server };
          votes[`${server}>${server}>${own.term + 1}`] = true;
        },
      },
      vote: {
        parameters: combinations({ voter: names, candidate: names }),
        reduce({ servers, votes }, { voter, candidate }) {
          const own = servers[voter]!;
          const { role, term } = servers[candidate]!;
          if (voter === candidate || role !== 'candidate' || term < own.term) return;
          if (term === own.term && own.votedFor !== null) return;
          servers[voter] = { role: 'follower', term, votedFor: candidate };
          votes[`${voter}>${candidate}>${term}`] = true;
        },
      },
      lead: {
        parameters: server,
        reduce({ servers, votes }, { server }) {
          const own = servers[server]!;
          if (own.role !== 'candidate') return;
          const cast = names.filter((voter) => votes[`${voter}>${server}>${own.term}`]);
          if (cast.length > names.length / 2) own.role = 'leader';
        },
      },
      restart: {
        parameters: server,
        reduce({ servers }, { server }) {
          const own = servers[server]!;
          own.role = 'follower';
          if (!onDisk) own.votedFor = null;
        },
      },
    },
  });

const raft = raftWith({ terms: 2, onDisk: true });

export const raftProperties = [
  defineProperty(raft, {
    kind: 'invariant',
    name: 'a term has one leader at most',
    holds: ({ servers }) => {
      const terms = Object.values(servers).flatMap(({ role, term }) =>
        role === 'leader' ? [term] : [],
      );
      return new Set(terms).size === terms.length;
    },
  }),
  defineProperty(raft, {
    kind: 'witness',
    name: 'each server can be elected',
    parameters: server,
    reached: ({ servers }, { server }) => servers[server]?.role === 'leader',
  }),
];

export { raft as model, raftProperties as properties };

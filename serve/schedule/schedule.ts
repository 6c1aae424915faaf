import type { LiveRead } from '../../model/index.ts';
import type { ServedCluster } from '../cluster/cluster.ts';

/** How far the repetition of a run has come. */
export interface Progress {
  /** `left`: a client has done something else. */
  readonly state: 'waits' | 'complete' | 'left';
  /** From 1: the step that comes next, which is the request of a client if it waits. */
  readonly step: number;
  readonly of: number;
}

/** The events of a watch that wait to be sent. */
export interface WatchStream {
  /** Name in the table of kinds. */
  readonly kind: string;
  /** Whether it is one of the operator that plays a controller of the run. */
  readonly isOfOperator: boolean;
  /** The revision of the event that comes next. Null: there is none. */
  next(): number | null;
  /** Sends one event. @returns whether there are more. */
  flush(): boolean;
}

/** A watch that sends everything at once. */
export function atOnce({ flush }: WatchStream) {
  return {
    notify: () => {
      while (flush());
    },
    end: () => {},
  };
}

/** How the requests of the operator are answered that plays a controller of the run. */
export interface PlayedOperator {
  /** The operator is about to send this writing request. */
  sends(client: string): void;
  /** Resolves when the answer to that request may be sent. */
  answers(client: string): Promise<void>;
  /** Resolves when this read may be answered. */
  reads(read: LiveRead): Promise<void>;
}

/** Decides when which possible step of the model comes. */
export interface Schedule {
  /** What it is, in words for the person who has started the server. */
  readonly words: string;
  /** Something may have become possible: a request has come, or a setup has grown. */
  wake(): void;
  /** Whether the steps of controllers come from outside. */
  readonly manual: boolean;
  /** Lets a watch send what it holds. A schedule may let it wait. */
  watch(stream: WatchStream): { notify(): void; end(): void };
  /** Absent: no client plays a controller. */
  readonly operator?: PlayedOperator;
  /** Null: the schedule repeats no run. Absent: the same. */
  progress?(): Progress | null;
  /** Takes no further step. */
  stop(): void;
}

/** The API server works on the requests of clients from outside until all are answered. */
export function serveClients(cluster: ServedCluster): void {
  while (cluster.hasPending()) {
    const steps = cluster.model.actions
      .filter(({ name }) => name === 'serve')
      .flatMap((action) => [...cluster.candidatesOf(action)])
      .filter(({ parameters }) => cluster.isPending(String(parameters.client)));
    if (steps.length === 0) return;
    for (const step of steps) cluster.take(step);
  }
}

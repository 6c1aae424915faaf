import type { ServedCluster } from '../cluster/cluster.ts';

/** Decides when which possible step of the model comes. */
export interface Schedule {
  /** What it is, in words for the person who has started the server. */
  readonly words: string;
  /** Something may have become possible: a request has come, or a setup has grown. */
  wake(): void;
  /** Whether the steps of controllers come from outside. */
  readonly manual: boolean;
  /** Lets a watch send what it holds. A schedule may let it wait. */
  watch(flush: () => boolean): { notify(): void; end(): void };
  /** Takes no further step. */
  stop(): void;
}

/** The API server works on the requests of clients from outside until all are answered. */
export function serveClients(cluster: ServedCluster): void {
  while (cluster.hasPending()) {
    const steps = cluster
      .candidates()
      .filter(
        ({ name, parameters }) => name === 'serve' && cluster.isPending(String(parameters.client)),
      );
    if (steps.length === 0) return;
    for (const step of steps) cluster.take(step);
  }
}

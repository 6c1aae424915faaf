import type { Answer, Call, Cluster, World } from '../../../model/index.ts';
import { runRequest, runStep, type StoreEvent } from './run-request.ts';

/**
 * Runs a request whose validation is interrupted by another one. In the model a transaction is one
 * step: the last try, which succeeds. Here the tries are separate: each one reads, validates, and
 * commits unless another request wrote after the read.
 */
export function raceWithValidation(
  start: Cluster,
  world: World,
  first: Call,
  interrupting: (cluster: Cluster) => Call,
): {
  readonly cluster: Cluster;
  readonly answer: Answer;
  readonly events: readonly StoreEvent[];
  readonly validationCalls: number;
  /** The answer to the interrupting request; null if nothing was validated. */
  readonly interruption: Answer | null;
} {
  const reader = 'transaction';
  let cluster = start;
  let call = first;
  let validationCalls = 0;
  let interruption: Answer | null = null;
  const events: StoreEvent[] = [];
  for (;;) {
    if (call.verb === 'delete' && call.at !== 'get') {
      const { key } = call;
      for (let committed = false; !committed; ) {
        cluster = withReader(cluster, reader, key);
        validationCalls += 1;
        if (interruption === null) {
          const finished = runRequest(cluster, world, interrupting(cluster));
          interruption = finished.answer;
          cluster = finished.cluster;
          events.push(...finished.events);
        }
        committed = cluster.unchangedSince[reader] === key || cluster.store[key] === undefined;
      }
    }
    const step = runStep(cluster, world, call);
    cluster = step.cluster;
    events.push(...step.events);
    if (step.progress.done) {
      const { answer } = step.progress;
      const rest = { answer, events, validationCalls, interruption };
      return { cluster: withReader(cluster, reader, null), ...rest };
    }
    call = step.progress.call;
  }
}

function withReader(cluster: Cluster, reader: string, key: string | null): Cluster {
  const { [reader]: _, ...others } = cluster.unchangedSince;
  return { ...cluster, unchangedSince: key === null ? others : { ...others, [reader]: key } };
}

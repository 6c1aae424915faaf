import type { Answer, Call, Cluster, World } from '../../../model/index.ts';
import { type StoreEvent, serve, serveStep } from './run-request.ts';

/**
 * A request whose validation is interrupted by another one. The model takes a transaction as one
 * step, the last try that succeeds. Here the tries are told apart: each one reads, validates, and
 * commits if nobody has written since it has read.
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
  /** What the interrupting request was answered; null if nothing was ever validated. */
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
          const served = serve(cluster, world, interrupting(cluster));
          interruption = served.answer;
          cluster = served.cluster;
          events.push(...served.events);
        }
        committed = cluster.unchangedSince[reader] === key || cluster.store[key] === undefined;
      }
    }
    const step = serveStep(cluster, world, call);
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

import type { Trace } from './logs/observations.ts';
import { collectorMisfit } from './open/collector-demands.ts';
import { type Search, type SearchOptions, searchOf } from './prepared.ts';

/**
 * The search for an explanation in which clients send what the collector sends, at any time. It has
 * no hidden steps but those of the API server, so it ends soon. What it does not explain, nothing
 * does: each request of a worker does to the API server what the same request of a client does. It
 * goes no further than to the first request that no worker sends, whatever it has seen.
 *
 * Null if this is not known: for the designs in which a worker's request asks more than its body
 * says, for PUTs of finalizers (before 1.15), for logs with gaps and for requests whose bodies are
 * not shown.
 */
export function searchWithoutCollector(trace: Trace, options: SearchOptions): Search | null {
  const { rules, partial, reduced = true } = options;
  const isShown = trace.requests.every(
    ({ collector, verb, body }) => !collector || verb === 'get' || body.is === 'value',
  );
  if (!reduced || partial || !isShown || rules.finalizerRemoval !== 'patch') return null;
  if (rules.foregroundDeletion !== 'deleteWorkers') return null;
  const requests = trace.requests.map((request) => ({ ...request, collector: false }));
  const sent = { ...trace, requests, warnings: [], restarts: 0, relists: 0 };
  const { context, ...search } = searchOf(sent, options);
  return { ...search, context: { ...context, unsent: collectorMisfit(trace, rules) } };
}

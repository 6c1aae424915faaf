import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Trace } from '../../conformance/recordings/logs/observations.ts';
import { tracesIn } from '../../conformance/recordings/logs/read.ts';

/** The recordings in test/conformance/recordings. */

/**
 * The limits of one trace. They count states, as a limit on time would make the verdict depend on
 * the machine. No recording needs more than 800 states, and no corrupted one more than 4,200.
 */
export const UNTIMED = { states: 100_000, milliseconds: Number.POSITIVE_INFINITY };

function inflated(name: string): string {
  const file = new URL(`recordings/${name}`, import.meta.url);
  return gunzipSync(readFileSync(file)).toString('utf8');
}

/** The recorded scenarios by name, as recorded. */
export function recordedScenarios(): Readonly<Record<string, unknown>> {
  return JSON.parse(inflated('recordings.json.gz')) as Record<string, unknown>;
}

/** The runs of a recorded scenario. */
export function tracesOf(name: string, scenario: unknown): readonly Trace[] {
  return tracesIn({ file: `${name}.json`, text: JSON.stringify(scenario) }, { partial: false });
}

export function auditLines(): readonly string[] {
  return inflated('shop-and-ledger.jsonl.gz').trimEnd().split('\n');
}

/** The watch events of a run as `kubectl get -w -o json --output-watch-events` would print them. */
export function watchStream(trace: Trace): string {
  const events = (trace.changes ?? []).map(({ type, kind, namespace, name, object }) => {
    const { phase, specFinalizers, ...metadata } = object;
    return JSON.stringify({
      type,
      object: {
        apiVersion: kind.apiVersions[0],
        kind: kind.kind,
        metadata: { name, ...(namespace === '' ? {} : { namespace }), ...metadata },
        ...(phase === null ? {} : { status: { phase } }),
        ...(specFinalizers === null ? {} : { spec: { finalizers: specFinalizers } }),
      },
    });
  });
  return events.join('\n');
}

import { expect, it } from 'vitest';
import type { SeenRequest, Trace } from '../../conformance/recordings/logs/observations.ts';
import { judgeOpen } from '../../conformance/recordings/open/judge-open.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { auditTrace, type Level } from './audit-lines.ts';
import { recordedScenarios, tracesOf, UNTIMED } from './recorded-traces.ts';

const rules = PROTOCOLS['v1.20']!;
const traces = new Map(
  Object.entries(recordedScenarios()).map(([name, scenario]) => [name, tracesOf(name, scenario)]),
);

function complaints(results: readonly ReturnType<typeof judgeOpen>[]): readonly string[] {
  return results.flatMap(({ trace, verdict, failure }) =>
    verdict === 'accepted'
      ? []
      : [`${verdict} ${trace.name}: ${failure?.event} ${JSON.stringify(failure?.misfits)}`],
  );
}

const bare = (level: Level) => (trace: Trace) => auditTrace(trace, () => level);
const mixed = (trace: Trace) =>
  auditTrace(
    trace,
    ({ kind, name }: SeenRequest): Level =>
      (kind.name.length + (name ?? '').length) % 3 === 0
        ? 'RequestResponse'
        : (name ?? '').length % 2 === 0
          ? 'Metadata'
          : 'Request',
  );

it.each([
  ['Metadata', bare('Metadata')],
  ['Request', bare('Request')],
  ['RequestResponse', bare('RequestResponse')],
  ['mixed', mixed],
] as const)('accepts every recording at level %s', (level, strip) => {
  const t = performance.now();
  const results = [...traces.values()].flatMap((runs) =>
    runs.map((run) => judgeOpen(strip(run), rules, UNTIMED)),
  );
  console.log(
    level,
    results.length,
    performance.now() - t,
    Math.max(...results.map((r) => r.states)),
  );
  const c = complaints(results);
  console.log(c.length, c.slice(0, 12).join('\n'));
  expect(c.length).toBe(0);
});

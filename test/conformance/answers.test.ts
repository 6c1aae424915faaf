import { expect, it } from 'vitest';
import { judge } from '../../conformance/recordings/judge.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { tracesOf, UNTIMED } from './recorded-traces.ts';

/** A held object is deleted; the answer shows the object, or only that the request succeeded. */
function deletion(resource: string, kind: string, showsObject: boolean) {
  const body = {
    apiVersion: 'v1',
    kind,
    metadata: { name: 'x', finalizers: ['example.test/hold'] },
  };
  const place = { resource, name: 'x', namespace: 'default' };
  const stored = { uid: 'uid-x', resourceVersion: '10', finalizers: ['example.test/hold'] };
  const marked = {
    ...stored,
    resourceVersion: '11',
    deletionTimestamp: '2026-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 0,
  };
  const at = (time: string) => ({ received: `12:00:00.${time}0`, completed: `12:00:00.${time}5` });
  return {
    name: `held-${resource}`,
    ...{ group: 'answers', description: '', kubernetes: 'v1.20.2', gcWorkers: 20 },
    ...{ steps: [], runsRecorded: 1 },
    runs: [
      {
        run: 1,
        requests: [
          {
            actor: 'a',
            verb: 'create',
            ...place,
            body,
            code: 201,
            ...at('00001'),
            response: stored,
          },
          {
            ...{ actor: 'a', verb: 'delete', ...place, body: {}, code: 200, ...at('00002') },
            ...(showsObject ? { response: marked } : {}),
          },
        ],
        watch: [
          { type: 'ADDED', ...place, object: stored },
          { type: 'MODIFIED', ...place, object: marked },
        ],
        events: [],
        final: [{ ...marked, id: 'x', kind, name: 'x', namespace: 'default' }],
      },
    ],
  };
}

const judged = (recording: { readonly name: string }, protocol: string) =>
  tracesOf(recording.name, recording).map(
    (trace) =>
      judge(trace, { rules: PROTOCOLS[protocol]!, limits: UNTIMED, partial: false }).validation
        .verdict,
  );

it.each([
  ['configmaps', 'ConfigMap', true, 'v1.20', 'accepted'],
  ['configmaps', 'ConfigMap', false, 'v1.20', 'rejected'],
  ['services', 'Service', false, 'v1.20', 'accepted'],
  ['services', 'Service', true, 'v1.23', 'accepted'],
  ['services', 'Service', false, 'v1.23', 'rejected'],
])(
  'a DELETE of held %s of kind %s that shows the object (%s) under %s is %s',
  (resource, kind, shows, protocol, verdict) => {
    expect(judged(deletion(resource, kind, shows), protocol)).toEqual([verdict]);
  },
);

it('is inconclusive, in one search and not in ever larger ones, if the memory is full', () => {
  const recording = deletion('configmaps', 'ConfigMap', true);
  const [trace] = tracesOf(recording.name, recording);
  const limits = { ...UNTIMED, megabytes: 1 };
  const options = { rules: PROTOCOLS['v1.20']!, limits, partial: false };
  expect(judge(trace!, options).validation).toMatchObject({
    verdict: 'inconclusive',
    statistics: { states: 0 },
  });
});

import { expect, it } from 'vitest';
import { METHODS } from '../../conformance/recordings/describe.ts';
import { recordings } from '../conformance/recordings.ts';
import { CONFIG_MAPS, type Json, serving } from './server.ts';

/**
 * Recordings whose requests the model of a user has no words for: a selector, and fields that are
 * taken off. The bodies are sent as they were, with the uids, versions and times of this server.
 */

/** What differs from cluster to cluster. */
const OF_CLUSTER = ['uid', 'resourceVersion', 'deletionTimestamp'] as const;

type Metadata = Readonly<Record<string, unknown>>;

/** Puts what is here in the place of what was there. */
function translated(body: unknown, known: readonly (readonly [there: Metadata, here: Metadata])[]) {
  return JSON.parse(JSON.stringify(body), (field, value) => {
    if (!OF_CLUSTER.some((one) => one === field)) return value;
    return known.findLast(([there]) => there[field] === value)?.[1][field] ?? value;
  });
}

it.each([
  ...['w-update-deleting', 'z-deletecollection-fg'].map((name) => [name, 'fair'] as const),
  ...['w-update-deleting', 'z-deletecollection-fg'].map((name) => [name, 'seed:2'] as const),
])('%s is answered as it was, with the schedule %s', async (name, schedule) => {
  const recording = recordings().find((one) => one.name === name);
  const run = recording?.runs[0];
  const steps = recording?.steps as readonly { readonly selector?: string }[];
  const selector = steps.find((step) => step.selector !== undefined)?.selector ?? '';
  const server = await serving(schedule);
  const settled = () =>
    server.until(async () => {
      const { body } = await server.get('/reapcheck/run');
      return (body as unknown as { readonly quiet: boolean }).quiet;
    });
  const known: [there: Metadata, here: Metadata][] = [];
  for (const { actor, verb, name: object, body, code, response } of run?.requests ?? []) {
    if (actor !== 'alice') continue;
    const query =
      verb === 'deletecollection' ? `?labelSelector=${encodeURIComponent(selector)}` : '';
    const at = object && verb !== 'create' ? `/${object}` : query;
    const sent = translated(body, known);
    // Only the body of a PUT is for the namespace of the recording.
    if (verb === 'update') delete sent.metadata.namespace;
    const type = Array.isArray(sent)
      ? 'application/json-patch+json'
      : 'application/merge-patch+json';
    const answer = await server.send(
      METHODS[verb],
      `${CONFIG_MAPS}${at}`,
      sent,
      verb === 'patch' ? type : 'application/json',
    );
    expect(answer.code, `${verb} ${JSON.stringify(sent)}`).toBe(code);
    if (response !== undefined)
      known.push([response as Metadata, answer.body.metadata as unknown as Metadata]);
    await settled();
  }
  const { body: left } = await server.get(CONFIG_MAPS);
  const namesIn = (items: readonly { readonly metadata: { readonly name: string } }[]) =>
    items.map(({ metadata }) => metadata.name);
  expect(namesIn(left.items as readonly Json[])).toEqual((run?.final ?? []).map((one) => one.name));
});

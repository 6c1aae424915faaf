import { expect, it } from 'vitest';
import { CONFIG_MAPS, configMap, type Json, SECRETS, serving, type TestServer } from './server.ts';

const MERGE = 'application/merge-patch+json';

interface Event {
  readonly type: string;
  readonly object: Json;
}

/** Reads so many events of a watch, or all until it ends. */
async function watched(server: TestServer, query: string, count: number): Promise<Event[]> {
  const end = new AbortController();
  const response = await fetch(`${server.url}${CONFIG_MAPS}?watch=true&${query}`, {
    signal: end.signal,
  });
  expect(response.status).toBe(200);
  const events: Event[] = [];
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    events.push(...lines.map((line) => JSON.parse(line) as Event));
    if (events.length >= count) break;
  }
  end.abort();
  return events;
}

const words = (events: readonly Event[]): readonly string[] =>
  events.map(({ type, object }) => `${type} ${object.metadata.name}`);

it('begins with what is stored, or after the revision that is asked for', async () => {
  const server = await serving();
  await server.send('POST', CONFIG_MAPS, configMap('a'));
  const { body: list } = await server.get(CONFIG_MAPS);
  await server.send('POST', CONFIG_MAPS, configMap('b'));
  await server.send('DELETE', `${CONFIG_MAPS}/a`);
  expect(words(await watched(server, 'resourceVersion=0', 1))).toEqual(['ADDED b']);
  const after = `resourceVersion=${list.metadata.resourceVersion}`;
  const events = await watched(server, after, 2);
  expect(words(events)).toEqual(['ADDED b', 'DELETED a']);
  const [first, second] = events.map(({ object }) => Number(object.metadata.resourceVersion));
  expect(second).toBeGreaterThan(first ?? Number.NaN);
});

it('shows changes as they come, also under an adversary that delays them', async () => {
  const server = await serving('seed:3');
  const events = watched(server, '', 4);
  await server.send('POST', CONFIG_MAPS, configMap('a'));
  await server.send('PATCH', `${CONFIG_MAPS}/a`, { data: { a: '2' } }, MERGE);
  await server.send('DELETE', `${CONFIG_MAPS}/a`);
  await server.send('POST', CONFIG_MAPS, configMap('a'));
  const shown = words(await events);
  expect(shown.slice(-3)).toEqual(['MODIFIED a', 'DELETED a', 'ADDED a']);
});

it('shows an object that enters or leaves the selection as added or deleted', async () => {
  const server = await serving();
  await server.send('POST', CONFIG_MAPS, configMap('a'));
  const { body: list } = await server.get(CONFIG_MAPS);
  const label = (app: string | null) =>
    server.send('PATCH', `${CONFIG_MAPS}/a`, { metadata: { labels: { app } } }, MERGE);
  await label('web');
  await label('db');
  await label('web');
  const query = `resourceVersion=${list.metadata.resourceVersion}&labelSelector=app%3Dweb`;
  expect(words(await watched(server, query, 3))).toEqual(['ADDED a', 'DELETED a', 'ADDED a']);
});

it('marks the end of its initial events for a client that lists by watching', async () => {
  const server = await serving();
  await server.send('POST', CONFIG_MAPS, configMap('a'));
  const query = 'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
  const [added, bookmark] = await watched(server, query, 2);
  expect(added?.type).toBe('ADDED');
  expect(bookmark).toMatchObject({
    type: 'BOOKMARK',
    object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
  });
});

it('ends when its time is over, with a bookmark, and says when its beginning is forgotten', async () => {
  const server = await serving();
  const { body: list } = await server.get(CONFIG_MAPS);
  await server.send('POST', SECRETS, { metadata: { name: 'another-kind' } });
  const { resourceVersion } = list.metadata;
  const ending = `timeoutSeconds=1&resourceVersion=${resourceVersion}`;
  const [unmarked, marked] = await Promise.all([
    watched(server, ending, 1),
    watched(server, `${ending}&allowWatchBookmarks=true`, 2),
  ]);
  expect([unmarked, marked.map(({ type }) => type)]).toEqual([[], ['BOOKMARK']]);
  expect(Number(marked[0]?.object.metadata.resourceVersion)).toBe(Number(resourceVersion) + 1);
  const [error] = await watched(server, 'resourceVersion=1', 1);
  expect(error).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  const { body } = await server.get(`${CONFIG_MAPS}?resourceVersion=999999`);
  expect(body).toMatchObject({ code: 504, reason: 'Timeout' });
});

it('a watch with contradictory options is refused', async () => {
  const server = await serving();
  const refused = async (query: string) =>
    (await server.get(`${CONFIG_MAPS}?watch=true&${query}`)).body;
  for (const [query, message] of [
    ['resourceVersionMatch=NotOlderThan', /forbidden for watch unless sendInitialEvents/],
    ['sendInitialEvents=true', /requires setting resourceVersionMatch to NotOlderThan/],
    ['sendInitialEvents=true&resourceVersionMatch=Exact', /supported values: "NotOlderThan"/],
  ] as const) {
    expect(await refused(query)).toMatchObject({
      code: 422,
      message: expect.stringMatching(message),
    });
  }
});

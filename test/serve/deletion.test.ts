import { describe, expect, it } from 'vitest';
import {
  ANYTHING,
  CLAIM,
  CONFIG_MAPS,
  CONTAINERS,
  configMap,
  family,
  SECRETS,
  serving,
  type TestServer,
} from './server.ts';

const MERGE = 'application/merge-patch+json';
const DEPENDENT = `${SECRETS}/dependent`;
const OWNER = `${CONFIG_MAPS}/owner`;

/** Every promise of the collector holds under a good day and under an adversary. */
describe.each(['fair', 'seed:1', 'seed:2'])('with the schedule %s', (schedule) => {
  it('a dependent goes after its owner in the background', async () => {
    const server = await serving(schedule);
    await family(server);
    const { code, body } = await server.send('DELETE', OWNER);
    expect({ code, body }).toMatchObject({ code: 200, body: { status: 'Success' } });
    await server.gone(DEPENDENT);
  });

  it('an owner waits for its dependents in the foreground', async () => {
    const server = await serving(schedule);
    await family(server);
    await server.send('PATCH', DEPENDENT, { metadata: { finalizers: ['test/hold'] } }, MERGE);
    const { body } = await server.send('DELETE', OWNER, { propagationPolicy: 'Foreground' });
    expect(body.metadata).toMatchObject({
      finalizers: ['foregroundDeletion'],
      deletionTimestamp: expect.stringMatching(/Z$/),
    });
    const isMarked = async () => 'deletionTimestamp' in (await server.get(DEPENDENT)).body.metadata;
    await server.until(isMarked);
    expect((await server.get(OWNER)).code).toBe(200);
    await server.send('PATCH', DEPENDENT, { metadata: { finalizers: null } }, MERGE);
    await server.gone(OWNER);
  });

  it('an orphan loses its reference and stays', async () => {
    const server = await serving(schedule);
    await family(server);
    // The collector must have seen both, or a later event can bring the reference back (26120).
    await settled(server);
    await server.send('DELETE', OWNER, { propagationPolicy: 'Orphan' });
    await server.gone(OWNER);
    const { body } = await server.get(DEPENDENT);
    expect(body.metadata).not.toHaveProperty('ownerReferences');
  });

  it('a namespace is emptied before it goes', async () => {
    const server = await serving(schedule);
    await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
    const inShop = '/api/v1/namespaces/shop/configmaps';
    await server.send('POST', inShop, configMap('a', { finalizers: ['test/hold'] }));
    const { body } = await server.send('DELETE', '/api/v1/namespaces/shop');
    expect(body.status.phase).toBe('Terminating');
    const late = await server.send('POST', inShop, configMap('late'));
    // The adversary's admission may not have seen the deletion yet.
    expect(schedule === 'fair' ? late.code : [201, 403].includes(late.code)).toBe(
      schedule === 'fair' ? 403 : true,
    );
    const isMarked = async () =>
      'deletionTimestamp' in (await server.get(`${inShop}/a`)).body.metadata;
    await server.until(isMarked);
    await server.send('PATCH', `${inShop}/a`, { metadata: { finalizers: null } }, MERGE);
    await server.gone('/api/v1/namespaces/shop');
    expect((await server.get(`${inShop}/a`)).code).toBe(404);
  });
});

/** With a fair schedule, a pause lets the collector see everything. */
async function settled(server: TestServer): Promise<void> {
  let before = '';
  await server.until(async () => {
    const { body } = await server.get('/reapcheck/steps');
    const now = String(body.steps.length);
    const isDone = now === '0' && before === '0';
    before = now;
    return isDone;
  });
}

describe('a DELETE', () => {
  it('demands the uid and the resourceVersion of its preconditions', async () => {
    const server = await serving();
    const { body } = await server.send('POST', CONFIG_MAPS, configMap('a'));
    const { uid, resourceVersion } = body.metadata;
    const at = `${CONFIG_MAPS}/a`;
    const remove = (preconditions: object) => server.send('DELETE', at, { preconditions });
    expect((await remove({ uid: 'another' })).body).toMatchObject({ code: 409 });
    expect((await remove({ resourceVersion: '1' })).body).toMatchObject({ code: 409 });
    await server.send('PATCH', at, { data: { a: '2' } }, MERGE);
    expect((await remove({ uid, resourceVersion })).body).toMatchObject({ code: 409 });
    const { body: now } = await server.get(at);
    const demands = { uid, resourceVersion: now.metadata.resourceVersion };
    expect((await remove(demands)).body).toMatchObject({ status: 'Success', details: { uid } });
  });

  it('refuses contradicting and unknown options', async () => {
    const server = await serving();
    await server.send('POST', CONFIG_MAPS, configMap('a'));
    const remove = (options: unknown) => server.send('DELETE', `${CONFIG_MAPS}/a`, options);
    const both = { propagationPolicy: 'Orphan', orphanDependents: true };
    expect((await remove(both)).code).toBe(422);
    expect((await remove({ propagationPolicy: 'Sideways' })).code).toBe(422);
    expect((await remove({ gracePeriodSeconds: 'soon' })).code).toBe(400);
  });

  it('refuses to remove a collection across namespaces, and all namespaces', async () => {
    const server = await serving();
    await server.send('POST', CONFIG_MAPS, configMap('a'));
    const refused = { code: 405, reason: 'MethodNotAllowed' };
    const everywhere = await server.send('DELETE', '/api/v1/configmaps');
    expect(everywhere.body).toMatchObject(refused);
    const chosen = '/api/v1/configmaps?fieldSelector=metadata.name%3Da';
    expect((await server.send('DELETE', chosen)).body).toMatchObject(refused);
    expect((await server.get(`${CONFIG_MAPS}/a`)).code).toBe(200);
    expect((await server.send('DELETE', '/api/v1/namespaces')).body).toMatchObject(refused);
    const { body } = await server.get('/api/v1');
    const namespaces = body.resources.find(({ name }: { name: string }) => name === 'namespaces');
    expect(namespaces!.verbs).not.toContain('deletecollection');
  });

  it('removes a collection, or what a selector chooses of it', async () => {
    const server = await serving();
    for (const name of ['a', 'b', 'c']) {
      const labels = name === 'a' ? { keep: 'no' } : {};
      await server.send('POST', CONFIG_MAPS, configMap(name, { labels }));
    }
    const names = async () => (await server.get(CONFIG_MAPS)).body.items.length;
    await server.send('DELETE', `${CONFIG_MAPS}?labelSelector=keep%3Dno`);
    expect(await names()).toBe(2);
    expect((await server.send('DELETE', CONFIG_MAPS)).code).toBe(200);
    expect(await names()).toBe(0);
  });

  it('waits for the grace period of a pod that has a node', async () => {
    const server = await serving('manual');
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { nodeName: 'n', containers: CONTAINERS };
    await server.send('POST', pods, { metadata: { name: 'p' }, spec });
    const { body } = await server.send('DELETE', `${pods}/p`);
    expect(body.metadata.deletionGracePeriodSeconds).toBe(30);
    const soon = await server.send('DELETE', `${pods}/p`, { gracePeriodSeconds: 5 });
    expect(soon.body.metadata.deletionGracePeriodSeconds).toBe(5);
    const due = (given: { metadata: { deletionTimestamp: string } }) =>
      Date.parse(given.metadata.deletionTimestamp);
    expect(due(body) - due(soon.body)).toBe(25_000);
    await server.send('DELETE', `${pods}/p`, { gracePeriodSeconds: 0 });
    expect((await server.get(`${pods}/p`)).code).toBe(404);
  });

  it('keeps a claim while a pod uses it', async () => {
    const server = await serving();
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
    const pods = '/api/v1/namespaces/default/pods';
    await server.send('POST', claims, { metadata: { name: 'c' }, spec: CLAIM });
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
    const spec = { nodeName: 'n', volumes, containers: CONTAINERS };
    await server.send('POST', pods, { metadata: { name: 'p' }, spec });
    const finalizers = async () => (await server.get(`${claims}/c`)).body.metadata.finalizers;
    await server.until(async () => (await finalizers())?.includes('kubernetes.io/pvc-protection'));
    await server.send('DELETE', `${claims}/c`);
    expect(await finalizers()).toEqual(['kubernetes.io/pvc-protection']);
    await server.send('DELETE', `${pods}/p`, { gracePeriodSeconds: 0 });
    await server.gone(`${claims}/c`);
  });
});

describe('a definition', () => {
  const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const WIDGETS = '/apis/example.test/v1/namespaces/default/widgets';

  const definition = (kind = 'Widget', plural = 'widgets') => ({
    metadata: { name: `${plural}.example.test` },
    spec: {
      group: 'example.test',
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [
        { name: 'v1', served: true, storage: true, schema: ANYTHING, subresources: { status: {} } },
      ],
    },
  });

  it('adds its kind, and takes it away after the last object', async () => {
    const server = await serving();
    expect((await server.get(WIDGETS)).code).toBe(404);
    const { body } = await server.send('POST', DEFINITIONS, definition());
    expect(body.status.acceptedNames.kind).toBe('Widget');
    const found = await server.get('/apis/example.test/v1');
    expect(found.body.resources.map(({ name }: { name: string }) => name)).toEqual([
      'widgets',
      'widgets/status',
    ]);
    const widget = {
      metadata: { name: 'w', finalizers: ['example.test/hold'] },
      spec: { size: 1 },
    };
    expect((await server.send('POST', WIDGETS, widget)).code).toBe(201);
    const at = `${DEFINITIONS}/widgets.example.test`;
    await server.send('DELETE', at);
    await server.until(
      async () => 'deletionTimestamp' in (await server.get(`${WIDGETS}/w`)).body.metadata,
    );
    expect((await server.send('POST', WIDGETS, { metadata: { name: 'x' } })).code).toBe(405);
    await server.send('PATCH', `${WIDGETS}/w`, { metadata: { finalizers: null } }, MERGE);
    await server.gone(at);
    expect((await server.get(WIDGETS)).code).toBe(404);
  });

  it('is refused if it contradicts itself or another one', async () => {
    const server = await serving();
    const wrong = { ...definition(), metadata: { name: 'other.example.test' } };
    expect((await server.send('POST', DEFINITIONS, wrong)).code).toBe(422);
    await server.send('POST', DEFINITIONS, definition());
    const again = definition('Widget', 'gadgets');
    expect((await server.send('POST', DEFINITIONS, again)).code).toBe(422);
  });
});

import {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { kubeconfigFor } from '../../serve/kubeconfig.ts';
import { ANYTHING, configMap, serving, type TestServer } from './server.ts';

function configOf({ url }: TestServer): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(kubeconfigFor(url));
  return config;
}

const namespace = 'default';
const PATH = `/api/v1/namespaces/${namespace}/configmaps`;

type List = Awaited<ReturnType<Parameters<typeof makeInformer<V1ConfigMap>>[2]>>;

/** Starts an informer of ConfigMaps. @returns what it sees, as it comes. */
async function informed(server: TestServer, list: () => Promise<List>): Promise<readonly string[]> {
  const seen: string[] = [];
  const informer = makeInformer<V1ConfigMap>(configOf(server), PATH, list);
  onTestFinished(() => informer.stop());
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event, (object) => seen.push(`${event} ${object.metadata?.name}`));
  }
  await informer.start();
  return seen;
}

const GROUP = { group: 'example.test', version: 'v1', namespace: 'default', plural: 'widgets' };
const FINALIZER = 'example.test/cleanup';

describe.each(['fair', 'seed:11', 'seed:12'])('with the schedule %s', (schedule) => {
  it('an informer sees what happens, in order', async () => {
    const server = await serving(schedule);
    const api = configOf(server).makeApiClient(CoreV1Api);
    await api.createNamespacedConfigMap({ namespace, body: configMap('before') });
    const seen = await informed(server, () => api.listNamespacedConfigMap({ namespace }));
    await api.createNamespacedConfigMap({ namespace, body: configMap('a') });
    const body = configMap('a', { labels: { x: 'y' } });
    await api.replaceNamespacedConfigMap({ namespace, name: 'a', body });
    await api.deleteNamespacedConfigMap({ namespace, name: 'a' });
    await server.until(async () => seen.includes('delete a'));
    expect(seen).toEqual(['add before', 'add a', 'update a', 'delete a']);
  });

  it('an informer lists again when its watch would begin too early', async () => {
    const server = await serving(schedule);
    const api = configOf(server).makeApiClient(CoreV1Api);
    await api.createNamespacedConfigMap({ namespace, body: configMap('gone') });
    const { items } = await api.listNamespacedConfigMap({ namespace });
    await api.deleteNamespacedConfigMap({ namespace, name: 'gone' });
    await api.createNamespacedConfigMap({ namespace, body: configMap('a') });
    // The first answer is of a revision that the server has forgotten.
    const lists = [{ items, metadata: { resourceVersion: '5' } }];
    const seen = await informed(server, async () => {
      return lists.shift() ?? api.listNamespacedConfigMap({ namespace });
    });
    await server.until(async () => seen.includes('add a'));
    await api.createNamespacedConfigMap({ namespace, body: configMap('b') });
    await server.until(async () => seen.includes('add b'));
    expect(seen).toEqual(['add gone', 'delete gone', 'add a', 'add b']);
  });

  it('an informer that lists in pages misses nothing that happens between them', async () => {
    const server = await serving(schedule);
    const api = configOf(server).makeApiClient(CoreV1Api);
    const create = (name: string) =>
      api.createNamespacedConfigMap({ namespace, body: configMap(name) });
    const remove = (name: string) => api.deleteNamespacedConfigMap({ namespace, name });
    for (const name of ['b', 'c', 'd', 'e']) await create(name);
    const seen = await informed(server, async () => {
      let page = await api.listNamespacedConfigMap({ namespace, limit: 2 });
      const all: V1ConfigMap[] = [...page.items];
      // One object before the mark of the first page changes, and two behind it.
      for (const name of ['b', 'd']) await remove(name);
      for (const name of ['a', 'f']) await create(name);
      while (page.metadata?._continue !== undefined) {
        const { _continue } = page.metadata;
        page = await api.listNamespacedConfigMap({ namespace, limit: 2, _continue });
        all.push(...page.items);
      }
      return { items: all, metadata: page.metadata ?? {} };
    });
    await server.until(async () => seen.includes('add f'));
    expect(seen).toEqual([
      ...['add b', 'add c', 'add d', 'add e'],
      ...['delete b', 'delete d', 'add a', 'add f'],
    ]);
  });

  it('a watch goes on from the bookmark of the one before it', async () => {
    const server = await serving(schedule);
    const config = configOf(server);
    const api = config.makeApiClient(CoreV1Api);
    const create = (name: string) =>
      api.createNamespacedConfigMap({ namespace, body: configMap(name) });
    await create('a');
    const events = (query: Readonly<Record<string, string>>) =>
      new Promise<readonly V1ConfigMap[]>((resolve, reject) => {
        const objects: V1ConfigMap[] = [];
        const done = (error: unknown) => (error ? reject(error) : resolve(objects));
        const asked = { timeoutSeconds: '1', allowWatchBookmarks: 'true', ...query };
        new Watch(config).watch(PATH, asked, (_, object) => void objects.push(object), done);
      });
    const names = (objects: readonly V1ConfigMap[]) =>
      objects.flatMap(({ metadata }) => metadata?.name ?? []);
    const first = await events({ sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' });
    const marks = first.filter(({ metadata }) => metadata?.name === undefined);
    expect(names(first)).toEqual(['a']);
    expect(marks[0]?.metadata?.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    await create('b');
    const { resourceVersion = '' } = first.at(-1)?.metadata ?? {};
    expect(names(await events({ resourceVersion }))).toEqual(['b']);
  });

  it('an operator with a finalizer cleans up before its object goes', async () => {
    const server = await serving(schedule);
    const config = configOf(server);
    const widgets = config.makeApiClient(CustomObjectsApi);
    const core = config.makeApiClient(CoreV1Api);
    await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'widgets.example.test' },
      spec: {
        group: GROUP.group,
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: GROUP.plural },
        versions: [{ name: GROUP.version, served: true, storage: true, schema: ANYTHING }],
      },
    });
    const at = `/apis/example.test/v1/namespaces/default/widgets/w`;
    const list = `/api/v1/namespaces/default/configmaps`;

    /** One pass of the operator: level-triggered, with the object as it is read now. */
    const reconcile = async (): Promise<void> => {
      const widget = await widgets.getNamespacedCustomObject({ ...GROUP, name: 'w' });
      const { metadata } = widget;
      const finalizers: string[] = metadata.finalizers ?? [];
      const replace = (next: readonly string[]) =>
        widgets.replaceNamespacedCustomObject({
          ...GROUP,
          name: 'w',
          body: { ...widget, metadata: { ...metadata, finalizers: next } },
        });
      if (metadata.deletionTimestamp !== undefined) {
        await core.deleteCollectionNamespacedConfigMap({ namespace: 'default' });
        await replace(finalizers.filter((name) => name !== FINALIZER));
      } else if (!finalizers.includes(FINALIZER)) {
        await replace([...finalizers, FINALIZER]);
      } else {
        const body = configMap('made');
        await core.createNamespacedConfigMap({ namespace: 'default', body });
      }
    };
    /** A conflict, or something that is there or gone already, is tried again. */
    const tolerant = async (): Promise<void> => {
      try {
        await reconcile();
      } catch (error) {
        const isUsual = error instanceof ApiException && [404, 409].includes(error.code);
        if (!isUsual) throw error;
      }
    };

    const body = { apiVersion: 'example.test/v1', kind: 'Widget', metadata: { name: 'w' } };
    await widgets.createNamespacedCustomObject({ ...GROUP, body });
    await server.until(async () => {
      await tolerant();
      return (await server.get(list)).body.items.length === 1;
    });
    await widgets.deleteNamespacedCustomObject({ ...GROUP, name: 'w' });
    expect((await server.get(at)).body.metadata.finalizers).toEqual([FINALIZER]);
    await server.until(async () => {
      await tolerant();
      return (await server.get(at)).code === 404;
    });
    expect((await server.get(list)).body.items).toEqual([]);
  });
});

import {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  type V1ConfigMap,
} from '@kubernetes/client-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { kubeconfigFor } from '../../serve/kubeconfig.ts';
import { configMap, serving, type TestServer } from './server.ts';

function configOf({ url }: TestServer): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(kubeconfigFor(url));
  return config;
}

const GROUP = { group: 'example.test', version: 'v1', namespace: 'default', plural: 'widgets' };
const FINALIZER = 'example.test/cleanup';

describe.each(['fair', 'seed:11', 'seed:12'])('with the schedule %s', (schedule) => {
  it('an informer sees what happens, in order', async () => {
    const server = await serving(schedule);
    const config = configOf(server);
    const api = config.makeApiClient(CoreV1Api);
    const namespace = 'default';
    await api.createNamespacedConfigMap({ namespace, body: configMap('before') });
    const seen: string[] = [];
    const informer = makeInformer<V1ConfigMap>(
      config,
      '/api/v1/namespaces/default/configmaps',
      () => api.listNamespacedConfigMap({ namespace }),
    );
    onTestFinished(() => informer.stop());
    informer.on('add', (object) => seen.push(`add ${object.metadata?.name}`));
    informer.on('update', (object) => seen.push(`update ${object.metadata?.name}`));
    informer.on('delete', (object) => seen.push(`delete ${object.metadata?.name}`));
    await informer.start();
    await api.createNamespacedConfigMap({ namespace, body: configMap('a') });
    const body = configMap('a', { labels: { x: 'y' } });
    await api.replaceNamespacedConfigMap({ namespace, name: 'a', body });
    await api.deleteNamespacedConfigMap({ namespace, name: 'a' });
    await server.until(async () => seen.includes('delete a'));
    expect(seen).toEqual(['add before', 'add a', 'update a', 'delete a']);
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
        versions: [{ name: GROUP.version, served: true, storage: true }],
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

/**
 * An operator as people write them, which knows nothing of reapcheck: caches by informers, a queue,
 * one request at a time, and retries. It gives each Tenant a Disk, and deletes the Disk before it
 * lets the Tenant go. With LIVE=1 it asks the API server for the Disk, otherwise its cache.
 */
import { ApiException, CustomObjectsApi, KubeConfig, makeInformer } from '@kubernetes/client-node';

const RELEASE = 'example.com/release-disks';
const place = { group: 'example.com', version: 'v1', namespace: 'default' };
const tenants = { ...place, plural: 'tenants' };
const disks = { ...place, plural: 'disks' };

const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CustomObjectsApi);

/** The names of the tenants to look after. */
const queue = new Set();
let isAtWork = false;

function add(name) {
  queue.add(name);
  if (!isAtWork) void work();
}

async function work() {
  isAtWork = true;
  for (let [name] = queue; name !== undefined; [name] = queue) {
    queue.delete(name);
    try {
      await reconcile(name);
    } catch (error) {
      if (!(error instanceof ApiException)) throw error;
      console.error(`${name}: ${error.code}`);
      setTimeout(add, 100, name);
    }
  }
  isAtWork = false;
}

async function reconcile(name) {
  const tenant = tenantCache.get(name, place.namespace);
  if (tenant === undefined) return;
  const { finalizers = [], deletionTimestamp } = tenant.metadata;
  const hasDisk = diskCache.get(name, place.namespace) !== undefined;
  if (deletionTimestamp === undefined) {
    if (hasDisk) return;
    const body = { apiVersion: 'example.com/v1', kind: 'Disk', metadata: { name } };
    await api.createNamespacedCustomObject({ ...disks, body });
    return;
  }
  if (!finalizers.includes(RELEASE)) return;
  if (process.env.LIVE === '1' ? await isStored(name) : hasDisk) {
    await api.deleteNamespacedCustomObject({ ...disks, name });
    return;
  }
  const left = finalizers.filter((finalizer) => finalizer !== RELEASE);
  const body = { ...tenant, metadata: { ...tenant.metadata, finalizers: left } };
  await api.replaceNamespacedCustomObject({ ...tenants, name, body });
}

async function isStored(name) {
  try {
    await api.getNamespacedCustomObject({ ...disks, name });
    return true;
  } catch (error) {
    if (error instanceof ApiException && error.code === 404) return false;
    throw error;
  }
}

function cacheOf(kind) {
  const path = `/apis/example.com/v1/namespaces/default/${kind.plural}`;
  const informer = makeInformer(config, path, () => api.listNamespacedCustomObject(kind));
  for (const event of ['add', 'update', 'delete']) {
    informer.on(event, (object) => add(object.metadata.name));
  }
  return informer;
}

const [tenantCache, diskCache] = [cacheOf(tenants), cacheOf(disks)];
// No decision before both caches have listed.
isAtWork = true;
await Promise.all([tenantCache.start(), diskCache.start()]);
await work();

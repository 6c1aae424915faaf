import { describe, expect, it } from 'vitest';
import type { DeleteOptions } from '../../../model/state/calls.ts';
import { keyOf } from '../../../model/state/objects.ts';
import { clusterOf, configMap, pod, serve, stored, world } from './fixtures.ts';

const env = world();

describe('collections', () => {
  const collection = (kind: string, options: DeleteOptions = {}) =>
    ({
      verb: 'deleteCollection',
      client: 'user',
      kind,
      namespace: 'default',
      options,
      at: 'list',
      remaining: [],
      current: null,
      listed: 0,
    }) as const;

  it('are deleted as listed in this namespace, and nothing else', () => {
    const other = configMap('c', { namespace: 'other' });
    const held = configMap('b', { finalizers: ['a/b'] });
    const before = clusterOf(configMap('a'), held, other, pod('p'));
    const served = serve(before, env, collection('ConfigMap'));
    expect(served.answer).toMatchObject({ code: 200, items: 2 });
    expect(Object.keys(served.cluster.store)).toEqual([keyOf(held), keyOf(other), keyOf(pod('p'))]);
    expect(stored(served.cluster, held)?.deletionTimestamp).toBe(0);
  });

  it('cannot be deleted for Services until 1.22, whatever the options are', () => {
    const before = clusterOf(configMap('a'));
    for (const options of [{}, { orphanDependents: true, propagationPolicy: 'Orphan' }] as const) {
      const served = serve(before, env, collection('Service', options));
      expect(served.answer).toMatchObject({ code: 405, reason: 'MethodNotAllowed' });
    }
    const since = world({ serviceCollections: 'deleted' });
    expect(serve(before, since, collection('Service')).answer).toMatchObject({ code: 200 });
  });

  it('used the grace period of one pod for the next until 1.20 (K8S-100101)', () => {
    const pending = pod('a', {
      pod: { terminationGracePeriodSeconds: 30, scheduled: false, finished: false },
    });
    const running = pod('b');
    const before = clusterOf(pending, running);
    const shared = serve(before, env, collection('Pod'));
    expect(stored(shared.cluster, running)).toBeNull();
    const copied = serve(before, world({ deleteCollectionOptions: 'copied' }), collection('Pod'));
    expect(stored(copied.cluster, running)?.deletionGracePeriodSeconds).toBe(30);
    const terminating = pod('a', { deletionTimestamp: 9, deletionGracePeriodSeconds: 9 });
    const leaked = serve(clusterOf(terminating, running), env, collection('Pod'));
    expect(stored(leaked.cluster, running)?.deletionGracePeriodSeconds).toBe(9);
  });
});

import { describe, expect, it } from 'vitest';
import type { Call } from '../../../model/state/calls.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import { keyOf } from '../../../model/state/objects.ts';
import {
  clusterOf,
  configMap,
  DELETING,
  deletion,
  readBy,
  serve,
  serveUntil,
  stored,
  update,
  world,
} from './fixtures.ts';

const env = world();
const object = configMap('x');
const key = keyOf(object);
const hold: Call = update(key, { do: 'addFinalizer', finalizer: 'a/b' }, { client: 'holder' });

/** Serves the whole second request when the first one is at this place. */
function interrupted(before: Cluster, first: Call, place: string, second: Call) {
  const stopped = serveUntil(before, env, first, place);
  const between = serve(stopped.cluster, env, second);
  const end = serve(between.cluster, env, stopped.call);
  return { between, end, left: stored(end.cluster, object) };
}

describe('races in the API server', () => {
  it('loses a finalizer that is stored after DELETE has decided to remove', () => {
    const race = interrupted(clusterOf(object), deletion(key), 'remove', hold);
    expect([race.between.answer.code, race.end.answer.code]).toEqual([200, 200]);
    expect(race.left).toBeNull();
    expect(race.end.cluster.watch.ConfigMap).toMatchObject([{ type: 'delete' }]);
  });

  it('cannot lose the finalizer under a resourceVersion precondition', () => {
    const call = deletion(key, { preconditions: { resourceVersion: true } });
    const race = interrupted(readBy(clusterOf(object), 'user', key), call, 'remove', hold);
    expect(race.end.answer.code).toBe(409);
    expect(race.left).toMatchObject({ finalizers: ['a/b'], deletionTimestamp: null });
  });

  it('cannot lose the finalizer in a foreground DELETE', () => {
    const call = deletion(key, { propagationPolicy: 'Foreground' });
    const race = interrupted(clusterOf(object), call, 'update', hold);
    expect(race.left).toMatchObject({ ...DELETING, finalizers: ['a/b', 'foregroundDeletion'] });
  });

  it('loses an Orphan DELETE that is stored while the last finalizer is removed', () => {
    const held = configMap('x', { finalizers: ['a/b'], ...DELETING });
    const drop = update(key, { do: 'removeFinalizer', finalizer: 'a/b' }, { client: 'holder' });
    const orphan = deletion(key, { propagationPolicy: 'Orphan' });
    const race = interrupted(clusterOf(held), drop, 'remove', orphan);
    expect(race.between.answer).toMatchObject({
      code: 200,
      object: { finalizers: ['a/b', 'orphan'] },
    });
    expect(race.left).toBeNull();
  });

  it('lets a PATCH, but not a PUT, remove a new object with the same name', () => {
    const held = configMap('x', { finalizers: ['a/b'], ...DELETING });
    const recreated = clusterOf(configMap('x', { uid: 'new' }));
    const empty = { do: 'setFinalizers', finalizers: [] } as const;
    const patch = serveUntil(clusterOf(held), env, update(key, empty, { uid: held.uid }), 'remove');
    expect(stored(serve(recreated, env, patch.call).cluster, object)).toBeNull();
    const put = update(key, empty, { put: true, uid: held.uid });
    const stopped = serveUntil(clusterOf(held), env, put, 'remove');
    const end = serve(recreated, env, stopped.call);
    expect(end.answer.code).toBe(409);
    expect(stored(end.cluster, object)?.uid).toBe('new');
  });

  it('tolerates that another client has removed the object, if it had marked it', () => {
    const held = configMap('x', { finalizers: ['a/b'], ...DELETING });
    const drop = update(key, { do: 'removeFinalizer', finalizer: 'a/b' });
    const emptied = serveUntil(clusterOf(held), env, drop, 'remove');
    expect(serve(clusterOf(), env, emptied.call).answer.code).toBe(200);
    const decided = serveUntil(clusterOf(object), env, deletion(key), 'remove');
    expect(serve(clusterOf(), env, decided.call).answer.code).toBe(404);
  });

  it('replaces the policy with each further DELETE', () => {
    const held = clusterOf(configMap('x', { finalizers: ['a/b'] }));
    const policies = ['Foreground', 'Orphan', undefined, 'Background', 'Foreground'] as const;
    const seen: (readonly string[] | undefined)[] = [];
    let cluster = held;
    for (const propagationPolicy of policies) {
      const options = propagationPolicy === undefined ? {} : { propagationPolicy };
      cluster = serve(cluster, env, deletion(key, options)).cluster;
      seen.push(stored(cluster, object)?.finalizers);
    }
    const fg = ['a/b', 'foregroundDeletion'];
    expect(seen).toEqual([fg, ['a/b', 'orphan'], ['a/b', 'orphan'], ['a/b'], fg]);
  });

  it('removes an object at once with Background if only a collector finalizer held it', () => {
    for (const finalizer of ['orphan', 'foregroundDeletion']) {
      const waiting = clusterOf(configMap('x', { finalizers: [finalizer], ...DELETING }));
      const call = deletion(key, { propagationPolicy: 'Background' });
      expect(stored(serve(waiting, env, call).cluster, object)).toBeNull();
    }
  });

  it('writes nothing when a further DELETE changes nothing', () => {
    const held = clusterOf(
      configMap('x', { finalizers: ['a/b', 'foregroundDeletion'], ...DELETING }),
    );
    const read = readBy(held, 'other', key);
    const again = serve(read, env, deletion(key, { propagationPolicy: 'Foreground' }));
    expect(again.answer.code).toBe(200);
    expect(again.cluster).toBe(read);
  });
});

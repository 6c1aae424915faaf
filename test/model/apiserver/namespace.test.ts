import { describe, expect, it } from 'vitest';
import type { DeleteOptions } from '../../../model/state/calls.ts';
import { keyOf } from '../../../model/state/objects.ts';
import {
  clusterOf,
  configMap,
  deletion,
  namespace,
  serve,
  serveUntil,
  stored,
  update,
  world,
} from './fixtures.ts';

const env = world();

describe('storages that are not generic', () => {
  it.each([
    [{}, ['orphan'], ['orphan']],
    [{}, [], []],
    [{ propagationPolicy: 'Background' }, ['foregroundDeletion', 'a/b'], ['a/b']],
    [{ propagationPolicy: 'Foreground' }, ['orphan'], ['foregroundDeletion']],
    [{ propagationPolicy: 'Orphan' }, ['a/b'], ['a/b', 'orphan']],
    [{ orphanDependents: true }, [], ['orphan']],
    // Here a Namespace differs: the generic store would leave no finalizer.
    [{ orphanDependents: false }, [], ['foregroundDeletion']],
  ] satisfies [DeleteOptions, string[], string[]][])(
    'the first DELETE of a Namespace with %j turns %j into %j',
    (options, finalizers, expected) => {
      const shop = namespace('shop', { finalizers });
      const served = serve(clusterOf(shop), env, deletion(keyOf(shop), options));
      expect(served.steps).toEqual(['get', 'terminate']);
      expect(served.answer).toMatchObject({ deleted: false });
      expect(stored(served.cluster, shop)).toMatchObject({
        phase: 'Terminating',
        deletionTimestamp: 0,
        deletionGracePeriodSeconds: null,
        generation: 0,
        finalizers: expected,
      });
      const before = world({ namespaceDeleteFinalizers: 'untouched' });
      const old = serve(clusterOf(shop), before, deletion(keyOf(shop), options));
      expect(stored(old.cluster, shop)?.finalizers).toEqual(finalizers);
    },
  );

  it('ignores later DELETEs while the token is set, and then deletes like any object', () => {
    const shop = namespace('shop', { deletionTimestamp: 0, phase: 'Terminating' });
    const call = deletion(keyOf(shop), { propagationPolicy: 'Foreground' });
    const waiting = serve(clusterOf(shop), env, call);
    expect(waiting.answer).toMatchObject({ code: 200, deleted: false });
    expect(waiting.cluster).toEqual(clusterOf(shop));
    const free = { ...shop, specFinalizers: [] };
    expect(stored(serve(clusterOf(free), env, deletion(keyOf(shop))).cluster, shop)).toBeNull();
    const held = { ...free, finalizers: ['a/b'] };
    expect(stored(serve(clusterOf(held), env, call).cluster, shop)).toMatchObject({
      deletionGracePeriodSeconds: 0,
      finalizers: ['a/b', 'foregroundDeletion'],
    });
  });

  it('is removed by the finalize call that empties spec.finalizers', () => {
    const shop = namespace('shop', { deletionTimestamp: 0, phase: 'Terminating' });
    const finalize = update(keyOf(shop), { do: 'finalizeNamespace' }, { put: true, uid: shop.uid });
    expect(stored(serve(clusterOf(shop), env, finalize).cluster, shop)).toBeNull();
    const held = { ...shop, finalizers: ['a/b'] };
    const left = serve(clusterOf(held), env, finalize).cluster;
    expect(stored(left, shop)).toMatchObject({ specFinalizers: [], finalizers: ['a/b'] });
    const active = namespace('shop');
    expect(stored(serve(clusterOf(active), env, finalize).cluster, shop)).not.toBeNull();
  });

  it('always deletes the namespace that it has read, not one of the same name', () => {
    const shop = namespace('shop');
    const at = serveUntil(clusterOf(shop), env, deletion(keyOf(shop)), 'terminate');
    const recreated = clusterOf(namespace('shop', { uid: 'new' }));
    expect(serve(recreated, env, at.call)).toMatchObject({ answer: { code: 409 } });
  });

  it('never deletes the namespaces that Kubernetes needs', () => {
    const kept = namespace('kube-system');
    expect(serve(clusterOf(kept), env, deletion(keyOf(kept))).answer.code).toBe(403);
  });

  it('keeps the spec in a status update and requires a phase that matches deletionTimestamp', () => {
    const shop = namespace('shop', { deletionTimestamp: 0 });
    const status = (phase: 'Active' | 'Terminating') =>
      serve(
        clusterOf(shop),
        env,
        update(keyOf(shop), { do: 'setNamespaceStatus', phase, conditions: [] }),
      );
    expect(stored(status('Terminating').cluster, shop)).toMatchObject({
      phase: 'Terminating',
      specFinalizers: ['kubernetes'],
    });
    expect(status('Active').answer.code).toBe(422);
  });

  it('puts the cleanup finalizer on a definition, whatever the policy', () => {
    const definition = configMap('widgets.example.test', {
      kind: 'CustomResourceDefinition.apiextensions.k8s.io',
      namespace: '',
      generation: 1,
    });
    const call = deletion(keyOf(definition), { propagationPolicy: 'Orphan' });
    const served = serve(clusterOf(definition), env, call);
    expect(stored(served.cluster, definition)).toMatchObject({
      deletionTimestamp: 0,
      deletionGracePeriodSeconds: null,
      generation: 1,
      finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
    });
  });
});

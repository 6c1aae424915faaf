import { describe, expect, it } from 'vitest';
import type { CreateCall } from '../../../model/state/calls.ts';
import { type ApiObject, keyOf } from '../../../model/state/objects.ts';
import type { Setup } from '../../../model/state/setup.ts';
import { worldOf } from '../../../model/system.ts';
import {
  clusterOf,
  configMap,
  DELETING,
  namespace,
  serve,
  serveUntil,
  stored,
  update,
  WIDGET,
  world,
} from './fixtures.ts';

const env = world();

function creation(object: CreateCall['object']): CreateCall {
  return { verb: 'create', client: 'user', object };
}

describe('POST', () => {
  it('stores the object as new, whatever its deletion fields say', () => {
    const object = configMap('x', { kind: WIDGET.name, generation: 9, ...DELETING });
    const served = serve(clusterOf(), env, creation(object));
    expect(served.answer.code).toBe(201);
    expect(stored(served.cluster, object)).toMatchObject({
      generation: 1,
      deletionTimestamp: null,
      deletionGracePeriodSeconds: null,
    });
    expect(served.cluster.watch[WIDGET.name]).toMatchObject([{ type: 'add' }]);
  });

  it('refuses a name that is taken', () => {
    for (const [more, message] of [
      [{}, 'ConfigMap/x already exists'],
      [DELETING, 'object is being deleted: ConfigMap/x already exists'],
    ] as const) {
      const before = clusterOf(configMap('x', more));
      const served = serve(before, env, creation(configMap('x', { uid: 'new' })));
      expect(served.answer).toEqual({ code: 409, reason: 'AlreadyExists', message });
      expect(served.cluster).toBe(before);
    }
  });

  it('refuses new content in a namespace that is terminating or missing', () => {
    const shop = world({}, { namespaces: ['shop'] });
    const object = configMap('x', { namespace: 'shop' });
    const code = (...objects: readonly ApiObject[]) =>
      serve(clusterOf(...objects), shop, creation(object)).answer.code;
    expect(code(namespace('shop'))).toBe(201);
    expect(code(namespace('shop', { deletionTimestamp: 0, phase: 'Terminating' }))).toBe(403);
    expect(code()).toBe(404);
  });

  it('checks namespace and definition in a step before the write', () => {
    const shop = world({}, { namespaces: ['shop'] });
    const object = configMap('x', { namespace: 'shop' });
    const admitted = serveUntil(clusterOf(namespace('shop')), shop, creation(object), 'write');
    const served = serve({ ...admitted.cluster, store: {} }, shop, admitted.call);
    expect(served.answer.code).toBe(201);
    expect(Object.keys(served.cluster.store)).toEqual([keyOf(object)]);
  });

  it('takes the namespaces of the model from its objects', () => {
    const setup = {
      kinds: env.kinds,
      rules: env.rules,
      objects: [namespace('shop'), configMap('x')],
      users: {},
    } as unknown as Setup;
    expect(worldOf(setup).namespaces).toEqual(['shop']);
  });

  it('puts the token on a new Namespace', () => {
    const object = namespace('shop', { specFinalizers: [] });
    const served = serve(clusterOf(), env, creation(object));
    expect(stored(served.cluster, object)).toMatchObject({
      phase: 'Active',
      specFinalizers: ['kubernetes'],
    });
  });

  it('refuses instances of a definition that is terminating (K8S-60538)', () => {
    const definition = configMap('widgets.example.test', {
      kind: 'CustomResourceDefinition.apiextensions.k8s.io',
      namespace: '',
      finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
      deletionTimestamp: 0,
    });
    const widget = configMap('w', { kind: WIDGET.name, finalizers: ['a/b'], ...DELETING });
    const fresh = creation(configMap('v', { kind: WIDGET.name }));
    const before = clusterOf(definition, widget);
    expect(serve(before, env, fresh).answer.code).toBe(405);
    const release = update(keyOf(widget), { do: 'setFinalizers', finalizers: [] });
    expect(stored(serve(before, env, release).cluster, widget)).toBeNull();
    const old = world({ terminatingDefinition: 'rejectsWrites' });
    expect(serve(before, old, release).answer.code).toBe(405);
  });

  it('demands the right to set finalizers on an owner that the object will block', () => {
    const limited = world(
      {},
      { denied: { user: [{ verb: 'update', resource: 'secrets', subresource: 'finalizers' }] } },
    );
    const owned = (kind: string, blockOwnerDeletion: boolean) =>
      configMap('x', {
        ownerReferences: [{ apiVersion: 'v1', kind, name: 'o', uid: 'u', blockOwnerDeletion }],
      });
    const code = (object: CreateCall['object'], client = 'user') =>
      serve(clusterOf(), limited, { ...creation(object), client }).answer.code;
    expect(code(owned('Secret', true))).toBe(403);
    expect(code(owned('Secret', false))).toBe(201);
    expect(code(owned('ConfigMap', true))).toBe(201);
    expect(code(owned('Secret', true), 'admin')).toBe(201);
  });

  it('stores nothing in a dry run', () => {
    const before = clusterOf();
    const served = serve(before, env, { ...creation(configMap('x')), dryRun: true });
    expect(served.cluster).toBe(before);
    expect(served.answer.code).toBe(201);
  });
});

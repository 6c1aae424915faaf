import { describe, expect, it } from 'vitest';
import { validateMetadataUpdate } from '../../../model/apiserver/validation.ts';
import type { Rules } from '../../../model/rules/rules.ts';
import type { Change } from '../../../model/state/calls.ts';
import { type ApiObject, keyOf } from '../../../model/state/objects.ts';
import {
  clusterOf,
  configMap,
  DELETING,
  namespace,
  pod,
  readBy,
  serve,
  stored,
  update,
  WIDGET,
  world,
} from './fixtures.ts';

const env = world();
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u-o' };

function change(object: ApiObject, what: Change, rules: Partial<Rules> = {}) {
  const served = serve(clusterOf(object), world(rules), update(keyOf(object), what));
  return { ...served, after: stored(served.cluster, object) };
}

describe('UPDATE and PATCH', () => {
  const emptied: Change = { do: 'setFinalizers', finalizers: [] };
  it.each([
    ['not being deleted', configMap('x', { finalizers: ['a/b'] }), 'stored'],
    ['grace 0', configMap('x', { finalizers: ['a/b'], ...DELETING }), 'removed'],
    ['no grace', configMap('x', { finalizers: ['a/b'], deletionTimestamp: 0 }), 'removed'],
    [
      'grace running',
      pod('x', { finalizers: ['a/b'], deletionTimestamp: 30, deletionGracePeriodSeconds: 30 }),
      'stored',
    ],
    ['had none', configMap('x', DELETING), 'removed'],
    [
      'namespace with its token',
      namespace('x', { finalizers: ['a/b'], deletionTimestamp: 0 }),
      'stored',
    ],
    [
      'namespace without',
      namespace('x', { finalizers: ['a/b'], deletionTimestamp: 0, specFinalizers: [] }),
      'removed',
    ],
  ] as const)('finalizers emptied, %s: %s', (_, object, outcome) => {
    const served = change(object, emptied);
    expect(served.answer).toMatchObject({ code: 200, object: { finalizers: [] } });
    expect(served.after === null ? 'removed' : 'stored').toBe(outcome);
    expect(served.steps).toEqual(outcome === 'removed' ? ['update', 'remove'] : ['update']);
  });

  it('required a grace period of 0 until 1.14 (K8S-77944)', () => {
    const rules = { removeOnEmptyFinalizers: 'gracePeriodZero' } as const;
    const held = configMap('x', { finalizers: ['a/b'], deletionTimestamp: 0 });
    expect(change(held, emptied, rules).after).toMatchObject({ finalizers: [] });
    expect(change({ ...held, ...DELETING }, emptied, rules).after).toBeNull();
  });

  it('allows only removals of finalizers once deletion has begun, in any order', () => {
    const held = configMap('x', { finalizers: ['a/b', 'c/d'], ...DELETING });
    const set = (finalizers: string[]): Change => ({ do: 'setFinalizers', finalizers });
    expect(change(held, set(['c/d', 'a/b'])).after?.finalizers).toEqual(['c/d', 'a/b']);
    expect(change(held, set(['a/b', 'e/f'])).answer).toMatchObject({ code: 422 });
    expect(change(held, { do: 'addFinalizer', finalizer: 'orphan' }).answer.code).toBe(422);
    const free = { finalizersWhileDeleting: 'free' } as const;
    expect(change(held, set(['a/b', 'e/f']), free).after?.finalizers).toEqual(['a/b', 'e/f']);
  });

  it.each([
    ['unqualified', 422, 201],
    ['', 422, 422],
    ['a/b/c', 422, 422],
    ['Bad/x', 422, 422],
    ['kubernetes', 201, 201],
  ])('finalizer name %j: %d, on custom resources %d', (finalizer, builtIn, custom) => {
    const create = (object: ApiObject) =>
      serve(clusterOf(), env, { verb: 'create', client: 'user', object }).answer.code;
    expect(create(configMap('x', { finalizers: [finalizer] }))).toBe(builtIn);
    expect(create(configMap('x', { kind: WIDGET.name, finalizers: [finalizer] }))).toBe(custom);
    const put = change(configMap('x'), { do: 'setFinalizers', finalizers: [finalizer] });
    expect(put.answer.code).toBe(builtIn === 201 ? 200 : builtIn);
  });

  it.each([
    [
      'two controllers',
      [
        { ...owner, controller: true },
        { ...owner, uid: 'v', controller: true },
      ],
    ],
    ['no name', [{ ...owner, name: '' }]],
    ['no uid', [{ ...owner, uid: '' }]],
    ['no kind', [{ ...owner, kind: '' }]],
    ['no apiVersion', [{ ...owner, apiVersion: '' }]],
    ['an Event', [{ ...owner, kind: 'Event' }]],
  ])('refuses owner references: %s', (_, ownerReferences) => {
    const object = configMap('x', { ownerReferences });
    const created = serve(clusterOf(), env, { verb: 'create', client: 'user', object });
    expect(created.answer.code).toBe(422);
    expect(created.cluster.store).toEqual({});
    const put = change(configMap('x'), { do: 'setOwnerReferences', ownerReferences });
    expect(put.answer.code).toBe(422);
  });

  it('keeps an owner that is listed twice with differences, and drops exact copies since 1.20', () => {
    const ownerReferences = [owner, { ...owner, blockOwnerDeletion: true }, owner];
    const set: Change = { do: 'setOwnerReferences', ownerReferences };
    expect(change(configMap('x'), set).after?.ownerReferences).toEqual(ownerReferences.slice(0, 2));
    const kept = change(configMap('x'), set, { duplicateOwnerReferences: 'kept' });
    expect(kept.after?.ownerReferences).toEqual(ownerReferences);
  });

  it('refuses both collector finalizers together', () => {
    const both = ['orphan', 'foregroundDeletion'];
    expect(change(configMap('x'), { do: 'setFinalizers', finalizers: both }).answer.code).toBe(422);
  });

  it('answers a wrong uid with 409 to a PUT, even of a missing object, and with 422 to a PATCH', () => {
    const object = configMap('x');
    const ask = (put: boolean, ...objects: ApiObject[]) =>
      serve(clusterOf(...objects), env, update(keyOf(object), { do: 'nothing' }, { uid: 'v', put }))
        .answer.code;
    expect([ask(true, object), ask(true), ask(false, object), ask(false)]).toEqual([
      409, 409, 422, 404,
    ]);
  });

  it('answers a PUT with the uid of a missing object with 404 since 1.34', () => {
    const call = update(keyOf(configMap('x')), { do: 'nothing' }, { uid: 'v', put: true });
    expect(serve(clusterOf(), world({ putOfMissing: 'notFound' }), call).answer.code).toBe(404);
  });

  it('refuses every change in a namespace that does not exist, so that finalizers stay', () => {
    const object = configMap('x', { ...DELETING, finalizers: ['a.io/b'] });
    const call = update(keyOf(object), { do: 'setFinalizers', finalizers: [] });
    const inNamespaces = world({}, { namespaces: ['default'] });
    const { answer, cluster } = serve(clusterOf(object), inNamespaces, call);
    expect(answer).toMatchObject({ code: 404, message: expect.stringContaining('default') });
    expect(cluster.store[keyOf(object)]).toBe(object);
    const terminating = namespace('default', { ...DELETING, phase: 'Terminating' });
    const { answer: allowed } = serve(clusterOf(object, terminating), inNamespaces, call);
    expect(allowed.code).toBe(200);
  });

  it('demands the object as it was read if the body has a resourceVersion', () => {
    const object = configMap('x');
    const key = keyOf(object);
    const call = update(key, { do: 'touch' }, { resourceVersion: true });
    expect(serve(clusterOf(object), env, call).answer.code).toBe(409);
    const read = readBy(readBy(clusterOf(object), 'user', key), 'other', key);
    const served = serve(read, env, call);
    expect(served.answer.code).toBe(200);
    // The writer's read follows its own write; the reads of other clients do not.
    expect(served.cluster.unchangedSince).toEqual({ user: key });
  });

  it('keeps the deletion fields, except negative grace periods since 1.22', () => {
    const check = (rules: Partial<Rules>, before: number, after: number) =>
      validateMetadataUpdate(
        world(rules).rules,
        pod('x', { deletionGracePeriodSeconds: after }),
        pod('x', { deletionGracePeriodSeconds: before }),
      ).map(({ field }) => field);
    const since = { negativeGracePeriod: 'oneSecond' } as const;
    expect(check({}, -1, 1)).toEqual(['deletionGracePeriodSeconds']);
    expect(check(since, -1, 1)).toEqual([]);
    expect(check(since, -1, 2)).toEqual(['deletionGracePeriodSeconds']);
  });

  it('stores nothing in a dry run', () => {
    const held = configMap('x', { finalizers: ['a/b'], ...DELETING });
    for (const finalizers of [[], ['a/b']]) {
      const before = clusterOf(held);
      const call = update(keyOf(held), { do: 'setFinalizers', finalizers }, { dryRun: true });
      const served = serve(before, env, call);
      expect(served.cluster).toBe(before);
      expect(served.answer).toMatchObject({ code: 200, object: { finalizers } });
    }
  });
});

describe('the events for the collector', () => {
  const object = configMap('x', { kind: WIDGET.name });
  it('report changes to the fields that its graph reads, and nothing else', () => {
    const events = (what: Change, from: ApiObject = object) => {
      const served = change(from, what);
      return served.cluster.watch[WIDGET.name] ?? [];
    };
    expect(events({ do: 'touch' })).toEqual([]);
    expect(events({ do: 'addFinalizer', finalizer: 'a/b' })).toEqual([]);
    expect(events({ do: 'setOwnerReferences', ownerReferences: [owner] })).toMatchObject([
      { type: 'update', object: { ownerReferences: [owner] }, old: { uid: object.uid } },
    ]);
    expect(events({ do: 'addFinalizer', finalizer: 'orphan' })).toMatchObject([
      { object: { deletion: { orphan: true } }, old: { orphan: false } },
    ]);
    const held = { ...object, finalizers: ['orphan'], ...DELETING };
    const removed = events({ do: 'setFinalizers', finalizers: [] }, held);
    // The event of a removal shows the object as it was last stored.
    expect(removed).toMatchObject([{ type: 'delete', object: { deletion: { orphan: true } } }]);
  });

  it('report nothing about kinds that it does not watch', () => {
    const event = configMap('e', { kind: 'Event' });
    const { cluster } = serve(clusterOf(), env, { verb: 'create', client: 'user', object: event });
    expect(cluster.watch).toEqual({});
    expect(cluster.store[keyOf(event)]).toBeDefined();
  });

  it('report nothing after an equal write', () => {
    const before = readBy(clusterOf(object), 'other', keyOf(object));
    const equal = update(keyOf(object), { do: 'setFinalizers', finalizers: [] });
    expect(serve(before, env, equal).cluster).toBe(before);
    const touched = serve(before, env, update(keyOf(object), { do: 'touch' })).cluster;
    expect(touched.store).toEqual(before.store);
    expect(touched.unchangedSince).toEqual({});
  });
});

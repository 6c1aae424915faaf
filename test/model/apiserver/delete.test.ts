import { describe, expect, it } from 'vitest';
import { deletionFinalizers } from '../../../model/apiserver/finalizers.ts';
import { beforeDelete } from '../../../model/apiserver/graceful.ts';
import type { DeleteOptions } from '../../../model/state/calls.ts';
import type { DefaultPolicy } from '../../../model/state/kinds.ts';
import { keyOf } from '../../../model/state/objects.ts';
import {
  clusterOf,
  configMap,
  DELETING,
  deletion,
  pod,
  readBy,
  serve,
  stored,
  WIDGET,
  world,
} from './fixtures.ts';

const env = world();

describe('the collector finalizer that a DELETE leaves', () => {
  type Row = [DefaultPolicy, DeleteOptions, string[], string[]];
  const rows: Row[] = [
    ['unsupported', { propagationPolicy: 'Foreground' }, ['a/b', 'orphan'], ['a/b']],
    ['none', { orphanDependents: true }, ['foregroundDeletion'], ['orphan']],
    ['none', { orphanDependents: false }, ['orphan', 'a/b'], ['a/b']],
    ['none', { propagationPolicy: 'Orphan' }, ['foregroundDeletion', 'a/b'], ['a/b', 'orphan']],
    ['orphanDependents', { propagationPolicy: 'Background' }, ['orphan'], []],
    ['none', { propagationPolicy: 'Foreground' }, [], ['foregroundDeletion']],
    ['orphanDependents', {}, ['foregroundDeletion'], ['foregroundDeletion']],
    ['none', {}, ['orphan'], ['orphan']],
    ['orphanDependents', {}, ['a/b'], ['a/b', 'orphan']],
    ['deleteDependents', {}, ['a/b'], ['a/b']],
    ['none', {}, [], []],
    // The same set keeps its order.
    ['none', { propagationPolicy: 'Orphan' }, ['orphan', 'a/b'], ['orphan', 'a/b']],
  ];
  it.each(rows)('%s %j on %j leaves %j', (policy, options, finalizers, expected) => {
    const chosen = deletionFinalizers(env.rules, policy, { finalizers }, options);
    expect(chosen.finalizers).toEqual(expected);
    expect(chosen.changed).toBe(expected.join() !== finalizers.join());
  });

  it('does not change the list if the collector is off, and has no foreground deletion before 1.7', () => {
    const choose = (collectorFinalizers: 'disabled' | 'orphanOnly') =>
      deletionFinalizers(
        world({ collectorFinalizers }).rules,
        'none',
        { finalizers: ['orphan'] },
        { propagationPolicy: 'Foreground' },
      ).finalizers;
    expect(choose('disabled')).toEqual(['orphan']);
    expect(choose('orphanOnly')).toEqual([]);
  });

  it('also adds them to unwatched kinds before the policy Unsupported exists', () => {
    const { rules } = world({ unsupportedPolicy: 'ignored' });
    const options = { propagationPolicy: 'Orphan' } as const;
    expect(
      deletionFinalizers(rules, 'unsupported', { finalizers: [] }, options).finalizers,
    ).toEqual(['orphan']);
  });
});

describe('the graceful check', () => {
  const running = pod('p', { generation: 1 });
  const ending = pod('p', { deletionTimestamp: 30, deletionGracePeriodSeconds: 30 });
  it.each([
    ['no strategy', false, running, {}, false, false, null, null],
    ['over', true, pod('p', DELETING), { gracePeriodSeconds: 5 }, false, false, 0, 0],
    [
      'DT without grace',
      true,
      pod('p', { deletionTimestamp: 0 }),
      { gracePeriodSeconds: 5 },
      false,
      false,
      0,
      null,
    ],
    ['as long', true, ending, { gracePeriodSeconds: 30 }, false, true, 30, 30],
    ['longer', true, ending, { gracePeriodSeconds: 60 }, false, true, 30, 30],
    ['shorter', true, ending, { gracePeriodSeconds: 10 }, true, false, 10, 10],
    ['no grace asked', true, ending, {}, false, true, 30, 30],
    ['first, default', true, running, {}, true, false, 30, 30],
    ['first, asked', true, running, { gracePeriodSeconds: 7 }, true, false, 7, 7],
  ] as const)('%s', (_, gracefulKind, object, options, graceful, pending, timestamp, grace) => {
    const check = beforeDelete(env.rules, gracefulKind, object, options);
    expect([check.graceful, check.pending]).toEqual([graceful, pending]);
    expect([check.object.deletionTimestamp, check.object.deletionGracePeriodSeconds]).toEqual([
      timestamp,
      grace,
    ]);
  });

  it('raises the generation only with the first graceful DELETE, and returns the options', () => {
    const first = beforeDelete(env.rules, true, running, {});
    expect(first.object.generation).toBe(2);
    expect(first.options.gracePeriodSeconds).toBe(30);
    const second = beforeDelete(env.rules, true, first.object, { gracePeriodSeconds: 1 });
    expect(second.object.generation).toBe(2);
  });

  it('gives no grace period to pods that are unscheduled or finished', () => {
    const grace = { terminationGracePeriodSeconds: 30, scheduled: true, finished: false };
    for (const state of [{ scheduled: false }, { finished: true }]) {
      const check = beforeDelete(env.rules, true, pod('p', { pod: { ...grace, ...state } }), {
        gracePeriodSeconds: 9,
      });
      expect(check.object.deletionGracePeriodSeconds).toBe(0);
    }
  });

  it('treats negative and expired grace periods as the rules say', () => {
    const late = pod('p', { deletionTimestamp: -60, deletionGracePeriodSeconds: 60 });
    const newer = world({
      negativeGracePeriod: 'oneSecond',
      shortenedGracePeriod: 'endsNowAtTheEarliest',
    }).rules;
    const shorten = (rules: typeof newer) =>
      beforeDelete(rules, true, late, { gracePeriodSeconds: 50 }).object;
    expect(shorten(env.rules)).toMatchObject({
      deletionTimestamp: -70,
      deletionGracePeriodSeconds: 50,
    });
    expect(shorten(newer)).toMatchObject({ deletionTimestamp: 0, deletionGracePeriodSeconds: 1 });
    const negative = (rules: typeof newer) =>
      beforeDelete(rules, true, running, { gracePeriodSeconds: -5 }).options.gracePeriodSeconds;
    expect(negative(env.rules)).toBe(-5);
    expect(negative(newer)).toBe(1);
  });
});

describe('the update transaction and the steps after it', () => {
  const held = { finalizers: ['a/b'] };
  it.each([
    ['graceful, finalizers, grace', pod('x', held), {}, ['get', 'update'], 30],
    [
      'graceful, finalizers, no grace period',
      pod('x', held),
      { gracePeriodSeconds: 0 },
      ['get', 'update'],
      0,
    ],
    ['graceful, no finalizers, grace', pod('x'), {}, ['get', 'update'], 30],
    [
      'graceful, no finalizers, no grace period',
      pod('x'),
      { gracePeriodSeconds: 0 },
      ['get', 'update', 'removeMarked'],
      'gone',
    ],
    ['not graceful, finalizers', configMap('x', held), {}, ['get', 'update'], 0],
    [
      'not graceful, finalizers removed',
      configMap('x', { finalizers: ['orphan'] }),
      { propagationPolicy: 'Background' },
      ['get', 'update', 'remove'],
      'gone',
    ],
    ['nothing to do but remove', configMap('x'), {}, ['get', 'remove'], 'gone'],
    [
      'pending',
      pod('x', { deletionTimestamp: 30, deletionGracePeriodSeconds: 30 }),
      { propagationPolicy: 'Foreground' },
      ['get'],
      30,
    ],
  ] as const)('%s', (_, object, options, steps, left) => {
    const served = serve(clusterOf(object), env, deletion(keyOf(object), options));
    expect(served.steps).toEqual(steps);
    expect(served.answer).toMatchObject({ code: 200, deleted: left === 'gone' });
    const after = stored(served.cluster, object);
    expect(after === null ? 'gone' : after.deletionGracePeriodSeconds).toBe(left);
  });

  it('does not change finalizers while a grace period runs', () => {
    const object = pod('x', { deletionTimestamp: 30, deletionGracePeriodSeconds: 30 });
    const served = serve(
      clusterOf(object),
      env,
      deletion(keyOf(object), { propagationPolicy: 'Foreground', gracePeriodSeconds: 40 }),
    );
    expect(served.cluster.store).toEqual(clusterOf(object).store);
    const shorter = { propagationPolicy: 'Foreground', gracePeriodSeconds: 20 } as const;
    const cut = serve(clusterOf(object), env, deletion(keyOf(object), shorter));
    expect(stored(cut.cluster, object)).toMatchObject({
      finalizers: ['foregroundDeletion'],
      deletionTimestamp: 20,
      deletionGracePeriodSeconds: 20,
    });
  });

  it('raises the generation once, for kinds that have one', () => {
    const widget = configMap('w', { kind: WIDGET.name, generation: 1, finalizers: ['a/b'] });
    const first = serve(clusterOf(widget), env, deletion(keyOf(widget)));
    expect(stored(first.cluster, widget)?.generation).toBe(2);
    const options = { propagationPolicy: 'Orphan' } as const;
    const second = serve(first.cluster, env, deletion(keyOf(widget), options));
    expect(stored(second.cluster, widget)).toMatchObject({
      generation: 2,
      finalizers: ['a/b', 'orphan'],
    });
  });

  it('answers 202 when orphanDependents is false and the object stays', () => {
    const object = configMap('x', held);
    const { answer } = serve(
      clusterOf(object),
      env,
      deletion(keyOf(object), { orphanDependents: false }),
    );
    expect(answer.code).toBe(202);
  });

  it('let a graceful DELETE ignore finalizers before 1.4 (K8S-32157)', () => {
    const object = pod('x', held);
    const call = deletion(keyOf(object), { gracePeriodSeconds: 0 });
    const old = world({ pendingFinalizersOnDelete: 'ignored' });
    expect(stored(serve(clusterOf(object), old, call).cluster, object)).toBeNull();
    expect(stored(serve(clusterOf(object), env, call).cluster, object)).not.toBeNull();
  });
});

describe('preconditions', () => {
  const object = configMap('x');
  const key = keyOf(object);
  it('refuse another uid and an outdated version, but report a missing object first', () => {
    const wrong = deletion(key, { preconditions: { uid: 'other' } });
    expect(serve(clusterOf(object), env, wrong).answer).toMatchObject({ reason: 'Conflict' });
    expect(serve(clusterOf(), env, wrong).answer).toMatchObject({ reason: 'NotFound' });
    const version = deletion(key, { preconditions: { resourceVersion: true } });
    expect(serve(clusterOf(object), env, version).answer).toMatchObject({ reason: 'Conflict' });
    const read = readBy(clusterOf(object), 'user', key);
    expect(serve(read, env, version).answer).toMatchObject({ code: 200, deleted: true });
  });

  it('follows its own write since 1.18 and conflicts with itself before (K8S-85485)', () => {
    const scheduled = pod('x');
    const call = deletion(keyOf(scheduled), {
      gracePeriodSeconds: 0,
      preconditions: { resourceVersion: true },
    });
    const read = readBy(clusterOf(scheduled), 'user', keyOf(scheduled));
    expect(serve(read, env, call).answer).toMatchObject({ code: 200, deleted: true });
    const before = world({ deletePreconditionAfterUpdate: 'original' });
    const served = serve(read, before, call);
    expect(served.answer).toMatchObject({ code: 409 });
    expect(stored(served.cluster, scheduled)).toMatchObject(DELETING);
  });

  it('conflicts when the transaction was aborted: the output object has no version', () => {
    const orphaning = configMap('x', { finalizers: ['orphan'], ...DELETING });
    const call = deletion(key, {
      propagationPolicy: 'Background',
      preconditions: { resourceVersion: true },
    });
    const read = readBy(clusterOf(orphaning), 'user', key);
    expect(serve(read, env, call).answer).toMatchObject({ code: 409 });
    const before = world({ deletePreconditionAfterUpdate: 'original' });
    expect(serve(read, before, call).answer).toMatchObject({ code: 200, deleted: true });
  });
});

describe('options', () => {
  const object = configMap('x', { finalizers: ['a/b'] });
  it('are refused with both ways of naming a policy, before the object is read', () => {
    const call = deletion('ConfigMap/default/none', {
      orphanDependents: true,
      propagationPolicy: 'Orphan',
    });
    expect(serve(clusterOf(), env, call).answer).toMatchObject({ code: 422 });
  });

  it('shows in a dry run what would be stored, and stores nothing', () => {
    for (const target of [object, configMap('x'), pod('x')]) {
      const before = clusterOf(target);
      const call = deletion(keyOf(target), { dryRun: true, propagationPolicy: 'Background' });
      const served = serve(before, env, call);
      expect(served.cluster).toBe(before);
      const marked = target.finalizers.length > 0 || target.kind === 'Pod';
      expect(served.answer).toMatchObject(
        marked
          ? { deleted: false, object: { deletionTimestamp: expect.any(Number) } }
          : { deleted: true },
      );
    }
  });

  it('takes the default policy of the version that the request goes through', () => {
    const job = configMap('j', { kind: 'Job.batch' });
    const through = (apiVersion: string) =>
      stored(serve(clusterOf(job), env, { ...deletion(keyOf(job)), apiVersion }).cluster, job)
        ?.finalizers ?? null;
    expect(through('batch/v1')).toEqual(['orphan']);
    expect(through('batch/v2')).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import type { SeenRequest } from '../../conformance/recordings/logs/observations.ts';
import { changesFor } from '../../conformance/recordings/matching/calls.ts';
import { mayNotApply } from '../../conformance/recordings/matching/json-patch.ts';
import { changesOf } from '../../conformance/recordings/matching/patches.ts';
import { BUILT_IN_KINDS, type Change, type Kind } from '../../model/index.ts';
import { configMap } from '../properties/clusters.ts';

const APPLY = { apiVersion: 'v1', kind: 'ConfigMap' };
const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'new', uid: 'uid-new' };

/** The finalizers and the owners that a body may leave, each as one word. */
function results(body: unknown, managed: boolean): readonly string[] {
  const stored = { ...configMap('b'), finalizers: ['a.b/kept'], ownerReferences: owners('old') };
  return changesOf(body, false, false, stored, null, managed).map((change) => {
    if (change.do !== 'setMetadata') return change.do;
    const finalizers = (change.finalizers ?? stored.finalizers).join('+');
    const owners = (change.ownerReferences ?? stored.ownerReferences).map(({ name }) => name);
    return `${finalizers} ${owners.join('+')}`;
  });
}

function owners(name: string) {
  return [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: `uid-${name}` }];
}

describe('a server-side apply', () => {
  const body = { ...APPLY, metadata: { finalizers: ['a.b/new'], ownerReferences: [reference] } };

  it('adds to the lists, and may take off what its manager has left out', () => {
    expect(results(body, true)).toEqual(
      expect.arrayContaining([
        'a.b/kept+a.b/new new+old',
        'a.b/new new+old',
        'a.b/kept+a.b/new new',
        'a.b/new new',
      ]),
    );
  });

  it('is only a patch that names its manager', () => {
    expect(results(body, false)).not.toContain('a.b/new new+old');
  });
});

describe('the fields of a deletion in a body', () => {
  const change = (metadata: object, deletedAt: string | null, deleting: boolean) => {
    const stored = {
      ...configMap('b'),
      deletionTimestamp: deleting ? 0 : null,
      deletionGracePeriodSeconds: deleting ? 0 : null,
    };
    return changesOf({ ...APPLY, metadata }, true, false, stored, deletedAt, false)[0];
  };

  it('are changes if they differ, and none if they are left out', () => {
    expect(change({}, '2026-01-01T00:00:00Z', true)).not.toHaveProperty('deletionTimestamp');
    expect(change({ deletionGracePeriodSeconds: 30 }, null, true)).toMatchObject({
      deletionGracePeriodSeconds: 30,
    });
    const time = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(change(time, '2026-01-01T00:00:00Z', true)).not.toHaveProperty('deletionTimestamp');
    expect(change(time, '2026-01-02T00:00:00Z', true)).toHaveProperty('deletionTimestamp');
    expect(change(time, null, false)).toHaveProperty('deletionTimestamp');
  });
});

describe('a JSON patch', () => {
  const bare = configMap('b');
  const held = { ...bare, finalizers: ['a.b/one', 'a.b/two'] };
  const finalizers = (operations: readonly object[], stored: typeof bare) =>
    changesOf(operations, false, false, stored, null, false, '7').map((change) =>
      change.do === 'setMetadata' ? (change.finalizers ?? stored.finalizers).join('+') : change.do,
    );

  it.each([
    ['add', '/metadata/finalizers/-', 'a.b/x'],
    ['add', '/metadata/finalizers/0', 'a.b/x'],
    ['remove', '/metadata/finalizers', undefined],
    ['test', '/metadata/finalizers', []],
    ['test', '/metadata/resourceVersion', '6'],
    ['test', '/metadata/uid', 'another'],
  ])('%s %s does not apply to an object without finalizers', (op, path, value) => {
    expect(finalizers([{ op, path, value }], bare)).toEqual([]);
    expect(mayNotApply([{ op, path, value }], bare, '7')).toBe(true);
  });

  it('applies where the path leads to something', () => {
    expect(
      finalizers([{ op: 'add', path: '/metadata/finalizers', value: ['a.b/x'] }], bare),
    ).toEqual(['a.b/x']);
    const test = { op: 'test', path: '/metadata/resourceVersion', value: '7' };
    const first = { op: 'test', path: '/metadata/finalizers/0', value: 'a.b/one' };
    const remove = { op: 'remove', path: '/metadata/finalizers/0' };
    expect(finalizers([test, first, remove], held)).toEqual(['a.b/two']);
    expect(mayNotApply([test, first, remove], held, '7')).toBe(false);
  });
});

describe('a strategic merge patch', () => {
  it('puts finalizers into the order that it states', () => {
    const order = { '$setElementOrder/finalizers': ['a.b/new', 'a.b/kept'] };
    const body = { metadata: { ...order, finalizers: ['a.b/new'] } };
    expect(results(body, false)).toContain('a.b/new+a.b/kept old');
    expect(results({ metadata: { finalizers: ['a.b/new'] } }, false)).toContain(
      'a.b/new+a.b/kept old',
    );
  });

  it('can replace the owner references', () => {
    const ownerReferences = [{ $patch: 'replace' }, reference];
    expect(results({ metadata: { ownerReferences } }, false)).toContain('a.b/kept new');
  });
});

describe('a write of the subresource status', () => {
  const stored = { ...configMap('b'), ownerReferences: owners('old') };
  const put = (kind: Partial<Kind>): readonly Change[] => {
    const body = { is: 'value', value: { ...APPLY, metadata: {}, status: {} } } as const;
    const { ConfigMap } = BUILT_IN_KINDS;
    const request = {
      verb: 'update',
      subresource: 'status',
      kind: { ...ConfigMap!, ...kind },
      body,
    };
    return changesFor({ ...request, query: {} } as unknown as SeenRequest, stored);
  };
  const dropsOwners = (change: Change): boolean =>
    change.do === 'setMetadata' && change.ownerReferences?.length === 0;

  it('changes the lists that the strategy of its kind does not reset', () => {
    expect(put({}).every(dropsOwners)).toBe(true);
    expect(put({ graceful: true }).some(dropsOwners)).toBe(false);
    expect(put({ finalizerNames: 'qualified' })).toEqual([{ do: 'touch' }, { do: 'nothing' }]);
    const unknown = put({ apiVersions: ['example.k8s.io/v1'] });
    expect(unknown.some(dropsOwners)).toBe(true);
    expect(unknown).toContainEqual({ do: 'nothing' });
  });
});

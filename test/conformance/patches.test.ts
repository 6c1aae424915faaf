import { describe, expect, it } from 'vitest';
import { changesOf } from '../../conformance/recordings/matching/patches.ts';
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

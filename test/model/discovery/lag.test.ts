import { describe, expect, it } from 'vitest';
import type { Setup } from '../../../model/state/setup.ts';
import { alice, configMap, deletedWith, HOLD, setupOf } from '../../properties/clusters.ts';
import { isEnabled, reached } from './explore.ts';

/** A member of etcd that goes on showing what was, to the collector only. */

const key = 'ConfigMap/default/a';
const change = { do: 'removeFinalizer', finalizer: HOLD } as const;
const patch = { do: 'update', key, change, put: false, uid: null, resourceVersion: false } as const;
const FOREGROUND = 'foregroundDeletion';

const setup = setupOf([configMap('a', deletedWith(FOREGROUND, HOLD))], {
  ...alice(patch),
  finalizers: { [HOLD]: 'stuck' },
  lags: 1,
});
const anyMember: Setup = { ...setup, rules: { ...setup.rules, etcdReads: 'anyMember' } };

const [node = ''] = Object.keys(reached(setup).attemptToDelete);
const WORK = ['attemptToDelete', { worker: 'delete-1' }] as const;
const LAG = ['lagBehind', { key }] as const;
const WRITE = ['request', { user: 'alice' }] as const;
/** The worker stands before the GET for the removal of its finalizer. */
const taken = [['takeForDelete', { worker: 'delete-1', node }], WORK, WORK] as const;

describe('a member of etcd that lags', () => {
  it('shows the collector the object as it was, in a version that is outdated', () => {
    const read = reached(anyMember, ...taken, LAG, WRITE, WORK);
    expect(read.deleteWorkers['delete-1']).toMatchObject({
      at: 'patchFinalizer',
      call: { change: { do: 'setFinalizers', finalizers: [HOLD] } },
    });
    const refused = reached(anyMember, ...taken, LAG, WRITE, WORK, WORK);
    expect(refused.deleteWorkers['delete-1']).toMatchObject({ at: 'getForFinalizer', attempt: 2 });
    expect(refused.store[key]?.finalizers).toEqual([FOREGROUND]);
  });

  it('shows it as it is while nobody has written it, and once it has caught up', () => {
    const unchanged = reached(anyMember, ...taken, LAG, WORK, WORK);
    expect(unchanged.store[key]?.finalizers).toEqual([HOLD]);
    const caughtUp = [LAG, WRITE, ['catchUp', { key }]] as const;
    // The PATCH empties the finalizers: the removal is a step of its own.
    const gone = reached(anyMember, ...taken, ...caughtUp, WORK, WORK, WORK);
    expect(gone.store[key]).toBeUndefined();
  });

  it('is not asked where a quorum is', () => {
    expect(isEnabled(setup, reached(setup), LAG)).toBe(false);
  });
});

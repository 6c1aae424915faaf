import { describe, expect, it } from 'vitest';
import type { Setup } from '../../../model/state/setup.ts';
import { alice, configMap, deletedWith, HOLD, setupOf } from '../../properties/clusters.ts';
import { isEnabled, reached } from './explore.ts';

/** A member of etcd that still shows an old state, to the collector only. */

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
/** The worker is before the GET for the removal of its finalizer. */
const taken = [['takeForDelete', { worker: 'delete-1', node }], WORK, WORK] as const;

describe('a member of etcd that lags', () => {
  it('shows the collector an old copy of the object, with an outdated version', () => {
    const read = reached(anyMember, ...taken, LAG, WRITE, WORK);
    expect(read.deleteWorkers['delete-1']).toMatchObject({
      at: 'patchFinalizer',
      call: { change: { do: 'setFinalizers', finalizers: [HOLD] } },
    });
    const refused = reached(anyMember, ...taken, LAG, WRITE, WORK, WORK);
    expect(refused.deleteWorkers['delete-1']).toMatchObject({ at: 'getForFinalizer', attempt: 2 });
    expect(refused.store[key]?.finalizers).toEqual([FOREGROUND]);
  });

  it('shows the current object until a client writes it, and again after it has caught up', () => {
    const unchanged = reached(anyMember, ...taken, LAG, WORK, WORK);
    expect(unchanged.store[key]?.finalizers).toEqual([HOLD]);
    const caughtUp = [LAG, WRITE, ['catchUp', { key }]] as const;
    // The PATCH empties the finalizers, so the removal is a separate step.
    const gone = reached(anyMember, ...taken, ...caughtUp, WORK, WORK, WORK);
    expect(gone.store[key]).toBeUndefined();
  });

  it('is not read if GETs need a quorum', () => {
    expect(isEnabled(setup, reached(setup), LAG)).toBe(false);
  });
});

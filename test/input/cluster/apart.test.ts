import { describe, expect, it } from 'vitest';
import type { ClusterAround } from '../../../input/cluster/around.ts';
import { signatureOf } from '../../../input/cluster/components.ts';
import { withActing } from '../../../input/cluster/doubts/apart.ts';
import type { JudgedFinalizer, JudgedRow } from '../../../input/cluster/finalizers.ts';
import {
  type ApiObject,
  describer,
  initialCluster,
  keyOf,
  type Operator,
  plainFinalizer,
  worldOf,
} from '../../../model/index.ts';
import { waitsForRelease } from '../../../model/state/finalizers.ts';
import { assumptionsOf } from '../../../run/assumptions.ts';
import { object, setupOf } from '../../properties/clusters.ts';

const RECLAIM = 'external-provisioner.volume.kubernetes.io/finalizer';
const HOOK = 'pre-delete-finalizer.argocd.argoproj.io';

function row(judgement: JudgedRow['judgement'], objects: readonly ApiObject[]): JudgedRow {
  return {
    ...{ judgement, evidence: '', settle: null, held: null, runs: true, known: null },
    ...{ objects: objects.map(keyOf), reached: true, runner: null },
  };
}

/** The owner of the finalizer acts for the first object only. */
function judgedOf(acts: ApiObject, other: ApiObject): JudgedFinalizer {
  const rows = [row('cooperative', [acts]), row('unknown', [other])];
  return { finalizer: HOOK, ...row('unknown', [acts, other]), rows };
}

describe('a finalizer whose owner acts for some objects only', () => {
  const acts = object('ConfigMap', 'acts', { finalizers: [HOOK] });
  const other = object('ConfigMap', 'other', { finalizers: [HOOK] });
  const apart = withActing(setupOf([acts, other]), [judgedOf(acts, other)]);
  const alias = apart.objects[0]?.finalizers[0] ?? '';

  it('has another name on them, which stands for the same', () => {
    expect(alias).not.toBe(HOOK);
    expect(apart.objects[1]?.finalizers).toEqual([HOOK]);
    expect(apart.finalizers[alias]).toBe('cooperative');
    expect(plainFinalizer(alias)).toBe(HOOK);
  });

  it('takes no name that an object has already, of which the dump says something else', () => {
    const third = object('ConfigMap', 'third', { finalizers: [alias] });
    const setup = setupOf([acts, other, third], { finalizers: { [alias]: 'stuck' } });
    expect(withActing(setup, [judgedOf(acts, other)])).toEqual(setup);
  });

  it('is waited for under that name', () => {
    const operator: Operator = {
      ...{ name: 'teardown', parent: { key: keyOf(acts), uid: acts.uid }, finalizer: 'x.io/all' },
      ...{ addsFinalizer: false, creates: [], deletes: [], after: [HOOK], waitsFor: [] },
      ...{ reads: 'live', fairness: 'weak' },
    };
    const setup = setupOf([acts, other], { operators: [operator] });
    expect(withActing(setup, [judgedOf(acts, other)]).operators?.[0]?.after).toEqual([alias]);
  });

  it('is let go as the one that it stands for', () => {
    const volume = object('PersistentVolume', 'v', {
      ...{ finalizers: [RECLAIM], deletionTimestamp: 0 },
      volume: { claim: 'PersistentVolumeClaim/shop/data', bound: true },
    });
    const setup = setupOf([volume, other]);
    const judged = { ...judgedOf(volume, other), finalizer: RECLAIM };
    const [renamed = volume] = withActing(setup, [judged]).objects;
    const [name = ''] = renamed.finalizers;
    expect(name).not.toBe(RECLAIM);
    expect(waitsForRelease(name, renamed)).toBe(true);
  });

  it('has its own name in words', () => {
    const words = describer(apart);
    const step = {
      ...{ name: 'removeThirdPartyFinalizer' },
      parameters: { finalizer: alias, key: keyOf(acts) },
    };
    const said = [
      ...words.instance(step),
      ...words.state(initialCluster(apart, worldOf(apart))),
    ].join();
    expect(said).toContain(HOOK);
    expect(`${said} ${assumptionsOf(apart, 'newest').join()}`).not.toContain(alias);
  });

  it('makes parts differ in which objects that are', () => {
    const signed = (judged: JudgedFinalizer): string | null =>
      signatureOf(setupOf([acts, other]), {
        ...{ unknownContents: [], replaced: [], tracking: [], refused: [], unknownOwners: [] },
        ...{ doubts: [], admitted: [], finalizers: [judged] },
      } as unknown as ClusterAround);
    expect(signed(judgedOf(acts, other))).toBe(signed(judgedOf(acts, other)));
    expect(signed(judgedOf(acts, other))).not.toBe(signed(judgedOf(other, acts)));
  });
});

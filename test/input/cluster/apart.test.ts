import { describe, expect, it } from 'vitest';
import type { ClusterAround } from '../../../input/cluster/around.ts';
import { signatureOf } from '../../../input/cluster/components.ts';
import { plainFinalizer, withActing } from '../../../input/cluster/doubts/apart.ts';
import type { JudgedFinalizer, JudgedRow } from '../../../input/cluster/finalizers.ts';
import { type ApiObject, keyOf, type Operator } from '../../../model/index.ts';
import { object, setupOf } from '../../properties/clusters.ts';

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
    expect(plainFinalizer(alias, setupOf([acts, other]))).toBe(HOOK);
  });

  it('takes no name that an object has already, of which the dump says something else', () => {
    const third = object('ConfigMap', 'third', { finalizers: [alias] });
    const setup = setupOf([acts, other, third], { finalizers: { [alias]: 'stuck' } });
    expect(withActing(setup, [judgedOf(acts, other)])).toEqual(setup);
    expect(plainFinalizer(alias, setup)).toBe(alias);
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

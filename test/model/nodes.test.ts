import { describe, expect, it } from 'vitest';
import { check, type Model } from '../../checker/index.ts';
import { outcomeProperties } from '../../input/scenarios/outcomes.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import { CLIENT_WAIT_ENDS } from '../../properties/clients/waiting.ts';
import { CLAIM_IN_USE_STAYS } from '../../properties/workloads/storage.ts';
import { judged, sentences, setupOf } from './judged-scenario.ts';

describe('claim protection', () => {
  it('with only the cache releases a claim that a pod has started with (kubernetes/kubernetes#76703)', async () => {
    const before = await judged(
      'claim-in-use',
      { claimUseCheck: 'cachedPods' },
      CLAIM_IN_USE_STAYS.name,
    );
    expect(before.verdict).toBe('violated');
    expect(sentences(before)).toEqual([
      'bob: POST Pod/p',
      'alice: DELETE PersistentVolumeClaim/data',
      'kubelet: GET PersistentVolumeClaim/data -> starts Pod/p',
      'API server: updates PersistentVolumeClaim/data (DELETE of alice)',
      'claim protection: finds no pod in its cache that uses PersistentVolumeClaim/data',
      'claim protection: PUT PersistentVolumeClaim/data, removes finalizer kubernetes.io/pvc-protection, resourceVersion as read',
      'API server: removes PersistentVolumeClaim/data (PUT of claim protection)',
    ]);
  });

  it('with the live list keeps the claim, and the list is needed', async () => {
    expect((await judged('claim-in-use', {}, CLAIM_IN_USE_STAYS.name)).verdict).toBe('holds');
    const without = await judged('claim-in-use', {}, CLAIM_IN_USE_STAYS.name, (setup) => ({
      ...setup,
      storageProtection: false,
    }));
    expect(without.verdict).toBe('violated');
  });
});

describe('a kubelet', () => {
  it('comes to rest with a pod that has one claim and lacks another', async () => {
    const missing = (setup: Setup): Setup =>
      JSON.parse(JSON.stringify(setup).replaceAll('["data"]', '["data","missing"]'));
    expect(JSON.stringify(missing(setupOf('claim-in-use')))).toContain('missing');
    const rest = 'the collector comes to rest';
    expect((await judged('claim-in-use', {}, rest, missing)).verdict).toBe('holds');
  });
});

describe('pod gc', () => {
  const taken = 'outcome: the pod is taken for one without a node';

  it('with only the cache treats a pod of a new node like a pod without a node', async () => {
    // It is expected never.
    expect((await judged('pod-gc-new-node', { absentNode: 'cached' }, taken)).verdict).toBe(
      'violated',
    );
    expect((await judged('pod-gc-new-node', {}, taken)).verdict).toBe('holds');
  });
});

describe('pod gc that decided on an earlier pod', () => {
  const taken = 'outcome: the later pod is removed in its place';

  it('removes a later pod of the same name, with its DELETE or with the PATCH before it', async () => {
    const found = await judged('pod-gc-recreated', {}, taken);
    expect(found.verdict).toBe('holds');
    const [, later] = sentences(found).join('\n').split('user: POST Pod/p');
    expect(later).toContain('API server: removes Pod/p (DELETE of pod gc)');
    const mistake = 'no other object of the same name is deleted';
    expect((await judged('pod-gc-recreated', {}, mistake)).verdict).toBe('holds');
    const marked = await judged('pod-gc-recreated', { podGcPhase: 'failedFirst' }, mistake);
    expect(sentences(marked).at(-1)).toBe('API server: removes Pod/p (PATCH of pod gc)');
  });
});

describe('pod gc that takes finalizers off', () => {
  it('removes a held pod, which would stay otherwise', async () => {
    const goes = 'outcome: one goes';
    const found = await judged('pod-gc-held', {}, goes);
    expect(sentences(found)).toContain('pod gc: PATCH Pod/p, removes finalizer example.com/hold');
    const left = await judged('pod-gc-held', { podGcFinalizers: 'left' }, goes);
    expect(left.verdict).toBe('violated');
  });
});

describe('a restart of the controller manager', () => {
  it('keeps the claim and releases it as before', async () => {
    const restart = [{ do: 'stopControllers' }, { do: 'startControllers' }] as const;
    const restarted = (setup: Setup): Setup => ({
      ...setup,
      users: { ...setup.users, runner: restart.map((request) => ({ request, after: [] })) },
    });
    for (const name of [CLAIM_IN_USE_STAYS.name, 'every deletion finishes', 'nothing is stuck']) {
      expect((await judged('claim-in-use', {}, name, restarted)).verdict, name).toBe('holds');
    }
  });
});

describe('a waiting kubectl', () => {
  it('that compares only the name waits forever for an object that was created later (kubernetes/kubernetes#66136)', async () => {
    const before = await judged(
      'kubectl-waits-for-recreated',
      { kubectlWait: 'byName' },
      CLIENT_WAIT_ENDS.name,
    );
    expect(before.verdict).toBe('violated');
    expect(sentences(before).slice(0, 3)).toEqual([
      'alice: DELETE ConfigMap/a propagationPolicy=Background',
      'API server: removes ConfigMap/a (DELETE of alice)',
      'bob: POST ConfigMap/a',
    ]);
    const after = await judged('kubectl-waits-for-recreated', {}, CLIENT_WAIT_ENDS.name);
    expect(after.verdict).toBe('holds');
  });
});

describe('a node whose machine is gone', () => {
  it('is removed after its pods, or leaves them to pod gc', async () => {
    const gone = 'outcome: both are gone';
    expect((await judged('node-lost-pod-gc', {}, gone)).verdict).toBe('holds');
    const finishes = 'every deletion finishes';
    expect((await judged('node-lost-pod-gc', {}, finishes)).verdict).toBe('holds');
    const { podGc: _, ...alone } = setupOf('node-lost-pod-gc');
    const model: Model<Cluster> = deletionModel(alone);
    const { properties } = await check({ model, properties: outcomeProperties(alone) });
    expect(properties.map(({ verdict }) => verdict)).toEqual(['violated']);
    const old = { vanishedNode: 'podsThenNode' } as const;
    expect((await judged('node-lost-pod-gc', old, gone)).verdict).toBe('holds');
  });
});

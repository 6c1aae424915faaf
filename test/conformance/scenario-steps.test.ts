import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { judge } from '../../conformance/facts/judge.ts';
import { reduceScenario } from '../../conformance/facts/scenario/reduce.ts';
import { expectSchema, givenSchema, stepSchema } from '../../conformance/facts/scenario/schema.ts';
import { JUDGED } from './fact-files.ts';

/** Steps of the format that none of the published cases has. */

const KINDS = {
  ReplicationController: kind('v1', 'replicationcontrollers', 'OrphanDependents'),
  Pod: kind('v1', 'pods', 'none'),
  ConfigMap: kind('v1', 'configmaps', 'none'),
  PersistentVolume: { ...kind('v1', 'persistentvolumes', 'none'), namespaced: false },
  Widget: { ...kind('example.test/v1', 'widgets', 'none'), custom: true },
};

function kind(apiVersion: string, resource: string, defaultPolicy: string) {
  return { apiVersion, resource, namespaced: true, defaultPolicy };
}

type Step = Readonly<Record<string, unknown>>;

function object(kindName: keyof typeof KINDS, key: string, more: object = {}): object {
  const { namespaced } = KINDS[kindName];
  return { key, kind: kindName, namespace: namespaced ? 'ns' : '', name: key, ...more };
}

function scenario(steps: readonly Step[], final: readonly object[] = [], collector = 'running') {
  return {
    id: 'made-up',
    area: 'scenarios',
    kind: 'scenario',
    title: '',
    source: { file: '', test: null, case: null, version: '1.20.2' },
    given: { kinds: KINDS, namespaces: ['ns'], collector },
    steps,
    expect: { final },
  };
}

async function verdictOn(part: object) {
  return (await judge(part, JUDGED)).outcome;
}

const ok = Object.fromEntries([['then', { error: null }]]);
const PASSED = { verdict: 'passed' };

describe('scenario steps', () => {
  it('deleteDefinition removes the instances, and their dependents are collected', async () => {
    const steps = [
      { do: 'create', objects: [object('Widget', 'owner')] },
      {
        do: 'create',
        objects: [object('ConfigMap', 'dependent', { ownerReferences: [{ to: 'owner' }] })],
      },
      { do: 'awaitCollectorKnows', objects: ['owner', 'dependent'] },
      { do: 'deleteDefinition', kind: 'Widget', ...ok },
      { do: 'await', facts: [{ definition: 'Widget', exists: false }] },
      { do: 'await', facts: [{ object: 'dependent', exists: false }] },
      { do: 'createDefinition', kind: 'Widget', ...ok },
      { do: 'create', objects: [object('Widget', 'again', { name: 'owner' })] },
    ];
    const final = [
      { object: 'owner', exists: false },
      { object: 'again', exists: true },
      { definition: 'Widget', exists: true },
    ];
    expect(await verdictOn(scenario(steps, final))).toEqual(PASSED);
    // Without its definition, objects of a custom kind cannot be created.
    const without = scenario(steps.toSpliced(6, 1));
    expect(await verdictOn(without)).toMatchObject({ verdict: 'failed', step: 6 });
  });

  it('parallel branches interleave', async () => {
    const owner = (number: number, policy: string): readonly Step[] => [
      {
        do: 'create',
        objects: [
          object('ReplicationController', `rc${number}`),
          object('Pod', `p${number}`, { ownerReferences: [{ to: `rc${number}` }] }),
        ],
      },
      { do: 'awaitCollectorKnows', objects: [`p${number}`] },
      { do: 'delete', object: `rc${number}`, options: { propagationPolicy: policy }, ...ok },
    ];
    const steps = [
      { do: 'parallel', branches: [owner(1, 'Background'), owner(2, 'Orphan')] },
      {
        do: 'await',
        facts: [{ count: { kind: 'ReplicationController', namespace: 'ns' }, equals: 0 }],
      },
      { do: 'await', facts: [{ object: 'p1', exists: false }] },
    ];
    const final = [
      { object: 'p1', exists: false },
      { object: 'p2', owners: [] },
    ];
    expect(await verdictOn(scenario(steps, final))).toEqual(PASSED);
  });

  it('a slow watch changes nothing: every delay is explored', async () => {
    const steps = [
      { do: 'slowWatch', resource: 'persistentvolumes', seconds: 5 },
      { do: 'create', objects: [object('PersistentVolume', 'volume')] },
      {
        do: 'create',
        objects: [object('ConfigMap', 'dependent', { ownerReferences: [{ to: 'volume' }] })],
      },
      { do: 'hold', facts: [{ object: 'dependent', exists: true }], seconds: 15 },
    ];
    expect(await verdictOn(scenario(steps))).toEqual(PASSED);
  });

  it('a sentence in a parallel step names cases, which are judged with it', async () => {
    const good = {
      ...scenario(
        [{ do: 'create', objects: [object('Pod', 'p')] }],
        [{ object: 'p', exists: true }],
      ),
      id: 'good-case',
    };
    const bad = { ...good, id: 'bad-case', expect: { final: [{ object: 'p', exists: false }] } };
    const naming = (sentence: string) =>
      scenario([{ do: 'parallel', branches: [sentence] }, ...good.steps]);
    const verdict = async (sentence: string) =>
      (await judge(naming(sentence), { ...JUDGED, others: [good, bad] })).outcome.verdict;
    expect(await verdict('the steps of good-case')).toBe('passed');
    expect(await verdict('those of good-case and of bad-case')).toBe('failed');
    expect(await verdict('the steps of another-good-case')).toBe('unsupported');
  });

  it('a patch may take a list away, and errors are demanded by their reason', async () => {
    const uid = { preconditions: { uid: 'another' } };
    const steps = [
      { do: 'create', objects: [object('Pod', 'p', { finalizers: ['x/y'] })] },
      {
        do: 'delete',
        object: 'p',
        options: uid,
        ...Object.fromEntries([['then', { error: 'Conflict' }]]),
      },
      { do: 'delete', object: 'p', options: {}, ...ok },
      { do: 'check', facts: [{ object: 'p', finalizers: ['x/y'] }] },
      { do: 'patch', object: 'p', remove: 'metadata.finalizers', ...ok },
      { do: 'check', facts: [{ object: 'p', exists: false }] },
    ];
    expect(await verdictOn(scenario(steps))).toEqual(PASSED);
    const other = Object.fromEntries([['then', { error: 'NotFound' }]]);
    const wrong = scenario(steps.with(1, { do: 'delete', object: 'p', options: uid, ...other }));
    expect(await verdictOn(wrong)).toMatchObject({ verdict: 'failed', step: 1 });
  });

  it('what happens before the collector starts is judged as well', async () => {
    const steps = [
      { do: 'create', objects: [object('Pod', 'p')] },
      { do: 'check', facts: [{ count: { kind: 'Pod', namespace: 'ns' }, equals: 1 }] },
      { do: 'startCollector', untilSynced: true },
      { do: 'check', facts: [{ collectorKnows: 'p', equals: true }] },
    ];
    expect(await verdictOn(scenario(steps, [], 'stopped'))).toEqual(PASSED);
    const count = { count: { kind: 'Pod', namespace: 'ns' }, equals: 2 };
    const wrong = steps.with(1, { do: 'check', facts: [count] });
    expect(await verdictOn(scenario(wrong, [], 'stopped'))).toMatchObject({ step: 1 });
  });

  it('a race that Kubernetes has is found, unless it is assumed away', async () => {
    // A dependent seen before its owner may still be processed when the owner is orphaned.
    const steps = [
      { do: 'create', objects: [object('ReplicationController', 'rc')] },
      {
        do: 'create',
        objects: [object('Pod', 'p', { ownerReferences: [{ to: 'rc' }] })],
      },
      { do: 'delete', object: 'rc', options: { propagationPolicy: 'Orphan' }, ...ok },
      { do: 'await', facts: [{ object: 'rc', exists: false }] },
      { do: 'check', facts: [{ object: 'p', exists: true }] },
    ];
    expect(await verdictOn(scenario(steps))).toMatchObject({ verdict: 'failed', step: 4 });
    const assumes = ['the collector knows the pod when it handles the delete'];
    expect(await verdictOn({ ...scenario(steps), assumes })).toEqual(PASSED);
    const unknown = { ...scenario(steps), assumes: ['the weather is fine'] };
    expect(await verdictOn(unknown)).toMatchObject({ verdict: 'unsupported' });
  });

  it('that the collector has seen all objects does not mean that it is done with them', async () => {
    // If q is seen before its owner p, a worker looks up p, and may be delayed in doing so.
    const steps = [
      { do: 'create', objects: [object('ReplicationController', 'rc')] },
      { do: 'create', objects: [object('Pod', 'p', { ownerReferences: [{ to: 'rc' }] })] },
      {
        do: 'create',
        objects: [object('ReplicationController', 'q', { ownerReferences: [{ to: 'p' }] })],
      },
      { do: 'startCollector', untilSynced: true },
      { do: 'delete', object: 'rc', options: { propagationPolicy: 'Orphan' }, ...ok },
      { do: 'await', facts: [{ object: 'rc', exists: false }] },
      { do: 'check', facts: [{ object: 'p', exists: true }] },
    ];
    const stated = scenario(steps, [], 'stopped');
    expect(await verdictOn(stated)).toMatchObject({ verdict: 'failed', step: 6 });
    const assumes = ['the collector knows all pods when it handles the delete'];
    expect(await verdictOn({ ...stated, assumes })).toEqual(PASSED);
  });
});

describe('objects that are alike', () => {
  const pods = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      object('Pod', `p${index}`, { ownerReferences: [{ to: 'rc' }] }),
    );
  const many = (count: number, facts: readonly object[]) =>
    scenario(
      [
        { do: 'create', objects: [object('ReplicationController', 'rc')] },
        { do: 'create', objects: pods(count) },
        { do: 'check', facts },
      ],
      [],
    );
  const count = (equals: number) => ({ count: { kind: 'Pod', namespace: 'ns' }, equals });
  it.each([
    ['three are left as they are', many(3, [count(3)]), 4],
    ['of more two are kept, and counts follow', many(9, [count(9)]), 3],
    ['a count of some keeps them all', many(9, [count(4)]), 10],
    [
      'one that a fact is about is not like the others',
      many(9, [{ object: 'p0', exists: true }]),
      3,
    ],
  ])('%s', (_, part, left) => {
    const reduced = reduceScenario(
      {
        given: givenSchema.parse(part.given),
        steps: z.array(stepSchema).parse(part.steps),
        expected: expectSchema.parse(part.expect),
      },
      () => true,
    );
    const created = reduced.steps.flatMap((step) => (step.do === 'create' ? step.objects : []));
    expect(created).toHaveLength(left);
  });
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { setupIn, worldsOf } from '../../input/cluster/worlds.ts';
import { gatherExplanation } from '../../input/gather-explanation.ts';
import type { Explanation } from '../../input/manifests/explanation.ts';
import type { Plan } from '../../input/plan.ts';
import { isBeingDeleted } from '../../model/index.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { runPlan } from '../../run/assemble.ts';
import { type Explained, explained } from '../../run/questions/explain.ts';
import { dump, runCli, temporaryFile } from '../cli/run-cli.ts';
import { expectGoldenFile } from '../report/golden-file.ts';

const GOLDEN = {
  'namespace-stuck': 1,
  'namespace-finalizers': 3,
  'stuck-definition': 3,
  'node-terminating': 1,
  'claim-in-use': 1,
  'wait-cycle': 3,
  'foreground-blocked': 1,
  'operator-scaled-down': 3,
} as const;

/** More than any of these searches takes: no answer here depends on the clock. */
const SECONDS = 600;

const GIVEN: Parameters<typeof explained>[2] = {
  search: { engine: 'tracked', auditEvery: 0 },
  acceptBounded: false,
  limits: {},
  onProgress: () => {},
  interrupted: () => false,
};

describe.each(Object.entries(GOLDEN))('explain %s', (name, code) => {
  it('prints what people read', async () => {
    const file = dump(`${name}.yaml`);
    const outcome = await runCli(['explain', file, '-q', '--timeout', `${SECONDS}`]);
    expect(outcome.stderr).toBe('');
    expectGoldenFile(`explain-${name}.txt`, outcome.stdout);
    expect(outcome.code).toBe(code);
  });

  it('claims of each remedy what the model does, with commands that a shell reads as one', async () => {
    const { answer, remedies } = await explainedIn(dump(`${name}.yaml`));
    expect(answer.remedies?.length).toBe(remedies.length);
    for (const remedy of remedies) await expectWorks(remedy.plan, remedy.objects);
    for (const { command } of (answer.remedies ?? []).flatMap(({ steps }) => steps)) {
      execFileSync('sh', ['-n', '-c', command]);
      expect(command).toMatch(/^(kubectl|echo) /);
    }
  });
});

describe('explain', () => {
  it('says that nothing is being deleted', async () => {
    const { code, stdout } = await runCli(['explain', dump('operator.yaml'), '-q']);
    expect(stdout).toMatch(/^Nothing in the dump is being deleted\.\n/);
    expect(code).toBe(0);
  });

  it('ends while a remedy is planned, and says that it has not tried all', async () => {
    const found = await gathered(dump('operator-scaled-down.yaml'));
    let now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
    onTestFinished(() => void clock.mockRestore());
    let looks = 0;
    const planAfter: Explanation['planAfter'] = (changed, look) =>
      found.planAfter(changed, (doing) => {
        looks += 1;
        if (looks === 3) now += 60_000;
        look(doing);
      });
    const all = await explained({ ...found, planAfter }, 10, GIVEN);
    expect(all.remedies).toEqual([]);
    expect(all.answer.outcomes[0]).toMatchObject({ exitCode: 3 });
    expect(all.answer.look?.map(({ text }) => text).join()).toMatch(/a limit was hit/);
    expect(looks).toBe(3);
  });

  it('says of a given object that nothing deletes it', async () => {
    const words = ['explain', dump('deployment.yaml'), 'deploy', 'web', '-q'];
    const { code, stdout } = await runCli(words);
    expect(stdout).toMatch(/^Nothing deletes Deployment\.apps\/web\.prod\.\n/);
    expect(code).toBe(0);
  });

  it('says that the time was up, not that no remedy works, and that a namespace is emptied', async () => {
    const deletionTimestamp = '2025-03-02T10:00:00Z';
    const inside = { name: 'c', namespace: 'n', uid: 'c' };
    const file = temporaryFile(
      'terminating.json',
      JSON.stringify({
        ...{ apiVersion: 'v1', kind: 'List' },
        items: [
          {
            ...{ apiVersion: 'v1', kind: 'Namespace', spec: { finalizers: ['kubernetes'] } },
            ...{ metadata: { name: 'n', uid: 'n', deletionTimestamp } },
            status: { phase: 'Terminating' },
          },
          { apiVersion: 'v1', kind: 'ConfigMap', metadata: inside },
        ],
      }),
    );
    const { answer } = await explainedIn(file, 0);
    expect(answer.outcomes[0]?.sentence).toContain('a limit was hit before a remedy was found');
    expect(JSON.stringify(answer)).not.toMatch(/none of the remedies|nothing deletes/);
  });

  it('does not believe that a deletion of an hour goes by itself', async () => {
    const config = { apiVersion: 'v1', kind: 'ConfigMap' };
    const volume = { apiVersion: 'v1', kind: 'PersistentVolume' };
    const annotations = { 'pv.kubernetes.io/provisioned-by': 'kubernetes.io/gce-pd' };
    const deletionTimestamp = '2025-03-02T10:00:00Z';
    const finalizers = ['kubernetes.io/pv-controller'];
    const items = [
      { ...volume, metadata: { name: 'a', uid: 'a', deletionTimestamp, finalizers, annotations } },
      { ...config, metadata: { name: 'b', uid: 'b', creationTimestamp: '2025-03-02T11:00:00Z' } },
    ];
    const file = temporaryFile(
      'dump.json',
      JSON.stringify({ kind: 'List', apiVersion: 'v1', items }),
    );
    const { code, stdout } = await runCli(['explain', file, '-q']);
    expect(stdout).toMatch(/\? unknown +PersistentVolume\/a/);
    expect(stdout).toMatch(
      /^PersistentVolume\/a is not gone: [^;]*should\s+have\s+been\s+gone\s+for\s+1\s+hour/,
    );
    expect(stdout).toMatch(/kubectl describe persistentvolumes a/);
    expect(code).toBe(3);
  });

  it('asks for what a namespace reports and the dump lacks', async () => {
    const message = 'Some resources are remaining: topics.kafka.io has 2 resource instances';
    const status = {
      conditions: [{ type: 'NamespaceContentRemaining', status: 'True', reason: '', message }],
    };
    const metadata = { name: 'a', uid: 'a', deletionTimestamp: '2025-03-02T10:00:00Z' };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata, status };
    const { code, stdout } = await runCli(['explain', '-', '-q'], {
      stdin: JSON.stringify({ ...namespace, spec: { finalizers: ['kubernetes'] } }),
    });
    expect(stdout).toMatch(/kubectl get topics\.kafka\.io -n a -o yaml/);
    expect(code).toBe(3);
  });

  it('finds remedies for a pod on a node, and for an object whose removal has failed', async () => {
    const deleted = { deletionTimestamp: '2026-11-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
    const pod = {
      ...{ apiVersion: 'v1', kind: 'Pod', spec: { nodeName: 'n' }, status: { phase: 'Running' } },
      metadata: { name: 'p', uid: 'u-1', finalizers: ['example.com/drain'], ...deleted },
    };
    const ended = { ...pod, metadata: { name: 'ended', uid: 'u-2', ...deleted } };
    const left = {
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: { name: 'left', uid: 'u-3', ...deleted },
    };
    const items = [pod, ended, left];
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const { answer, remedies } = await explainedIn(temporaryFile('dump.json', list));
    expect(answer.outcomes[0]?.fates.map(({ fate }) => fate)).toEqual(['depends', 'goes', 'hangs']);
    for (const remedy of remedies) await expectWorks(remedy.plan, remedy.objects);
    const steps = remedies.flatMap((remedy) => remedy.steps.map(({ text }) => text));
    expect(steps).toContain('take example.com/drain off Pod/p');
    expect(steps).toContain('delete ConfigMap/left again');
  });

  it('finds remedies for what will hold a dependent that is not being deleted yet', async () => {
    const owner = {
      ...{ apiVersion: 'v1', kind: 'Secret' },
      metadata: {
        ...{ name: 'owner', namespace: 'x', uid: 'u-1', finalizers: ['foregroundDeletion'] },
        ...{ deletionTimestamp: '2026-11-01T00:00:00Z', deletionGracePeriodSeconds: 0 },
      },
    };
    const reference = { apiVersion: 'v1', kind: 'Secret', name: 'owner', uid: 'u-1' };
    const dependent = {
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: {
        ...{ name: 'dependent', namespace: 'x', uid: 'u-2', finalizers: ['example.com/hold'] },
        ownerReferences: [{ ...reference, blockOwnerDeletion: true }],
      },
    };
    const items = [owner, dependent];
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const { remedies } = await explainedIn(temporaryFile('dump.json', list));
    expect(remedies.length).toBeGreaterThan(0);
    for (const remedy of remedies) await expectWorks(remedy.plan, remedy.objects);
    const steps = remedies.flatMap((remedy) => remedy.steps.map(({ text }) => text));
    expect(steps.join()).toContain('take example.com/hold off ConfigMap/dependent.x');
  });

  it('leads from an Application to what it tracks, and to what holds that', async () => {
    const application = {
      ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
      metadata: {
        ...{ name: 'shop', namespace: 'argocd', uid: 'u-1' },
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
        ...{ deletionTimestamp: '2026-11-01T00:00:00Z', deletionGracePeriodSeconds: 0 },
      },
    };
    const tracked = ['example.com/hold', 'example.com/other'].map((finalizer, index) => ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: {
        ...{ name: `c${index}`, namespace: 'x', uid: `u-${index + 2}`, finalizers: [finalizer] },
        annotations: { 'argocd.argoproj.io/tracking-id': `shop:/ConfigMap:x/c${index}` },
      },
    }));
    const controller = {
      ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', spec: { replicas: 1 } },
      ...{ status: { readyReplicas: 1 } },
      metadata: { name: 'argocd-application-controller', namespace: 'argocd', uid: 'u-4' },
    };
    const items = [application, ...tracked, controller];
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const { answer, remedies } = await explainedIn(temporaryFile('dump.json', list));
    expect(answer.outcomes[0]?.sentence).toMatch(/ConfigMap\/c0\.x waits for .*example\.com\/hold/);
    expect(answer.stuck?.[0]?.chain.join('\n')).toMatch(
      /c0\.x, which it tracks and which waits for .*hold.*\n.*c1\.x, which it tracks and which .*other/,
    );
    expect(remedies.length).toBeGreaterThan(0);
    for (const remedy of remedies) await expectWorks(remedy.plan, remedy.objects);
  });

  it.each([
    ['drained.yaml', 'uid: u-worker-1,', ['kubectl delete pods db-0 -n shop']],
    ['held.yaml', 'name: prod, namespace: argocd,', [/^kubectl delete app\S+ shop -n argocd$/]],
    [
      'owners-of-finalizers.yaml',
      'name: cold, namespace: fleet,',
      [/^kubectl patch clusters\S+ frozen -n fleet .*"paused":false/],
    ],
  ])(
    'ends what keeps an owner that runs from its finalizer: %s, %s',
    async (name, field, first) => {
      const text = readFileSync(dump(name), 'utf8');
      const deleted = text.replace(field, `${field} deletionTimestamp: "2026-11-01T00:00:00Z",`);
      const { remedies } = await explainedIn(temporaryFile('dump.yaml', deleted));
      expect(remedies[0]?.steps.map(({ command }) => command)).toEqual(
        first.map((words) => expect.stringMatching(words)),
      );
      for (const remedy of remedies) await expectWorks(remedy.plan, remedy.objects);
    },
  );

  it('decides in a large namespace what a patch of a finalizer does', async () => {
    const within = (apiVersion: string, kind: string, name: string, more: object = {}) => {
      return {
        ...{ apiVersion, kind },
        metadata: { name, namespace: 'shop', uid: `u-${name}`, ...more },
      };
    };
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    const items = [
      {
        ...{ apiVersion: 'v1', kind: 'Namespace' },
        metadata: { name: 'shop', uid: 'u-shop', deletionTimestamp },
        ...{ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } },
      },
      within('v1', 'ConfigMap', 'kube-root-ca.crt'),
      within('v1', 'ServiceAccount', 'default'),
      ...Array.from({ length: 40 }, (_, at) => within('v1', 'ConfigMap', `c${at}`)),
      within('acme.io/v1', 'Widget', 'w', { deletionTimestamp, finalizers: ['acme.io/hold'] }),
    ];
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const { remedies } = await explainedIn(temporaryFile('dump.json', list));
    expect(remedies.map(({ steps }) => steps.at(-1)?.command)).toEqual([
      expect.stringMatching(/^kubectl get/),
      expect.stringMatching(/^kubectl patch widgets\.acme\.io w/),
    ]);
    expect(remedies.map(({ basis }) => basis.kind)).toEqual(['search', 'search']);
  });

  const stuckIn = (name: string, namespace: string): string => {
    const lines = readFileSync(dump(name), 'utf8').split('\n');
    const isMeant = (line: string) => line.includes(`namespace: ${namespace},`);
    return ['apiVersion: v1', 'kind: List', 'items:', ...lines.filter(isMeant)].join('\n');
  };

  it('patches more objects than it sends requests for, and leaves the others alone', async () => {
    const text = stuckIn('controllers.yaml', 'six');
    const { remedies } = await explainedIn(temporaryFile('dump.yaml', text));
    const patches = remedies.at(-1)?.steps.map(({ command }) => command) ?? [];
    expect(patches.map((words) => words.split(' ')[3])).toEqual(['s1', 's2', 's3', 's4', 's5']);
    expect(patches.join()).toMatch(/"value":"finalizer\.keda\.sh"/);
    for (const remedy of remedies) await expectWorks(remedy.plan, remedy.objects);
  });

  it('names each of several owners that do not act, and no other', async () => {
    const text = [
      stuckIn('controllers.yaml', 'two').replace('{replicas: 1}', '{replicas: 0}'),
      // The operator of its own cluster runs, so it needs no remedy.
      ...stuckIn('controllers.yaml', 'mq')
        .split('\n')
        .slice(3)
        .map((line) =>
          line.replace('name: legacy', 'name: legacy, deletionTimestamp: "2026-11-01T00:00:00Z"'),
        ),
    ].join('\n');
    const { remedies, answer } = await explainedIn(temporaryFile('dump.yaml', text));
    expect(remedies[0]?.steps.map(({ command }) => command)).toEqual([
      expect.stringMatching(/scale deployments.apps a-entity-operator/),
      expect.stringMatching(/scale deployments.apps b-entity-operator/),
    ]);
    const fates = answer.objects.map(({ name }, index) => [
      name.split('/')[1],
      answer.outcomes[0]?.fates[index]?.fate,
    ]);
    expect(Object.fromEntries(fates)).toMatchObject({ 'legacy.mq': 'goes', 'a.two': 'depends' });
    for (const remedy of remedies) await expectWorks(remedy.plan, remedy.objects);
  });

  it('prints no remedy after which something hangs', async () => {
    let printed = 0;
    await fc.assert(
      fc.asyncProperty(dumps, async (text) => {
        const { remedies, answer } = await explainedIn(temporaryFile('dump.json', text));
        const codes = answer.outcomes.map(({ exitCode }) => exitCode);
        expect(codes[0]).not.toBe(70);
        printed += remedies.length;
        for (const remedy of remedies) await expectWorks(remedy.plan, remedy.objects);
      }),
      { numRuns: 12, seed: 7 },
    );
    expect(printed).toBeGreaterThan(5);
  });
});

async function explainedIn(file: string, seconds = SECONDS): Promise<Explained> {
  return explained(await gathered(file), seconds, GIVEN);
}

function gathered(file: string): Promise<Explanation> {
  const nothing = (async function* () {})();
  return gatherExplanation(
    {
      ...{ inputs: [file], museum: false, deletions: [], cascade: 'background', namespace: null },
      ...{ properties: [], overrides: { rules: [], stuckFinalizers: [] }, maxMegabytes: 10 },
    },
    nothing,
  );
}

/** Searches the plan of a remedy again, in every world and without symmetry. */
async function expectWorks(plan: Plan, objects: readonly { readonly uid: string }[]) {
  const { cluster, setup } = plan;
  if (cluster === null) throw new Error('a remedy is about a dump');
  const deleting = setup.objects.filter(isBeingDeleted).map(({ uid }) => uid);
  for (const world of worldsOf(cluster)) {
    const changed = { ...plan, properties: [], setup: setupIn(setup, cluster, world).setup };
    const search = { engine: 'tracked', reductions: [], limits: {}, auditEvery: 0 } as const;
    const { fates, result } = await runPlan(changed, search, '');
    expect(result.outcome).toBe('complete');
    const fateOf = new Map(
      fates.flatMap((one) => (one.members ?? [one]).map(({ uid }) => [uid, one.fate] as const)),
    );
    for (const uid of [...deleting, ...objects.map((object) => object.uid)]) {
      expect(fateOf.get(uid)).toBe('goes');
    }
  }
}

const FINALIZERS = [
  'foregroundDeletion',
  'example.com/hold',
  'strimzi.io/topic-operator',
  'kubernetes.io/pvc-protection',
] as const;

/** Two or three objects, of which some are being deleted and some own others. */
const dumps: fc.Arbitrary<string> = fc
  .array(
    fc.record({
      finalizers: fc.subarray([...FINALIZERS], { maxLength: 2 }),
      deleting: fc.boolean(),
      owner: fc.option(fc.nat(1)),
      isClusterScoped: fc.boolean(),
      block: fc.boolean(),
    }),
    { minLength: 2, maxLength: 3 },
  )
  .map((objects) => {
    const items = objects.map((object, index) => {
      const owner = object.owner === null || object.owner >= index ? null : object.owner;
      const kind = object.isClusterScoped && index > 0 ? 'ClusterRole' : 'ConfigMap';
      const version = kind === 'ConfigMap' ? 'v1' : 'rbac.authorization.k8s.io/v1';
      const owned = objects[owner ?? 0]?.isClusterScoped === true && owner !== 0;
      return {
        apiVersion: version,
        kind,
        metadata: {
          name: `o${index}`,
          uid: `u${index}`,
          ...(kind === 'ConfigMap' ? { namespace: 'shop' } : {}),
          ...(object.deleting ? { deletionTimestamp: '2025-03-02T10:00:00Z' } : {}),
          finalizers: object.finalizers,
          ...(owner === null
            ? {}
            : {
                ownerReferences: [
                  {
                    apiVersion: owned ? 'rbac.authorization.k8s.io/v1' : 'v1',
                    kind: owned ? 'ClusterRole' : 'ConfigMap',
                    name: `o${owner}`,
                    uid: `u${owner}`,
                    blockOwnerDeletion: object.block,
                  },
                ],
              }),
        },
      };
    });
    return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  });

describe('a remedy', () => {
  it('does not call along with a remedy what goes without it', async () => {
    const words = ['explain', dump('foreground-blocked-partly.yaml'), '--format', 'json'];
    const { answer } = JSON.parse((await runCli(words)).stdout) as ResultDocument;
    expect(answer?.remedies?.flatMap(({ along }) => along)).toEqual([
      'ClusterRole.rbac.authorization.k8s.io/op',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.ts';
import { fatesShown } from './truth-rows.ts';

/** Who sends a DELETE, what a person has tried out, and the questions besides `delete`. */

const REGISTRATION = 'admissionregistration.k8s.io/v1';

const object = (
  apiVersion: string,
  kind: string,
  name: string,
  metadata: object = {},
  more: object = {},
) => ({
  ...{ apiVersion, kind },
  metadata: { name, uid: `u-${kind}-${name}`, ...metadata },
  ...more,
});

const within = { namespace: 'shop' };
const ownedBy = (apiVersion: string, kind: string, name: string) => ({
  ...within,
  ownerReferences: [{ apiVersion, kind, name, uid: `u-${kind}-${name}`, controller: true }],
});

const SHOP = object('v1', 'Namespace', 'shop', {
  labels: { 'kubernetes.io/metadata.name': 'shop' },
});
const APP = [
  SHOP,
  object('apps/v1', 'Deployment', 'web', within, { spec: { replicas: 1 } }),
  object('apps/v1', 'ReplicaSet', 'web-1', ownedBy('apps/v1', 'Deployment', 'web'), {
    spec: { replicas: 1 },
  }),
  object('v1', 'Pod', 'web-1-x', ownedBy('apps/v1', 'ReplicaSet', 'web-1'), {
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
    status: { phase: 'Running' },
  }),
];

const policy = (name: string, resources: readonly string[], spec: object, operation = 'DELETE') => [
  object(
    REGISTRATION,
    'ValidatingAdmissionPolicy',
    name,
    {},
    {
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['*'], apiVersions: ['*'], operations: [operation], resources },
          ],
        },
        ...spec,
      },
    },
  ),
  object(
    REGISTRATION,
    'ValidatingAdmissionPolicyBinding',
    name,
    {},
    {
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ),
];

const only = (expression: string) => ({ validations: [{ expression, message: 'Not you.' }] });
const user = (name: string): string => `request.userInfo.username == "${name}"`;
const COLLECTOR = 'system:serviceaccount:kube-system:generic-garbage-collector';
const NAMESPACES = 'system:serviceaccount:kube-system:namespace-controller';

const guard = (more: object = {}, resources: readonly string[] = ['*']) =>
  object(
    REGISTRATION,
    'ValidatingWebhookConfiguration',
    'guard',
    {},
    {
      webhooks: [
        {
          name: 'guard.example.com',
          clientConfig: { url: 'https://guard.example.com' },
          rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources }],
          ...more,
        },
      ],
    },
  );
const when = (expression: string) => ({ matchConditions: [{ name: 'when', expression }] });

async function asked(items: readonly object[], ...words: readonly string[]) {
  const [command = '', ...rest] = words;
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { code, stdout, stderr } = await runCli([command, '-', ...rest], { stdin });
  if (stdout === '') return { code, said: stderr, fates: {} };
  const fates = Object.fromEntries(fatesShown(stdout).map(({ name, fate }) => [name, fate]));
  return { code, said: stdout.replaceAll(/\s+/g, ' '), fates };
}

describe('who sends a DELETE', () => {
  it.each([
    [
      'pods are for the collector, and end by their kubelet',
      policy('pods', ['pods'], only(`${user(COLLECTOR)} || ${user('system:node:n1')}`)),
      ['deploy/web'],
      { code: 0, 'Pod/web-1-x.shop': 'goes' },
    ],
    [
      'a person asks for the pod itself',
      policy('pods', ['pods'], only(`${user(COLLECTOR)} || ${user('system:node:n1')}`)),
      ['pod/web-1-x'],
      { code: 3, 'Pod/web-1-x.shop': 'depends' },
    ],
    [
      'nobody has thought of the kubelet',
      policy('pods', ['pods'], only(user(COLLECTOR))),
      ['deploy/web'],
      { code: 3, 'Deployment/web.shop': 'goes', 'Pod/web-1-x.shop': 'depends' },
    ],
    [
      'nobody has thought of the collector',
      policy('rs', ['replicasets'], only('!request.userInfo.username.startsWith("system:")')),
      ['deploy/web'],
      { code: 3, 'Deployment/web.shop': 'goes', 'ReplicaSet/web-1.shop': 'depends' },
    ],
    [
      'pod garbage collection deletes what is left of a node',
      [
        object('v1', 'Node', 'n1'),
        ...policy('pods', ['pods'], only(`${user(COLLECTOR)} || ${user('system:node:n1')}`)),
      ],
      ['node/n1'],
      { 'Pod/web-1-x.shop': 'depends' },
    ],
    [
      'in a namespace that is deleted, its controller asks as well',
      policy('rs', ['replicasets'], only(`${user(COLLECTOR)} || ${user(NAMESPACES)}`)),
      ['ns/shop'],
      { 'ReplicaSet/web-1.shop': 'goes' },
    ],
    [
      'the namespace controller names no object',
      policy('named', ['deployments'], only('request.name == "web"')),
      ['ns/shop'],
      { 'Deployment/web.shop': 'depends' },
    ],
    [
      'the status may have changed when the collector asks',
      policy('running', ['pods'], only('oldObject.status.phase == "Running"')),
      ['deploy/web'],
      { code: 3, 'Pod/web-1-x.shop': 'depends' },
    ],
    [
      'finalizers that are there may be gone when the collector asks',
      [
        object('v1', 'ConfigMap', 'made', {
          ...ownedBy('apps/v1', 'Deployment', 'web'),
          finalizers: ['example.com/hold'],
        }),
        ...policy('held', ['configmaps'], only('has(oldObject.metadata.finalizers)')),
      ],
      ['deploy/web', '--cooperative-finalizer', 'example.com/hold'],
      { code: 3, 'ConfigMap/made.shop': 'depends' },
    ],
    [
      'a person alone may change a workload, whose finalizer the collector has to take off',
      policy('changes', ['deployments'], only(user('admin')), 'UPDATE'),
      ['deploy/web', '--cascade', 'foreground'],
      { code: 3, 'Deployment/web.shop': 'depends' },
    ],
    [
      'a person alone may change what an orphaning takes references off',
      policy('changes', ['replicasets'], only(user('admin')), 'UPDATE'),
      ['deploy/web', '--cascade', 'orphan'],
      { code: 3, 'Deployment/web.shop': 'depends' },
    ],
    [
      'the collector may change workloads',
      policy('changes', ['deployments', 'replicasets'], only(user(COLLECTOR)), 'UPDATE'),
      ['deploy/web', '--cascade', 'foreground'],
      { code: 0, 'Deployment/web.shop': 'goes' },
    ],
    [
      'a kubelet may have a uid, or none',
      policy('pods', ['pods'], only(`${user(COLLECTOR)} || request.userInfo.uid == ""`)),
      ['deploy/web'],
      { code: 3, 'Pod/web-1-x.shop': 'depends' },
    ],
    [
      'a pod that is being deleted still ends by its kubelet',
      [
        object(
          'v1',
          'Pod',
          'ending',
          {
            ...within,
            ...{ deletionTimestamp: '2026-01-02T03:04:05Z', deletionGracePeriodSeconds: 30 },
          },
          { spec: { nodeName: 'n1' }, status: { phase: 'Running' } },
        ),
        ...policy('pods', ['pods'], only('!request.userInfo.username.startsWith("system:node:")')),
      ],
      ['pod/ending'],
      { code: 3, 'Pod/ending.shop': 'depends' },
    ],
    [
      'a rule names a version that the dump does not show',
      [
        object('acme.io/v1', 'Widget', 'one', within, { spec: { x: 1 }, extra: 1 }),
        ...policy('widgets', ['widgets'], {
          ...only('oldObject.spec.x == 1'),
          matchConstraints: {
            resourceRules: [
              {
                ...{ apiGroups: ['acme.io'], apiVersions: ['v1beta1'] },
                ...{ operations: ['DELETE'], resources: ['widgets'] },
              },
            ],
          },
        }),
      ],
      ['widget/one'],
      { code: 3, 'Widget/one.shop': 'depends' },
    ],
    [
      'a webhook that leaves out the accounts of Kubernetes',
      [
        guard(when('!("system:serviceaccounts:kube-system" in request.userInfo.groups)'), [
          'replicasets',
        ]),
      ],
      ['deploy/web'],
      { code: 0, 'ReplicaSet/web-1.shop': 'goes' },
    ],
    [
      'a webhook that is about creations only',
      [guard(when('request.operation != "DELETE"'))],
      ['deploy/web'],
      { code: 0, 'Deployment/web.shop': 'goes' },
    ],
    [
      'a webhook whose condition is met',
      [guard(when('oldObject.spec.replicas > 0'), ['deployments'])],
      ['deploy/web'],
      { code: 3, 'Deployment/web.shop': 'depends' },
    ],
    [
      'the workload has to be scaled down first',
      policy('scaled', ['deployments'], only('oldObject.spec.replicas == 0')),
      ['deploy/web'],
      { code: 1, 'Deployment/web.shop': 'stays', 'ReplicaSet/web-1.shop': 'stays' },
    ],
  ] as const)('%s', async (_, more, words, { code, ...wanted }: Record<string, unknown>) => {
    const told = await asked([...APP, ...more], 'delete', ...words);
    expect(told.fates, told.said).toMatchObject(wanted);
    if (code !== undefined) expect(told.code).toBe(code);
  });

  it('tells which policy refuses whom', async () => {
    const rows = policy(
      'rs',
      ['replicasets'],
      only('!request.userInfo.username.startsWith("system:")'),
    );
    const { said } = await asked([...APP, ...rows], 'delete', 'deploy/web');
    expect(said).toMatch(
      /stays unless admission changes: ValidatingAdmissionPolicy\S+\/rs refuses the DELETE of ReplicaSet\S+ by the garbage collector: Not you\./,
    );
    expect(said).toContain(`--dry-run=server --as=${COLLECTOR}`);
  });
});

describe('--admitted', () => {
  it('takes the DELETE of an object as admitted, and says so', async () => {
    const items = [SHOP, object('v1', 'ConfigMap', 'a', within), guard()];
    expect((await asked(items, 'delete', 'cm/a')).code).toBe(3);
    const told = await asked(items, 'delete', 'cm/a', '--admitted', 'cm/a');
    expect(told.code).toBe(0);
    expect(told.said).toContain(
      'admission lets the DELETE of ConfigMap/a.shop through: --admitted cm/a says so',
    );
  });

  it('takes a webhook as one that lets all through', async () => {
    const told = await asked([...APP, guard()], 'delete', 'deploy/web', '--admitted', 'guard');
    expect(told.code).toBe(0);
    expect(told.said).toMatch(
      /DELETE of Deployment\S+ and of 2 more objects through: --admitted guard/,
    );
  });

  it('is about nothing but what it names', async () => {
    const told = await asked([...APP, guard()], 'delete', 'deploy/web', '--admitted', 'deploy/web');
    expect(told.code).toBe(3);
    expect(told.fates).toMatchObject({
      'Deployment/web.shop': 'goes',
      'ReplicaSet/web-1.shop': 'depends',
    });
  });

  it('is never ignored in silence', async () => {
    const told = await asked(APP, 'delete', 'deploy/web', '--admitted', 'deploy/web');
    expect(told.said).toContain('--admitted deploy/web changes nothing');
    const unknown = await asked(APP, 'delete', 'deploy/web', '--admitted', 'gard');
    expect(unknown.code).toBe(2);
    expect(unknown.said).toMatch(/--admitted gard names no webhook or policy/);
  });
});

describe('other questions', () => {
  const held = object('v1', 'ConfigMap', 'held', {
    ...within,
    finalizers: ['example.com/hold'],
    deletionTimestamp: '2026-01-02T03:04:05Z',
  });

  it('explain says which remedy admission may refuse', async () => {
    const { said } = await asked([SHOP, held, guard({}, ['configmaps'])], 'explain');
    expect(said).toMatch(
      /take example.com\/hold off ConfigMap\/held[\s\S]*goes if admission lets the patch of it through \(the webhook guard\.example\.com of \S+ is asked\)/,
    );
    const free = await asked([SHOP, held, guard(when('request.operation == "CREATE"'))], 'explain');
    expect(free.said).not.toContain('admission');
  });

  it('explain says which DELETE of a remedy a policy may refuse', async () => {
    const claim = object('v1', 'PersistentVolumeClaim', 'data', {
      ...within,
      finalizers: ['kubernetes.io/pvc-protection'],
      deletionTimestamp: '2026-01-02T03:04:05Z',
    });
    const pod = object('v1', 'Pod', 'db', within, {
      spec: {
        nodeName: 'n1',
        volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }],
      },
      status: { phase: 'Running' },
    });
    const rows = policy('pods', ['pods'], only('"a" in request.userInfo.groups'));
    const { said } = await asked([SHOP, claim, pod, ...rows], 'explain');
    // Its kubelet is in no such group, and removes it after any DELETE.
    expect(said).toMatch(/Remedy 1[\s\S]*stays unless admission changes[\s\S]*--dry-run=server/);
  });

  it('no order to uninstall is green if a step may be refused', async () => {
    const labels = { 'app.kubernetes.io/instance': 'op' };
    const items = [SHOP, object('v1', 'ConfigMap', 'op', { ...within, labels })];
    const words = ['uninstall', '--release', 'op'];
    expect((await asked(items, ...words)).code).toBe(0);
    const told = await asked([...items, guard()], ...words);
    expect(told.code).toBe(3);
    expect(told.said).toMatch(
      /nothing hangs, if admission does not refuse a step[\s\S]*--dry-run=server/,
    );
    const refusing = policy('keep', ['configmaps'], only('false'));
    expect((await asked([...items, ...refusing], ...words)).code).toBe(1);
  });

  it('survey says which rows rest on --admitted', async () => {
    const maps = ['a', 'b'].map((name) => object('v1', 'ConfigMap', name, within));
    const secret = object('v1', 'Secret', 's', within);
    const items = [...maps, secret, guard({}, ['configmaps'])];
    const words = ['survey', '--cascade', 'background', '--namespace', 'shop'];
    const one = await asked(items, ...words, '--admitted', 'cm/a');
    expect(one.said).toContain('1 ConfigMap, 1 Secret; 1 of them rests on --admitted cm/a');
  });

  it('survey has one row for what is alike', async () => {
    const maps = ['a', 'b', 'c', 'd'].map((name) => object('v1', 'ConfigMap', name, within));
    const words = ['survey', '--cascade', 'background', '--namespace', 'shop'];
    const { said, code } = await asked([...maps, guard({}, ['configmaps'])], ...words);
    expect(code).toBe(3);
    expect(said).toMatch(/4 root objects: ConfigMap\/a\.shop, /);
    expect(said.match(/guard\.example\.com/g)).toHaveLength(1);
  });
});

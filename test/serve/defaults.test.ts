import { describe, expect, it } from 'vitest';
import { BUILT_IN_KINDS } from '../../model/index.ts';
import type { Body } from '../../serve/cluster/body.ts';
import { Resources } from '../../serve/cluster/resources.ts';
import { withDefaults } from '../../serve/requests/defaults.ts';
import { CONTAINERS, serving, WORKLOAD } from './server.ts';

const resources = new Resources(BUILT_IN_KINDS);

function defaulted(kind: string, body: Body): Body {
  const resource = resources.ofKind(kind);
  if (resource === null) throw new Error(`there is no kind ${kind}`);
  return withDefaults(resource, body);
}

const MERGE = 'application/merge-patch+json';

describe('a default', () => {
  it('is where a client has left a field out, and nowhere else', () => {
    const given = { spec: { replicas: 0, strategy: { type: 'Recreate' }, template: {} } };
    expect(defaulted('Deployment.apps', given)).toEqual({
      spec: { ...given.spec, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
    });
    const surge = { spec: { strategy: { rollingUpdate: { maxSurge: 1 } } } };
    expect(defaulted('Deployment.apps', surge)).toMatchObject({
      spec: {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
      },
    });
    expect(defaulted('ConfigMap', { spec: {} })).toEqual({ spec: {} });
  });

  it('counts the completions of a job, unless its workers empty a queue', () => {
    expect(defaulted('Job.batch', { spec: {} })).toMatchObject({
      spec: { completions: 1, parallelism: 1 },
    });
    expect(defaulted('Job.batch', { spec: { parallelism: 3 } })).not.toHaveProperty(
      'spec.completions',
    );
  });

  it('of the target of a port is the port', () => {
    const ports = [{ port: 80 }, { port: 53, targetPort: 'dns', protocol: 'UDP' }];
    expect(defaulted('Service', { spec: { ports } })).toMatchObject({
      spec: {
        type: 'ClusterIP',
        ports: [
          { port: 80, targetPort: 80, protocol: 'TCP' },
          { port: 53, targetPort: 'dns', protocol: 'UDP' },
        ],
      },
    });
  });

  it('of a pod stands in pods and in templates, and an image without a tag is the latest one', () => {
    const spec = (image: string) => ({
      containers: [{ name: 'a', image, livenessProbe: { httpGet: { port: 80 } } }],
      volumes: [{ name: 'v' }, { name: 's', secret: { secretName: 's' } }],
      terminationGracePeriodSeconds: 0,
    });
    const filled = (imagePullPolicy: string) => ({
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          ...{ resources: {}, imagePullPolicy, terminationMessagePolicy: 'File' },
          livenessProbe: { periodSeconds: 10, httpGet: { port: 80, scheme: 'HTTP', path: '/' } },
        },
      ],
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 's', secret: { defaultMode: 420 } },
      ],
    });
    const pod = defaulted('Pod', { spec: spec('a.b:5000/x') });
    expect(pod).toMatchObject({ spec: { enableServiceLinks: true, ...filled('Always') } });
    const template = { spec: spec('x:1') };
    const job = { jobTemplate: { spec: { template } } };
    const whole = { template: { spec: filled('IfNotPresent') } };
    expect(defaulted('StatefulSet.apps', { spec: { template } })).toMatchObject({ spec: whole });
    expect(defaulted('CronJob.batch', { spec: job })).toMatchObject({
      spec: { jobTemplate: { spec: whole } },
    });
  });

  it('of a binding is the group of what it names', () => {
    const apiGroup = 'rbac.authorization.k8s.io';
    const roleRef = { kind: 'Role', name: 'r' };
    const subjects = [
      { kind: 'User', name: 'u' },
      { kind: 'ServiceAccount', name: 's' },
    ];
    expect(defaulted('RoleBinding.rbac.authorization.k8s.io', { roleRef, subjects })).toEqual({
      roleRef: { ...roleRef, apiGroup },
      subjects: [{ ...subjects[0], apiGroup }, subjects[1]],
    });
  });

  it('is in the object that a client gets, and comes back when it is removed', async () => {
    const server = await serving();
    const jobs = '/apis/batch/v1/namespaces/default/cronjobs';
    const template = { spec: { containers: CONTAINERS, restartPolicy: 'Never' } };
    const spec = { schedule: '@daily', jobTemplate: { spec: { template } } };
    const made = await server.send('POST', jobs, { metadata: { name: 'c' }, spec });
    expect(made.body).toMatchObject({ spec: { concurrencyPolicy: 'Allow' } });
    const none = { spec: { concurrencyPolicy: null } };
    const patched = await server.send('PATCH', `${jobs}/c`, none, MERGE);
    expect(patched.body).toMatchObject({ spec: { concurrencyPolicy: 'Allow' } });
    expect(patched.body.metadata.resourceVersion).toBe(made.body.metadata.resourceVersion);
  });

  it('is no change of the spec where no client has written the object', async () => {
    const server = await serving('fair', ['deployment-foreground']);
    const list = await server.get('/apis/apps/v1/deployments');
    const [found] = list.body.items;
    const at = `/apis/apps/v1/namespaces/default/deployments/${found?.metadata.name}`;
    const label = { metadata: { labels: { a: 'b' } } };
    const patched = await server.send('PATCH', at, label, MERGE);
    expect(patched.body.metadata.generation).toBe(found?.metadata.generation);
    const scaled = await server.send('PATCH', at, { spec: { replicas: 7 } }, MERGE);
    expect(scaled.body.metadata.generation).toBe((found?.metadata.generation ?? 0) + 1);
  });
});

it('zeros that Go leaves out are no value, and the others are one', async () => {
  const server = await serving();
  const spec = { ...WORKLOAD, replicas: 0, minReadySeconds: 0, paused: false };
  const made = await server.send('POST', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'd' },
    spec,
  });
  expect(made.body.spec).toMatchObject({ replicas: 0 });
  for (const field of ['minReadySeconds', 'paused']) {
    expect(made.body.spec).not.toHaveProperty(field);
  }
});

it('namespaces have the label with their name, whoever made them', async () => {
  const server = await serving();
  await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'n', labels: { a: 'b' } } });
  const at = '/api/v1/namespaces/n';
  const { body } = await server.send('PATCH', at, { metadata: { labels: null } }, MERGE);
  expect(body.metadata).toMatchObject({ labels: { 'kubernetes.io/metadata.name': 'n' } });
  const chosen = await server.get('/api/v1/namespaces?labelSelector=kubernetes.io/metadata.name');
  expect(chosen.body.items.map(({ metadata }) => metadata.name)).toContain('default');
});

it('a secret takes texts, and shows them as data', async () => {
  const server = await serving();
  const secrets = '/api/v1/namespaces/default/secrets';
  const made = await server.send('POST', secrets, {
    metadata: { name: 's' },
    data: { a: 'eA==', b: 'eA==' },
    stringData: { b: 'y' },
  });
  expect(made.body).toMatchObject({ type: 'Opaque', data: { a: 'eA==', b: 'eQ==' } });
  expect(made.body).not.toHaveProperty('stringData');
});

it('the phase of what has none is Pending, until the model or a client knows better', async () => {
  const server = await serving();
  const pods = '/api/v1/namespaces/default/pods';
  const made = await server.send('POST', pods, {
    metadata: { name: 'p' },
    spec: { containers: CONTAINERS },
  });
  expect(made.body.status.phase).toBe('Pending');
  const pending = await server.get(`${pods}?fieldSelector=status.phase%3DPending`);
  expect(pending.body.items).toHaveLength(1);
  const status = { status: { phase: 'Running' } };
  const runs = await server.send('PATCH', `${pods}/p/status`, status, MERGE);
  expect(runs.body.status.phase).toBe('Running');
});

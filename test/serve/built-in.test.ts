import { expect, it } from 'vitest';
import { temporaryFile } from '../cli/run-cli.ts';
import { CLAIM, CONTAINERS, JOB, serving, type TestServer, WORKLOAD } from './server.ts';

/** What Kubernetes refuses of built-in kinds, which have no definition. */

const APPS = '/apis/apps/v1/namespaces/default';
const CORE = '/api/v1/namespaces/default';
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
const INGRESSES = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const MORE_THAN_ALLOWED = {
  requests: { cpu: 2, memory: '1Gi' },
  limits: { cpu: '1500m', memory: '1Gi' },
};
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const GROUP = 'rbac.authorization.k8s.io';
const ACCOUNT = { kind: 'ServiceAccount', name: 's' };
const MERGE = 'application/merge-patch+json';

const pathOf = (path: string, index: number) => ({
  ...{ path, pathType: index === 0 ? 'Prefix' : 'ImplementationSpecific' },
});

const post = (server: TestServer, path: string, body: object) =>
  server.send('POST', path, { metadata: { name: 'a' }, ...body });

it('unknown fields are pruned with a warning, or refused', async () => {
  const server = await serving();
  const body = { spec: { ...WORKLOAD, replica: 3 } };
  const strict = await post(server, `${APPS}/deployments?fieldValidation=Strict`, body);
  expect([strict.code, strict.body]).toMatchObject([
    400,
    { message: 'strict decoding error: unknown field "spec.replica"' },
  ]);
  const answer = await fetch(`${server.url}${APPS}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'a' }, ...body }),
  });
  expect(answer.headers.get('warning')).toBe('299 - "unknown field \\"spec.replica\\""');
  expect(((await answer.json()) as typeof body).spec).not.toHaveProperty('replica');
});

it.each<[path: string, body: object, message: string | RegExp]>([
  [
    `${APPS}/deployments`,
    { spec: { ...WORKLOAD, replicas: '3' } },
    /cannot unmarshal string .*spec.replicas/,
  ],
  [`${APPS}/deployments`, { spec: { ...WORKLOAD, template: [] } }, /cannot unmarshal array/],
  ...[
    [
      'garbage',
      /: parsing time "garbage" as "2006-01-02T15:04:05.000000Z07:00": cannot .* "2006"$/,
    ],
    // What a Date of JavaScript gives.
    ['2026-01-02T03:04:05.678Z', /cannot parse ".678Z" as ".000000"$/],
    ['2026-02-30T03:04:05.000000Z', /: day out of range$/],
  ].map(([renewTime, message]) => [LEASES, { spec: { renewTime } }, message] as never),
  [`${CORE}/secrets`, { data: { a: 'YQ' } }, /: illegal base64 data at input byte 0$/],
  [`${CORE}/secrets`, { data: { a: 'YQ==YQ==' } }, /: illegal base64 data at input byte 4$/],
  [
    `${CORE}/persistentvolumeclaims`,
    { spec: { ...CLAIM, resources: { requests: { storage: '1 Gi' } } } },
    /: quantities must match the regular expression/,
  ],
  [`${CORE}/configmaps`, { data: { a: 1 } }, /cannot unmarshal number .*data.a of type string/],
])('what Go cannot decode is refused: %s %j', async (path, body, message) => {
  const server = await serving();
  const answer = await post(server, path, body);
  expect([answer.code, answer.body]).toMatchObject([
    400,
    { message: expect.stringMatching(message) },
  ]);
});

it.each<[path: string, body: object, fields: readonly string[]]>([
  [`${APPS}/deployments`, { spec: WORKLOAD }, []],
  [`${APPS}/deployments`, { spec: { template: WORKLOAD.template } }, ['spec.selector']],
  [
    `${APPS}/statefulsets`,
    { spec: { ...WORKLOAD, selector: { matchLabels: { app: 'db' } }, replicas: -1 } },
    ['spec.replicas', 'spec.template.metadata.labels'],
  ],
  [`${CORE}/pods`, { spec: {} }, ['spec.containers']],
  [
    `${CORE}/pods`,
    { spec: { containers: [...CONTAINERS, ...CONTAINERS, { name: 'b' }] } },
    ['spec.containers[1].name', 'spec.containers[2].image'],
  ],
  ['/apis/batch/v1/namespaces/default/jobs', { spec: JOB }, []],
  [
    '/apis/batch/v1/namespaces/default/cronjobs',
    { spec: { jobTemplate: { spec: { template: WORKLOAD.template } } } },
    ['spec.schedule', 'spec.jobTemplate.spec.template.spec.restartPolicy'],
  ],
  [`${CORE}/services`, { spec: {} }, ['spec.ports']],
  [`${CORE}/services`, { spec: { clusterIP: 'None' } }, []],
  [
    `${CORE}/pods`,
    {
      spec: {
        restartPolicy: 'Maybe',
        volumes: [{ name: 'v' }, { name: 'v' }],
        containers: [
          {
            ...{ name: 'A', image: 'x', imagePullPolicy: 'Some', env: [{ value: '1' }] },
            ports: [{ containerPort: 99_999 }],
            volumeMounts: [{ name: 'w', mountPath: '/x' }],
          },
        ],
      },
    },
    [
      ...['spec.volumes[1].name', 'spec.containers[0].name', 'spec.containers[0].imagePullPolicy'],
      ...['spec.containers[0].ports[0].containerPort', 'spec.containers[0].env[0].name'],
      ...['spec.containers[0].volumeMounts[0].name', 'spec.restartPolicy'],
    ],
  ],
  [
    `${CORE}/services`,
    { spec: { type: 'Foo', ports: [{ port: 80, name: 'a' }, { port: 0 }] } },
    ['spec.ports[1].name', 'spec.ports[1].port', 'spec.type'],
  ],
  [`${CORE}/configmaps`, { data: { 'a b': '1' } }, ['data[a b]']],
  [`${CORE}/secrets`, { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } }, ['data[tls.key]']],
  [
    `${CORE}/pods`,
    { spec: { containers: [{ ...CONTAINERS[0], resources: MORE_THAN_ALLOWED }] } },
    ['spec.containers[0].resources.requests'],
  ],
  [
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    { spec: { minReplicas: 2, maxReplicas: 1, scaleTargetRef: { kind: 'Deployment' } } },
    ['spec.maxReplicas', 'spec.scaleTargetRef.name'],
  ],
  [
    `${CORE}/events`,
    { involvedObject: { kind: 'Pod', name: 'p', namespace: 'other' } },
    ['involvedObject.namespace'],
  ],
  [`${CORE}/events`, { involvedObject: { kind: 'Node', name: 'n' } }, []],
  [
    `${CORE}/events`,
    {
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'other' },
      ...{ eventTime: '2026-01-02T03:04:05.000006Z', reportingComponent: 'c', action: 'a' },
      reason: 'r',
    },
    ['reportingInstance'],
  ],
  [LEASES, { spec: { leaseDurationSeconds: 0 } }, ['spec.leaseDurationSeconds']],
  [LEASES, { spec: { leaseDurationSeconds: 1, renewTime: '2026-01-02T3:04:05,000006Z' } }, []],
  [
    RBAC,
    {
      subjects: [
        { kind: 'Robot', name: 'r' },
        { ...ACCOUNT, apiGroup: GROUP },
      ],
    },
    ['roleRef.kind', 'roleRef.name', 'subjects[0].kind', 'subjects[1].apiGroup'],
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    { roleRef: { kind: 'Role', name: 'r' }, subjects: [{ kind: 'ServiceAccount', name: 's' }] },
    ['roleRef.kind', 'subjects[0].namespace'],
  ],
  [INGRESSES, {}, ['spec']],
  [
    INGRESSES,
    { spec: { rules: [{ http: { paths: [{ path: '/' }, { path: 'a', pathType: 'Exact' }] } }] } },
    ['spec.rules[0].http.paths[0].pathType', 'spec.rules[0].http.paths[1].path'],
  ],
  [
    INGRESSES,
    { spec: { rules: [{ http: { paths: ['/a//b', 'a', ''].map(pathOf) } }] } },
    ['spec.rules[0].http.paths[0].path', 'spec.rules[0].http.paths[1].path'],
  ],
  [`${CORE}/persistentvolumeclaims`, { spec: CLAIM }, []],
  [`${CORE}/persistentvolumeclaims`, {}, ['spec.accessModes', 'spec.resources[storage]']],
])('a POST to %s of %j lacks %j', async (path, body, fields) => {
  const server = await serving();
  const answer = await post(server, path, body);
  expect(answer.code).toBe(fields.length === 0 ? 201 : 422);
  const { details } = answer.body as unknown as { details?: { causes: { field: string }[] } };
  expect(details?.causes.map(({ field }) => field) ?? []).toEqual(fields);
});

/** Objects that are stored, patches of them, and the faults of these; none: the patch is taken. */
const POD = { spec: { containers: CONTAINERS, tolerations: [{ key: 'a' }], nodeName: 'n' } };
const OTHER_PODS =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const image = (list: readonly unknown[]) => ({ spec: { containers: list } });

it.each<[path: string, stored: object, patch: object, faults: readonly string[]]>([
  [`${CORE}/pods`, POD, image([{ ...CONTAINERS[0], image: 'b' }]), []],
  [`${CORE}/pods`, POD, { spec: { tolerations: [{ key: 'a' }, { key: 'b' }] } }, []],
  [`${CORE}/pods`, POD, { spec: { activeDeadlineSeconds: 5 } }, []],
  [
    `${CORE}/pods`,
    { spec: { ...POD.spec, activeDeadlineSeconds: 5 } },
    { spec: { activeDeadlineSeconds: 6 } },
    ['spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value'],
  ],
  [
    `${CORE}/pods`,
    POD,
    { spec: { tolerations: [] } },
    [
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ],
  ],
  [
    `${CORE}/pods`,
    POD,
    image([...CONTAINERS, { name: 'b', image: 'b' }]),
    ['spec.containers: Forbidden: pod updates may not add or remove containers'],
  ],
  [`${CORE}/pods`, POD, { spec: { nodeName: 'm' } }, [`spec: Forbidden: ${OTHER_PODS}`]],
  [
    JOBS,
    { spec: JOB },
    { spec: { completions: 2, template: { spec: { restartPolicy: 'OnFailure' } } } },
    [
      'spec.completions: Invalid value: 2: field is immutable',
      'spec.template: Invalid value: {...}: field is immutable',
    ],
  ],
  [JOBS, { spec: JOB }, { spec: { parallelism: 2, suspend: true } }, []],
  [
    JOBS,
    { spec: { ...JOB, suspend: true } },
    { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } },
    [],
  ],
  [
    `${CORE}/persistentvolumeclaims`,
    { spec: CLAIM },
    { spec: { resources: { requests: { storage: '2Gi' } } } },
    [
      'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    ],
  ],
  [`${CORE}/persistentvolumeclaims`, { spec: CLAIM }, { spec: { volumeName: 'v' } }, []],
  [
    RBAC,
    { roleRef: { kind: 'Role', name: 'r' } },
    { roleRef: { apiGroup: 'rbac.authorization.k8s.io' }, subjects: [] },
    [],
  ],
  [
    RBAC,
    { roleRef: { kind: 'Role', name: 'r' } },
    { roleRef: { name: 's' } },
    ['roleRef: Invalid value: {...}: cannot change roleRef'],
  ],
  [
    `${APPS}/statefulsets`,
    { spec: WORKLOAD },
    { spec: { serviceName: 's', replicas: 2 } },
    [
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ],
  ],
])('an update of %s from %j by %j is refused for %j', async (path, stored, patch, faults) => {
  const server = await serving();
  expect((await post(server, path, stored)).code).toBe(201);
  const answer = await server.send('PATCH', `${path}/a`, patch, MERGE);
  expect(answer.code).toBe(faults.length === 0 ? 200 : 422);
  const { details } = answer.body as unknown as {
    details?: { causes?: { field: string; message: string }[] };
  };
  const found = (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
  expect(found.map((text) => text.replace(/\{.*\}/, '{...}'))).toEqual(faults);
});

it('a bound claim may ask for more', async () => {
  const server = await serving();
  const claims = `${CORE}/persistentvolumeclaims`;
  await post(server, claims, { spec: CLAIM });
  await server.send('PATCH', `${claims}/a/status`, { status: { phase: 'Bound' } }, MERGE);
  const more = { spec: { resources: { requests: { storage: '2Gi' } } } };
  expect((await server.send('PATCH', `${claims}/a`, more, MERGE)).code).toBe(200);
  const status = { capacity: { storage: '1024Mi' } };
  await server.send('PATCH', `${claims}/a/status`, { status }, MERGE);
  const resize = (storage: string) => {
    const patch = { spec: { resources: { requests: { storage } } } };
    return server.send('PATCH', `${claims}/a`, patch, MERGE);
  };
  // The expansion has failed: the claim may take back what its volume never got.
  expect((await resize('1.5Gi')).code).toBe(200);
  expect((await resize('1Gi')).body).toMatchObject({
    code: 422,
    message: expect.stringContaining('field can not be less than status.capacity'),
  });
});

it('a job gets a selector of its own', async () => {
  const server = await serving();
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const job = (await post(server, jobs, { spec: JOB })).body;
  const { uid } = job.metadata;
  const labels = { 'job-name': 'a', 'controller-uid': uid };
  expect(job.spec).toMatchObject({
    selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
    template: { metadata: { labels: { ...labels, 'batch.kubernetes.io/job-name': 'a' } } },
  });
  const managed = JSON.stringify(job.metadata);
  expect(managed).not.toContain('f:selector');
  // What was exported, and is created again.
  const again = await server.send('POST', jobs, { metadata: { name: 'b' }, spec: job.spec });
  expect(again.body).toMatchObject({
    code: 422,
    message: expect.stringMatching(/must be 'b'.*`selector` not auto-generated/),
  });
  const manual = { ...job.spec, manualSelector: true };
  expect((await server.send('POST', jobs, { metadata: { name: 'b' }, spec: manual })).code).toBe(
    201,
  );
});

it('what never changes is refused in an update, and what was wrong before is let pass', async () => {
  const server = await serving('fair', ['deployment-foreground']);
  const [found] = (await server.get('/apis/apps/v1/deployments')).body.items;
  const bare = `${APPS}/deployments/${found!.metadata.name}`;
  const scaled = await server.send('PATCH', bare, { spec: { replicas: 3 } }, MERGE);
  expect(scaled.code).toBe(200);
  await post(server, `${APPS}/daemonsets`, { spec: WORKLOAD });
  const selector = {
    matchLabels: { app: null },
    matchExpressions: [{ key: 'app', operator: 'Exists' }],
  };
  const other = await server.send('PATCH', `${APPS}/daemonsets/a`, { spec: { selector } }, MERGE);
  expect([other.code, other.body]).toMatchObject([
    422,
    { message: expect.stringMatching(/spec.selector: Invalid value: .*: field is immutable$/) },
  ]);
  await post(server, `${CORE}/configmaps`, { immutable: true, data: { a: '1' } });
  const data = await server.send('PATCH', `${CORE}/configmaps/a`, { data: { a: '2' } }, MERGE);
  expect([data.code, data.body]).toMatchObject([422, { reason: 'Invalid' }]);
  const labels = { metadata: { labels: WORKLOAD.selector.matchLabels } };
  expect((await server.send('PATCH', `${CORE}/configmaps/a`, labels, MERGE)).code).toBe(200);
});

it('a secret of a dump without its data can lose its finalizer', async () => {
  const dump = `
apiVersion: v1
kind: Secret
metadata: {name: a, namespace: default, finalizers: [a.test/b]}
data: {token: <redacted>}
`;
  const server = await serving('fair', [temporaryFile('dump.yaml', dump)]);
  const body = { metadata: { finalizers: [] } };
  expect((await server.send('PATCH', `${CORE}/secrets/a`, body, MERGE)).code).toBe(200);
});

import { describe, expect, it } from 'vitest';
import { expectError, runCli, temporaryFile } from '../cli/run-cli.ts';

const POD = `about: a pod
objects:
  - {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {nodeName: node-1, terminationGracePeriodSeconds: 30}}
  - {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}
  - apiVersion: apps/v1
    kind: ReplicaSet
    metadata: {name: web-1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web}]}
requests:
  - delete: Pod/p
outcomes:
  the pod is gone: {Pod/p: gone}
  the pod is there: {Pod/p: {deleting: false}}
  the pod has its grace period: {Pod/p: {deleting: true}}
  the ReplicaSet is orphaned: {Deployment/web: gone, ReplicaSet/web-1: {owners: []}}
  the ReplicaSet is collected: {Deployment/web: gone, ReplicaSet/web-1: gone}
`;

const NO_POD = `about: no pod
objects:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
requests:
  - delete: ConfigMap/a
`;

const checkText = (text: string) =>
  runCli(['check', temporaryFile('input.yaml', text), '--format', 'json']);

interface Judged {
  readonly name: string;
  readonly verdict: string;
}

/** The judged properties, wherever they stand in the document. */
function judged(value: unknown): readonly Judged[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'verdict' in value && 'name' in value ? [value as Judged] : [];
  return [...own, ...Object.values(value).flatMap(judged)];
}

/** The outcomes that are possible when this is sent instead of the one request. */
async function ends(request: string, more = ''): Promise<readonly string[]> {
  const { stdout } = await checkText(POD.replace('delete: Pod/p', request) + more);
  const outcomes = judged(JSON.parse(stdout)).flatMap(({ name, verdict }) => {
    const [, end] = name.match(/^outcome: (.*)$/) ?? [];
    return end === undefined ? [] : [{ end, verdict }];
  });
  expect(outcomes).toHaveLength(5);
  return outcomes.flatMap(({ end, verdict }) => (verdict === 'holds' ? [end] : []));
}

describe('requests', () => {
  it.each([
    ['{delete: Pod/p, gracePeriodSeconds: 0}', 'the pod is gone'],
    ['{delete: Pod/p, gracePeriodSeconds: -1}', 'the pod is gone'],
    ['{delete: Pod/p, gracePeriodSeconds: 0, dryRun: true}', 'the pod is there'],
    ['{delete: Pod/p, orphanDependents: true, propagationPolicy: Orphan}', 'the pod is there'],
    ['{deleteCollection: Pod, dryRun: true}', 'the pod is there'],
    ['{kubectl: delete pod p --wait=false}', 'the pod has its grace period'],
    ['{kubectl: delete po/p --force}', 'the pod is gone'],
    ['{kubectl: "delete po/p --grace-period=0 --wait=false"}', 'the pod has its grace period'],
    ['{kubectl: delete po/p --force --dry-run=server}', 'the pod is there'],
    ['{delete: Deployment/web}', 'the ReplicaSet is collected'],
    ['{delete: Deployment/web, apiVersion: extensions/v1beta1}', 'the ReplicaSet is orphaned'],
    ['{deleteCollection: deploy, apiVersion: apps/v1beta2}', 'the ReplicaSet is orphaned'],
    ['{kubectl: delete deploy/web}', 'the ReplicaSet is collected'],
    ['{kubectl: delete deploy/web --cascade=false}', 'the ReplicaSet is orphaned'],
    ['{kubectl: delete deploy/web --cascade=orphan}', 'the ReplicaSet is orphaned'],
  ])('%s: %s', async (request, end) => {
    expect(await ends(request)).toContain(end);
  });

  it('with a negative grace period count as one second since 1.22', async () => {
    const request = '{delete: Pod/p, gracePeriodSeconds: -1}';
    expect(await ends(request, 'protocol: newest\n')).toEqual(['the pod has its grace period']);
  });

  it('of an old kubectl are none where it does not know the spelling', async () => {
    const old = 'rules: {kubectlCascade: boolean}\n';
    const orphan = '{kubectl: delete deploy/web --cascade=orphan}';
    expect(await ends(orphan, old)).toEqual(['the pod is there']);
    const spelled = '{kubectl: delete deploy/web --cascade=false}';
    expect(await ends(spelled, old)).toContain('the ReplicaSet is orphaned');
  });
});

describe('wrong input', () => {
  it.each([
    [
      'delete: Pod/p',
      'kubectl: get Pod/p',
      /not a kubectl delete command/,
      /requests\[0\]\.kubectl/,
    ],
    ['delete: Pod/p', 'kubectl: delete Pod/p Pod/q', /no object|not in|Pod\/p\/Pod\/q/, /kubectl/],
    ['delete: Pod/p', 'kubectl: delete pod', /does not name one object/, /KIND\/NAME/],
    ['delete: Pod/p', 'kubectl: delete Pod/p --cascade=maybe', /--cascade is "maybe"/, /orphan/],
    ['delete: Pod/p', 'kubectl: delete Pod/p --dry-run=client', /"client"/, /server or none/],
    ['delete: Pod/p', 'kubectl: delete Pod/p --all', /--all is not supported/, /--cascade/],
    ['delete: Pod/p', 'kubectl: delete Pod/p --grace-period soon', /"soon"/, /seconds/],
    ['delete: Pod/p', 'kubectl: delete Pod/p --force --grace-period=5', /contradict/, /kubectl/],
    ['delete: Pod/p', '{delete: Pod/p, apiVersion: v2}', /never served as v2/, /v1/],
    ['delete: Pod/p', 'loseNode: Node/node-1', /Node\/node-1 is not in/, /loseNode/],
    ['delete: Pod/p', 'loseNode: Pod/p', /Pod\/p is not a Node/, /requests\[0\]\.loseNode/],
    [
      'requests:\n  - delete: Pod/p',
      '  - {apiVersion: v1, kind: Node, metadata: {name: n}}\nrequests:\n  - loseNode: Node/n',
      /nothing in this scenario notices/,
      /kubelets/,
    ],
    [/$/, 'environment: {kubelets: some}\n', /kubelets/, /true, false or containers/],
    [/[\s\S]*/, `${NO_POD}environment: {kubelets: true}\n`, /no Pod/, /environment\.kubelets/],
    [
      /[\s\S]*/,
      `${NO_POD}environment: {kubelets: containers}\n`,
      /no Pod/,
      /environment\.kubelets/,
    ],
    [
      /nodeName: node-1, ([\s\S]*)$/,
      '$1environment: {kubelets: true}\n',
      /on a node/,
      /spec\.nodeName/,
    ],
    [/$/, 'environment: {storageProtection: true}\n', /no PersistentVolumeClaim/, /environment/],
    [/$/, 'environment: {nodeController: true}\n', /no Node/, /nodeController/],
    [/$/, 'environment: {podGc: {terminatedPods: -1}}\n', /podGc/, /terminatedPods/],
    [/$/, 'environment: {denied: {bob: [delete pods]}}\n', /no user "bob"/, /denied/],
    [/$/, 'environment: {denied: {user: [eat pods]}}\n', /not a right/, /denied\.user\[0\]/],
  ])('%s -> %s', async (from, to, ...parts) => {
    expectError(await checkText(POD.replace(from, to)), ...parts);
  });
});

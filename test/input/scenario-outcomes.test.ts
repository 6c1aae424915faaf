import { describe, expect, it } from 'vitest';
import { expectError, runCli, temporaryFile } from '../cli/run-cli.ts';

const ORPHANED = `about: an owner is orphaned
objects:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: a}
  - apiVersion: v1
    kind: ConfigMap
    metadata:
      name: b
      ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a}]
requests:
  - delete: ConfigMap/a
    propagationPolicy: Orphan
outcomes:
  b stays:
    ConfigMap/a: gone
    ConfigMap/b: {deleting: false, owners: []}
`;

function checkText(text: string, ...options: readonly string[]) {
  return runCli(['check', temporaryFile('input.yaml', text), ...options]);
}

describe('outcomes', () => {
  it('are possible or not', async () => {
    const possible = await checkText(ORPHANED);
    expect(possible.code).toBe(0);
    expect(possible.stdout).toContain('outcome: b stays');
    for (const end of ['gone', '{deleting: true}', '{owners: [ConfigMap/a]}']) {
      const spoilt = await checkText(ORPHANED.replace(/\{deleting.*\}/, end));
      expect(spoilt.code, end).toBe(1);
    }
  });

  it('say which object they mean, and nothing that no object can be', async () => {
    const again = `about: b is deleted, and comes again with a finalizer
objects: [{apiVersion: v1, kind: Secret, metadata: {name: b, uid: u1}}]
requests:
  - {delete: Secret/b}
  - create: {apiVersion: v1, kind: Secret, metadata: {name: b, uid: u2, finalizers: [x.io/f]}}
outcomes:
  held: {Secret/b: END}
expect: {outcomes: {held: always}}
`;
    const ends = async (end: string) => checkText(again.replace('END', end));
    expectError(await ends('there'), /2 objects have the name Secret\/b[\s\S]*\{uid: u2\}/);
    expectError(await ends('{uid: zzz}'), /no object with the name Secret\/b has the uid "zzz"/);
    expectError(await ends('{uid: u2, finalizers: [x.io/g]}'), /can have the finalizer "x.io\/g"/);
    expectError(await ends('{uid: u2, owners: [zzz]}'), /an owner with the uid "zzz"/);
    expect((await ends('{uid: u2, finalizers: [x.io/f]}')).code).toBe(0);
  });

  it('may be expected not to be possible', async () => {
    const impossible = ORPHANED.replace(/\{deleting.*\}/, 'gone');
    const expected = `expect:
  outcomes: {b stays: never}
  because: {"outcome: b stays": "that is what orphaning is for"}
`;
    const kept = await checkText(impossible + expected);
    expect(kept.stdout).toMatch(/^ {2}impossible +outcome: b stays \(expected: never\)$/m);
    expect(kept.code).toBe(0);
    const disaster = await checkText(ORPHANED + expected);
    expect(disaster.stdout).toMatch(/^ {2}POSSIBLE +outcome: b stays \(expected: never\)$/m);
    expect(disaster.stdout).toContain('it ends so: b stays');
    expect(disaster.code).toBe(1);
    // Another protocol or rule makes no disaster green.
    const elsewhere = await checkText(ORPHANED + expected, '--protocol', 'v1.20');
    expect(elsewhere.code).toBe(1);
  });

  it('may be expected always', async () => {
    const always = 'expect:\n  outcomes: {b stays: always}\n';
    const kept = await checkText(ORPHANED + always);
    expect(kept.stdout).toMatch(/^ {2}unavoidable +outcome: b stays \(expected: always\)$/m);
    expect(kept.code).toBe(0);
    const raced = ORPHANED.replace('Orphan', 'Orphan\n    user: alice\n  - delete: ConfigMap/b');
    const broken = await checkText(raced + always);
    expect(broken.stdout).toMatch(/^ {2}AVOIDABLE +outcome: b stays/m);
    expect(broken.code).toBe(1);
    const limited = await checkText(ORPHANED + always, '--max-states', '3');
    expect(limited.code).toBe(3);
  });

  it('have the same words in every format', async () => {
    const never = 'expect:\n  outcomes: {b stays: never}\n';
    const inFormat = async (format: string): Promise<string> =>
      (await checkText(ORPHANED + never, '--format', format)).stdout;
    const { checks } = JSON.parse(await inFormat('json'));
    expect(checks[0].outcomes).toEqual([
      {
        outcome: 'b stays',
        property: 'outcome: b stays',
        expected: 'never',
        found: 'possible',
        verdict: 'violated',
      },
    ]);
    for (const format of ['junit', 'sarif', 'markdown', 'github']) {
      const text = await inFormat(format);
      expect(text, format).toMatch(/possible in \d+ steps, but expected never/);
      expect(text, format).not.toMatch(/violated|holds|Counterexample/);
    }
    const text = await inFormat('text');
    expect(text).toMatch(/^Example for "outcome: b stays"/m);
    const unreached = ORPHANED.replace(/\{deleting.*\}/, 'gone');
    const junit = await checkText(unreached, '--format', 'junit');
    expect(junit.stdout).toMatch(/impossible, but expected sometimes/);
    expect(junit.code).toBe(1);
  });

  it('are judged where a client waits for ever', async () => {
    // If bob is first, a stays, and alice never sends her second request.
    const waiting = `about: a client waits for an object before it deletes another one
objects:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
requests:
  - {kubectl: delete ConfigMap/a --wait, user: alice}
  - {delete: ConfigMap/b, user: alice}
  - {update: ConfigMap/a, addFinalizer: example.com/hold, user: bob}
environment: {finalizers: {example.com/hold: stuck}}
outcomes:
  both go: {ConfigMap/a: gone, ConfigMap/b: gone}
  both stay: {ConfigMap/a: {deleting: true}, ConfigMap/b: there}
expect:
  outcomes: {both go: always, both stay: never}
  because: {"outcome: both stay": "it must not"}
`;
    const { stdout } = await checkText(waiting);
    expect(stdout).toMatch(/^ {2}AVOIDABLE +outcome: both go/m);
    expect(stdout).toMatch(/^ {2}POSSIBLE +outcome: both stay/m);
    const alone = await checkText(waiting.replace(/.*(user: bob|stuck).*\n/g, ''));
    expect(alone.stdout).toMatch(/^ {2}unavoidable +outcome: both go/m);
    expect(alone.stdout).toMatch(/^ {2}impossible +outcome: both stay/m);
  });

  it('have no verdict in the file', async () => {
    const old = 'expect:\n  verdicts: {"outcome:b stays": violated}\n';
    expectError(await checkText(ORPHANED + old), /expect\.outcomes: b stays: never/);
    const unknown = 'expect:\n  outcomes: {c stays: never}\n';
    expectError(await checkText(ORPHANED + unknown), /there is no outcome "c stays"/);
  });

  it('can be asked for alone', async () => {
    const asked = (name: string) =>
      runCli(['check', 'wrong-uid', temporaryFile('input.yaml', ORPHANED), '--property', name]);
    const alone = await asked('outcome: b stays');
    expect(alone.code).toBe(0);
    expect(alone.stdout).toContain('outcome: b stays');
    expect(alone.stdout).not.toMatch(/wrong-uid$|finalizers are respected/m);
    expectError(await asked('outcome: b stay'), /did you mean "outcome: b stays/);
  });

  it('can be replayed', async () => {
    const document = await checkText(ORPHANED, '--format', 'json');
    const result = temporaryFile('result.json', document.stdout);
    const again = await runCli(['replay', result]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('outcome: b stays');
  });
});

it('workloads may stand in the group that they came from, whose requests orphan', async () => {
  const workloads = `about: manifests of old
objects:
  - {apiVersion: extensions/v1beta1, kind: Deployment, metadata: {name: web}}
  - apiVersion: extensions/v1beta1
    kind: ReplicaSet
    metadata:
      name: web-1
      ownerReferences: [{apiVersion: extensions/v1beta1, kind: Deployment, name: web}]
requests:
  - delete: Deployment/web
outcomes:
  the ReplicaSet is orphaned: {Deployment/web: gone, ReplicaSet/web-1: {owners: []}}
`;
  for (const protocol of ['v1.7', 'v1.20']) {
    expect((await checkText(workloads, '--protocol', protocol)).code).toBe(0);
  }
});

describe('controllers of a scenario', () => {
  const pods = `about: a pod with a grace period
objects:
  - {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {nodeName: node-1, terminationGracePeriodSeconds: 30}}
requests:
  - delete: Pod/p
outcomes:
  the pod is gone: {Pod/p: gone}
`;

  it('end grace periods only where there are kubelets', async () => {
    expect((await checkText(pods)).code).toBe(1);
    expect((await checkText(`${pods}environment: {kubelets: true}\n`)).code).toBe(0);
  });

  it('empty namespaces only where there is a namespace controller', async () => {
    const shop = `about: a namespace
objects:
  - {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop}}
requests:
  - delete: Namespace/shop
outcomes:
  all is gone: {Namespace/shop: gone, ConfigMap/a.shop: gone}
`;
    expect((await checkText(shop)).code).toBe(1);
    expect((await checkText(`${shop}environment: {namespaceController: true}\n`)).code).toBe(0);
  });

  it('create what workloads want, as often as they have children for', async () => {
    const set = `about: a ReplicaSet with one pod, and one more
objects:
  - {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web}}
requests:
  - settle: true
  - delete: Pod/web-1
outcomes:
  the pod is made again: {Pod/web-1: gone, Pod/web-2: {owners: [ReplicaSet/web]}}
environment:
  workloads:
    - controls: ReplicaSet/web
      replicas: 1
      children:
        - object: {apiVersion: v1, kind: Pod, metadata: {name: web-1}}
        - object: {apiVersion: v1, kind: Pod, metadata: {name: web-2}}
`;
    expect((await checkText(set)).code).toBe(0);
    expect((await checkText(set.replace('replicas: 1', 'replicas: 0'))).code).toBe(1);
  });
});

describe('wrong input', () => {
  it.each([
    ['b stays:', 'b stays: {ConfigMap/c: gone}\n  x:', /ConfigMap\/c is not in/, /outcomes/],
    [/\{deleting.*\}/, 'lost', /gone, there, or the state/, /input\.yaml:17/],
    [/\{deleting.*\}/, '{deletion: false}', /unknown field "deletion"/, /input\.yaml:17/],
    ['b stays:', 'nothing: {}\n  b stays:', /"nothing" is empty/, /outcomes/],
    [
      /$/,
      'environment: {namespaceController: true}\n',
      /the scenario has no Namespace/,
      /environment/,
    ],
    [
      /$/,
      'environment: {delivery: ordered, relists: {}}\n',
      /cannot be combined with relists/,
      /delivery/,
    ],
    [
      /$/,
      'environment: {definitionController: true}\n',
      /the scenario has no CustomRes/,
      /environment/,
    ],
    [/$/, 'environment: {kubelet: true}\n', /unknown field "kubelet"/, /"kubelets"/],
    ['delete: ConfigMap/a', 'deleteCollection: Pod', /no object here is a Pod/, /deleteCollection/],
    [
      /$/,
      'environment: {workloads: [{controls: Job/x, replicas: 1, children: [{object: {apiVersion: v1, kind: Pod, metadata: {name: p}}}]}]}\n',
      /Job\/x/,
      /controls/,
    ],
  ])('%s -> %s', async (from, to, ...parts) => {
    const spoilt = await checkText(
      to === 'deleteCollection: Pod'
        ? ORPHANED.replace('delete: ConfigMap/a\n    propagationPolicy: Orphan', to)
        : ORPHANED.replace(from, to),
    );
    expectError(spoilt, ...parts);
  });
});

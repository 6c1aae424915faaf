import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { gatherRelease } from '../../input/gather-uninstall.ts';
import { readLabelSelector } from '../../input/manifests/label-selector.ts';
import { keysSelected, type Release } from '../../input/manifests/release.ts';
import { keyOf } from '../../model/index.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { uninstallOrder } from '../../run/questions/uninstall.ts';
import { dump, runCli, temporaryFile } from '../cli/run-cli.ts';
import { object } from '../properties/clusters.ts';
import { expectGoldenFile } from '../report/golden-file.ts';
import { budget } from './deciding.ts';

const MANIFESTS = ['-f', dump('backup-operator-manifests.yaml')];
const OPERATOR = [dump('backup-operator.yaml'), ...MANIFESTS];
describe('uninstall', () => {
  it('finds the order that ends clean, and the groups that cannot be first', async () => {
    const json = await runCli(['uninstall', ...OPERATOR, '-q', '--format', 'json']);
    expect(json.code).toBe(0);
    const { stdout } = await runCli(['render', '-'], { stdin: json.stdout });
    expectGoldenFile('uninstall-operator.txt', stdout);
    const { answer } = JSON.parse(json.stdout) as ResultDocument;
    expect(answer?.steps?.[0]?.commands[0]).toBe(
      'kubectl delete backups.example.com nightly -n shop',
    );
    expect(answer?.stuckOrders?.map(({ first, verdict }) => [first, verdict])).toEqual([
      ['operator', 'stuck'],
      ['namespace', 'stuck'],
    ]);
  });

  it('does not promise anything of objects that the dump lacks', async () => {
    // Without what every namespace has.
    const lines = readFileSync(dump('backup-operator.yaml'), 'utf8').split('\n');
    const stdin = lines.filter((line) => !/kube-root-ca|ServiceAccount/.test(line)).join('\n');
    const words = ['uninstall', '-', ...MANIFESTS, '-q'];
    const { code, stdout } = await runCli(words, { stdin });
    expect(stdout).toMatch(/everything\s+that\s+the\s+dump\s+shows\s+goes/);
    expect(code).toBe(3);
  });

  it('takes the objects that a selector names', async () => {
    const words = ['-l', 'owner=helm,name in (web)', '-q', '--format', 'json'];
    const { stdout } = await runCli(['uninstall', dump('helm-release.yaml'), ...words]);
    const { answer } = JSON.parse(stdout) as ResultDocument;
    expect(answer?.targets).toEqual(['Secret/sh.helm.release.v1.web.v1.shop']);
  });

  it('takes objects without labels if the selector means those', () => {
    const [one, other] = [object('ConfigMap', 'a'), object('ConfigMap', 'b')];
    const objects = [{ object: one }, { object: other }];
    const labels = new Map([[keyOf(one), { app: 'web' }]]);
    const selected = keysSelected({ objects, labels }, readLabelSelector('!app'));
    expect([...selected]).toEqual([keyOf(other)]);
  });

  it('is not certain where the owner of a finalizer is not known', async () => {
    const words = ['uninstall', dump('helm-release.yaml'), '--release', 'web', '-q'];
    const { code, stdout } = await runCli(words);
    expect(stdout).toMatch(
      /^Delete [\s\S]*goes,\s+but\s+some\s+of\s+it\s+may\s+hang\s+on\s+the\s+finalizer[\s\S]*nothing\s+else\s+hangs/,
    );
    expect(code).toBe(3);
  });

  it('says that no order is clean if the owner of a finalizer never acts', async () => {
    const stuck = ['--stuck-finalizer', 'example.com/bucket'];
    const { code, stdout } = await runCli(['uninstall', ...OPERATOR, ...stuck, '-q']);
    expect(stdout).toMatch(/^No order of deletions/);
    expect(code).toBe(1);
  });

  it('ends while a stage is planned, and promises nothing then', async () => {
    const given = {
      ...{ inputs: [dump('backup-operator.yaml')], museum: false, deletions: [], namespace: null },
      ...({ cascade: 'background', properties: [], maxMegabytes: 10 } as const),
      overrides: { rules: [], stuckFinalizers: [] },
    };
    const manifests = [dump('backup-operator-manifests.yaml')];
    const wanted = { release: null, selector: null, manifests };
    const found = await gatherRelease(given, wanted, (async function* () {})());
    let now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
    onTestFinished(() => void clock.mockRestore());
    let looks = 0;
    const release: Release = {
      ...found,
      stage: (group, gone, look) =>
        found.stage(group, gone, (doing) => {
          looks += 1;
          if (looks === 3) now += 60_000;
          look(doing);
        }),
    };
    const { answer, checks } = await uninstallOrder(release, 10, budget());
    expect(answer.outcomes[0]).toMatchObject({ exitCode: 3, basis: { kind: 'none' } });
    expect(answer.outcomes[0]?.sentence).toMatch(/^no order .*: the time was up\.$/);
    expect(answer.steps).toEqual([]);
    expect([checks.length, looks]).toEqual([0, 4]);
  });

  it('tries few orders where one kind never ends', async () => {
    const kinds = ['A', 'B', 'C', 'D', 'E'];
    const items = kinds.map((kind) => ({
      ...{ apiVersion: 'acme.io/v1', kind },
      metadata: {
        ...{ name: 'x', namespace: 'shop', uid: kind, labels: { app: 'op' } },
        finalizers: [kind === 'E' ? 'acme.io/never' : 'acme.io/soon'],
      },
    }));
    const operator = {
      ...{ apiVersion: 'apps/v1', kind: 'StatefulSet' },
      ...{ metadata: { name: 'op', namespace: 'ops', uid: 'op', labels: { app: 'op' } }, spec: {} },
    };
    const given = {
      ...{ inputs: ['-'], museum: false, deletions: [], namespace: null },
      ...({ cascade: 'background', properties: [], maxMegabytes: 10 } as const),
      overrides: {
        ...{ rules: [], stuckFinalizers: ['acme.io/never'] },
        around: { with: [], without: [], lostNodes: [], cooperative: [], admitted: [] },
      },
    };
    const wanted = { release: null, selector: 'app=op', manifests: [] };
    const list = { apiVersion: 'v1', kind: 'List', items: [...items, operator] };
    const found = await gatherRelease(
      given,
      wanted,
      (async function* () {
        yield Buffer.from(JSON.stringify(list));
      })(),
    );
    const stage = vi.fn(found.stage);
    const { answer } = await uninstallOrder({ ...found, stage }, 10_000, budget());
    expect(answer.outcomes[0]?.sentence).toMatch(/^no order /);
    expect(stage.mock.calls.length).toBeLessThan(20);
  });

  const helm = (namespace: string, rest = '') =>
    `annotations: {meta.helm.sh/release-name: keda, meta.helm.sh/release-namespace: ${namespace}${rest}}`;
  const RELEASES = `
apiVersion: v1
kind: List
items:
  - {apiVersion: apps/v1, kind: Deployment, metadata: {name: keda-operator, namespace: a, uid: a1, ${helm('a')}}, spec: {replicas: 0}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: a, uid: a2, ${helm('a', ', helm.sh/resource-policy: keep')}}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: hook, namespace: a, uid: a3, labels: {app.kubernetes.io/instance: keda}}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: other, namespace: b, uid: b1, ${helm('b')}}}
  - {apiVersion: v1, kind: Secret, metadata: {name: tls, namespace: a, uid: c1, annotations: {cert-manager.io/certificate-name: keda}}}
  - {apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: worker, namespace: shop, uid: s1, finalizers: [finalizer.keda.sh]}}
`;

  it('takes one release of several of a name, and says what it leaves behind', async () => {
    const words = ['uninstall', '-', '--release'];
    const several = await runCli([...words, 'keda'], { stdin: RELEASES });
    expect([several.code, several.stderr]).toEqual([
      2,
      expect.stringMatching(/a, b[\s\S]*a\/keda/),
    ]);
    const one = await runCli([...words, 'a/keda', '-q', '--format', 'json'], { stdin: RELEASES });
    const { answer } = JSON.parse(one.stdout) as ResultDocument;
    expect(answer?.targets).toEqual(['Deployment.apps/keda-operator.a', 'ConfigMap/hook.a']);
    const text = (await runCli(['render', '-'], { stdin: one.stdout })).stdout;
    expect(text).toMatch(/ConfigMap\/kept\.a\s+stays:\s+helm\.sh\/resource-policy/);
    expect(text).toMatch(/without\s+it,\s+the\s+deletion\s+of\s+ScaledObject\S+\s+hangs/);
    expect(one.code).toBe(3);
  });

  it('goes by the manifests: what they keep stays, and their hooks are named', async () => {
    const of = (name: string, annotations: object = {}) => ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: { name, namespace: 'a', annotations },
    });
    const manifests = [
      of('goes'),
      of('keeps', { 'helm.sh/resource-policy': 'keep' }),
      of('cleans', { 'helm.sh/hook': 'pre-delete' }),
    ];
    const file = temporaryFile('applied.json', JSON.stringify({ kind: 'List', items: manifests }));
    const items = ['goes', 'keeps'].map((name) => of(name));
    const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const { stdout } = await runCli(['uninstall', '-', '-f', file], { stdin });
    expect(stdout).toMatch(/ConfigMap\/keeps\.a\s+stays:\s+helm\.sh\/resource-policy/);
    expect(stdout).toMatch(
      /ConfigMap\/cleans\.a\s+is\s+a\s+hook\s+that\s+helm\s+uninstall\s+runs\s+before/,
    );
    expect(stdout).not.toMatch(/kubectl delete configmaps keeps/);
  });

  it('does not say that the dump lacks a release of which all is kept', async () => {
    const annotations = { 'meta.helm.sh/release-name': 'op', 'helm.sh/resource-policy': 'keep' };
    const metadata = { name: 'c', namespace: 'a', uid: 'c', annotations };
    const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    const { code, stderr } = await runCli(['uninstall', '-', '--release', 'op'], { stdin });
    expect(stderr).toMatch(/op has only objects that stay: helm.sh\/resource-policy/);
    expect(code).toBe(2);
  });

  it.each([
    [[], /one of --release NAME, --selector LABELS and --manifests FILE/],
    [['--release', 'nope'], /the dump has nothing of nope/],
    [['--release', 'op', '-n', 'ops'], /--release NAMESPACE\/NAME/],
  ])('refuses %j', async (words, error) => {
    const { code, stderr } = await runCli(['uninstall', dump('operator.yaml'), ...words]);
    expect(stderr).toMatch(error);
    expect(code).toBe(2);
  });
});

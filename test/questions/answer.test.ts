import { describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { dump, runCli, temporaryFile } from '../cli/run-cli.ts';
import { countingWork } from '../clock.ts';
import { type ObjectText, objectsText } from './dump-plan.ts';

interface DumpedObject {
  readonly metadata: { readonly ownerReferences: { name: string; uid: string }[] };
}

const ROOT: ObjectText = { name: 'root', owner: null, block: false, held: false };
const HELD: ObjectText = { name: 'held', owner: 'root', block: true, held: true };

/** Asks what happens to `cm/root`, without caring how long it takes. */
async function asked(objects: readonly ObjectText[], ...options: readonly string[]) {
  const file = temporaryFile('dump.json', objectsText(objects));
  const words = ['delete', file, 'cm/root', '-n', 'shop', ...options];
  const { code, stdout } = await runCli([...words, '--format', 'json']);
  const document = JSON.parse(stdout) as ResultDocument;
  const [outcome] = document.answer?.outcomes ?? [];
  const fates = Object.fromEntries(
    (outcome?.fates ?? []).map(({ fate }, index) => [
      document.answer?.objects[index]?.name.replace(/^ConfigMap\/(.*)\.shop$/, '$1'),
      fate,
    ]),
  );
  return { code, document, outcome, fates };
}

describe('an answer', () => {
  it('depends on an owner of which nothing is known, unless an option says more', async () => {
    const unknown = await asked([ROOT, HELD], '--cascade', 'foreground');
    expect(unknown.fates).toEqual({ root: 'depends', held: 'depends' });
    expect(unknown.code).toBe(3);
    expect(unknown.outcome?.fates[0]?.on).toMatchObject([
      { kind: 'finalizer', finalizer: 'example.com/hold' },
    ]);
    const acts = ['--cascade', 'foreground', '--cooperative-finalizer', 'example.com/hold'];
    expect(await asked([ROOT, HELD], ...acts)).toMatchObject({
      fates: { root: 'goes', held: 'goes' },
      code: 0,
    });
    const stuck = await asked(
      ...([[ROOT, HELD], '--cascade', 'foreground', '--stuck-finalizer'] as const),
      'example.com/hold',
    );
    expect(stuck.fates).toEqual({ root: 'hangs', held: 'hangs' });
    expect(stuck.code).toBe(1);
    expect(stuck.outcome?.fates.map(({ waits }) => waits[0]?.for)).toEqual([
      'dependent',
      'finalizer',
    ]);
  });

  it('calls documented what a namespace with pods leaves out of its conditions', async () => {
    const part = (kind: string, more: object, spec: object = {}) => ({
      ...{ apiVersion: 'v1', kind, metadata: { namespace: 'shop', ...more }, spec },
    });
    const items = [
      part(
        'Namespace',
        { namespace: undefined, name: 'shop', uid: 'u-ns' },
        { finalizers: ['kubernetes'] },
      ),
      part('ConfigMap', { name: 'kube-root-ca.crt', uid: 'u-ca' }),
      part('ServiceAccount', { name: 'default', uid: 'u-sa' }),
      part('Pod', { name: 'web', uid: 'u-pod' }, { nodeName: 'node-1' }),
    ];
    const file = temporaryFile('dump.json', JSON.stringify({ kind: 'List', items }));
    const { code, stdout } = await runCli(['delete', file, 'ns/shop']);
    expect(stdout).toMatch(/Documented +as documented, the status of Namespace\/shop does not say/);
    expect(stdout).not.toMatch(/Risk/);
    expect(code).toBe(0);
    const before = ['delete', file, 'ns/shop', '--protocol', 'v1.30'];
    expect((await runCli(before)).stdout).not.toMatch(/Documented|Risk/);
  });

  it('is unknown for what hangs on an owner whose kind the dump lacks', async () => {
    const text = JSON.parse(objectsText([ROOT, { ...HELD, held: false }]));
    text.items[1].metadata.ownerReferences.push({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u-web' },
    });
    const file = temporaryFile('dump.json', JSON.stringify(text));
    const { code, stdout } = await runCli(['delete', file, 'cm/root', '-n', 'shop']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/\? unknown +└─ ConfigMap\/held/);
    expect(stdout).toContain('kubectl get deployments.apps web -n shop');
  });

  it('calls no order of events a risk that needs an owner to be gone of which nothing is known', async () => {
    const text = JSON.parse(objectsText([ROOT, { ...HELD, held: false }]));
    // If it is gone, the collector deletes the root in the background, perhaps before the DELETE.
    text.items[0].metadata.ownerReferences = [
      { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u-web' },
    ];
    const file = temporaryFile('dump.json', JSON.stringify(text));
    const words = ['delete', file, 'cm/root', '-n', 'shop', '--cascade', 'orphan'];
    const { code, stdout } = await runCli(words);
    expect(stdout).toMatch(/\? unknown +└─ ConfigMap\/held/);
    expect(stdout).not.toMatch(/Risk/);
    expect(code).toBe(3);
  });

  it('warns of an owner that was made anew, not of one that the dump lacks', async () => {
    const text = JSON.parse(objectsText([ROOT, { ...HELD, held: false }]));
    text.items[1].metadata.ownerReferences[0].uid = 'u-former';
    const file = temporaryFile('dump.json', JSON.stringify(text));
    const { stdout } = await runCli(['delete', file, 'cm/root', '-n', 'shop']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'by the uid u-former, and ConfigMap/root.shop has another one: that owner is gone',
    );
    expect(stdout).not.toContain('not in the input');
  });

  it('says that a namespace of the control plane may not be deleted, and calls it no risk', async () => {
    const text = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: kube-system, uid: u-ns}\n';
    const file = temporaryFile('dump.yaml', text);
    const { code, stdout } = await runCli(['delete', file, 'ns/kube-system']);
    expect(stdout).toMatch(
      /^Namespace\/kube-system stays: Namespace\/kube-system may not be deleted/,
    );
    expect(stdout).not.toMatch(/Risk/);
    expect(code).toBe(1);
  });

  it('never exits with 0 when the target stays or the time is up', async () => {
    countingWork(0.01);
    const slow = await runCli([
      ...['delete', dump('shop.yaml'), 'deploy/web', '--cascade', 'foreground'],
      ...['--timeout', '0.000001'],
    ]);
    expect(slow.code).toBe(3);
    expect(slow.stdout).toMatch(/unknown/);
  });

  it('calls no risk what Kubernetes documents', async () => {
    const below = { name: 'below', owner: 'held', block: true, held: false };
    const file = temporaryFile('dump.json', objectsText([ROOT, HELD, below]));
    const { code, stdout } = await runCli([
      ...['delete', file, 'cm/root', '-n', 'shop', '--cascade', 'foreground'],
      ...['--cooperative-finalizer', 'example.com/hold'],
    ]);
    expect(stdout).toMatch(/as documented, the collector deletes ConfigMap\/below/);
    expect(stdout).not.toMatch(/Risk/);
    expect(code).toBe(0);
  });

  it('says which limit was hit if nothing was found', async () => {
    // So that it is not noticed while the dump is read.
    countingWork(0.01);
    const words = ['delete', 'test/dumps/deployment.yaml', 'deploy/web', '-n', 'prod'];
    const { code, stdout } = await runCli([...words, '--memory', '80']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/How sure +the memory was full before anything was found/);
  });

  it('says so where only some of the objects that are alike were searched', async () => {
    // An owner that one has lost may return, so the objects cannot be searched one by one.
    const leaves = Array.from({ length: 61 }, (_, index) => ({
      ...{ name: `leaf-${index}`, owner: 'root', block: true, held: false },
    }));
    const beneath = { ...ROOT, name: 'beneath', owner: 'leaf-60' };
    const deep = { ...ROOT, name: 'deep', owner: 'beneath' };
    const text = objectsText([ROOT, ...leaves, { ...ROOT, name: 'other' }, beneath, deep]);
    const dumped = JSON.parse(text) as { items: DumpedObject[] };
    for (const place of [61, 63]) {
      const owners = dumped.items[place]!.metadata.ownerReferences;
      owners.push({ ...owners[0]!, name: 'other', uid: 'u-other' });
    }
    const file = temporaryFile('dump.json', JSON.stringify(dumped));
    const words = ['delete', file, 'cm/root', '-n', 'shop', '--cascade', 'foreground'];
    const { code, stdout } = await runCli([...words, '--full']);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /goes; 60 other objects go along; 4 other objects stay \(bounded: see below\)/,
    );
    expect(stdout).toMatch(/How sure +decided for up to \d+ of 60 alike ConfigMaps; /);
    expect(stdout).toMatch(/Invariants +\d+ hold, .* for up to \d+ alike objects/);
    expect(stdout).toMatch(/- goes +├─ 60 × ConfigMap: leaf-0/);
    const accepted = await runCli([...words, '--accept-bounded']);
    expect(accepted.code).toBe(0);
    expect(accepted.stdout).toMatch(/accepted by\s+--accept-bounded/);
  });

  it('has tokens with which the runs of every world are executed again', async () => {
    const held = await asked([ROOT, HELD], '--cascade', 'foreground');
    const tokens = held.document.checks.flatMap(({ tokens: found }) => found);
    const doubtful = tokens.find(({ token }) => token.includes('world=may'));
    expect(doubtful).toBeDefined();
    for (const { token } of [tokens[0]!, doubtful!]) {
      const { code, stdout } = await runCli(['replay', token]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Executed again: \d+ steps/);
    }
  });

  it('calls documented that a DELETE makes an object wait that another one removes', async () => {
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'u-w' };
    const { apiVersion, kind, ...named } = widget;
    const items = [
      {
        ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
        metadata: { name: 'widgets.example.com', uid: 'u-crd' },
        spec: {
          ...{ group: 'example.com', scope: 'Namespaced' },
          names: { plural: 'widgets', kind: 'Widget' },
        },
      },
      { apiVersion, kind, metadata: { ...named, namespace: 'shop' } },
    ];
    const answer = async (more: readonly object[]): Promise<string> => {
      const file = temporaryFile(
        'dump.json',
        JSON.stringify({ kind: 'List', items: [...items, ...more] }),
      );
      const targets = ['crd/widgets.example.com', 'widget/w', '-n', 'shop'];
      return (await runCli(['delete', file, ...targets, '--cascade', 'foreground'])).stdout;
    };
    const alone = await answer([]);
    expect(alone).toMatch(
      /as documented, Widget\S+ is removed with finalizer\s+foregroundDeletion/,
    );
    expect(alone).toContain('kubernetes/issues/77988');
    expect(alone).not.toMatch(/Risk/);
    // With a dependent, more is lost than a wait for nothing.
    const metadata = { name: 's', namespace: 'shop', uid: 'u-s', ownerReferences: [widget] };
    const owning = await answer([{ apiVersion: 'v1', kind: 'Secret', metadata }]);
    expect(owning).toMatch(/Risk +violated: nothing leaves with a finalizer on it/);
    expect(owning).not.toContain('77988');
  });
});

it('a finalizer of what nothing deletes is not listed, that of what goes is', async () => {
  const list = `apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: Namespace, metadata: {name: shop, uid: s1}}
  - apiVersion: v1
    kind: Node
    metadata: {name: w1, uid: n1, finalizers: [example.com/of-node]}
    status: {conditions: [{type: Ready, status: "True"}]}
  - apiVersion: v1
    kind: Pod
    metadata: {name: p, namespace: shop, uid: p1, finalizers: [example.com/of-pod]}
    spec: {nodeName: w1}
`;
  const file = temporaryFile('lost.yaml', list);
  const listed = async (...what: readonly string[]) => {
    const words = ['delete', file, ...what, '--node-lost', 'w1'];
    const { stdout } = await runCli([...words, '--format', 'json']);
    const { answer } = JSON.parse(stdout) as ResultDocument;
    return answer?.finalizers.map(({ finalizer }) => finalizer);
  };
  expect(await listed('pod/p', '-n', 'shop')).toEqual(['example.com/of-pod']);
  expect(await listed('node/w1')).toEqual(['example.com/of-node', 'example.com/of-pod']);
});

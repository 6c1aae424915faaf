import { describe, expect, it } from 'vitest';
import { namesIn, objectIn, readText } from './read-inputs.ts';

function copy(fields: string, rest = ''): string {
  return `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop, ${fields}}\n${rest}`;
}

const finalizersOf = async (...copies: readonly string[]) => {
  const dump = await readText(copies.join(''));
  return objectIn(dump, 'ConfigMap/a.shop').finalizers;
};

describe('the same object twice', () => {
  const OLD = copy('uid: u, resourceVersion: "9", finalizers: [old]');
  const NEW = copy('uid: u, resourceVersion: "10", finalizers: [new]');

  it('the higher resourceVersion is taken, as a number and in any order', async () => {
    expect(await finalizersOf(OLD, NEW)).toEqual(['new']);
    expect(await finalizersOf(NEW, OLD)).toEqual(['new']);
    const { warnings } = await readText(OLD + NEW);
    expect(warnings).toEqual([
      '1 object is in the input more than once, and the newest copy of each is taken: ConfigMap/a.shop; what only an older dump has may be gone',
    ]);
  });

  it('without resourceVersions, the later one is taken', async () => {
    const [first, second] = [copy('uid: u, finalizers: [x]'), copy('uid: u, finalizers: [y]')];
    expect(await finalizersOf(first, second)).toEqual(['y']);
    expect(await finalizersOf(NEW, first)).toEqual(['x']);
  });

  it('one state twice, as in folders of must-gather, is no warning', async () => {
    const dump = await readText(OLD + OLD);
    expect(namesIn(dump)).toEqual(['ConfigMap/a.shop']);
    expect(dump.warnings).toEqual([]);
  });

  it('an object of the cluster wins over its manifest without uid', async () => {
    const manifest = copy('finalizers: [wanted]');
    expect(await finalizersOf(NEW, manifest)).toEqual(['new']);
    expect(await finalizersOf(manifest, NEW)).toEqual(['new']);
  });

  it('what is said of an older copy does not stay: a node that was ready', async () => {
    const node = (version: number, ready: string): string =>
      `---\napiVersion: v1\nkind: Node\nmetadata: {name: n, uid: u, resourceVersion: "${version}"}\nstatus: {conditions: [{type: Ready, status: "${ready}"}]}\n`;
    const dump = await readText(node(2, 'False') + node(1, 'True'));
    expect([...dump.observations.values()]).toMatchObject([
      { of: 'Node', ready: 'False', because: 'reports Ready=False' },
    ]);
  });

  it('another uid is another life: an error that says so', async () => {
    await expect(readText(OLD + copy('uid: other'))).rejects.toMatchObject({
      message: expect.stringMatching(
        /ConfigMap\/a\.shop twice, with different uids: it was deleted and created again/,
      ),
      text: { where: { line: 8, field: 'metadata.uid' }, next: 'leave out the older dump' },
    });
  });

  it('two objects of one kind with the same uid are an error', async () => {
    await expect(readText(OLD + copy('uid: u').replace('name: a', 'name: b'))).rejects.toThrow(
      'ConfigMap/a.shop and ConfigMap/b.shop have the same uid u',
    );
  });
});

describe('one object that two APIs show', () => {
  const binding = (apiVersion: string): string =>
    `---\napiVersion: ${apiVersion}\nkind: RoleBinding\nmetadata: {name: web, namespace: shop, uid: u}\n`;
  const dependent = `---
apiVersion: v1
kind: Secret
metadata:
  name: cert
  namespace: shop
  uid: s
  ownerReferences: [{apiVersion: authorization.openshift.io/v1, kind: RoleBinding, name: web, uid: u}]
`;

  it.each([
    [
      'view first',
      binding('authorization.openshift.io/v1') + binding('rbac.authorization.k8s.io/v1'),
    ],
    [
      'view last',
      binding('rbac.authorization.k8s.io/v1') + binding('authorization.openshift.io/v1'),
    ],
  ])('%s: it is one object, and references to either name it', async (_what, text) => {
    const dump = await readText(text + dependent);
    expect(namesIn(dump)).toEqual([
      'RoleBinding.rbac.authorization.k8s.io/web.shop',
      'Secret/cert.shop',
    ]);
    expect(objectIn(dump, 'Secret/cert.shop').ownerReferences).toEqual([
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', name: 'web', uid: 'u' },
    ]);
    expect(dump.warnings).toEqual([
      expect.stringContaining(
        'RoleBinding.authorization.openshift.io have the uids of those of RoleBinding.rbac',
      ),
    ]);
  });

  it('two built-in kinds do not share a uid', async () => {
    const text = copy('uid: u') + copy('uid: u').replace('ConfigMap', 'Secret');
    await expect(readText(text)).rejects.toThrow(/have the same uid/);
  });
});

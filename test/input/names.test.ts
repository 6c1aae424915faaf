import { describe, expect, it } from 'vitest';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import {
  finalizerFault,
  groupOf,
  namespaceFault,
  objectNameFault,
} from '../../input/manifests/names.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';

describe('names as the API server has them', () => {
  it.each([
    ['example.com/hold', true, true],
    ['kubernetes', true, true],
    ['hold', true, false],
    ['hold', false, true],
    ['a/b/c', false, false],
    ['__proto__', false, false],
    ['-/x', false, false],
  ])('finalizer %s of a built-in kind (%s): %s', (name, builtIn, good) => {
    expect(finalizerFault(name, builtIn) === null).toBe(good);
  });

  it('objects and namespaces', () => {
    expect(objectNameFault('system:node', 'Role', 'rbac.authorization.k8s.io', true)).toBeNull();
    expect(objectNameFault('v1.', 'APIService', 'apiregistration.k8s.io', true)).toBeNull();
    expect(objectNameFault('system:node', 'Pod', '', true)).not.toBeNull();
    expect(
      objectNameFault('fe80::1', 'IPAddress.networking.k8s.io', 'networking.k8s.io', true),
    ).toBeNull();
    expect(objectNameFault('a/b', 'Widget.example.com', 'example.com', false)).not.toBeNull();
    expect(objectNameFault('a.b-c', 'Deployment.apps', 'apps', true)).toBeNull();
    expect(objectNameFault('a.b-c', 'Namespace', '', true)).not.toBeNull();
    expect(namespaceFault('a.b')).not.toBeNull();
    expect(namespaceFault('a'.repeat(64))).not.toBeNull();
  });

  it('groups', () => {
    expect([groupOf('v1'), groupOf('apps/v1'), groupOf('a/b/c'), groupOf('/v1')]).toEqual([
      '',
      'apps',
      null,
      null,
    ]);
  });
});

describe('kinds as kubectl has them', () => {
  const named = (word: string) =>
    new KindCatalogue(BUILT_IN_KINDS).named(word).map(({ name }) => name);

  it.each([
    ['po', 'Pod'],
    ['pods', 'Pod'],
    ['POD', 'Pod'],
    ['deploy', 'Deployment.apps'],
    ['deployments.apps', 'Deployment.apps'],
    ['Deployment.apps', 'Deployment.apps'],
    ['netpol', 'NetworkPolicy.networking.k8s.io'],
    ['endpoints', 'Endpoints'],
  ])('%s is %s', (word, name) => {
    expect(named(word)).toContain(name);
  });

  it.each(['constructor', '__proto__', 'nothing'])('%s is none', (word) => {
    expect(named(word)).toEqual([]);
  });

  it('every short name leads to a kind', () => {
    const catalogue = new KindCatalogue(BUILT_IN_KINDS);
    const unknown = catalogue.words().filter((word) => catalogue.named(word).length === 0);
    expect(unknown).toEqual([]);
  });

  it('custom kinds have the short names of their definition, or those of widespread operators', () => {
    const catalogue = new KindCatalogue(BUILT_IN_KINDS);
    catalogue.accept('argoproj.io/v1alpha1', 'Application', true);
    catalogue.accept('example.com/v1', 'Backup', true);
    expect(catalogue.named('app').map(({ name }) => name)).toEqual(['Application.argoproj.io']);
    expect(catalogue.named('bk')).toEqual([]);
    const names = {
      group: 'example.com',
      kind: 'Backup',
      plural: 'backups',
      served: ['v1'],
      shortNames: ['bk'],
      namespaced: true,
    };
    catalogue.define(names);
    expect(catalogue.named('BK').map(({ name }) => name)).toEqual(['Backup.example.com']);
  });

  it('owner references name a custom kind in any version that its definition serves', () => {
    const catalogue = new KindCatalogue(BUILT_IN_KINDS);
    const named = (apiVersion: string, kind: string) =>
      catalogue.acceptNamed({ apiVersion, kind }, true, {
        lack: () => false,
        aggregated: new Set(),
      });
    const inVersion = (version: string) => {
      named(`example.com/${version}`, 'Backup');
      return catalogue.resolve(`example.com/${version}`, 'Backup')?.apiVersions ?? null;
    };
    catalogue.accept('example.com/v1', 'Backup', true);
    expect(inVersion('v1beta1')).toEqual(['example.com/v1', 'example.com/v1beta1']);
    const versions = ['v1', 'v1beta1'].map((version) => `example.com/${version}`);
    expect(versions.map((apiVersion) => catalogue.doubtOf({ apiVersion, kind: 'Backup' }))).toEqual(
      [null, 'version'],
    );
    const names = { group: 'example.com', kind: 'Backup', plural: 'backups', shortNames: [] };
    catalogue.define({ ...names, served: ['v1', 'v1beta2'], namespaced: true });
    expect(inVersion('v1beta2')).toContain('example.com/v1beta2');
    expect(inVersion('v1alpha1')).toBe(null);
    named('extensions/v1beta1', 'Deployment');
    named('apps/v1beta2', 'Deployment');
    expect(catalogue.resolve('apps/v1beta2', 'Deployment')).toBe(null);
  });

  it('a version that came after 1.20 is the preferred one of what has it', () => {
    const catalogue = new KindCatalogue(BUILT_IN_KINDS);
    expect(catalogue.accept('batch/v1beta1', 'CronJob', true).apiVersions[0]).toBe('batch/v1beta1');
    const kind = catalogue.accept('batch/v1', 'CronJob', true);
    expect(kind.apiVersions).toEqual(['batch/v1', 'batch/v1beta1']);
    expect(catalogue.table()[kind.name]).toBe(kind);
    expect(catalogue.notes).toEqual([]);
  });

  it('a version that is not built in becomes the preferred one, and is noted', () => {
    const catalogue = new KindCatalogue(BUILT_IN_KINDS);
    const kind = catalogue.accept('batch/v9', 'Job', true);
    expect(kind.apiVersions[0]).toBe('batch/v9');
    expect(catalogue.resolve('batch/v1', 'Job')?.name).toBe(kind.name);
    expect(catalogue.notes).toEqual([expect.stringContaining('Job is read as batch/v9')]);
  });
});

import { describe, expect, it } from 'vitest';
import { BUILT_IN_KINDS, customKind } from '../../model/state/kind-table.ts';
import { defaultPolicy, kindNamed, resolveKind } from '../../model/state/kinds.ts';
import { kindsServedIn, removedSince } from '../../model/state/removed-versions.ts';

describe('the table of kinds', () => {
  it('is keyed by name, and no two kinds have the same coordinates', () => {
    const coordinates = Object.entries(BUILT_IN_KINDS).flatMap(([name, kind]) => {
      expect(kind.name).toBe(name);
      expect(kind.defaultPolicy).toBe(defaultPolicy(kind, kind.apiVersions[0] ?? ''));
      return kind.apiVersions.map((version) => `${version} ${kind.kind}`);
    });
    expect(new Set(coordinates).size).toBe(coordinates.length);
    expect(resolveKind(BUILT_IN_KINDS, 'apps/v1', 'Deployment')?.name).toBe('Deployment.apps');
    expect(resolveKind(BUILT_IN_KINDS, 'extensions/v1beta1', 'Deployment')).toBeNull();
  });

  it('has the kinds of the newest release, with plurals', () => {
    const names = ['resource.k8s.io/v1 ResourceClaim', 'networking.k8s.io/v1 IPAddress'];
    for (const name of names) {
      const [version = '', kind = ''] = name.split(' ');
      expect(resolveKind(BUILT_IN_KINDS, version, kind), name).not.toBeNull();
    }
    const policies = Object.values(BUILT_IN_KINDS).filter(({ name }) =>
      /Policy(Binding)?\.admis/.test(name),
    );
    expect(policies.map(({ resource }) => resource).sort()).toEqual([
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
    ]);
  });

  it('lacks the versions that a release no longer serves', () => {
    const served = (protocol: string): readonly string[] =>
      Object.values(kindsServedIn(protocol)).flatMap((kind) =>
        kind.apiVersions.map((version) => `${version} ${kind.kind}`),
      );
    expect(served('newest').filter((one) => /v\d+(alpha|beta)/.test(one))).toEqual([]);
    expect(served('newest')).toContain('batch/v1 CronJob');
    expect(served('v1.24')).toContain('batch/v1beta1 CronJob');
    expect(served('v1.24')).not.toContain('extensions/v1beta1 Ingress');
    expect(served('v1.15').length).toBe(served('gc-proposal').length);
    expect(removedSince('extensions/v1beta1', 'Deployment')).toBe('v1.16');
    expect(removedSince('batch/v1', 'CronJob')).toBeNull();
  });

  it('excludes only events from the kinds that the collector watches', () => {
    const unwatched = Object.values(BUILT_IN_KINDS).filter(({ watched }) => !watched);
    expect(unwatched.map(({ name, defaultPolicy: policy }) => [name, policy])).toEqual([
      ['Event', 'unsupported'],
    ]);
  });

  it('has the storages that are not generic and the one kind with grace periods', () => {
    const special = Object.values(BUILT_IN_KINDS).filter(
      ({ storage, graceful }) => storage !== 'generic' || graceful,
    );
    expect(special.map(({ name }) => name)).toEqual([
      'Namespace',
      'Pod',
      'CustomResourceDefinition.apiextensions.k8s.io',
    ]);
  });

  it('makes custom kinds that have a generation and support only merge patches', () => {
    expect(customKind('example.test/v1', 'Widget', true)).toMatchObject({
      name: 'Widget.example.test',
      resource: 'widgets',
      generation: true,
      defaultPolicy: 'none',
      patchTypes: 'mergeOnly',
    });
    expect(() => kindNamed(BUILT_IN_KINDS, 'Widget')).toThrow('not in the table');
  });
});

import { describe, expect, it } from 'vitest';
import { credentialsIn } from '../../../input/cluster/observed/credentials.ts';
import { protectionsOf } from '../../../input/cluster/observed/protections.ts';

/** What is known by the names of fields, one row for each part of the patterns. */

/** The clauses about a database of AWS with this spec. */
function protectionsIn(spec: object, group = 'dynamodb.aws.upbound.io', kind = 'Table') {
  return protectionsOf(group, kind, {}, { spec });
}

describe('a field that protects', () => {
  it.each([
    ['deletionProtection', true],
    ['deletionProtection', 'ACTIVE'],
    ['deletionProtection', 'PROTECTED'],
    ['deletionProtectionEnabled', true],
    ['deletionProtectionMode', 'DELETION_PROTECTION_MODE_ENABLED'],
    ['deleteProtectionState', 'DELETE_PROTECTION_ENABLED'],
    ['enableDeletionProtection', true],
    ['apiDeletionProtection', true],
    ['enableDropProtection', true],
    ['terminationProtection', 'TRUE'],
    ['disableApiTermination', true],
  ])('%s: %s', (field, value) => {
    const clause = `its provider refuses to delete it: ${field} is ${value}`;
    expect(protectionsIn({ [field]: value })).toEqual([clause]);
  });

  it.each([
    ...[false, 'off', 'no', 'none', '', 'INACTIVE', 'UNPROTECTED', 'Disabled'],
    ...['DELETE_PROTECTION_DISABLED', 'DELETE_PROTECTION_STATE_UNSPECIFIED'],
  ])('is off: %s', (value) => {
    expect(protectionsIn({ deletionProtection: value })).toEqual([]);
  });

  it.each([
    ...['disableApiStop', 'disableApiTerminations', 'myDeletionProtection', 'protection'],
    ...['deletionProtectionPolicy', 'disableDeletionProtection'],
  ])('is another one: %s', (field) => {
    expect(protectionsIn({ [field]: true })).toEqual([]);
  });

  const on = { deletionProtection: true };
  it.each<[object, number]>([
    [{ forProvider: on, initProvider: on, ...on }, 1],
    [{ initProvider: on }, 1],
    [{ settings: on }, 1],
    [{ settings: { database: [{ flags: on }] } }, 1],
    [{ forProvider: { database: [{ flags: on }] } }, 1],
    [{ other: on }, 0],
  ])('is found in %j', (spec, count) => {
    expect(protectionsIn(spec)).toHaveLength(count);
  });

  it('says nothing of kinds of Kubernetes', () => {
    expect(protectionsIn(on, 'apps', 'Deployment')).toEqual([]);
  });
});

it.each<[string, string, boolean]>([
  ['load-balancer-attributes', 'deletion_protection.enabled=true', true],
  ['load-balancer-attributes', 'a=b, deletion_protection.enabled = true ,c=d', true],
  ['load-balancer-attributes', 'deletion_protection.enabled=false', false],
  ['load-balancer-attributes', 'deletion_protection.enabled=truely', false],
  ['load-balancer-attributes', 'other_deletion_protection.enabled=true', false],
  ['load-balancer-attributes-before', 'deletion_protection.enabled=true', false],
])('the annotation %s with %s protects: %s', (name, value, protects) => {
  const annotations = { [`alb.ingress.kubernetes.io/${name}`]: value };
  const found = protectionsOf('networking.k8s.io', 'Ingress', annotations, {});
  expect(found).toHaveLength(protects ? 1 : 0);
});

it.each<[string, string, object, boolean]>([
  ['rds.aws.upbound.io', 'Instance', {}, true],
  ['rds.aws.m.upbound.io', 'Cluster', {}, true],
  ['docdb.aws.upbound.io', 'Cluster', {}, true],
  ['neptune.aws.upbound.io', 'Cluster', {}, true],
  ['redshift.aws.upbound.io', 'Cluster', {}, true],
  ['rds.aws.upbound.io', 'SubnetGroup', {}, false],
  ['ec2.aws.upbound.io', 'Instance', {}, false],
  ['rds.aws.upbound.io', 'Instance', { skipFinalSnapshot: false }, true],
  ['rds.aws.upbound.io', 'Instance', { skipFinalSnapshot: true }, false],
  ['rds.aws.upbound.io', 'Instance', { finalSnapshotIdentifier: 'last' }, false],
])('%s %s with %j needs a final snapshot: %s', (group, kind, forProvider, needs) => {
  expect(protectionsIn({ forProvider }, group, kind)).toHaveLength(needs ? 1 : 0);
  expect(protectionsIn({}, group, kind)).toEqual([]);
});

it.each<[object, readonly string[]]>([
  [{ tokenRef: { name: 'a', key: 'k' } }, ['Secret/a']],
  [{ secretRef: { name: 'a' } }, ['Secret/a']],
  [{ clientSecretRef: { name: 'a', namespace: 'b' } }, ['Secret/a.b']],
  [{ clientSecretRef: { name: 'a', namespace: '' } }, ['Secret/a']],
  [{ serviceAccountRef: { name: 'a' } }, ['ServiceAccount/a']],
  [{ vaultServiceAccountRef: { name: 'a' } }, ['ServiceAccount/a']],
  [{ pullSecretRef: [{ name: 'a' }, { name: 'b' }] }, ['Secret/a', 'Secret/b']],
  [{ auth: [{ jwt: { secretRef: { name: 'a' } } }] }, ['Secret/a']],
  [{ caProvider: { type: 'ConfigMap', name: 'a', key: 'k' } }, []],
  [{ caProvider: { type: 'Secret', name: 'a', key: 'k' } }, ['Secret/a']],
  [{ secretRef: { name: '' } }, []],
  [{ secretRefs: { name: 'a' } }, []],
  [{ serviceAccountRefs: { name: 'a' } }, []],
  [{ issuerRef: { name: 'a' } }, []],
])('the credentials in %j are %j', (value, named) => {
  const found = credentialsIn(value).map(
    ({ kind, name, namespace }) => `${kind}/${name}${namespace === null ? '' : `.${namespace}`}`,
  );
  expect(found).toEqual(named);
});

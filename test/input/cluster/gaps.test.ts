import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NOTHING_BEYOND } from '../../../input/cluster/links.ts';
import { resourceOf, settlingCommand } from '../../../input/cluster/open-world.ts';
import { KindCatalogue } from '../../../input/manifests/kind-catalogue.ts';
import { slice } from '../../../input/manifests/slice.ts';
import type { ApiObject } from '../../../model/index.ts';
import { BUILT_IN_KINDS } from '../../../model/state/kind-table.ts';
import { dump } from '../../cli/run-cli.ts';
import { aroundDeletion } from './around-deletion.ts';

const of = (name: string, target: string) =>
  aroundDeletion(readFileSync(dump(`${name}.yaml`), 'utf8'), target);

describe('what a dump does not say', () => {
  it.each([
    [
      'definition-only',
      'crd/kafkatopics.kafka.strimzi.io',
      'kubectl get kafkatopics.kafka.strimzi.io -A',
    ],
    ['definition-only', 'crd/widgets.example.com', 'kubectl get widgets.example.com -A'],
    [
      'namespace-only',
      'ns/shop',
      'kubectl api-resources --verbs=list --namespaced -o name | xargs -n 1 kubectl get -n shop --ignore-not-found --show-kind',
    ],
  ])('%s: what %s takes along is unknown', (name, target, settle) => {
    expect(of(name, target).unknownContents.map((entry) => entry.settle)).toEqual([settle]);
  });

  it('contents that are there are known', () => {
    expect(of('namespace-api-down', 'ns/shop').unknownContents).toEqual([]);
    expect(of('helm-release', 'ns/shop').unknownContents).toEqual([]);
  });

  it('a kind between the deleted object and others of the dump', () => {
    expect(of('deployment-without-replicasets', 'deploy/web').incomplete).toEqual([
      {
        what: expect.stringMatching(
          /^the dump has no ReplicaSet.*; 2 objects in shop name such an owner$/,
        ),
        settle: 'kubectl get replicasets.apps -n shop -o yaml',
      },
    ]);
    // Nobody wants a child of it.
    expect(of('helm-release', 'deploy/web').incomplete).toEqual([]);
    expect(of('old-replicaset', 'deploy/web').incomplete).toEqual([]);
  });

  it('a namespace of which only some kinds were asked for', () => {
    const text = readFileSync(dump('namespace-api-down.yaml'), 'utf8');
    const whole = `${text}---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: shop, uid: default}}
`;
    expect(aroundDeletion(whole, 'ns/shop').incomplete).toEqual([]);
    expect(aroundDeletion(text, 'ns/shop').incomplete).toEqual([
      expect.objectContaining({ what: expect.stringContaining('kube-root-ca.crt') }),
    ]);
  });

  it('an owner of a kind that is not there is unknown, one of a kind that is there is absent', () => {
    const owned = (apiVersion: string, kind: string, namespace = 'namespace: shop') => `
apiVersion: v1
kind: Secret
metadata:
  name: child
  uid: child
  ${namespace}
  ownerReferences: [{apiVersion: ${apiVersion}, kind: ${kind}, name: owner, uid: gone}]
`;
    const others = `---
{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: other, uid: c}}
---
{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: r, namespace: other, uid: r}}
`;
    const settles = (text: string) =>
      aroundDeletion(text + others, 'secret/child').unknownOwners.map(({ settle }) => settle);
    expect(settles(owned('v1', 'ConfigMap'))).toEqual([]);
    // Another version, or the group in which it was served before, has the same objects.
    expect(settles(owned('apps/v1beta2', 'ReplicaSet'))).toEqual([]);
    expect(settles(owned('extensions/v1beta1', 'ReplicaSet'))).toEqual([]);
    expect(settles(owned('v1', 'Service'))).toEqual([
      "kubectl get services owner -n shop -o jsonpath='{.metadata.uid}'  # gone?",
    ]);
    expect(settles(owned('v1', 'Node'))).toEqual([
      "kubectl get nodes owner -o jsonpath='{.metadata.uid}'  # gone?",
    ]);
    expect(settles(owned('kafka.strimzi.io/v1', 'KafkaTopic'))).toEqual([
      "kubectl get kafkatopic.kafka.strimzi.io owner -n shop -o jsonpath='{.metadata.uid}'  # gone?",
    ]);
  });

  it('a cluster-scoped object cannot have a namespaced owner, whatever the dump lacks', () => {
    const role = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: role
  uid: role
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: gone}]
`;
    expect(aroundDeletion(role, 'clusterrole/role').unknownOwners).toEqual([]);
  });

  it('commands are safe in a shell', () => {
    const kinds = new KindCatalogue(BUILT_IN_KINDS);
    const reference = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      name: "system:it's $HOME",
      uid: 'u',
    };
    expect(settlingCommand(reference, '', kinds)).toBe(
      `kubectl get clusterroles.rbac.authorization.k8s.io 'system:it'\\''s $HOME' -o jsonpath='{.metadata.uid}'  # u?`,
    );
    expect(resourceOf('example.com/v1', 'Policy', kinds)).toBe('policy.example.com');
  });
});

it('cuts a large cluster in time that grows with its size', () => {
  const kinds = new KindCatalogue(BUILT_IN_KINDS);
  const large = (count: number): readonly ApiObject[] =>
    Array.from({ length: count }, (_, index) => ({
      kind: index % 3 === 0 ? 'Pod' : 'ConfigMap',
      namespace: 'shop',
      name: `o${index}`,
      uid: `o${index}`,
      generation: 0,
      finalizers: [],
      // Half of them share one owner that is gone.
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: index % 2 === 0 ? 'gone' : 'o1',
          uid: index % 2 === 0 ? 'gone' : 'o1',
        },
      ],
      deletionTimestamp: null,
      deletionGracePeriodSeconds: null,
    }));
  // Counted, not timed: how often the slice reads an object.
  const reads = (count: number): number => {
    let number = 0;
    const objects = large(count).map(
      (object) =>
        new Proxy(object, {
          get: (target, field) => {
            number++;
            return Reflect.get(target, field);
          },
        }),
    );
    slice(objects, objects.slice(1, 2), kinds, NOTHING_BEYOND);
    return number / count;
  };
  expect(reads(4000)).toBeLessThan(reads(400) * 1.5);
});

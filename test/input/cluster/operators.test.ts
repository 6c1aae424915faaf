import { expect, it } from 'vitest';
import { operatorsFor } from '../../../input/cluster/operators.ts';
import { type ApiObject, keyOf } from '../../../model/index.ts';

it.each([
  ['resources-finalizer.argocd.argoproj.io', 'Foreground'],
  ['resources-finalizer.argocd.argoproj.io/background', 'Background'],
  ['cluster.cluster.x-k8s.io', 'Background'],
  ['finalizers.fluxcd.io', 'Background'],
])('the owner of %s deletes with policy %s', (finalizer, propagationPolicy) => {
  const parent: ApiObject = {
    ...{ kind: 'Application', namespace: 'x', name: 'a', uid: 'u-a', generation: 1 },
    ...{ finalizers: [finalizer], ownerReferences: [] },
    ...{ deletionTimestamp: null, deletionGracePeriodSeconds: null },
  };
  const tracked = ['ConfigMap/x/b'];
  const places = { waves: { [tracked[0]!]: 2 }, pausing: [] };
  const tracking = { object: keyOf(parent), finalizer, tracked, ...places, waitsFor: tracked };
  const [operator] = operatorsFor([parent], [tracking], []);
  expect(operator?.deletes).toEqual([
    // The highest wave comes first.
    { key: tracked[0], wave: -2, options: { propagationPolicy } },
  ]);
  expect(operator?.waitsFor).toEqual(tracked);
});

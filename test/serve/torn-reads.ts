import { defineProperty } from 'reapcheck/checker';
import {
  clusterModel,
  defineController,
  isBeingDeleted,
  setupFromYaml,
  viewOf,
} from 'reapcheck/model';

/*
 * An operator reads two objects live, one after the other. It lets its Tenant go if there is a Volume
 * and no Disk, which nobody makes so: bob creates the Disk first. It finds that only if both are
 * created between its two reads.
 */

const RELEASE = 'example.com/release';

const setup = setupFromYaml(`
protocol: newest
objects:
  - apiVersion: example.com/v1
    kind: Tenant
    metadata: {name: acme, namespace: default, finalizers: [${RELEASE}]}
requests:
  - {delete: Tenant/acme, propagationPolicy: Background, user: alice}
  - create:
      {apiVersion: example.com/v1, kind: Disk, metadata: {name: acme, namespace: default}}
    user: bob
  - create:
      {apiVersion: example.com/v1, kind: Volume, metadata: {name: acme, namespace: default}}
    user: bob
`);

const operator = defineController({
  name: 'tenant-operator',
  for: 'Tenant',
  informers: [],
  finalizers: [RELEASE],
  plan(look, self) {
    const tenant = look(self.object);
    if (tenant === null || !isBeingDeleted(tenant) || !tenant.finalizers.includes(RELEASE))
      return [];
    const disk = look.live('Disk/acme');
    const volume = look.live('Volume/acme');
    return disk === null && volume !== null
      ? [{ do: 'removeFinalizer', object: self.object, finalizer: RELEASE }]
      : [];
  },
});

export const model = clusterModel(setup, { name: 'torn reads', controllers: [operator] });

const { object } = viewOf(model);

export const properties = [
  defineProperty(model, {
    kind: 'invariant',
    name: 'the tenant waits for the disk',
    holds: (cluster) => object(cluster, 'Tenant/acme') !== null,
    explain: () => ['Tenant/acme is gone'],
  }),
];

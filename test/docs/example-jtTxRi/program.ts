import { check, defineProperty } from '../../../checker/index.ts';
import {
  clusterModel,
  defineController,
  isBeingDeleted,
  setupFromYaml,
  viewOf,
} from '../../../input/library/index.ts';
import { propertiesFor } from '../../../properties/index.ts';

const RELEASE = 'example.com/release-disks';

const setup = setupFromYaml(`
protocol: newest
objects:
  - apiVersion: example.com/v1
    kind: Tenant
    metadata: {name: acme, namespace: default, finalizers: [${RELEASE}]}
requests:
  - {delete: Tenant/acme, propagationPolicy: Background, user: alice}
`);

const operatorWith = (live: boolean) =>
  defineController({
    name: 'tenant-operator',
    for: 'Tenant',
    informers: ['Disk'],
    finalizers: [RELEASE],
    creates: [
      { apiVersion: 'example.com/v1', kind: 'Disk', metadata: { name: 'acme', namespace: 'default' } },
    ],
    plan(look, self) {
      const tenant = look(self.object);
      if (tenant === null) return [];
      if (!isBeingDeleted(tenant)) {
        return look('Disk/acme') === null ? [{ do: 'create', object: 'Disk/acme' }] : [];
      }
      if (!tenant.finalizers.includes(RELEASE)) return [];
      const disk = live ? look.live('Disk/acme') : look('Disk/acme');
      return disk === null
        ? [{ do: 'removeFinalizer', object: self.object, finalizer: RELEASE, because: 'no disk' }]
        : [{ do: 'delete', object: 'Disk/acme' }];
    },
  });

const modelWith = (live: boolean) =>
  clusterModel(setup, { name: 'stale teardown', controllers: [operatorWith(live)] });

function propertiesOf(model: ReturnType<typeof modelWith>) {
  const { object } = viewOf(model);
  return [
    ...propertiesFor(model, ['every-deletion-finishes', 'nothing-stuck']),
    defineProperty(model, {
      kind: 'eventually',
      name: 'the disk goes with its tenant',
      trigger: (cluster) => object(cluster, 'Tenant/acme') === null,
      goal: (cluster) => object(cluster, 'Disk/acme') === null,
    }),
  ];
}

for (const live of [false, true]) {
  const model = modelWith(live);
  const { properties, statistics } = await check({ model, properties: propertiesOf(model) });
  console.log(`${live ? 'live' : 'cache'}: ${statistics.states} states`);
  for (const { name, verdict, trace } of properties) {
    console.log(`  ${verdict}: ${name}`);
    for (const { sentence, beliefs } of trace?.steps.slice(3, 8) ?? []) {
      console.log(`    ${sentence}`);
      for (const line of beliefs) console.log(`      ${line}`);
    }
  }
}

import { defineProperty } from 'reapcheck/checker';
import {
  clusterModel,
  defineController,
  isBeingDeleted,
  setupFromYaml,
  viewOf,
} from 'reapcheck/model';
import { propertiesFor } from 'reapcheck/properties';

/*
 * A Bundle has a ConfigMap, which its operator creates whenever it is missing. A GitOps tool no longer
 * finds either in Git and prunes both, because the ConfigMap carries the label of the tool as well.
 */

const setupWith = (policy: 'Background' | 'Orphan') =>
  setupFromYaml(`
protocol: newest
objects:
  - {apiVersion: example.com/v1, kind: Bundle, metadata: {name: ca, namespace: default}}
  - apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ca
      ownerReferences: [{apiVersion: example.com/v1, kind: Bundle, name: ca, controller: true}]
requests:
  - {delete: ConfigMap/ca, propagationPolicy: ${policy}, user: gitops}
  - {delete: Bundle/ca, propagationPolicy: ${policy}, user: gitops}
`);

export const operator = defineController({
  name: 'bundle-operator',
  for: 'Bundle',
  informers: ['ConfigMap'],
  creates: [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ca', namespace: 'default' } },
  ],
  plan(look, self) {
    const bundle = look(self.object);
    if (bundle === null || isBeingDeleted(bundle)) return [];
    if (look('ConfigMap/ca') !== null) return [];
    return [{ do: 'create', object: 'ConfigMap/ca', controller: bundle }];
  },
});

export const modelWith = (policy: 'Background' | 'Orphan') =>
  clusterModel(setupWith(policy), { name: `pruned bundle, ${policy}`, controllers: [operator] });

export function propertiesOf(model: ReturnType<typeof modelWith>) {
  const { object } = viewOf(model);
  return [
    ...propertiesFor(model, ['nothing-stuck']),
    defineProperty(model, {
      kind: 'eventually',
      name: 'what was pruned is gone',
      trigger: (cluster) => cluster.users.gitops === 2 && object(cluster, 'Bundle/ca') === null,
      goal: (cluster) => object(cluster, 'ConfigMap/ca') === null,
    }),
    defineProperty(model, {
      kind: 'witness',
      name: 'the operator makes again what was pruned',
      reached: (cluster) => {
        const [first] = model.setup.objects.filter(({ kind }) => kind === 'ConfigMap');
        const map = object(cluster, 'ConfigMap/ca');
        return map !== null && map.uid !== first?.uid;
      },
    }),
  ];
}

export const model = modelWith('Orphan');
export const properties = propertiesOf(model);

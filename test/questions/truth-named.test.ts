import { describeQuestions, made, owner, type Question } from './truth-objects.ts';

const map = (name: string) => made('v1 ConfigMap', `shop/${name}`);
const optional = (name: string) => ({ configMap: { name, optional: true } });
const CSV = 'operators.coreos.com/v1alpha1 ClusterServiceVersion';

/** What stays and names what goes, or has made it: each said once, and only of what is meant. */
const ROWS: readonly Question[] = [
  {
    truth:
      'a pod starts without what is optional in each place (`MakeVolumeMap`, `makeEnvironment`)',
    objects: [
      map('free'),
      map('needed'),
      made('apps/v1 DaemonSet', 'shop/web', {
        spec: {
          template: {
            spec: {
              volumes: [optional('free'), optional('needed')],
              containers: [{ name: 'c', envFrom: [{ configMapRef: { name: 'needed' } }] }],
            },
          },
        },
      }),
      made('v1 Pod', 'shop/p'),
    ],
    ask: 'configmap/free configmap/needed -n shop',
    answer: 'goes',
    says: /free\.shop: that is optional, and its new pods start without it .*needed\.shop: unless that/,
  },
  {
    truth: 'Gateway API: a route names a Gateway of its own group (`ParentReference.Group`)',
    objects: [
      made('networking.istio.io/v1 Gateway', 'shop/g', { spec: {} }),
      made('gateway.networking.k8s.io/v1 HTTPRoute', 'shop/r', {
        spec: { parentRefs: [{ name: 'g' }] },
      }),
      made('networking.istio.io/v1 VirtualService', 'shop/v', { spec: { gateways: ['g'] } }),
    ],
    ask: 'gateways.networking.istio.io/g -n shop',
    answer: 'goes',
    says: /^(?!.*HTTPRoute).*VirtualService\S+ stays and names Gateway/,
  },
  {
    truth: 'OLM makes a Deployment anew, and the version that owns it is no other maker',
    objects: [
      made(CSV, 'op/csv', { spec: {} }),
      made('apps/v1 Deployment', 'op/ctl', {
        labels: {
          ...{ 'olm.owner': 'csv', 'olm.owner.namespace': 'op' },
          'olm.owner.kind': 'ClusterServiceVersion',
        },
        owners: [{ ...owner(CSV, 'op/csv'), controller: false, blockOwnerDeletion: false }],
      }),
      made('apps/v1 ReplicaSet', 'op/other'),
    ],
    ask: 'deployment/ctl -n op',
    answer: 'goes',
    says: /^(?!.*its controller may make).*and OLM makes Deployment\S+ctl\.op anew/,
  },
  {
    truth: 'a volume without finalizers: its Secret is named by one field',
    objects: [
      made('v1 Secret', 'shop/key'),
      made('v1 PersistentVolume', 'pv', {
        spec: {
          csi: { driver: 'd', controllerPublishSecretRef: { name: 'key', namespace: 'shop' } },
        },
      }),
    ],
    ask: 'secret/key -n shop',
    answer: 'goes',
    says: /^(?!.*key\.shop.*names Secret.*names Secret).*PersistentVolume\/pv stays and names/,
  },
  {
    truth:
      'cert-manager reads the Secret of a ClusterIssuer in one namespace (`ResourceNamespace`)',
    objects: [
      made('v1 Secret', 'shop/k'),
      made('cert-manager.io/v1 ClusterIssuer', 'le', { spec: { ca: { secretName: 'k' } } }),
    ],
    ask: 'secret/k -n shop',
    answer: 'goes',
    says: /if cert-manager reads it in that namespace, it issues/,
  },
];

describeQuestions('what names what goes', ROWS);

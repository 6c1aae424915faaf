import { made } from './truth-objects.ts';
import { describeTruth, everyOne } from './truth-rows.ts';

const IN = ['-n', 'shop'];
const dump = 'manifests.yaml';

describeTruth('what a manifest cannot show', [
  {
    dump,
    words: ['svc/web', 'certificate/tls', ...IN],
    fates: { 'Service/web': 'unknown', 'Certificate/tls': 'unknown' },
    code: 3,
    says: everyOne(
      /^What becomes of[^:]+is unknown: the input is a\s+manifest\s+of it[^;]+load-balancer-cleanup/,
      /kubectl get services web -n shop -o yaml/,
    ),
  },
  {
    // The pod of the cluster is none of the set.
    dump,
    words: ['sts/db', ...IN],
    fates: { 'StatefulSet/db': 'goes' },
    code: 3,
    says: /^StatefulSet\S+ goes, as far as is known; what else goes is\s+unknown[^:]*:\s+\S+ is a manifest\s+here[^:]+: Pod,\s+and claims/,
  },
  {
    dump,
    words: ['svc/inner', ...IN],
    fates: { 'Service/inner': 'goes' },
    code: 0,
    says: /^Service\/inner.shop goes\.[\s\S]+4 objects of the input have no uid: this is a manifest/,
  },
  {
    // The namespace is the cluster's, and waits for what is not.
    dump,
    words: ['ns/shop'],
    fates: { Namespace: 'unknown', Pod: 'goes', 'Service/inner': 'goes' },
    code: 3,
    says: /Namespace\/shop is unknown: it waits for/,
  },
]);

/** As `jq '{apiVersion, kind, metadata}'` leaves it. The pod uses the claim (`pvc_protection`). */
const METADATA = [
  made('v1 PersistentVolumeClaim', 'shop/data', { finalizers: ['kubernetes.io/pvc-protection'] }),
  made('v1 Pod', 'shop/web'),
  made('v1 ConfigMap', 'shop/settings'),
];

/** As a person writes it, or as a tool leaves it. */
const bare = (apiVersion: string, kind: string, name: string, rest: object = {}) => ({
  ...{ apiVersion, kind, metadata: { name, namespace: 'shop' } },
  ...rest,
});
const managing = (field: string, item: string) => ({
  fieldsV1: { 'f:metadata': { [`f:${field}`]: { '.': {}, [item]: {} } } },
});
const cut = (name: string, metadata: object) => ({
  ...{ apiVersion: 'acme.io/v1', kind: 'Widget', spec: {} },
  metadata: { name, namespace: 'shop', uid: name, ...metadata },
});
const ofSet = { ...bare('v1', 'Pod', 'web-x').metadata, uid: 'p' };

describeTruth('what a tool has taken off', [
  {
    // A whole object names one of the manifests as its owner.
    dump: [
      bare('apps/v1', 'StatefulSet', 'web', { spec: {} }),
      bare('acme.io/v1', 'Widget', 'w', { spec: {} }),
      {
        ...{ apiVersion: 'v1', kind: 'Pod', spec: { nodeName: 'n1' } },
        metadata: {
          ...ofSet,
          ownerReferences: [
            { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 's', controller: true },
          ],
        },
      },
    ],
    words: ['widget/w', ...IN],
    fates: { Widget: 'unknown' },
    code: 3,
    says: /is a manifest of it/,
  },
  {
    // A pod has a spec, whatever else has one.
    dump: [
      made('v1 PersistentVolumeClaim', 'shop/data', { spec: {}, status: {} }),
      {
        ...{ apiVersion: 'v1', kind: 'Pod', spec: {} },
        metadata: { ...ofSet, resourceVersion: '5' },
      },
    ],
    words: ['pvc/data', ...IN],
    fates: { PersistentVolumeClaim: 'unknown' },
    code: 3,
  },
  {
    dump: [
      cut('f', { managedFields: [managing('finalizers', 'v:"x"')] }),
      cut('o', { managedFields: [managing('ownerReferences', 'k:{"uid":"x"}')] }),
      cut('t', { deletionGracePeriodSeconds: 0 }),
      cut('whole', { managedFields: [managing('finalizers', 'v:"x"')], finalizers: ['x'] }),
      cut('emptied', { managedFields: [{ fieldsV1: { 'f:metadata': { 'f:finalizers': {} } } }] }),
    ],
    words: ['widget/f', 'widget/o', 'widget/t', 'widget/whole', 'widget/emptied', ...IN],
    fates: {
      ...{ 'Widget/f': 'unknown', 'Widget/o': 'unknown', 'Widget/t': 'unknown' },
      ...{ 'Widget/whole': 'depends', 'Widget/emptied': 'goes' },
    },
    code: 3,
    says: /a\s+tool\s+has\s+taken\s+finalizers/,
  },
]);

describeTruth('what metadata alone cannot show', [
  {
    // As a server has stored it, and a tool has taken off the spec, which may use the claim.
    dump: [
      made('v1 PersistentVolumeClaim', 'shop/data', { spec: {}, status: {} }),
      {
        ...{ apiVersion: 'v1', kind: 'Pod' },
        metadata: { name: 'web', namespace: 'shop', uid: 'web', managedFields: [{ manager: 'm' }] },
      },
    ],
    words: ['pvc/data', ...IN],
    fates: { PersistentVolumeClaim: 'unknown' },
    code: 3,
    says: /the\s+metadata\s+of\s+objects\s+alone/,
  },
  {
    dump: METADATA,
    words: ['pvc/data', 'cm/settings', ...IN],
    fates: { PersistentVolumeClaim: 'unknown', 'ConfigMap/settings': 'goes' },
    code: 3,
    says: /the\s+metadata\s+of\s+objects\s+alone[\s\S]+reapcheck dump-command/,
  },
  {
    // `kubectl get -o yaml` shows no managedFields since 1.21.
    dump: [
      {
        ...{ apiVersion: 'acme.io/v1', kind: 'Widget' },
        metadata: { name: 'w', namespace: 'shop', uid: 'w', resourceVersion: '7' },
      },
    ],
    words: ['widget/w', ...IN],
    fates: { Widget: 'goes' },
    code: 3,
    says: /the\s+metadata\s+of\s+objects\s+alone/,
  },
]);

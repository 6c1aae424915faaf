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
]);

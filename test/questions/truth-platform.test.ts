import { describeTruth, everyOne, type TruthRow } from './truth-rows.ts';

/** What nodes, storage, tools and webhooks do beside the collector. */
const ROWS: readonly TruthRow[] = [
  {
    dump: 'tolerations.yaml',
    words: ['pvc/web'],
    fates: { 'PersistentVolumeClaim/web': 'goes', 'Pod/web': 'goes' },
    code: 0,
  },
  {
    dump: 'tolerations.yaml',
    words: ['pvc/db'],
    fates: { 'PersistentVolumeClaim/db': 'hangs', 'Pod/db': 'stays' },
    code: 1,
  },
  {
    dump: 'tolerations.yaml',
    words: ['pvc/log'],
    fates: { 'PersistentVolumeClaim/log': 'goes', 'Pod/log': 'goes', 'DaemonSet/log': 'stays' },
    code: 0,
  },
  {
    dump: 'tolerations.yaml',
    words: ['pvc/cache'],
    fates: { 'PersistentVolumeClaim/cache': 'hangs', 'Pod/cache': 'stays' },
    code: 1,
  },
  {
    dump: 'remade.yaml',
    words: ['pc/system-node-critical'],
    fates: { 'PriorityClass/system-node-critical': 'stays' },
    code: 1,
    says: /the API server refuses it/,
  },
  {
    dump: 'remade.yaml',
    words: [
      ...['flowschema/probes', 'clusterrole/view', 'svc/kubernetes', 'lease/scheduler'],
      ...['pod/etcd-cp-1', 'controllerrevision/db-7c9', 'cm/settings', 'secret/tls', 'ep/db.shop'],
    ],
    fates: { 'FlowSchema/': 'goes', 'Lease/': 'goes', 'Secret/': 'goes', 'Endpoints/db': 'goes' },
    code: 0,
    says: everyOne(
      /^FlowSchema[^;]* go;\s+[^;]*makes[^;]*,\s+and\s+\d\s+more\s+come\s+back\s+\(see below\)/,
      /the API server makes\s+FlowSchema\S+\s+anew\s+within/,
      /the API server makes\s+ClusterRole\S+\s+anew\s+when/,
      /the API server makes\s+Service\S+\s+anew/,
      /its holder cp-1_3f2a makes/,
      /the kubelet of cp-1 makes/,
      /StatefulSet.apps\/db.shop\s+stays,\s+and\s+its\s+controller\s+may\s+make\s+ControllerRevision/,
      /Flux\s+applies\s+ConfigMap\/settings.shop\s+anew/,
      /cert-manager\s+issues\s+Secret\/tls.shop\s+anew/,
      /no selector: nothing in Kubernetes makes\s+Endpoints\/db.shop anew/,
    ),
  },
  {
    dump: 'remade.yaml',
    words: ['secret/tls'],
    fates: { 'Secret/tls': 'goes' },
    code: 0,
    says: /^Secret\/tls.shop goes; Certificate\S+ stays,\s+and\s+cert-manager\s+issues\s+it\s+anew\./,
  },
  {
    dump: 'held.yaml',
    words: ['appproject/prod'],
    fates: { AppProject: 'depends' },
    code: 3,
    says: /Application.argoproj.io\/shop.argocd\s+stays\s+and\s+uses/,
  },
  { dump: 'held.yaml', words: ['appproject/test'], fates: { AppProject: 'goes' }, code: 0 },
  {
    dump: 'held.yaml',
    words: ['appproject/prod', 'app/shop'],
    fates: { AppProject: 'goes', Application: 'goes' },
    code: 0,
  },
  {
    // shouldDelete of the sidecar: only once the VolumeSnapshot is being deleted.
    dump: 'held.yaml',
    words: ['vsc/content-1'],
    fates: { VolumeSnapshotContent: 'hangs' },
    code: 1,
    says: /VolumeSnapshot\S+\/daily\.shop\s+stays\s+and\s+uses\s+VolumeSnapshotContent/,
  },
  {
    dump: 'held.yaml',
    // It goes once its content has gone, whose finalizer the sidecar of the CSI driver removes.
    words: ['vs/daily'],
    fates: { 'VolumeSnapshot/daily': 'depends', VolumeSnapshotContent: 'depends' },
    code: 3,
    says: /stored\s+snapshot\s+behind[^:]+is\s+deleted\s+with\s+it/,
  },
  {
    dump: 'held.yaml',
    words: ['gatewayclass/istio'],
    fates: { GatewayClass: 'depends' },
    code: 3,
    says: /Gateway.\S+\/web.shop\s+stays\s+and\s+uses/,
  },
  {
    dump: 'held.yaml',
    words: ['resourceclaim/used'],
    fates: { ResourceClaim: 'depends' },
    code: 3,
  },
  { dump: 'held.yaml', words: ['resourceclaim/free'], fates: { ResourceClaim: 'goes' }, code: 0 },
  { dump: 'held.yaml', words: ['ing/web'], fates: { Ingress: 'goes' }, code: 0 },
  {
    dump: 'job-limits.yaml',
    words: ['pod/once-x'],
    fates: { 'Pod/once-x': 'goes', 'Job/once': 'stays' },
    code: 0,
    says: /^Pod\/once-x.shop goes;[\s\S]*Job.batch\/once.shop\s+fails/,
  },
  {
    dump: 'job-limits.yaml',
    words: ['pod/thrice-x'],
    fates: { 'Pod/thrice-x': 'goes', 'Job/thrice': 'stays' },
    code: 0,
    says: /goes and is replaced/,
  },
  {
    dump: 'job-limits.yaml',
    words: ['pod/elsewhere-x'],
    fates: { 'Pod/elsewhere-x': 'goes', 'Job/elsewhere': 'stays' },
    code: 0,
    says: /is managed by\s+kueue/,
  },
  {
    dump: 'job-limits.yaml',
    words: ['job/remote', '--cascade', 'foreground'],
    fates: { 'Pod/remote-x': 'depends', 'Job/remote': 'depends' },
    code: 3,
    says: /Job\/remote\s+is\s+managed\s+by\s+kueue/,
  },
  {
    // The DELETE is refused, so nothing deletes the dependent either.
    dump: 'webhooks.yaml',
    words: ['cm/root'],
    fates: { 'ConfigMap/root': 'stays', 'Secret/leaf': 'stays' },
    code: 1,
    says: /Service\/down.ops\s+has\s+no\s+ready\s+pod/,
  },
  { dump: 'webhooks.yaml', words: ['cm/free'], fates: { 'ConfigMap/free': 'goes' }, code: 0 },
  {
    dump: 'webhooks.yaml',
    words: ['secret/key'],
    fates: { 'Secret/key': 'depends' },
    code: 3,
    says: /^Secret\/key\.calm goes if admission lets it through \(the webhook up[\s\S]*may refuse it: 1 pod[\s\S]*within\s+5\s+s,\s+the\s+DELETE\s+goes\s+on/,
  },
  {
    // Webhooks are never asked about what configures them: this is how to get rid of one.
    dump: 'webhooks.yaml',
    words: ['mutatingwebhookconfiguration/up'],
    fates: { MutatingWebhookConfiguration: 'goes' },
    code: 0,
  },
  {
    dump: 'webhooks.yaml',
    words: ['svc/down', 'mutatingwebhookconfiguration/up'],
    fates: { 'Service/down': 'unknown' },
    code: 3,
    says: /down.acme.io\s+of\s+ValidatingWebhookConfiguration\S+\s+stays,\s+and\s+Service\/down.ops\s+goes/,
  },
  {
    dump: 'webhooks-down.yaml',
    words: ['svc/acme-operator'],
    fates: { 'Service/acme-operator': 'goes' },
    code: 0,
    says: /nobody can\s+then\s+list,\s+read\s+or\s+delete\s+a\s+Widget/,
  },
  {
    dump: 'three-replicas.yaml',
    words: ['pod', '--all'],
    fates: { 'Pod/web-': 'goes', 'ReplicaSet/web': 'stays' },
    code: 0,
    says: /ReplicaSet.apps\/web.shop\s+stays,\s+and\s+makes\s+3\s+objects\s+beneath\s+it\s+anew/,
  },
  {
    // The ReplicaSet is left, and replaces its pod.
    dump: 'deployment.yaml',
    words: ['deploy/web', 'pod/web-d8430ec501-62f9b', '-n', 'prod', '--cascade', 'orphan'],
    fates: { 'Deployment/web': 'goes', 'ReplicaSet/web': 'stays', 'Pod/web': 'goes' },
    code: 0,
    says: /- goes, replaced\s+└─ Pod/,
  },
  {
    dump: 'namespace-leaving.yaml',
    words: ['pod/web-x'],
    fates: { 'Pod/web-x': 'goes', 'ReplicaSet/web': 'goes', 'Namespace/shop': 'goes' },
    code: 0,
  },
  {
    dump: 'admission.yaml',
    words: ['cm/settings.shop'],
    fates: { 'ConfigMap/settings.shop': 'depends' },
    code: 3,
    says: everyOne(
      /^ConfigMap\/settings\.shop goes if admission lets it through/,
      /kubectl delete configmaps settings -n shop --dry-run=server/,
      /ValidatingAdmissionPolicy\S+\/keep\s+is\s+evaluated/,
    ),
  },
  {
    // The DELETE of the namespace is asked about by its own labels, and nothing in it goes without
    // it.
    dump: 'admission.yaml',
    words: ['ns/guarded'],
    fates: { 'Namespace/guarded': 'depends', 'Secret/inside': 'depends' },
    code: 3,
    says: /the webhook\s+namespaces\.acme\.io\s+of[\s\S]*kubectl delete namespaces guarded --dry-run=server/,
  },
  {
    // Its DELETE has been admitted.
    dump: 'admission.yaml',
    words: ['ns/leaving'],
    fates: { 'Namespace/leaving': 'goes' },
    code: 0,
  },
  {
    // The policy is about one name, and another rule leaves out another one.
    dump: 'admission.yaml',
    words: ['role/kept', 'role/other', 'role/left-out', '-n', 'test'],
    fates: { 'Role/kept': 'depends', 'Role/other': 'goes', 'Role/left-out': 'goes' },
    code: 3,
  },
  {
    // No binding that refuses is about this namespace, or about Secrets.
    dump: 'admission.yaml',
    words: ['cm/settings.test', 'secret/key'],
    fates: { 'ConfigMap/settings.test': 'goes', 'Secret/key': 'goes' },
    code: 0,
    says: /^(?![\s\S]*ValidatingAdmissionPolicy)/,
  },
  {
    // The API of the adapter is unavailable once its Service is gone, and discovery fails.
    dump: 'admission.yaml',
    words: ['ns/metrics'],
    fates: { 'Namespace/metrics': 'hangs', 'Service/adapter': 'goes', 'Pod/adapter-x': 'goes' },
    code: 1,
    says: /waits for\s+discovery: APIService v1beta1\.custom\.metrics\.k8s\.io/,
  },
  {
    dump: 'admission.yaml',
    words: ['ns/metrics', 'apiservice/v1beta1.custom.metrics.k8s.io'],
    fates: { 'Namespace/metrics': 'goes', APIService: 'goes' },
    code: 0,
  },
  {
    dump: 'admission.yaml',
    words: ['rs/adapter'],
    fates: { 'ReplicaSet/adapter': 'goes', 'Pod/adapter-x': 'goes' },
    code: 0,
    says: /custom\.metrics\.k8s\.io stays,\s+and\s+the\s+pods\s+behind\s+Service\/adapter\.metrics\s+go/,
  },
  {
    // Its pod comes back.
    dump: 'admission.yaml',
    words: ['pod/adapter-x'],
    fates: { 'Pod/adapter-x': 'goes' },
    code: 0,
    says: /^(?![\s\S]*custom\.metrics)/,
  },
];

describeTruth('answers about what acts beside the collector', ROWS);

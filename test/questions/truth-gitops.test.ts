import { made, runs } from './truth-objects.ts';
import { describeTruth, everyOne, type TruthRow } from './truth-rows.ts';

const ARGO = ['-n', 'argocd'];

/**
 * What Argo CD, Flux and Helm leave, ask about, or cannot delete: `shouldBeDeleted` and its like.
 */
const ROWS: readonly TruthRow[] = [
  {
    // Argo CD leaves definitions, and what Helm is to keep; what it does not heed is a word for
    // Flux.
    dump: 'gitops-kept.yaml',
    words: ['application/all', ...ARGO],
    fates: { 'Application/all': 'goes', 'ConfigMap/flux-keeps': 'goes' },
    code: 0,
    says: /^Application\S+ goes; ConfigMap\/flux-keeps\.shop goes along\./,
  },
  {
    // An older confirmation does not count.
    dump: 'gitops-kept.yaml',
    words: ['application/asks', ...ARGO],
    fates: { 'Application/asks': 'depends', 'ConfigMap/asked': 'depends' },
    code: 3,
    says: /until\s+a\s+person\s+confirms[^:]+ConfigMap\/asked\.shop:\s+Delete=confirm/,
  },
  {
    dump: 'gitops-kept.yaml',
    command: 'explain',
    words: ['application/agreed', ...ARGO],
    fates: { 'Application/agreed': 'goes' },
    code: 0,
  },
  {
    dump: 'gitops-kept.yaml',
    command: 'explain',
    words: ['application/waits', ...ARGO],
    fates: { 'Application/waits': 'depends' },
    code: 3,
    says: /confirm\s+the\s+deletion[\s\S]*kubectl annotate applications.argoproj.io waits -n argocd argocd.argoproj.io\/deletion-approved="\$\(date/,
  },
  {
    dump: 'gitops-kept.yaml',
    command: 'explain',
    words: ['application/stuck', ...ARGO],
    fates: { 'Application/stuck': 'depends' },
    code: 3,
    says: /make\s+AppProject\/former\s+again[\s\S]*"namespace":"argocd"[\s\S]*kubectl create -f -/,
  },
  {
    dump: 'gitops-kept.yaml',
    words: ['application/leaves', 'application/reached', ...ARGO],
    fates: { 'Application/': 'goes', 'ConfigMap/meant': 'goes' },
    code: 0,
    says: everyOne(
      /^Application\S+\s+Application\S+\s+go;\s+ConfigMap\/meant\.shop\s+goes\s+along\./,
      /leaves\.argocd\s+leaves\s+what\s+it\s+tracks,\s+as\s+syncOptions:\s+Delete=false\s+says/,
      /reached\.argocd\s+applies\s+to\s+another\s+cluster\s+\(spec\.destination\)/,
    ),
  },
  {
    // No status says that the cluster answers; or it does, and the Secret of the cluster goes
    // first.
    dump: 'gitops-kept.yaml',
    words: ['application/away', 'application/reached', 'secret/production', ...ARGO],
    fates: { 'Application/': 'depends', 'Secret/production': 'goes' },
    code: 3,
    says: everyOne(
      /does\s+not\s+show\s+that\s+it\s+does/,
      /kubectl get applications\.argoproj\.io away -n argocd -o jsonpath='\{\.status\.sync\}'/,
    ),
  },
  {
    dump: 'gitops-kept.yaml',
    words: ['application/lost', ...ARGO],
    fates: { 'Application/lost': 'depends' },
    code: 3,
    says: /only\s+while\s+AppProject\/former\s+is\s+there,\s+which\s+the\s+dump\s+lacks/,
  },
  {
    dump: 'gitops-kept.yaml',
    words: ['application/team', 'appproject/team', ...ARGO],
    fates: { 'Application/team': 'depends', 'AppProject/team': 'goes' },
    code: 3,
    says: /AppProject\/team\s+is\s+there,\s+which\s+may\s+go\s+first/,
  },
  {
    dump: 'gitops-kept.yaml',
    words: ['helmrelease/redis'],
    fates: { HelmRelease: 'goes', 'CustomResourceDefinition/users': 'goes', 'User/u': 'goes' },
    code: 0,
    says: /^(?![\s\S]*failovers\.acme\.io)/,
  },
  {
    // The definition that goes with an instance of another one that goes.
    dump: 'gitops-kept.yaml',
    words: ['crd/kustomizations.kustomize.toolkit.fluxcd.io'],
    fates: {
      ...{ 'CustomResourceDefinition/kust': 'depends', 'CustomResourceDefinition/giz': 'goes' },
      ...{ 'Kustomization/base': 'goes', 'Kustomization/away': 'depends', 'Gizmo/g': 'goes' },
    },
    code: 3,
    says: everyOne(
      /^(?![\s\S]*ConfigMap\/same)/,
      /away\.flux\s+applies\s+to\s+another\s+cluster\s+\(spec\.kubeConfig\)/,
    ),
  },
  {
    // The first DELETE of a definition has no policy: it begins the deletion of the instances.
    dump: 'gitops-kept.yaml',
    words: ['crd/gizmos.acme.io', '--cascade', 'foreground'],
    fates: { CustomResourceDefinition: 'goes', Gizmo: 'goes' },
    code: 0,
    says: /as\s+documented,\s+the\s+DELETE\s+of\s+CustomResourceDefinition/,
  },
  {
    dump: 'gitops-kept.yaml',
    words: ['secret/sh.helm.release.v1.redis.v2', 'secret/set'],
    fates: { 'Secret/': 'goes' },
    code: 0,
    says: everyOne(
      /Helm\s+forgets\s+revision\s+2\s+of\s+the\s+release\s+redis/,
      /1\s+object\s+of\s+the\s+ApplySet\s+stays/,
    ),
  },
  {
    dump: 'gitops-kept.yaml',
    words: ['secret/sh.helm.release.v1.app.v1', 'secret/sh.helm.release.v1.app.v2'],
    fates: { 'Secret/': 'goes' },
    code: 0,
    says: /Helm\s+forgets\s+revisions\s+1,\s+2\s+of[^:]+leaves\s+ConfigMap\/of-app\.shop:/,
  },
  {
    // As with the namespace of a release: nothing is left of it.
    dump: 'gitops-kept.yaml',
    words: ['secret/sh.helm.release.v1.app.v2', 'cm/of-app'],
    fates: { 'Secret/': 'goes' },
    code: 0,
    says: /^(?![\s\S]*Helm\s+forgets)/,
  },
  {
    // Its label key is another one (application.instanceLabelKey), and its status says what it has.
    dump: [
      runs('argocd/argocd-application-controller'),
      made('argoproj.io/v1alpha1 Application', 'argocd/web', {
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
        status: {
          resources: [
            { version: 'v1', kind: 'Service', namespace: 'shop', name: 'web', status: 'Synced' },
            { version: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'hooked', hook: true },
            { version: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'shared' },
          ],
        },
      }),
      made('v1 Service', 'shop/web'),
      made('v1 ConfigMap', 'shop/hooked'),
      // It belongs to the other Application.
      made('argoproj.io/v1alpha1 Application', 'argocd/other'),
      made('v1 ConfigMap', 'shop/shared', {
        annotations: { 'argocd.argoproj.io/tracking-id': 'other:/ConfigMap:shop/shared' },
      }),
      // Of another group, or in another namespace.
      made('serving.knative.dev/v1 Service', 'shop/web', { labels: { other: 'one' } }),
      made('v1 Service', 'ops/web'),
    ],
    words: ['application/web', ...ARGO],
    fates: { 'Application/web': 'goes', 'Service/web.shop': 'goes' },
    code: 0,
    says: /^Application\S+ goes; Service\/web\.shop goes along\./,
  },
  {
    // The label of Helm names an Application that has compared other objects only.
    dump: [
      runs('argocd/argocd-application-controller'),
      ...['shop-prod', 'shop'].map((name) =>
        made('argoproj.io/v1alpha1 Application', `argocd/${name}`, {
          finalizers: ['resources-finalizer.argocd.argoproj.io'],
          status: { resources: [{ version: 'v1', kind: 'ConfigMap', namespace: 'shop', name }] },
        }),
      ),
      made('v1 ConfigMap', 'shop/shop-prod', { labels: { 'app.kubernetes.io/instance': 'shop' } }),
    ],
    words: ['application/shop-prod', ...ARGO],
    fates: { 'Application/shop-prod': 'goes', 'ConfigMap/shop-prod': 'goes' },
    code: 0,
  },
  {
    // One waits for the namespace in which both are, and that waits for it. The other one goes.
    dump: [
      runs('argocd/argocd-application-controller'),
      made('v1 Namespace', 'team', {
        annotations: { 'argocd.argoproj.io/tracking-id': 'team_root:/Namespace:/team' },
        spec: { finalizers: ['kubernetes'] },
      }),
      made('v1 ConfigMap', 'team/kube-root-ca.crt'),
      made('v1 ServiceAccount', 'team/default'),
      ...['root', 'web'].map((name) =>
        made('argoproj.io/v1alpha1 Application', `team/${name}`, {
          finalizers: ['resources-finalizer.argocd.argoproj.io'],
        }),
      ),
      made('v1 ConfigMap', 'shop/page', {
        annotations: { 'argocd.argoproj.io/tracking-id': 'team_web:/ConfigMap:shop/page' },
      }),
    ],
    words: ['application/root', '-n', 'team'],
    fates: {
      ...{ 'Application/root': 'hangs', 'Namespace/team': 'hangs' },
      ...{ 'Application/web': 'goes', 'ConfigMap/page': 'goes' },
    },
    code: 1,
    says: everyOne(
      /^Application\S+ hangs: Application\S+ waits for Namespace\/team,\s+which it tracks/,
      /for\s+each\s+object\s+with\s+its\s+owner/,
    ),
  },
];

describeTruth('answers about what tools of GitOps leave', ROWS);

import type { OutcomeWord } from '../../report/document/answer.ts';
import { describeTruth, type TruthRow } from './truth-rows.ts';

const HELD = ['--stuck-finalizer', 'acme.io/hold'];
const FREE = ['--cooperative-finalizer', 'acme.io/hold'];

type Fates = Readonly<Record<string, OutcomeWord>>;

/** About objects of one namespace, and deleted unless a command is said. */
function asked(dump: string, namespace: string) {
  return (words: string, fates: Fates, code: number, more: Partial<TruthRow> = {}): TruthRow => {
    const options = more.words ?? [];
    return {
      dump,
      fates,
      code,
      ...more,
      words: [...words.split(' '), '-n', namespace, ...options],
    };
  };
}

const app = asked('gitops-waves.yaml', 'argocd');

/**
 * `finalizeApplicationDeletion`, `FilterObjectsForDeletion`, `executeHooks`, `GetManagedLiveObjs`.
 */
const WAVES: readonly TruthRow[] = [
  app(
    'application/waves',
    {
      ...{ Application: 'hangs', 'ConfigMap/first': 'hangs' },
      ...{ 'ConfigMap/middle': 'stays', 'ConfigMap/last': 'stays' },
    },
    1,
    { words: HELD },
  ),
  app('application/waves', { Application: 'goes', ConfigMap: 'goes' }, 0, { words: FREE }),
  app(
    'application/low',
    { Application: 'depends', 'ConfigMap/low-up': 'goes', 'ConfigMap/low-hold': 'depends' },
    3,
    // A policy of kubectl says nothing to Argo CD.
    { words: ['--cascade', 'orphan'] },
  ),
  app(
    'application/weighs',
    { 'ConfigMap/waved': 'goes', 'ConfigMap/heavy': 'hangs', 'ConfigMap/light': 'stays' },
    1,
    { words: HELD },
  ),
  app(
    'application/left',
    { Application: 'hangs', 'ConfigMap/left-gone': 'hangs', 'ConfigMap/left-next': 'stays' },
    1,
    { words: HELD },
  ),
  app('application/keeps', { Application: 'goes', 'ConfigMap/keeps-next': 'goes' }, 0),
  app(
    'application/owned',
    { Application: 'goes', 'ConfigMap/owner': 'goes', 'ConfigMap/of-owner': 'goes' },
    0,
    { says: /^(?![\s\S]*of-stranger)/ },
  ),
  app(
    'application/claims',
    { Application: 'hangs', 'PersistentVolumeClaim/data': 'hangs', 'Pod/reader': 'stays' },
    1,
    { says: /^Application\S+\s+hangs:\s+PersistentVolumeClaim\S+\s+waits\s+for\s+Pod/ },
  ),
  app(
    'application/root',
    {
      'Application/child-up': 'hangs',
      'Application/child-low': 'stays',
      'ConfigMap/child-free': 'stays',
    },
    1,
    { words: HELD },
  ),
  app(
    'application/behind',
    { Application: 'goes', 'ConfigMap/behind-next': 'goes', 'Secret/behind-held': 'hangs' },
    1,
    { words: HELD },
  ),
  app(
    'application/before',
    { Application: 'hangs', 'ConfigMap/before-owner': 'hangs', 'ConfigMap/before-next': 'stays' },
    1,
    { words: HELD },
  ),
  app('application/pre', { Application: 'depends', 'ConfigMap/of-pre': 'depends' }, 3, {
    says: /the\s+PreDelete\s+hooks\s+of\s+[^,]+,\s+which\s+are\s+in\s+its\s+repository/,
  }),
  app('application/post', { Application: 'depends', 'ConfigMap/of-post': 'goes' }, 3),
  app('application/failing', { Application: 'depends', 'ConfigMap/of-failing': 'depends' }, 3, {
    command: 'explain',
    says: /hook\s+Job.batch\/backup.shop\s+has\s+failed/,
  }),
  app('application/stuck', { Application: 'depends', 'ConfigMap/stuck-low': 'depends' }, 3, {
    command: 'explain',
    says: /^(?![\s\S]*waits\s+for\s+ConfigMap\/stuck-low)[\s\S]*ConfigMap\/stuck-up.shop\s+waits/,
  }),
];

const set = asked('gitops-sets.yaml', 'argocd');

/** `removeOwnerReferencesOnDeleteAppSet`, `PerformReverseDeletion`. */
const SETS: readonly TruthRow[] = [
  set('applicationset/keeping', { ApplicationSet: 'goes', 'Application/keeping-a': 'goes' }, 0, {
    says: /Argo\s+CD\s+leaves\s+everything/,
  }),
  set(
    'applicationset/once',
    { ApplicationSet: 'goes', 'Application/once-a': 'depends', 'ConfigMap/of-once': 'depends' },
    3,
    {
      says: /\(applicationsSync:\s+create-only\)/,
    },
  ),
  set('applicationset/once', { 'Application/once-a': 'stays' }, 0, {
    words: ['--cascade', 'orphan'],
  }),
  set('applicationset/loose', { 'Application/loose-a': 'goes', 'ConfigMap/of-loose': 'goes' }, 0),
  set(
    'applicationset/loose',
    { 'Application/loose-a': 'depends', 'ConfigMap/of-loose': 'depends' },
    3,
    {
      words: ['--cascade', 'foreground'],
    },
  ),
  set(
    'applicationset/steps',
    { 'Application/steps-a': 'depends', 'ConfigMap/of-steps': 'depends' },
    3,
    {
      words: ['--cascade', 'orphan'],
    },
  ),
];

const flux = asked('gitops-flux.yaml', 'flux');
const team = asked('gitops-flux.yaml', 'team');

/**
 * `finalize` of the kustomize-controller, `reconcileReleaseDeletion`, `uninstall` of a ResourceSet.
 */
const FLUX: readonly TruthRow[] = [
  flux('kustomization/listed', { Kustomization: 'goes', 'ConfigMap/listed': 'goes' }, 0, {
    says: /^(?![\s\S]*ConfigMap\/(former|ignored))/,
  }),
  flux('kustomization/never', { Kustomization: 'goes' }, 0, { says: /^(?![\s\S]*of-never)/ }),
  team('kustomization/orphaned', { Kustomization: 'goes' }, 0, {
    says: /leaves\s+everything[^:]+:[^:]+ServiceAccount\/former,\s+which\s+the\s+dump\s+lacks/,
  }),
  team('kustomization/tenant', { Kustomization: 'goes', 'ConfigMap/of-tenant': 'goes' }, 0),
  team(
    'kustomization/tenant sa/deployer',
    { Kustomization: 'goes', 'ConfigMap/of-tenant': 'depends' },
    3,
  ),
  flux('kustomization/waits', { Kustomization: 'goes', 'ConfigMap/of-waits': 'hangs' }, 1, {
    words: HELD,
  }),
  team('kustomization/remote', { Kustomization: 'depends' }, 3, {
    says: /only\s+by\s+Secret\/kubeconfig/,
  }),
  team('kustomization/reached', { Kustomization: 'goes' }, 0),
  team('kustomization/reached secret/other', { Kustomization: 'depends' }, 3),
  team('helmrelease/faraway', { HelmRelease: 'goes' }, 0, { says: /leaves\s+everything/ }),
  asked('gitops-flux.yaml', 'cache')(
    'ns/cache',
    { Namespace: 'goes', PersistentVolumeClaim: 'goes', ClusterRole: 'depends' },
    3,
  ),
  flux('helmrelease/forgotten', { HelmRelease: 'goes' }, 0, { says: /^(?![\s\S]*of-forgotten)/ }),
  flux('resourceset/set', { ResourceSet: 'goes', 'ConfigMap/of-set': 'goes' }, 0, {
    says: /^(?![\s\S]*set-kept)/,
  }),
  flux('resourceset/off', { ResourceSet: 'goes' }, 0, { says: /^(?![\s\S]*of-off)/ }),
];

const fleet = asked('gitops-others.yaml', 'fleet-local');
const pkgs = asked('gitops-others.yaml', 'pkgs');
const shop = asked('gitops-others.yaml', 'shop');
const sync = asked('gitops-others.yaml', 'config-management-system');

/** `PurgeTargetNamespaceIfNeeded`, `newKapp`, `handleFinalizers`, `ReconcilerFinalizer`. */
const OTHERS: readonly TruthRow[] = [
  fleet('gitrepo/tools', { GitRepo: 'goes', Bundle: 'goes', BundleDeployment: 'goes' }, 0),
  fleet('bundle/tools-all', { Bundle: 'goes' }, 0, { says: /Fleet[^;]+anew/ }),
  pkgs('packageinstall/db', { PackageInstall: 'goes', App: 'goes' }, 0),
  pkgs('packageinstall/db sa/installer', { PackageInstall: 'depends', App: 'depends' }, 3),
  pkgs('apps.kappctrl.k14s.io/lost', { App: 'depends' }, 3, { says: /ServiceAccount\/former/ }),
  pkgs('apps.kappctrl.k14s.io/far', { App: 'depends' }, 3, { says: /another\s+cluster/ }),
  pkgs('apps.kappctrl.k14s.io/near', { App: 'goes' }, 0),
  shop('applications.core.oam.dev/vela', { Application: 'goes', 'ConfigMap/of-vela': 'goes' }, 0),
  shop('applications.core.oam.dev/leaving', { Application: 'goes' }, 0, {
    says: /^(?![\s\S]*of-leaving)/,
  }),
  sync('rootsync/root-sync', { RootSync: 'goes', 'ConfigMap/of-root': 'goes' }, 0),
  sync('rootsync/plain', { RootSync: 'goes' }, 0, { says: /Config\s+Sync\s+leaves/ }),
];

describeTruth('answers about waves and hooks of Argo CD', WAVES);
describeTruth('answers about ApplicationSets', SETS);
describeTruth('answers about what Flux can no longer delete', FLUX);
describeTruth('answers about what other deployers delete', OTHERS);

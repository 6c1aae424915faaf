import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import type { Evidence } from '../doubts/evidence.ts';
import { REMADE_BY_KIND, REMADE_BY_NAME, REMADE_FLOW_CONTROL } from '../known/index.ts';
import { isControlled } from '../links.ts';
import { byUidIn, remembered } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import { WORKLOADS } from '../observed/finalizer-owners.ts';
import { REPLACING } from '../workloads.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/** The objects of a dump by what is asked of them here. */
interface Known extends BesidesGiven {
  readonly byUid: ReadonlyMap<string, ApiObject>;
  readonly byName: ReadonlyMap<string, readonly ApiObject[]>;
  /** By namespace, kind without its group, and name of what a tool keeps up. */
  readonly makers: ReadonlyMap<string, readonly Maker[]>;
  readonly labels: ReadonlyMap<string, Labels>;
}

/** An object for which a tool keeps up another one. */
interface Maker {
  readonly object: ApiObject;
  readonly tool: string;
  readonly of: string;
}

/** What is made anew once it is gone, by others than the controllers of the model. */
export function remadeIn(
  given: BesidesGiven,
  labels: ReadonlyMap<string, Labels>,
): readonly Besides[] {
  const { all, kept, goes, kinds } = given;
  const known: Known = {
    ...{ ...given, labels },
    byUid: byUidIn(all),
    byName: groupedBy(all, ({ kind, name }) => `${kinds[kind]?.kind ?? kind}/${name}`),
    makers: groupedBy(
      all.flatMap((object) => makersIn(object, given)),
      ({ of }) => of,
    ),
  };
  const emptied = new Set(
    kept.flatMap((object) => (object.kind === 'Namespace' && goes(object) ? [object.name] : [])),
  );
  return kept.filter(goes).flatMap((object) => {
    const others = emptied.has(object.namespace)
      ? []
      : [fromControlPlane(object, known), fromHolder(object, known), fromTool(object, known)];
    const owned = fromOwner(object, known, others.length > 0);
    const managed = owned === null && others.length > 0 ? fromManager(object, known) : null;
    const found = [owned, ...others, managed];
    const remade = displayName(object);
    const later = emptied.has(object.namespace) ? null : fromNextSync(object, known);
    return [
      ...found.flatMap((what) => (what === null ? [] : [{ object: keyOf(object), what, remade }])),
      ...(later === null ? [] : [{ object: keyOf(object), what: later }]),
    ];
  });
}

/** What the controllers of these make of these kinds is in the model. */
const MAKING: readonly string[] = [...REPLACING, 'CronJob.batch'];
const MADE: readonly string[] = ['Pod', 'ReplicaSet.apps', 'Job.batch'];

/** Versions of groups that are surely no part of Kubernetes. */
const CUSTOM = /^(?![\w.-]*\.k8s\.io\/)[\w-]+\.[\w.-]+\//;

/** A controller that may make anew what it owns. Those that surely do are in the model. */
function fromOwner(object: ApiObject, known: Known, isAppliedAnew: boolean): string | null {
  const { byUid, goes, unknown, kinds } = known;
  const name = displayName(object);
  // Operators often own what they make without being its controller, and so do agents of networks
  // and nodes, with objects of their own kinds. A person who sets an owner reference between
  // objects of built-in kinds makes nothing anew.
  const version = ({ kind }: ApiObject): string => kinds[kind]?.apiVersions[0] ?? '';
  const controller =
    object.ownerReferences.find((reference) => reference.controller === true) ??
    object.ownerReferences.find(({ uid }) => {
      const owner = byUid.get(uid);
      return owner !== undefined && (version(owner).includes('.') || CUSTOM.test(version(object)));
    });
  if (controller === undefined) return null;
  if (unknown.has(controller.uid)) {
    const owner = `${controller.kind}/${controller.name}`;
    return `${owner}, if it exists (it is not in the dump), makes ${name} anew`;
  }
  const owner = byUid.get(controller.uid);
  // Kubelets make nodes, and not the controllers of the machines that own them.
  if (owner === undefined || goes(owner) || object.kind === 'Node') return null;
  if (owner.kind === 'Node' && object.kind === 'Pod') return mirrored(object, owner.name);
  if (MAKING.includes(owner.kind) && MADE.includes(object.kind)) return null;
  // `fromTool` says that it surely does.
  const applier = isAppliedAnew && !isControlled(object) ? applierOf(object, known) : null;
  if (applier?.tracker === owner && applier.next === '') return null;
  // The controller of a built-in kind knows nothing of it.
  return controller.controller === true || version(owner).includes('.')
    ? `${displayName(owner)} stays, and its controller may make ${name} anew`
    : `${displayName(owner)} stays, and what made ${name} for it may do so again`;
}

/** Whether its operator makes an object anew, as what it has made it for stays. */
export function isKeptUp(
  { ownerReferences }: ApiObject,
  { dump, goes, kinds }: Pick<Evidence, 'dump' | 'goes' | 'kinds'>,
): boolean {
  return ownerReferences.some(({ uid }) => {
    const owner = byUidIn(dump).get(uid);
    if (owner === undefined || goes(owner) || isBeingDeleted(owner)) return false;
    return CUSTOM.test(kinds[owner.kind]?.apiVersions[0] ?? '');
  });
}

function mirrored(pod: ApiObject, node: string): string {
  return `the kubelet of ${node} makes ${displayName(pod)} anew as long as its file is there: it mirrors a static pod`;
}

/** What the control plane, or who reports to it, makes anew by its kind or name. */
function fromControlPlane(object: ApiObject, { byName, goes, observations }: Known): string | null {
  const { kind, namespace, name } = object;
  const words = displayName(object);
  const observed = observations.get(keyOf(object));
  const remade = Object.hasOwn(REMADE_BY_KIND, kind) ? REMADE_BY_KIND[kind] : undefined;
  if (remade !== undefined) return remade(words);
  const row = REMADE_BY_NAME.find(
    (one) => one.kind === kind && one.name === name && (one.namespace ?? namespace) === namespace,
  );
  if (row !== undefined) return `${row.maker} makes ${words} anew${row.more}`;
  if (kind === 'Endpoints') {
    const service = byName
      .get(`Service/${name}`)
      ?.find((other) => other.kind === 'Service' && other.namespace === namespace);
    if (service === undefined || goes(service)) return null;
    const found = observations.get(keyOf(service));
    // Without a selector, a person or another controller has made them.
    const selector = found?.of === 'Service' ? found.selector : null;
    if (selector !== null && Object.keys(selector).length === 0) return null;
    return `the endpoints controller makes ${words} anew`;
  }
  if (REMADE_FLOW_CONTROL[kind]?.includes(name) === true) {
    return `the API server makes ${words} anew within minutes: it is one of its own`;
  }
  if (observed?.of === 'APIService' && observed.service === '') {
    return `the API server, which serves this API itself, makes ${words} anew`;
  }
  const isBootstrapped =
    (observed?.of === 'role' || observed?.of === 'binding') && observed.bootstrapped;
  return isBootstrapped
    ? `the API server makes ${words} anew when it starts: it is one of the default roles and bindings`
    : null;
}

/** What a process keeps by updates, and creates where it is absent. */
function fromHolder(object: ApiObject, { observations }: Known): string | null {
  const observed = observations.get(keyOf(object));
  const lock = observed?.marks?.find(({ mark }) => mark === 'lock');
  if (lock?.mark === 'lock') {
    return `its holder ${lock.holder} makes ${displayName(object)} anew if it runs`;
  }
  if (observed?.of !== 'mirror pod' || object.ownerReferences.length > 0) return null;
  return mirrored(object, object.pod?.node ?? 'its node');
}

/**
 * Labels that name what keeps an object up: `app.kubernetes.io/managed-by`, and those of vCluster.
 */
const MANAGED_BY = '/managed-by';

/** Workloads that stay, and that a label of the object names as what manages it. */
function fromManager(object: ApiObject, { all, goes, labels }: Known): string | null {
  if (isControlled(object)) return null;
  for (const [label, value] of Object.entries(labels.get(keyOf(object)) ?? {})) {
    if (!label.endsWith(MANAGED_BY) || value === '') continue;
    const running = runningIn(all);
    // Kyverno names itself, and not its controller.
    const named = running.get(value) ?? running.get(`${value}-admission-controller`);
    const manager = named?.find((one) => one !== object && !goes(one));
    if (manager === undefined) continue;
    const words = displayName(object);
    return `${displayName(manager)} stays, and may make ${words} anew: the label ${label} names it`;
  }
  return null;
}

/** Workloads by their name, and by what it ends with after a hyphen. The whole name comes first. */
const runningIn = remembered((all: readonly ApiObject[]) => {
  const running = all.filter(({ kind }) => WORKLOADS.includes(kind));
  const endings = running.flatMap((workload) =>
    workload.name
      .split('-')
      .map((_, index, parts) => ({ workload, index, ending: parts.slice(index).join('-') })),
  );
  const ordered = endings.sort((one, other) => one.index - other.index);
  const groups = groupedBy(ordered, ({ ending }) => ending);
  return new Map([...groups].map(([ending, each]) => [ending, each.map((one) => one.workload)]));
});

function makersIn(object: ApiObject, { observations }: BesidesGiven): readonly Maker[] {
  return marksOn(observations, object).flatMap((mark) =>
    mark.mark === 'makes'
      ? [{ object, tool: mark.tool, of: `${placeOf(mark.kind, object)}/${mark.kind}/${mark.name}` }]
      : [],
  );
}

function placeOf(kind: string, { namespace }: ApiObject): string {
  return kind === 'Namespace' ? '' : namespace;
}

/** What a tool that applied an object does when it finds it gone. */
function fromTool(object: ApiObject, known: Known): string | null {
  const { byName, goes, kinds, makers, observations } = known;
  // Its controller makes it, and not the tool.
  if (isControlled(object)) return null;
  const words = displayName(object);
  const { namespace, kind, name } = object;
  const labels = known.labels.get(keyOf(object)) ?? {};
  const labelled = BY_LABEL.find(({ label, values }) => values.includes(labels[label] ?? ''));
  if (labelled !== undefined) {
    return `${labelled.maker} makes ${words} anew: the label ${labelled.label} says so`;
  }
  const maker = makers
    .get(`${namespace}/${kinds[kind]?.kind ?? kind}/${name}`)
    ?.find((one) => !goes(one.object));
  if (maker !== undefined) {
    return `${displayName(maker.object)} stays, and ${maker.tool} makes ${words} anew`;
  }
  for (const mark of marksOn(observations, object)) {
    if (mark.mark === 'follows' && mark.tool !== 'MinIO') {
      const followed = byName
        .get(`${mark.kind}/${mark.name}`)
        ?.find((one) => one !== object && ['', one.namespace].includes(mark.namespace));
      if (followed === undefined || goes(followed)) continue;
      return `${displayName(followed)} stays, and ${mark.tool} may make ${words} anew`;
    }
  }
  const applier = applierOf(object, known);
  return applier?.next === '' ? applier.what : null;
}

/** What a tool applies again, but not before it has something else to do. */
function fromNextSync(object: ApiObject, known: Known): string | null {
  const applier = isControlled(object) ? null : applierOf(object, known);
  return applier === null || applier.next === '' ? null : `${applier.what} ${applier.next}`;
}

/**
 * The tool that has applied an object, and applies it again: as one clause; `next`: when; empty: at
 * once.
 */
function applierOf(
  object: ApiObject,
  { byName, goes, observations }: Known,
): { readonly what: string; readonly next: string; readonly tracker: ApiObject } | null {
  for (const mark of marksOn(observations, object)) {
    if (mark.mark !== 'trackedBy' || !Object.hasOwn(REAPPLIES, mark.kind)) continue;
    const isVela = mark.tool === 'KubeVela';
    const again = isVela ? 'KubeVela applies' : REAPPLIES[mark.kind];
    const tracker = byName
      .get(`${mark.kind}/${mark.name}`)
      ?.find(({ namespace }) => mark.namespace === '' || mark.namespace === namespace);
    const observed = tracker === undefined ? undefined : observations.get(keyOf(tracker));
    if (tracker === undefined || goes(tracker)) continue;
    if (observed?.marks?.some((one) => one.mark === 'elsewhere')) continue;
    if (observed?.of === 'reconciled' && observed.suspended) continue;
    const heals = isVela || observed?.marks?.some((one) => one.mark === 'heals') === true;
    return {
      tracker,
      what: `${displayName(tracker)} stays, and ${again} ${displayName(object)} anew`,
      next: heals ? '' : (NEXT[mark.kind] ?? ''),
    };
  }
  return null;
}

/** Labels that alone say who keeps up what has them. */
const BY_LABEL: readonly {
  readonly label: string;
  readonly values: readonly string[];
  readonly maker: string;
}[] = [
  {
    // `kube-addons.sh`: both values are the same for what is not there.
    label: 'addonmanager.kubernetes.io/mode',
    values: ['Reconcile', 'EnsureExists'],
    maker: 'the addon manager, if it runs,',
  },
];

/** What happens to what is missing, by the kind of the object that tracks it. */
const REAPPLIES: Readonly<Record<string, string>> = {
  Kustomization: 'Flux applies',
  ResourceSet: 'the Flux operator applies',
  RootSync: 'Config Sync applies',
  RepoSync: 'Config Sync applies',
  HelmRelease: 'Flux applies',
  GitRepo: 'Fleet makes',
  Application: 'Argo CD applies',
  Certificate: 'cert-manager issues',
  ClusterServiceVersion: 'OLM makes',
  Ingress: 'the AWS Load Balancer Controller makes',
  Service: 'OpenShift or the AWS Load Balancer Controller makes',
  Addon: 'k3s, when it starts or the file of the add-on changes, applies',
  postgresql: 'the Postgres Operator makes',
  ClusterPolicy: 'Kyverno, if the rule synchronizes it, generates',
  Policy: 'Kyverno, if the rule synchronizes it, generates',
  GeneratingPolicy: 'Kyverno, if the policy synchronizes it, generates',
};

/** When those of them do that which do not look for what is gone, unless they are asked to. */
const NEXT: Readonly<Record<string, string>> = {
  HelmRelease: 'with the next upgrade of the release',
  GitRepo: 'once the repository changes',
  Application: 'with its next sync',
};

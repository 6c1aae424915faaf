import { type ApiObject, type Kind, keyOf, type ObjectKey } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import type { KindCatalogue } from '../../manifests/kind-catalogue.ts';
import { displayName } from '../../manifests/names.ts';
import { definitionName } from '../links.ts';
import type { Observation } from '../observations.ts';
import { resourceOf } from '../open-world.ts';

/** What the control plane adds to a built-in kind, and what then holds the object. */
const ADDED: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: 'kubernetes.io/pvc-protection, which waits for the pods that use it',
  PersistentVolume: 'kubernetes.io/pv-protection, which waits for the claim that is bound to it',
  Pod: 'a node, whose kubelet has to end it',
  Node: 'pods',
  'Job.batch': 'pods with batch.kubernetes.io/job-tracking',
  'Ingress.networking.k8s.io': 'the finalizer of a controller that makes load balancers',
  'VolumeAttachment.storage.k8s.io': 'the finalizer of its attacher',
  'VolumeAttributesClass.storage.k8s.io': 'kubernetes.io/vac-protection',
  'ResourceClaim.resource.k8s.io': 'resource.kubernetes.io/delete-protection',
  'ServiceCIDR.networking.k8s.io': 'networking.k8s.io/service-cidr-finalizer',
};

/** `LoadBalancerCleanupFinalizer`: the service controller gives it to every such Service. */
const BALANCED =
  'service.kubernetes.io/load-balancer-cleanup, which the controller of the cloud removes once the load balancer is gone';

/** Of a dump: which objects it does not show as the cluster has them. */
export interface Bare {
  readonly manifests: ReadonlySet<string>;
  readonly cut: ReadonlySet<string>;
  /** The input has the metadata of its objects alone. */
  readonly stripped?: true;
}

interface Given {
  readonly kept: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  readonly kinds: KindCatalogue;
  readonly dump: Bare;
}

/** Of an object of the input that is a manifest, or of which a tool has taken parts off. */
interface Added {
  readonly object: ObjectKey;
  readonly kind: string;
  readonly why: string;
  /** A command that shows the object as the cluster has it. */
  readonly settle: string;
  readonly reported: string;
}

/**
 * What goes and may be held by what a cluster adds, which a manifest cannot show, or by what its
 * spec or status says. So may a namespace or definition with such an object in it.
 */
export function addedIn(given: Given): readonly Added[] {
  const { kept, goes, observations, kinds } = given;
  const { manifests, cut, stripped = false } = given.dump;
  if (manifests.size === 0 && cut.size === 0 && !stripped) return [];
  const table = kinds.table();
  const going = kept.filter(goes);
  const held = going.flatMap((object) => {
    if (cut.has(keyOf(object))) return [{ object, what: 'finalizers and owners' }];
    if (!stripped && !manifests.has(keyOf(object))) return [];
    const kind = table[object.kind];
    const what = addedTo(object, kind, observations.get(keyOf(object)), kinds);
    // Metadata shows finalizers, dependents and contents.
    const isShown = kind === undefined || kind.storage === 'namespace' || !kinds.isBuiltIn(kind);
    const isLet = stripped && isShown && object.finalizers.length === 0;
    return what === null || isLet ? [] : [{ object, what }];
  });
  const howShown = (object: ApiObject): string =>
    cut.has(keyOf(object))
      ? 'of which a part of the metadata is cut off'
      : stripped
        ? 'which something may hold that the input lacks'
        : 'which is a manifest here';
  const within = new Map<string, ApiObject>();
  for (const { object } of held) {
    within.set(`Namespace ${object.namespace}`, object);
    within.set(`CustomResourceDefinition ${definitionName(table[object.kind])}`, object);
  }
  const outer = going.flatMap((object) => {
    const [kind = ''] = object.kind.split('.');
    const inner = within.get(`${kind} ${object.name}`);
    const isSaid = inner === undefined || manifests.has(keyOf(object));
    return isSaid ? [] : [{ object, what: `${displayName(inner)}, ${howShown(inner)}` }];
  });
  const bare = new Set(held.map(({ object }) => object));
  return [...held, ...outer].map(({ object, what }) => {
    const isOuter = !bare.has(object);
    const why = isOuter
      ? `it waits for ${what}`
      : cut.has(keyOf(object))
        ? 'a tool has taken parts of its metadata off, and these may say what holds it'
        : stripped
          ? 'of some objects the input has the metadata alone, and their specs or status may say what holds it'
          : `the input is a manifest of it, and the cluster may have given it ${what}`;
    const settle = shownBy(object, table[object.kind], kinds);
    return { object: keyOf(object), kind: displayName(object), why, settle, reported: why };
  });
}

/** What an object gets in the cluster that can hold it; null: nothing that is known. */
function addedTo(
  object: ApiObject,
  kind: Kind | undefined,
  observed: Observation | undefined,
  kinds: KindCatalogue,
): string | null {
  if (kind?.storage === 'namespace') return 'other objects';
  if (observed?.of === 'CustomResourceDefinition') return `other objects of ${observed.kind}`;
  if (observed?.of === 'Service') return observed.type === 'LoadBalancer' ? BALANCED : null;
  if (kind !== undefined && kinds.isBuiltIn(kind)) return ADDED[object.kind] ?? null;
  return 'finalizers and dependents';
}

function shownBy(object: ApiObject, kind: Kind | undefined, kinds: KindCatalogue): string {
  const isWhole = kind !== undefined && kinds.isBuiltIn(kind) && kind.storage !== 'namespace';
  if (!isWhole) return 'reapcheck dump-command  # run what it prints';
  const [apiVersion = 'v1'] = kind?.apiVersions ?? [];
  const resource = resourceOf(apiVersion, kind?.kind ?? object.kind, kinds);
  const scope = object.namespace === '' ? '' : ` -n ${shellQuoted(object.namespace)}`;
  return `kubectl get ${resource} ${shellQuoted(object.name)}${scope} -o yaml`;
}

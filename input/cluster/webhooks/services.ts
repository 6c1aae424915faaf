import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { contentsIn } from '../lookups.ts';
import type { Observation } from '../observations.ts';
import type { Unserved } from './backends.ts';

/** Whether the Services that the API server calls have something behind them, as the dump says. */

interface Given {
  readonly all: readonly ApiObject[];
  /** By store key: the labels of the objects that have some. */
  readonly labels: ReadonlyMap<string, Labels>;
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  /** By `namespace/name`: the Services behind which nothing is left. */
  readonly unserved: ReadonlyMap<string, Unserved>;
}

/** The last words about a Service that is not there as the cluster is, or has nothing behind it. */
const NO_POD = 'has no ready pod';
const NO_SERVICE = 'does not exist';

/** Whether this is so as the cluster is, and not only in what the dump shows. */
export function isSureFault(fault: string): boolean {
  return fault.endsWith(NO_POD) || fault.endsWith(NO_SERVICE);
}

/** By `namespace/name` of a Service, how many addresses are ready, where the dump says it. */
export function readyAddresses({
  all,
  observations,
}: Pick<Given, 'all' | 'observations'>): ReadonlyMap<string, number> {
  const ready = new Map<string, number>();
  for (const object of all) {
    const observed = observations.get(keyOf(object));
    if (observed?.of !== 'endpoints') continue;
    const service = `${object.namespace}/${observed.service || object.name}`;
    ready.set(service, (ready.get(service) ?? 0) + observed.ready);
  }
  return ready;
}

/** For `namespace/name` of a Service, what is wrong with it; null: nothing that the dump shows. */
export function serviceFaults(given: Given): (service: string) => string | null {
  const { all, goes, unserved } = given;
  const services = new Map(
    all.flatMap((object) =>
      object.kind === 'Service' ? [[placeOf(object), object] as const] : [],
    ),
  );
  const ready = readyAddresses(given);
  const filled = new Set(all.map(({ namespace }) => namespace));
  const namespaces = new Set(all.flatMap(({ kind, name }) => (kind === 'Namespace' ? [name] : [])));
  const everywhere = services.has('default/kubernetes');
  const withServices = new Set([...services.values()].map(({ namespace }) => namespace));
  /** Whether the dump has all Services of this namespace: those are there which each of them has. */
  const isComplete = (namespace: string): boolean =>
    (EVERY.every((name) => namespaces.has(name)) && !namespaces.has(namespace)) ||
    ((everywhere || withServices.has(namespace)) &&
      (contentsIn(all).get(namespace) ?? []).some(isInEvery));
  const faultOf = (service: string): string | null => {
    const [namespace = '', name = ''] = service.split('/');
    const words = `Service/${name}.${namespace}`;
    const found = services.get(service);
    if (found !== undefined) {
      if (isBeingDeleted(found)) return `${words} is being deleted`;
      if (goes(found)) return `${words} may be deleted first`;
      if (unserved.has(service)) return `${unserved.get(service)?.why ?? ''}, perhaps first`;
      const addresses = ready.get(service);
      if (addresses === undefined) return unbacked(found, words, given);
      return addresses === 0 ? `${words} ${NO_POD}` : null;
    }
    if (service !== '' && isComplete(namespace)) return `${words} ${NO_SERVICE}`;
    // The dump has Services, and would have this one.
    const isAbsent =
      (services.size > 0 && filled.has(namespace)) ||
      (namespaces.size > 0 && !namespaces.has(namespace));
    return service !== '' && isAbsent ? `${words} is not in the dump` : null;
  };
  const known = new Map<string, string | null>();
  return (service) => {
    const found = known.get(service);
    if (found !== undefined) return found;
    const fault = faultOf(service);
    known.set(service, fault);
    return fault;
  };
}

/** Namespaces that every cluster has. */
const EVERY: readonly string[] = ['default', 'kube-system'];

/** What each namespace has, and no selector of labels finds. */
function isInEvery({ kind, name }: ApiObject): boolean {
  return (
    (kind === 'ConfigMap' && name === 'kube-root-ca.crt') ||
    (kind === 'ServiceAccount' && name === 'default')
  );
}

function placeOf({ namespace, name }: ApiObject): string {
  return `${namespace}/${name}`;
}

/** What is wrong behind a Service of which the dump has no endpoints, as workloads and pods say. */
function unbacked(
  service: ApiObject,
  words: string,
  { all, labels, observations }: Given,
): string | null {
  const of = observations.get(keyOf(service));
  const selector = of?.of === 'Service' ? Object.entries(of.selector ?? {}) : [];
  if (selector.length === 0) return null;
  const beside = contentsIn(all).get(service.namespace) ?? [];
  const workloads = beside.flatMap((object) => {
    const observed = observations.get(keyOf(object));
    if (observed?.of !== 'workload') return [];
    const isMeant = selector.every(([key, value]) =>
      observed.selector.some(
        (one) => one.key === key && one.operator === 'In' && one.values.includes(value),
      ),
    );
    return isMeant ? [observed] : [];
  });
  const isServed = beside.some(
    (object) =>
      object.pod !== undefined &&
      object.pod.finished !== true &&
      selector.every(([key, value]) => labels.get(keyOf(object))?.[key] === value),
  );
  // What is not built in can run pods for a workload that is scaled to 0, as a Rollout of Argo
  // does.
  const noneReady = workloads.every(({ ready }) => ready === 0);
  const isIdle = workloads.every(({ ready, replicas }) => ready === 0 && replicas === 0);
  if (workloads.length > 0) {
    return noneReady && !(isIdle && isServed) ? `${words} ${NO_POD}` : null;
  }
  const hasPods = all.some(({ pod }) => pod !== undefined);
  return hasPods && !isServed ? `the dump has no pod behind ${words}` : null;
}

/** A command that says whether anything is behind this Service. */
export function endpointsOf(service: string): string {
  const [namespace = '', name = ''] = service.split('/');
  const label = shellQuoted(`kubernetes.io/service-name=${name}`);
  return `kubectl get endpointslices -n ${shellQuoted(namespace)} -l ${label}`;
}

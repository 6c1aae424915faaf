import { equalJson } from '../../model/index.ts';
import { type Body, bodyIn, isBody, metadataOf, textIn } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import { type Fault, invalidObject } from './status.ts';

/**
 * What an API server makes up for new objects: the selector of a job, the addresses of a service.
 * No client owns these fields.
 */

/** What a new object is given. */
export interface Given {
  readonly uid: string;
  /** All objects of the kind. */
  readonly others: () => readonly Body[];
}

/** Throws `StatusError` for a job whose selector or labels are not those that it is given. */
export function withGenerated(
  { kind }: Resource,
  apiVersion: string,
  object: Body,
  given: Given,
): Body {
  if (!isBody(object.spec)) return object;
  switch (kind.name) {
    case 'Job.batch': {
      if (object.spec.manualSelector === true) return object;
      const [spec, faults] = jobSpec(object.spec, textIn(metadataOf(object), 'name'), given.uid);
      if (faults.length > 0) throw invalidObject(kind.kind, apiVersion, object, faults);
      return { ...object, spec };
    }
    case 'Service': {
      const others = given.others();
      const faults = takenFaults(object.spec, others);
      if (faults.length > 0) throw invalidObject(kind.kind, apiVersion, object, faults);
      return { ...object, spec: serviceSpec(object.spec, others) };
    }
    default:
      return object;
  }
}

/**
 * The object of an update, with what was given to the stored one. Mirrors `patchAllocatedValues`.
 * If the type is another one, it is given what that needs.
 */
export function withGeneratedBefore(
  { kind }: Resource,
  object: Body,
  stored: Body,
  others: () => readonly Body[],
): Body {
  if (kind.name !== 'Service' || !isBody(object.spec)) return object;
  const old = bodyIn(stored, 'spec');
  const spec = withoutOtherType(object.spec, old);
  const kept = withKept(spec, old);
  const isOther = Object.keys(old).length > 0 && typeOf(spec) !== typeOf(old);
  return { ...object, spec: isOther ? serviceSpec(kept, others()) : kept };
}

function withKept(spec: Body, old: Body): Body {
  if (!hasAddress(spec) || !hasAddress(old)) return spec;
  const before = portsOf(old);
  const ports = portsOf(spec).map((port) => {
    if (!hasNodePorts(spec) || !hasNodePorts(old) || port.nodePort !== undefined) return port;
    const same = before.find((other) => (other.name ?? '') === (port.name ?? ''));
    return same?.nodePort === undefined ? port : { ...port, nodePort: same.nodePort };
  });
  const kept = ADDRESSES.flatMap((field) => {
    const isNone = [undefined, null, ''].includes(spec[field] as undefined);
    return isNone && old[field] !== undefined ? [[field, old[field]] as const] : [];
  });
  return {
    ...spec,
    ...Object.fromEntries(kept),
    ...(Array.isArray(spec.ports) ? { ports } : {}),
  };
}

const ADDRESSES = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];

/**
 * Mirrors `dropTypeDependentFields`: without what only the type before needs, unless it was
 * changed.
 */
function withoutOtherType(spec: Body, old: Body): Body {
  const isLoadBalanced = (one: Body): boolean => typeOf(one) === 'LoadBalancer';
  const fields = [
    ...(hasAddress(old) && !hasAddress(spec) ? ADDRESSES : []),
    ...(isReached(old) && !isReached(spec) ? ['externalTrafficPolicy'] : []),
    ...(isLoadBalanced(old) && !isLoadBalanced(spec)
      ? ['allocateLoadBalancerNodePorts', 'loadBalancerClass', 'healthCheckNodePort']
      : []),
  ].filter((field) => equalJson(spec[field] ?? null, old[field] ?? null));
  const rest = Object.fromEntries(
    Object.entries(spec).filter(([field]) => !fields.includes(field)),
  );
  if (!hasNodePorts(old) || hasNodePorts(spec) || !Array.isArray(spec.ports)) return rest;
  const before = portsOf(old).map(({ nodePort }) => nodePort);
  const isNew = portsOf(spec).some(
    ({ nodePort }) => nodePort !== undefined && !before.includes(nodePort),
  );
  return isNew ? rest : { ...rest, ports: portsOf(spec).map(({ nodePort, ...port }) => port) };
}

function typeOf(spec: Body): string {
  return textIn(spec, 'type') || 'ClusterIP';
}

/** From outside of the cluster. */
function isReached(spec: Body): boolean {
  const hasOthers = Array.isArray(spec.externalIPs) && spec.externalIPs.length > 0;
  return hasNodePorts(spec) || (hasAddress(spec) && hasOthers);
}

/** Addresses and ports that another service has. */
function takenFaults(spec: Body, others: readonly Body[]): readonly Fault[] {
  if (!hasAddress(spec)) return [];
  const specs = others.map((other) => bodyIn(other, 'spec'));
  const address = textIn(spec, 'clusterIP') || firstText(spec.clusterIPs);
  const isTaken =
    ![HEADLESS, ''].includes(address) && specs.some(({ clusterIP }) => clusterIP === address);
  const ports = new Set(specs.flatMap(portsOf).map(({ nodePort }) => nodePort));
  const why = `failed to allocate IP ${address}: provided IP is already allocated`;
  return [
    ...(isTaken ? [fault('spec.clusterIPs', [address], why)] : []),
    ...portsOf(spec).flatMap(({ nodePort }, index) =>
      nodePort === undefined || !ports.has(nodePort)
        ? []
        : [fault(`spec.ports[${index}].nodePort`, nodePort, 'provided port is already allocated')],
    ),
  ];
}

const UID = 'batch.kubernetes.io/controller-uid';

/** Mirrors `generateSelector` and `ValidateGeneratedSelector` of jobs (1.33). */
function jobSpec(spec: Body, name: string, uid: string): readonly [Body, readonly Fault[]] {
  const made = { 'batch.kubernetes.io/job-name': name, 'job-name': name, [UID]: uid };
  const expected: Body = { ...made, 'controller-uid': uid };
  const template = bodyIn(spec, 'template');
  const metadata = metadataOf(template);
  const own = bodyIn(metadata, 'labels');
  const labels = { ...expected, ...own };
  const selector = bodyIn(spec, 'selector');
  const chosen = { [UID]: uid, ...bodyIn(selector, 'matchLabels') };
  const isMade =
    Object.keys(chosen).length === 1 && chosen[UID] === uid && !selector.matchExpressions;
  const wrong = Object.entries(expected).filter(([label, value]) => labels[label] !== value);
  return [
    {
      ...spec,
      selector: { ...selector, matchLabels: chosen },
      template: { ...template, metadata: { ...metadata, labels } },
    },
    [
      ...wrong.map(([, value]) =>
        fault('spec.template.metadata.labels', labels, `must be '${value}'`),
      ),
      ...(isMade ? [] : [fault('spec.selector', selector, '`selector` not auto-generated')]),
    ],
  ];
}

function fault(field: string, value: unknown, why: string): Fault {
  const message = `Invalid value: ${JSON.stringify(value)}: ${why}`;
  return { field, reason: 'FieldValueInvalid', message };
}

function hasAddress(spec: Body): boolean {
  return textIn(spec, 'type') !== 'ExternalName';
}

function hasNodePorts(spec: Body): boolean {
  return ['NodePort', 'LoadBalancer'].includes(textIn(spec, 'type'));
}

function portsOf({ ports }: Body): readonly Body[] {
  return Array.isArray(ports) ? ports.filter(isBody) : [];
}

const HEADLESS = 'None';

/** A service of a cluster with IPv4 alone. Mirrors `initIPFamilyFields` and the allocators. */
function serviceSpec(spec: Body, others: readonly Body[]): Body {
  if (!hasAddress(spec)) return spec;
  const specs = others.map((other) => bodyIn(other, 'spec'));
  const given = textIn(spec, 'clusterIP') || firstText(spec.clusterIPs);
  const clusterIP = given || freeAddress(new Set(specs.map((one) => textIn(one, 'clusterIP'))));
  const selects = Object.keys(bodyIn(spec, 'selector')).length > 0;
  // The endpoints are written by hand, and may be of either family.
  const isOpen = clusterIP === HEADLESS && !selects;
  return {
    ...spec,
    clusterIP,
    clusterIPs: spec.clusterIPs ?? [clusterIP],
    ipFamilies: spec.ipFamilies ?? (isOpen ? ['IPv4', 'IPv6'] : ['IPv4']),
    ipFamilyPolicy: spec.ipFamilyPolicy ?? (isOpen ? 'RequireDualStack' : 'SingleStack'),
    ...(hasNodePorts(spec) && Array.isArray(spec.ports)
      ? { ports: withNodePorts(spec, specs) }
      : {}),
  };
}

function firstText(list: unknown): string {
  const [first]: readonly unknown[] = Array.isArray(list) ? list : [];
  return typeof first === 'string' ? first : '';
}

/** The lowest one of 10.96.0.0/12, whose first address is that of the API server. */
function freeAddress(taken: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    const low = [16, 8, 0].map((shift) => (number >> shift) & 255);
    const address = `10.${96 + (low[0] ?? 0)}.${low[1]}.${low[2]}`;
    if (!taken.has(address)) return address;
  }
}

const FIRST_NODE_PORT = 30_000;

function withNodePorts(spec: Body, others: readonly Body[]): readonly Body[] {
  const ports = portsOf(spec);
  const taken = new Set([...ports, ...others.flatMap(portsOf)].map(({ nodePort }) => nodePort));
  let next = FIRST_NODE_PORT;
  return ports.map((port) => {
    if (spec.allocateLoadBalancerNodePorts === false || port.nodePort !== undefined) return port;
    while (taken.has(next)) next++;
    taken.add(next);
    return { ...port, nodePort: next };
  });
}

import { type Body, bodyIn, isBody, textIn, valueAt } from '../cluster/body.ts';
import type { Fault } from '../requests/status.ts';
import { forbidden, invalid, same, without } from './field-faults.ts';
import { isLess } from './quantities.ts';

/** What an update of a pod, a claim or a volume must leave as it is. */

const POD_WORDS =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Mirrors `ValidatePodUpdate`. A pod with scheduling gates may still be told where to run. */
export function changedPod(spec: Body, old: Body): readonly Fault[] {
  // The objects of a scenario have no containers.
  if (old.containers === undefined) return [];
  const lists = ['containers', 'initContainers'].flatMap((list) =>
    listIn(spec, list).length === listIn(old, list).length
      ? []
      : [forbidden(`spec.${list}`, 'pod updates may not add or remove containers')],
  );
  if (lists.length > 0) return lists;
  const isGated = listIn(old, 'schedulingGates').length > 0;
  const faults = [...changedDeadline(spec, old), ...changedGates(spec, old)];
  const free = [
    ...['activeDeadlineSeconds', 'tolerations', 'schedulingGates'],
    ...(isGated ? ['nodeSelector', 'affinity'] : []),
    ...(isMendedGrace(spec, old) ? ['terminationGracePeriodSeconds'] : []),
  ];
  const rest = (one: Body): Body => without(withoutImages(one), free);
  const kept = listIn(old, 'tolerations').every((toleration) =>
    listIn(spec, 'tolerations').some((other) => same(lasting(other), lasting(toleration))),
  );
  return [
    ...faults,
    ...(kept
      ? []
      : [
          forbidden(
            'spec.tolerations',
            'existing toleration can not be modified except its tolerationSeconds',
          ),
        ]),
    ...(same(rest(spec), rest(old)) ? [] : [forbidden('spec', POD_WORDS)]),
  ];
}

function changedDeadline(spec: Body, old: Body): readonly Fault[] {
  const [is, was] = [spec.activeDeadlineSeconds ?? null, old.activeDeadlineSeconds ?? null];
  if (typeof was !== 'number' || is === was) return [];
  const why =
    typeof is !== 'number'
      ? 'must not update from a positive integer to nil value'
      : is > was
        ? 'must be less than or equal to previous value'
        : null;
  if (why === null) return [];
  return [invalid('spec.activeDeadlineSeconds', is, why)];
}

function changedGates(spec: Body, old: Body): readonly Fault[] {
  const names = (one: Body): readonly string[] =>
    listIn(one, 'schedulingGates').map((gate) => (isBody(gate) ? textIn(gate, 'name') : ''));
  const before = names(old);
  return names(spec).flatMap((name) =>
    before.includes(name)
      ? []
      : [
          forbidden(
            'spec.schedulingGates',
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  );
}

function isMendedGrace(spec: Body, old: Body): boolean {
  const was = old.terminationGracePeriodSeconds;
  return typeof was === 'number' && was < 0 && spec.terminationGracePeriodSeconds === 1;
}

function lasting(toleration: unknown): unknown {
  return isBody(toleration) ? without(toleration, ['tolerationSeconds']) : toleration;
}

function withoutImages(spec: Body): Body {
  const plain = (list: string) =>
    listIn(spec, list).map((one) => (isBody(one) ? without(one, ['image']) : one));
  return { ...spec, containers: plain('containers'), initContainers: plain('initContainers') };
}

function listIn(body: Body, field: string): readonly unknown[] {
  const list = body[field];
  return Array.isArray(list) ? list : [];
}

/** Mirrors `ValidatePersistentVolumeClaimUpdate`. */
export function changedClaim(claim: Body, old: Body): readonly Fault[] {
  const [spec, was] = [bodyIn(claim, 'spec'), bodyIn(old, 'spec')];
  if (Object.keys(was).length === 0) return [];
  const isBound = valueAt(old, 'status.phase') === 'Bound';
  const isUnset = (field: string): boolean => (was[field] ?? '') === '';
  const free = [
    'volumeAttributesClassName',
    ...(isUnset('volumeName') ? ['volumeName'] : []),
    ...(was.storageClassName === undefined ? ['storageClassName'] : []),
  ];
  const rest = (one: Body): Body => without(isBound ? withoutSize(one) : one, free);
  const words =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [
    ...(same(rest(spec), rest(was)) ? [] : [forbidden('spec', words)]),
    ...shrunk(spec, was, valueAt(old, 'status.capacity.storage')),
  ];
}

/** A claim may ask for less after a failed expansion, but for more than its volume has. */
function shrunk(spec: Body, was: Body, capacity: unknown): readonly Fault[] {
  const path = 'resources.requests.storage';
  const size = valueAt(spec, path);
  if (!isLess(size, valueAt(was, path)) || isLess(capacity, size)) return [];
  return [forbidden(`spec.${path}`, 'field can not be less than status.capacity')];
}

function withoutSize(spec: Body): Body {
  const resources = bodyIn(spec, 'resources');
  const requests = without(bodyIn(resources, 'requests'), ['storage']);
  return { ...spec, resources: { ...resources, requests } };
}

/** What every PersistentVolume has beside its source. */
const NO_SOURCES = [
  ...['capacity', 'accessModes', 'claimRef', 'persistentVolumeReclaimPolicy', 'storageClassName'],
  ...['mountOptions', 'volumeMode', 'nodeAffinity', 'volumeAttributesClassName'],
];

/** Mirrors `ValidatePersistentVolumeUpdate`. */
export function changedVolume(spec: Body, old: Body): readonly Fault[] {
  const source = without(old, NO_SOURCES);
  const isOther = Object.keys(source).length > 0 && !same(without(spec, NO_SOURCES), source);
  const words = 'spec.persistentvolumesource is immutable after creation';
  const { volumeMode = 'Filesystem' } = old;
  const isOtherMode = !same(spec.volumeMode ?? 'Filesystem', volumeMode);
  return [
    ...(isOther ? [forbidden('spec.persistentvolumesource', words)] : []),
    ...(isOtherMode ? [invalid('spec.volumeMode', spec.volumeMode, 'field is immutable')] : []),
  ];
}

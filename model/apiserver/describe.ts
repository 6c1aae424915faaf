import type { Call, Change, DeleteCall, DeleteOptions, UpdateCall } from '../state/calls.ts';
import { formatKey } from '../state/keys.ts';
import { keyOf, type OwnerReference } from '../state/objects.ts';

export { formatKey } from '../state/keys.ts';

/** One line: the request in Kubernetes' words, and what the handler has decided so far. */
export function describeCall(call: Call): string {
  switch (call.verb) {
    case 'create':
      return withDecision(
        `POST ${formatKey(keyOf(call.object))}${dryRun(call.dryRun)}`,
        call.at === 'write' ? 'admitted, so create' : null,
      );
    case 'delete':
      return withDecision(
        `DELETE ${formatKey(call.key)}${describeOptions(call.options)}`,
        deleteDecision(call),
      );
    case 'deleteCollection': {
      const place = call.namespace === '' ? '' : `.${call.namespace}`;
      const line = `DELETE collection ${call.kind}${place}${describeOptions(call.options)}`;
      return call.current === null ? line : `${line}: ${describeCall(call.current)}`;
    }
    case 'update':
      return describeUpdate(call);
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

function withDecision(line: string, decision: string | null): string {
  return decision === null ? line : `${line} (decides: ${decision})`;
}

function dryRun(flag: boolean | undefined): string {
  return flag === true ? ' dryRun=All' : '';
}

function deleteDecision(call: DeleteCall): string | null {
  switch (call.at) {
    case 'get':
      return null;
    case 'terminate':
      return 'not being deleted yet, so terminate';
    case 'update':
      return 'a grace period or finalizers, so update';
    case 'remove':
      return 'no finalizers, so remove';
    case 'removeMarked':
      return 'marked with grace period 0, so remove';
    default:
      throw new Error(`unknown step ${JSON.stringify(call.at satisfies never)}`);
  }
}

/** ` name=value` for each given option. */
export function describeOptions(options: DeleteOptions): string {
  const { preconditions, propagationPolicy: policy, sentPolicy } = options;
  const version = preconditions?.resourceVersion;
  const named: readonly (readonly [string, string | number | boolean | undefined])[] = [
    ['propagationPolicy', sentPolicy === undefined ? policy : `${sentPolicy} (here as ${policy})`],
    ['orphanDependents', options.orphanDependents],
    ['gracePeriodSeconds', options.gracePeriodSeconds],
    ['preconditions.uid', preconditions?.uid],
    ['preconditions.resourceVersion', version === true ? 'as read' : version],
  ];
  const given = named.filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => ` ${name}=${value}`).join('') + dryRun(options.dryRun);
}

function describeUpdate(call: UpdateCall): string {
  const verb = call.put ? 'PUT' : 'PATCH';
  const uid = call.uid === null ? '' : ` uid=${call.uid}`;
  const version = call.resourceVersion ? ' resourceVersion=as read' : '';
  return withDecision(
    `${verb} ${formatKey(call.key)}${subresource(call.change)} ${describeChange(call.change)}${uid}${version}${dryRun(call.dryRun)}`,
    call.at === 'remove' ? 'finalizers emptied, so remove' : null,
  );
}

const STATUS_CHANGES: readonly Change['do'][] = [
  'setNamespaceStatus',
  'observeGeneration',
  'finishPod',
  'releaseVolume',
];

/** The part of the URL that names the subresource of the change. */
export function subresource(change: Change): string {
  if (change.do === 'finalizeNamespace') return '/finalize';
  return STATUS_CHANGES.includes(change.do) ? '/status' : '';
}

/** What the body changes, in words. */
export function describeChange(change: Change): string {
  switch (change.do) {
    case 'nothing':
      return 'without a change';
    case 'touch':
      return 'labels, data or status';
    case 'setMetadata':
      return describeMetadata(change);
    case 'setFinalizers':
      return `finalizers=[${change.finalizers.join(', ')}]`;
    case 'removeFinalizer':
      return `remove finalizer ${change.finalizer}`;
    case 'addFinalizer':
      return `add finalizer ${change.finalizer}`;
    case 'setOwnerReferences':
      return describeOwners(change.ownerReferences);
    case 'removeOwners':
      return `remove ownerReferences to ${change.uids.join(', ')}`;
    case 'unblockOwners': {
      const owners = change.ownerReferences.map(({ kind, name }) => `${kind}/${name}`);
      return owners.length === 0
        ? 'no ownerReferences'
        : `blockOwnerDeletion=false for ${owners.join(', ')}`;
    }
    case 'adopt':
      return `controller ${change.reference.kind}/${change.reference.name}`;
    case 'relabel':
      return change.matches ? 'labels that selectors match' : 'labels that no selector matches';
    case 'scale':
      return `replicas=${change.replicas}`;
    case 'observeGeneration':
      return `observedGeneration=${change.generation}`;
    case 'initialize':
      return change.failed
        ? `initializers.result=Failure, by ${change.initializer}`
        : `remove initializer ${change.initializer}`;
    case 'finalizeNamespace':
      return change.specFinalizers === undefined
        ? 'remove spec.finalizers kubernetes'
        : `spec.finalizers=[${change.specFinalizers.join(', ')}]`;
    case 'finishPod':
      return 'phase=Failed';
    case 'releaseVolume':
      return 'phase=Released';
    case 'setNamespaceStatus':
      return `phase=${change.phase}`;
    default:
      throw new Error(`unknown change ${JSON.stringify(change satisfies never)}`);
  }
}

function describeOwners(references: readonly OwnerReference[]): string {
  const owners = references.map(
    ({ kind, name, blockOwnerDeletion }) =>
      `${kind}/${name}${blockOwnerDeletion === true ? ' blocking' : ''}`,
  );
  return `ownerReferences=[${owners.join(', ')}]`;
}

function describeMetadata(change: Extract<Change, { do: 'setMetadata' }>): string {
  const { finalizers, ownerReferences, other } = change;
  const { deletionTimestamp, deletionGracePeriodSeconds } = change;
  const parts = [
    ...(finalizers === undefined ? [] : [`finalizers=[${finalizers.join(', ')}]`]),
    ...(ownerReferences === undefined ? [] : [describeOwners(ownerReferences)]),
    ...(deletionTimestamp === undefined ? [] : ['another deletionTimestamp']),
    ...(deletionGracePeriodSeconds === undefined
      ? []
      : [`deletionGracePeriodSeconds=${deletionGracePeriodSeconds}`]),
    ...(other === 'same' ? [] : [other === 'spec' ? 'spec' : 'labels, data or status']),
  ];
  return parts.length === 0 ? 'without a change' : parts.join(', ');
}

import { type Body, bodyIn, textIn, valueAt } from '../cluster/body.ts';
import {
  AGE,
  type BuiltInColumn,
  CREATED_AT,
  column,
  listAt,
  NONE,
  numberAt,
  since,
  sizeAt,
  textAt,
  UNKNOWN,
  whole,
  wide,
} from './column.ts';

/** The tables of all other kinds that have columns of their own. */

const BINDING: readonly BuiltInColumn[] = [
  column('Role', (object) =>
    ['kind', 'name'].map((field) => textAt(object, `roleRef.${field}`)).join('/'),
  ),
  AGE,
  wide('Users', (object) => subjects(object, 'User')),
  wide('Groups', (object) => subjects(object, 'Group')),
  wide('ServiceAccounts', (object) => subjects(object, 'ServiceAccount')),
];

const WEBHOOKS: readonly BuiltInColumn[] = [entries('Webhooks', 'webhooks'), AGE];

export const CLUSTER_TABLES: Readonly<Record<string, readonly BuiltInColumn[]>> = {
  Namespace: [column('Status', (object) => textAt(object, 'status.phase')), AGE],
  Node: [
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    AGE,
    column('Version', (object) => textAt(object, 'status.nodeInfo.kubeletVersion')),
    wide('Internal-IP', (object) => addressOf(object, 'InternalIP')),
    wide('External-IP', (object) => addressOf(object, 'ExternalIP')),
    wide('OS-Image', (object) => textAt(object, 'status.nodeInfo.osImage', UNKNOWN)),
    wide('Kernel-Version', (object) => textAt(object, 'status.nodeInfo.kernelVersion', UNKNOWN)),
    wide('Container-Runtime', (object) =>
      textAt(object, 'status.nodeInfo.containerRuntimeVersion', UNKNOWN),
    ),
  ],
  ConfigMap: [{ ...whole('Data', ''), cell: dataSize }, AGE],
  Secret: [column('Type', (object) => textIn(object, 'type')), entries('Data', 'data'), AGE],
  ServiceAccount: [entries('Secrets', 'secrets'), AGE],
  LimitRange: [CREATED_AT],
  Event: [
    column('Last Seen', lastSeen),
    column('Type', (object) => textIn(object, 'type')),
    column('Reason', (object) => textIn(object, 'reason')),
    column('Object', involved),
    wide('Subobject', (object) => textAt(object, 'involvedObject.fieldPath')),
    wide('Source', source),
    column('Message', (object) => (textIn(object, 'message') || textIn(object, 'note')).trim()),
    wide('First Seen', (object, now) =>
      since(textIn(object, 'firstTimestamp') || textIn(object, 'eventTime'), now),
    ),
    { ...whole('Count', ''), wide: true, cell: (object) => numberAt(object, 'count') || 1 },
  ],
  'Role.rbac.authorization.k8s.io': [CREATED_AT],
  'ClusterRole.rbac.authorization.k8s.io': [CREATED_AT],
  'RoleBinding.rbac.authorization.k8s.io': BINDING,
  'ClusterRoleBinding.rbac.authorization.k8s.io': BINDING,
  'CustomResourceDefinition.apiextensions.k8s.io': [CREATED_AT],
  'APIService.apiregistration.k8s.io': [
    column('Service', (object) => {
      const [namespace, name] = ['namespace', 'name'].map((field) =>
        textAt(object, `spec.service.${field}`),
      );
      return name ? `${namespace}/${name}` : 'Local';
    }),
    column('Available', (object) => conditionOf(object, 'Available')),
    AGE,
  ],
  'CertificateSigningRequest.certificates.k8s.io': [
    AGE,
    column('SignerName', (object) => textAt(object, 'spec.signerName')),
    column('Requestor', (object) => textAt(object, 'spec.username')),
    column('Condition', requestCondition),
  ],
  'Lease.coordination.k8s.io': [
    column('Holder', (object) => textAt(object, 'spec.holderIdentity')),
    AGE,
  ],
  'PriorityClass.scheduling.k8s.io': [
    whole('Value', 'value'),
    { ...column('Global-Default', (object) => object.globalDefault === true), type: 'boolean' },
    AGE,
  ],
  'RuntimeClass.node.k8s.io': [column('Handler', (object) => textIn(object, 'handler')), AGE],
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': WEBHOOKS,
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': WEBHOOKS,
};

function entries(name: string, path: string): BuiltInColumn {
  return { ...whole(name, ''), cell: (object) => sizeAt(object, path) };
}

function dataSize(object: Body): number {
  return sizeAt(object, 'data') + sizeAt(object, 'binaryData');
}

function subjects(object: Body, kind: string): string {
  const texts = listAt(object, 'subjects').flatMap((subject) => {
    if (subject.kind !== kind) return [];
    const name = textIn(subject, 'name');
    return kind === 'ServiceAccount' ? `${textIn(subject, 'namespace')}/${name}` : name;
  });
  return texts.join(', ');
}

/** `Ready,SchedulingDisabled`. */
function nodeStatus(node: Body): string {
  const ready = listAt(node, 'status.conditions').find(({ type }) => type === 'Ready');
  const words = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec.unschedulable') === true ? `${words},SchedulingDisabled` : words;
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

function nodeRoles(node: Body): string {
  const labels = Object.entries(bodyIn(bodyIn(node, 'metadata'), 'labels'));
  const roles = labels.flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === 'kubernetes.io/role' ? String(value) : [];
  });
  return [...new Set(roles)].sort().join(',') || NONE;
}

function addressOf(node: Body, type: string): string {
  const found = listAt(node, 'status.addresses').find((one) => one.type === type);
  return found === undefined ? NONE : textIn(found, 'address');
}

function lastSeen(event: Body, now: number): string {
  const last = textAt(event, 'series.lastObservedTime', textIn(event, 'lastTimestamp'));
  return since(last || textIn(event, 'firstTimestamp') || textIn(event, 'eventTime'), now);
}

function involved(event: Body): string {
  const field = event.involvedObject === undefined ? 'regarding' : 'involvedObject';
  const [kind, name] = ['kind', 'name'].map((part) => textAt(event, `${field}.${part}`));
  return name ? `${kind?.toLowerCase()}/${name}` : (kind?.toLowerCase() ?? '');
}

function source(event: Body): string {
  const component = textAt(event, 'source.component', textIn(event, 'reportingComponent'));
  return [component, textAt(event, 'source.host')].filter((part) => part !== '').join(', ');
}

function conditionOf(object: Body, type: string): string {
  const found = listAt(object, 'status.conditions').find((condition) => condition.type === type);
  if (found === undefined) return 'Unknown';
  const status = textIn(found, 'status');
  return status === 'True' ? status : `${status} (${textIn(found, 'reason')})`;
}

function requestCondition(request: Body): string {
  const types = listAt(request, 'status.conditions').map(({ type }) => type);
  const word = ['Denied', 'Approved', 'Failed'].find((type) => types.includes(type)) ?? 'Pending';
  return textAt(request, 'status.certificate') === '' ? word : `${word},Issued`;
}

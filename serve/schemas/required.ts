import { type Body, bodyIn, isBody, textIn, valueAt } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import { withDefaults } from '../requests/defaults.ts';
import { labelChoice } from '../requests/label-selector.ts';
import { type Fault, invalidObject } from '../requests/status.ts';
import {
  bodiesIn,
  duplicate,
  invalid,
  missing,
  oneOf,
  portFaults,
  required,
} from './field-faults.ts';
import { changedFaults } from './immutable.ts';
import {
  autoscalerFaults,
  bindingFaults,
  eventFaults,
  ingressFaults,
  leaseFaults,
} from './other-faults.ts';
import { podFaults } from './pod-faults.ts';
import { scheduleFaults } from './schedule-faults.ts';

/**
 * What Kubernetes demands of the specs that operators write most. Mirrors the parts of
 * `ValidatePodTemplateSpec`, `ValidateDeployment` and their like (1.33) that clients meet: missing
 * fields, selectors that do not choose their own pods, values that are not allowed.
 */

/** Kinds with a template of pods. */
const WORKLOADS: readonly string[] = [
  'Deployment.apps',
  'ReplicaSet.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
];

/**
 * Throws `StatusError` for an object of a built-in kind that Kubernetes refuses.
 *
 * @param old what is stored now: what was wrong before is let pass, since objects of a dump or a
 * run may have no specs. Null: nothing is.
 */
export function demandComplete(
  resource: Resource,
  apiVersion: string,
  object: Body,
  old: Body | null,
): void {
  const { kind } = resource;
  const before = new Set(old === null ? [] : faultsOf(kind.name, old).map(nameOf));
  const faults = [
    ...faultsOf(kind.name, object).filter((fault) => !before.has(nameOf(fault))),
    ...(old === null
      ? []
      : changedFaults(kind.name, withDefaults(resource, object), withDefaults(resource, old))),
  ];
  if (faults.length === 0) return;
  throw invalidObject(kind.kind, apiVersion, object, faults);
}

function nameOf({ field, message }: Fault): string {
  return `${field} ${message}`;
}

function faultsOf(kind: string, object: Body): readonly Fault[] {
  const spec = bodyIn(object, 'spec');
  if (WORKLOADS.includes(kind)) {
    return [...strategyFaults(kind, spec), ...workloadFaults(kind, spec)];
  }
  switch (kind) {
    case 'ConfigMap':
      return dataFaults(object, { data: 'utf8', binaryData: 'base64' });
    case 'Secret':
      return [...dataFaults(object, { data: 'base64' }), ...secretFaults(object)];
    case 'Pod':
      return podFaults(spec, 'spec');
    case 'Job.batch':
      return jobFaults(spec, 'spec');
    case 'CronJob.batch':
      return [
        ...scheduleFaults(spec),
        ...oneOf(spec, 'concurrencyPolicy', 'spec', ['Allow', 'Forbid', 'Replace']),
        ...jobFaults(bodyIn(bodyIn(spec, 'jobTemplate'), 'spec'), 'spec.jobTemplate.spec'),
      ];
    case 'Service':
      return serviceFaults(spec);
    case 'PodDisruptionBudget.policy':
      return spec.minAvailable === undefined || spec.maxUnavailable === undefined
        ? []
        : [invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set')];
    case 'HorizontalPodAutoscaler.autoscaling':
      return autoscalerFaults(spec);
    case 'Event':
      return eventFaults(object);
    case 'Lease.coordination.k8s.io':
      return leaseFaults(spec);
    case 'Ingress.networking.k8s.io':
      return ingressFaults(spec);
    case 'RoleBinding.rbac.authorization.k8s.io':
      return bindingFaults(object, true);
    case 'ClusterRoleBinding.rbac.authorization.k8s.io':
      return bindingFaults(object, false);
    case 'PersistentVolumeClaim':
      return [
        ...required(spec, 'accessModes', 'spec'),
        ...(valueAt(spec, 'resources.requests.storage') === undefined
          ? [missing('spec.resources[storage]')]
          : []),
      ];
    default:
      return [];
  }
}

function workloadFaults(kind: string, spec: Body): readonly Fault[] {
  const template = bodyIn(spec, 'template');
  const { selector } = spec;
  const labels = bodyIn(bodyIn(template, 'metadata'), 'labels');
  const isChosen = labelChoice(selector)?.(labels) === true;
  const { replicas } = spec;
  const restartPolicy = textIn(bodyIn(template, 'spec'), 'restartPolicy');
  return [
    ...(typeof replicas === 'number' && replicas < 0
      ? [invalid('spec.replicas', replicas, 'must be greater than or equal to 0')]
      : []),
    ...(isBody(selector) ? [] : [missing('spec.selector')]),
    ...(isBody(selector) && !isChosen
      ? [
          invalid(
            'spec.template.metadata.labels',
            labels,
            '`selector` does not match template `labels`',
          ),
        ]
      : []),
    // Kubernetes does not look at the pods of a StatefulSet: their volumes may come from its
    // claims.
    ...(kind === 'StatefulSet.apps'
      ? []
      : podFaults(bodyIn(template, 'spec'), 'spec.template.spec')),
    ...(['OnFailure', 'Never'].includes(restartPolicy)
      ? oneOf({ restartPolicy }, 'restartPolicy', 'spec.template.spec', ['Always'])
      : []),
  ];
}

function strategyFaults(kind: string, spec: Body): readonly Fault[] {
  switch (kind) {
    case 'Deployment.apps': {
      const types = ['Recreate', 'RollingUpdate'];
      return oneOf(bodyIn(spec, 'strategy'), 'type', 'spec.strategy', types);
    }
    case 'ReplicaSet.apps':
      return [];
    default: {
      const types = ['RollingUpdate', 'OnDelete'];
      return oneOf(bodyIn(spec, 'updateStrategy'), 'type', 'spec.updateStrategy', types);
    }
  }
}

/** Mirrors the parts of `ValidateService` that clients meet. */
function serviceFaults(spec: Body): readonly Fault[] {
  const needsNone = spec.type === 'ExternalName' || spec.clusterIP === 'None';
  const ports = bodiesIn(spec, 'ports');
  const names = new Set<string>();
  return [
    ...(needsNone ? [] : required(spec, 'ports', 'spec')),
    ...ports.flatMap((port, index) => {
      const at = `spec.ports[${index}]`;
      const name = textIn(port, 'name');
      const isTwice = name !== '' && names.has(name);
      names.add(name);
      return [
        ...(ports.length > 1 ? required(port, 'name', at) : []),
        ...(isTwice ? [duplicate(`${at}.name`, name)] : []),
        ...portFaults(port, 'port', at, true),
        ...portFaults(port, 'targetPort', at, false),
        ...oneOf(port, 'protocol', at, ['SCTP', 'TCP', 'UDP']),
      ];
    }),
    ...oneOf(spec, 'type', 'spec', ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...(spec.type === 'ExternalName' ? required(spec, 'externalName', 'spec') : []),
  ];
}

/** `MaxSecretSize`, of ConfigMaps too. */
const MOST_DATA = 1024 * 1024;
const KEY_WORDS =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Mirrors `ValidateConfigMap` and `ValidateSecret`. */
function dataFaults(
  object: Body,
  forms: Readonly<Record<string, 'utf8' | 'base64'>>,
): readonly Fault[] {
  const entries = Object.entries(forms).flatMap(([field, form]) =>
    Object.entries(bodyIn(object, field)).map(([key, value]) => ({ field, form, key, value })),
  );
  const size = entries.reduce(
    (sum, { form, value }) => sum + Buffer.byteLength(String(value), form),
    0,
  );
  const message = `Too long: may not be more than ${MOST_DATA} bytes`;
  return [
    ...entries.flatMap(({ field, key }) => {
      const isKey = /^[-._a-zA-Z0-9]+$/.test(key) && key.length <= 253;
      const isStep = key === '.' || key.startsWith('..');
      return isKey && !isStep ? [] : [invalid(`${field}[${key}]`, key, KEY_WORDS)];
    }),
    ...(size > MOST_DATA ? [{ field: '', reason: 'FieldValueTooLong', message }] : []),
  ];
}

/** By the type of a secret: the keys that its data must have. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

function secretFaults(object: Body): readonly Fault[] {
  const type = textIn(object, 'type');
  const data = { ...bodyIn(object, 'data'), ...bodyIn(object, 'stringData') };
  const keys = Object.hasOwn(KEYS, type) ? (KEYS[type] ?? []) : [];
  return keys.flatMap((key) => (Object.hasOwn(data, key) ? [] : [missing(`data[${key}]`)]));
}

function jobFaults(spec: Body, at: string): readonly Fault[] {
  const pod = bodyIn(bodyIn(spec, 'template'), 'spec');
  const place = `${at}.template.spec`;
  const isRight = ['OnFailure', 'Never'].includes(textIn(pod, 'restartPolicy'));
  return [
    ...podFaults(pod, place),
    ...(isRight
      ? []
      : [
          {
            field: `${place}.restartPolicy`,
            reason: 'FieldValueRequired',
            message: 'Required value: valid values: "OnFailure", "Never"',
          } as const,
        ]),
  ];
}

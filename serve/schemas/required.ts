import { equalJson } from '../../model/index.ts';
import { type Body, bodyIn, isBody, textIn, valueAt } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import { labelChoice } from '../requests/label-selector.ts';
import { type Fault, invalidObject } from '../requests/status.ts';

/**
 * What Kubernetes demands of the specs that operators write most, and what of them never changes.
 * Mirrors the parts of `ValidatePodTemplateSpec`, `ValidateDeployment` and their like (1.33) that
 * clients meet: missing fields, selectors that do not choose their own pods, immutable fields.
 */

/** Kinds with a template of pods. */
const WORKLOADS: readonly string[] = [
  'Deployment.apps',
  'ReplicaSet.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
];

/** By kind: fields that an update leaves as they are. */
const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  'Deployment.apps': ['spec.selector'],
  'ReplicaSet.apps': ['spec.selector'],
  'StatefulSet.apps': ['spec.selector', 'spec.serviceName', 'spec.volumeClaimTemplates'],
  'DaemonSet.apps': ['spec.selector'],
  'Job.batch': ['spec.selector', 'spec.completionMode'],
  Secret: ['type'],
  'RoleBinding.rbac.authorization.k8s.io': ['roleRef'],
  'ClusterRoleBinding.rbac.authorization.k8s.io': ['roleRef'],
  'StorageClass.storage.k8s.io': ['provisioner', 'parameters', 'reclaimPolicy'],
};

/**
 * Throws `StatusError` for an object of a built-in kind that Kubernetes refuses.
 *
 * @param old what is stored now: what was wrong before is let pass, since objects of a dump or a run
 * may have no specs. Null: nothing is.
 */
export function demandComplete(
  { kind }: Resource,
  apiVersion: string,
  object: Body,
  old: Body | null,
): void {
  const before = new Set(old === null ? [] : faultsOf(kind.name, old).map(nameOf));
  const faults = [
    ...faultsOf(kind.name, object).filter((fault) => !before.has(nameOf(fault))),
    ...(old === null ? [] : changedFaults(kind.name, object, old)),
  ];
  if (faults.length === 0) return;
  throw invalidObject(kind.kind, apiVersion, object, faults);
}

function nameOf({ field, message }: Fault): string {
  return `${field} ${message}`;
}

function faultsOf(kind: string, object: Body): readonly Fault[] {
  const spec = bodyIn(object, 'spec');
  if (WORKLOADS.includes(kind)) return workloadFaults(spec);
  switch (kind) {
    case 'Pod':
      return podFaults(spec, 'spec');
    case 'Job.batch':
      return jobFaults(spec, 'spec');
    case 'CronJob.batch':
      return [
        ...required(spec, 'schedule', 'spec'),
        ...jobFaults(bodyIn(bodyIn(spec, 'jobTemplate'), 'spec'), 'spec.jobTemplate.spec'),
      ];
    case 'Service': {
      const needsNone = spec.type === 'ExternalName' || spec.clusterIP === 'None';
      return needsNone ? [] : required(spec, 'ports', 'spec');
    }
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

function workloadFaults(spec: Body): readonly Fault[] {
  const template = bodyIn(spec, 'template');
  const { selector } = spec;
  const labels = bodyIn(bodyIn(template, 'metadata'), 'labels');
  const isChosen = labelChoice(selector)?.(labels) === true;
  const { replicas } = spec;
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
    ...podFaults(bodyIn(template, 'spec'), 'spec.template.spec'),
  ];
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

function podFaults(spec: Body, at: string): readonly Fault[] {
  const names = new Set<string>();
  const faults = ['initContainers', 'containers'].flatMap((list) => {
    const containers = Array.isArray(spec[list]) ? spec[list] : [];
    return containers.filter(isBody).flatMap((container, index) => {
      const place = `${at}.${list}[${index}]`;
      const name = textIn(container, 'name');
      const isTwice = name !== '' && names.has(name);
      names.add(name);
      return [
        ...required(container, 'name', place),
        ...required(container, 'image', place),
        ...(isTwice ? [duplicate(`${place}.name`, name)] : []),
      ];
    });
  });
  return [...required(spec, 'containers', at), ...faults];
}

function changedFaults(kind: string, object: Body, old: Body): readonly Fault[] {
  const fixed = Object.hasOwn(IMMUTABLE, kind) ? (IMMUTABLE[kind] ?? []) : [];
  const faults = fixed.flatMap((field): readonly Fault[] => {
    const [was, is] = [valueAt(old, field), valueAt(object, field)];
    const isSame = was === undefined || equalJson(was, is ?? null);
    return isSame ? [] : [invalid(field, is ?? null, 'field is immutable')];
  });
  if (!['ConfigMap', 'Secret'].includes(kind) || old.immutable !== true) return faults;
  const isKept = ['data', 'binaryData', 'immutable'].every((field) =>
    equalJson(object[field] ?? null, old[field] ?? null),
  );
  const message = 'Forbidden: field is immutable when `immutable` is set';
  return isKept ? faults : [...faults, { field: 'data', reason: 'FieldValueInvalid', message }];
}

function required(body: Body, field: string, at: string): readonly Fault[] {
  const value = body[field];
  const isThere = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
  return isThere && value !== null ? [] : [missing(`${at}.${field}`)];
}

function missing(field: string): Fault {
  return { field, reason: 'FieldValueRequired', message: 'Required value' };
}

function invalid(field: string, value: unknown, why: string): Fault {
  const message = `Invalid value: ${JSON.stringify(value)}: ${why}`;
  return { field, reason: 'FieldValueInvalid', message };
}

function duplicate(field: string, value: string): Fault {
  const message = `Duplicate value: ${JSON.stringify(value)}`;
  return { field, reason: 'FieldValueDuplicate', message };
}

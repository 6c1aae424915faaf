import { type Body, bodyIn, isBody, metadataOf, textIn } from '../cluster/body.ts';
import type { Fault } from '../requests/status.ts';
import { bodiesIn, invalid, missing, oneOf, required } from './field-faults.ts';

/** What is wrong with kinds that have no pods. Each mirrors the parts of its function that clients meet. */

/** `ValidateHorizontalPodAutoscalerSpec`. */
export function autoscalerFaults(spec: Body): readonly Fault[] {
  const { minReplicas: least, maxReplicas: most = 0 } = spec;
  const target = bodyIn(spec, 'scaleTargetRef');
  const isLow = typeof least === 'number' && least < 1;
  return [
    ...(isLow ? [invalid('spec.minReplicas', least, 'must be greater than or equal to 1')] : []),
    ...(Number(most) > 0 ? [] : [invalid('spec.maxReplicas', most, 'must be greater than 0')]),
    ...(typeof least === 'number' && Number(most) < least
      ? [invalid('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...['kind', 'name'].flatMap((field) => required(target, field, 'spec.scaleTargetRef')),
  ];
}

/** `ValidateLeaseSpec`. */
export function leaseFaults(spec: Body): readonly Fault[] {
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = spec;
  return [
    ...(typeof duration === 'number' && duration <= 0
      ? [invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
      : []),
    ...(typeof transitions === 'number' && transitions < 0
      ? [invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : []),
  ];
}

/** `legacyValidateEvent`: an event is beside what it is about. */
export function eventFaults(object: Body): readonly Fault[] {
  const own = textIn(metadataOf(object), 'namespace');
  const field = isBody(object.regarding) ? 'regarding' : 'involvedObject';
  const about = textIn(bodyIn(object, field), 'namespace');
  const isRight = about === '' ? OF_CLUSTER.includes(own) : about === own;
  if (isRight) return [];
  return [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
}

/** Where events about objects without a namespace are. */
const OF_CLUSTER: readonly string[] = ['', 'default', 'kube-system'];

/** `ValidateRoleBinding` and `ValidateClusterRoleBinding`. */
export function bindingFaults(object: Body, isNamespaced: boolean): readonly Fault[] {
  const role = bodyIn(object, 'roleRef');
  const roles = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...oneOf(role, 'apiGroup', 'roleRef', ['rbac.authorization.k8s.io']),
    ...required(role, 'kind', 'roleRef'),
    ...oneOf(role, 'kind', 'roleRef', roles),
    ...required(role, 'name', 'roleRef'),
    ...bodiesIn(object, 'subjects').flatMap((subject, index) => {
      const at = `subjects[${index}]`;
      const isAccount = subject.kind === 'ServiceAccount';
      return [
        ...required(subject, 'name', at),
        ...required(subject, 'kind', at),
        ...oneOf(subject, 'kind', at, ['ServiceAccount', 'User', 'Group']),
        ...(isAccount && !isNamespaced ? required(subject, 'namespace', at) : []),
      ];
    }),
  ];
}

/** `ValidateIngress`. */
export function ingressFaults(spec: Body): readonly Fault[] {
  const rules = bodiesIn(spec, 'rules');
  const words = 'either `defaultBackend` or `rules` must be specified';
  return [
    ...(rules.length > 0 || isBody(spec.defaultBackend) ? [] : [invalid('spec', [], words)]),
    ...rules.flatMap((rule, index) =>
      bodiesIn(bodyIn(rule, 'http'), 'paths').flatMap((path, place) => {
        const at = `spec.rules[${index}].http.paths[${place}]`;
        const type = textIn(path, 'pathType');
        return [
          ...(type === ''
            ? [
                {
                  ...missing(`${at}.pathType`),
                  message: 'Required value: pathType must be specified',
                },
              ]
            : oneOf(path, 'pathType', at, ['Exact', 'ImplementationSpecific', 'Prefix'])),
          ...(['Exact', 'Prefix'].includes(type) && !textIn(path, 'path').startsWith('/')
            ? [invalid(`${at}.path`, path.path ?? '', 'must be an absolute path')]
            : []),
        ];
      }),
    ),
  ];
}

const DESCRIPTORS = ['yearly', 'annually', 'monthly', 'weekly', 'daily', 'midnight', 'hourly'];

/** `validateScheduleFormat`, as far as the number of fields. */
export function scheduleFaults(spec: Body): readonly Fault[] {
  const schedule = textIn(spec, 'schedule').trim();
  if (schedule === '') return required(spec, 'schedule', 'spec');
  if (schedule.startsWith('@')) {
    const isKnown = DESCRIPTORS.includes(schedule.slice(1)) || schedule.startsWith('@every ');
    return isKnown
      ? []
      : [invalid('spec.schedule', schedule, `unrecognized descriptor: ${schedule}`)];
  }
  const fields = schedule.split(/\s+/).filter((field) => !/^(CRON_)?TZ=/.test(field));
  if (fields.length === 5) return [];
  const words = `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  return [invalid('spec.schedule', schedule, words)];
}

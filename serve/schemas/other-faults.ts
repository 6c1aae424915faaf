import { type Body, bodyIn, isBody, metadataOf, textIn } from '../cluster/body.ts';
import type { Fault } from '../requests/status.ts';
import { bodiesIn, invalid, missing, oneOf, required } from './field-faults.ts';

/**
 * What is wrong with kinds that have no pods. Each mirrors the parts of its function that clients
 * meet.
 */

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

/**
 * `legacyValidateEvent`. An event without `eventTime` is beside what it is about. One with it may
 * be elsewhere, and says who reports it.
 */
export function eventFaults(object: Body): readonly Fault[] {
  const own = textIn(metadataOf(object), 'namespace');
  const field = isBody(object.regarding) ? 'regarding' : 'involvedObject';
  const about = textIn(bodyIn(object, field), 'namespace');
  const elsewhere = invalid('involvedObject.namespace', about, 'does not match event.namespace');
  if (textIn(object, 'eventTime') === '') {
    const isRight = about === '' ? ['', 'default'].includes(own) : about === own;
    return isRight ? [] : [elsewhere];
  }
  const controller = textIn(object, 'reportingController') || textIn(object, 'reportingComponent');
  return [
    ...(about !== '' || ['default', 'kube-system'].includes(own) ? [] : [elsewhere]),
    ...(controller === '' ? [missing('reportingController')] : []),
    ...['reportingInstance', 'action', 'reason'].flatMap((name) =>
      textIn(object, name) === '' ? [missing(name)] : [],
    ),
  ];
}

const RBAC = 'rbac.authorization.k8s.io';

/** `ValidateRoleBinding` and `ValidateClusterRoleBinding`. */
export function bindingFaults(object: Body, isNamespaced: boolean): readonly Fault[] {
  const role = bodyIn(object, 'roleRef');
  const roles = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...oneOf(role, 'apiGroup', 'roleRef', [RBAC]),
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
        ...oneOf(subject, 'apiGroup', at, isAccount ? [''] : [RBAC]),
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
          ...pathFaults(textIn(path, 'path'), type, `${at}.path`),
        ];
      }),
    ),
  ];
}

function pathFaults(path: string, type: string, at: string): readonly Fault[] {
  const isExact = ['Exact', 'Prefix'].includes(type);
  const isFree = !isExact && (type !== 'ImplementationSpecific' || path === '');
  if (isFree) return [];
  const wrong = (words: string): Fault => invalid(at, path, words);
  return [
    ...(path.startsWith('/') ? [] : [wrong('must be an absolute path')]),
    ...['//', '/./', '/../', '%2f', '%2F'].flatMap((part) =>
      isExact && path.includes(part) ? [wrong(`must not contain '${part}'`)] : [],
    ),
    ...['/..', '/.'].flatMap((end) =>
      isExact && path.endsWith(end) ? [wrong(`cannot end with '${end}'`)] : [],
    ),
  ];
}

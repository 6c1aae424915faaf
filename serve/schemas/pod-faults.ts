import { type Body, bodyIn, textIn } from '../cluster/body.ts';
import { LABEL_WORDS } from '../requests/metadata.ts';
import type { Fault } from '../requests/status.ts';
import { bodiesIn, duplicate, invalid, oneOf, portFaults, required } from './field-faults.ts';
import { isLess } from './quantities.ts';

/**
 * What is wrong with the spec of a pod. Mirrors the parts of `ValidatePodSpec` that clients meet.
 */
export function podFaults(spec: Body, at: string): readonly Fault[] {
  const names = new Set<string>();
  const volumes = new Set<string>();
  return [
    ...bodiesIn(spec, 'volumes').flatMap((volume, index) => [
      ...required(volume, 'name', `${at}.volumes[${index}]`),
      ...twice(volumes, textIn(volume, 'name'), `${at}.volumes[${index}].name`),
    ]),
    ...required(spec, 'containers', at),
    ...['initContainers', 'containers'].flatMap((list) =>
      bodiesIn(spec, list).flatMap((container, index) => {
        const place = `${at}.${list}[${index}]`;
        return [
          ...containerFaults(container, place, volumes),
          ...twice(names, textIn(container, 'name'), `${place}.name`),
        ];
      }),
    ),
    ...oneOf(spec, 'restartPolicy', at, ['Always', 'OnFailure', 'Never']),
    ...oneOf(spec, 'dnsPolicy', at, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
  ];
}

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

function containerFaults(
  container: Body,
  at: string,
  volumes: ReadonlySet<string>,
): readonly Fault[] {
  const name = textIn(container, 'name');
  const paths = new Set<string>();
  return [
    ...required(container, 'name', at),
    ...(name === '' || (LABEL.test(name) && name.length <= 63)
      ? []
      : [invalid(`${at}.name`, name, LABEL_WORDS)]),
    ...required(container, 'image', at),
    ...oneOf(container, 'imagePullPolicy', at, ['Always', 'IfNotPresent', 'Never']),
    ...bodiesIn(container, 'ports').flatMap((port, index) => [
      ...portFaults(port, 'containerPort', `${at}.ports[${index}]`, true),
      ...oneOf(port, 'protocol', `${at}.ports[${index}]`, ['SCTP', 'TCP', 'UDP']),
    ]),
    ...resourceFaults(bodyIn(container, 'resources'), `${at}.resources`),
    ...bodiesIn(container, 'env').flatMap((one, index) =>
      required(one, 'name', `${at}.env[${index}]`),
    ),
    ...bodiesIn(container, 'volumeMounts').flatMap((mount, index): readonly Fault[] => {
      const place = `${at}.volumeMounts[${index}]`;
      const volume = textIn(mount, 'name');
      return [
        ...required(mount, 'name', place),
        ...(volume === '' || volumes.has(volume) ? [] : [notFound(`${place}.name`, volume)]),
        ...required(mount, 'mountPath', place),
        ...twice(paths, textIn(mount, 'mountPath'), `${place}.mountPath`).map(({ field }) =>
          invalid(field, mount.mountPath, 'must be unique'),
        ),
      ];
    }),
  ];
}

/** Mirrors `ValidateResourceRequirements`: what is asked for is no more than the limit. */
function resourceFaults(resources: Body, at: string): readonly Fault[] {
  const limits = bodyIn(resources, 'limits');
  return Object.entries(bodyIn(resources, 'requests')).flatMap(([name, asked]) => {
    const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
    if (limit === undefined || !isLess(limit, asked)) return [];
    const words = `must be less than or equal to ${name} limit of ${String(limit)}`;
    return [invalid(`${at}.requests`, asked, words)];
  });
}

function notFound(field: string, value: string): Fault {
  return { field, reason: 'FieldValueNotFound', message: `Not found: ${JSON.stringify(value)}` };
}

function twice(seen: Set<string>, name: string, field: string): readonly Fault[] {
  if (seen.has(name)) return [duplicate(field, name)];
  if (name !== '') seen.add(name);
  return [];
}

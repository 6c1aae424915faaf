import { type Body, bodyIn, isBody, textIn } from '../cluster/body.ts';

/**
 * What an API server fills into the spec of a pod, in a pod as well as in a template. Mirrors
 * `SetDefaults_PodSpec`, `SetDefaults_Container`, `SetDefaults_Probe` and `SetDefaults_Volume` of
 * `core/v1` (1.33).
 */

const SPEC: Body = {
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  schedulerName: 'default-scheduler',
  securityContext: {},
  terminationGracePeriodSeconds: 30,
};

const CONTAINER: Body = {
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};

const PROBE: Body = {
  failureThreshold: 3,
  periodSeconds: 10,
  successThreshold: 1,
  timeoutSeconds: 1,
};

/** By the source of a volume: its defaults. */
const SOURCES: Readonly<Record<string, Body>> = {
  configMap: { defaultMode: 420 },
  downwardAPI: { defaultMode: 420 },
  hostPath: { type: '' },
  projected: { defaultMode: 420 },
  secret: { defaultMode: 420 },
};

export function podSpecWithDefaults(spec: Body): Body {
  return {
    ...filled(spec, SPEC),
    ...listOf(spec, 'containers', container),
    ...listOf(spec, 'initContainers', container),
    ...listOf(spec, 'volumes', volume),
  };
}

function container(given: Body): Body {
  const image = textIn(given, 'image');
  const policy = { imagePullPolicy: isLatest(image) ? 'Always' : 'IfNotPresent' };
  const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((field) =>
    isBody(given[field]) ? [[field, probe(given[field])] as const] : [],
  );
  return {
    ...filled(given, { ...CONTAINER, ...(image === '' ? {} : policy) }),
    ...listOf(given, 'ports', (port) => filled(port, { protocol: 'TCP' })),
    ...listOf(given, 'env', variable),
    ...Object.fromEntries(probes),
  };
}

/** Whether an image has the tag `latest`, which is the one it has without a tag. */
function isLatest(image: string): boolean {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return !name.includes('@') && (!name.includes(':') || name.endsWith(':latest'));
}

function variable(given: Body): Body {
  const { fieldRef } = bodyIn(given, 'valueFrom');
  if (!isBody(fieldRef)) return given;
  const reference = filled(fieldRef, { apiVersion: 'v1' });
  return { ...given, valueFrom: { ...bodyIn(given, 'valueFrom'), fieldRef: reference } };
}

function probe(given: Body): Body {
  const { httpGet } = given;
  const request = isBody(httpGet)
    ? { httpGet: filled(httpGet, { path: '/', scheme: 'HTTP' }) }
    : {};
  return { ...filled(given, PROBE), ...request };
}

function volume(given: Body): Body {
  if (Object.keys(given).every((field) => field === 'name')) return { ...given, emptyDir: {} };
  const sources = Object.entries(SOURCES).flatMap(([field, defaults]) => {
    const source = given[field];
    return isBody(source) ? [[field, filled(source, defaults)] as const] : [];
  });
  return { ...given, ...Object.fromEntries(sources) };
}

/** A mapping with the defaults of the fields that it does not have. */
function filled(given: Body, defaults: Body): Body {
  const missing = Object.entries(defaults).filter(([field]) => (given[field] ?? null) === null);
  return missing.length === 0 ? given : { ...given, ...Object.fromEntries(missing) };
}

function listOf(given: Body, field: string, change: (item: Body) => Body): Body {
  const list = given[field];
  if (!Array.isArray(list)) return {};
  return { [field]: list.map((item) => (isBody(item) ? change(item) : item)) };
}

import { REFUSED_VOLUMES } from '../cluster/new-pods/pod-security.ts';
import { NAME, SCALARS } from './kept-named.ts';
import { type Kept, type KeptFields, scalars } from './kept-part.ts';

/** What a dump keeps of containers: what they name, and how controllers are told what they do. */

const NAMED: Kept = { fields: scalars('name', 'optional') };
const ENV_FROM: Kept = { items: { fields: { configMapRef: NAMED, secretRef: NAMED } } };
const SOURCES: KeptFields = { configMapKeyRef: NAMED, secretKeyRef: NAMED };
const VARIABLE = { fields: { valueFrom: { fields: SOURCES } } };
/** What a volume of a pod names. */
export const VOLUME: KeptFields = {
  configMap: NAMED,
  persistentVolumeClaim: { fields: scalars('claimName') },
  projected: {
    fields: {
      sources: {
        items: { fields: { clusterTrustBundle: NAMED, configMap: NAMED, secret: NAMED } },
      },
    },
  },
  secret: { fields: scalars('secretName', 'optional') },
  azureFile: { fields: scalars('secretName') },
  csi: { fields: { nodePublishSecretRef: NAME } },
  ...Object.fromEntries(
    ['cephfs', 'flexVolume', 'iscsi', 'rbd'].map((type) => [type, { fields: { secretRef: NAME } }]),
  ),
};
/** The Secrets that a volume of CSI names. */
export const VOLUME_SECRETS: KeptFields = Object.fromEntries(
  ['controllerPublish', 'nodeStage', 'nodePublish'].map((when) => [
    `${when}SecretRef`,
    { fields: scalars('namespace', 'name') },
  ]),
);
const USER: KeptFields = {
  ...scalars('runAsNonRoot', 'runAsUser'),
  seccompProfile: { fields: scalars('type') },
  appArmorProfile: { fields: scalars('type') },
  seLinuxOptions: { fields: scalars('role', 'type', 'user') },
  windowsOptions: { fields: scalars('hostProcess') },
};
export const RESOURCES: Kept = { fields: { limits: 'whole', requests: 'whole' } };
/** Of a LimitRange. */
export const LIMITS: Kept = {
  items: {
    fields: {
      type: 'scalar',
      ...Object.fromEntries(
        ['max', 'min', 'default', 'defaultRequest'].map((name) => [name, 'whole'] as const),
      ),
    },
  },
};
const HOST: Kept = { fields: scalars('host') };
/** Of a probe, or of what runs before a container ends: the host that it asks. */
const HANDLER: Kept = { fields: { httpGet: HOST, tcpSocket: HOST } };
/** What admission asks of a container. */
const ADMITTED: KeptFields = {
  ...{ livenessProbe: HANDLER, readinessProbe: HANDLER, startupProbe: HANDLER },
  lifecycle: { fields: { postStart: HANDLER, preStop: HANDLER } },
  ports: { items: { fields: scalars('hostPort') } },
  resources: RESOURCES,
  securityContext: {
    fields: {
      ...USER,
      ...scalars('allowPrivilegeEscalation', 'privileged', 'procMount'),
      capabilities: { fields: { add: SCALARS, drop: SCALARS } },
    },
  },
};
const ENVIRONMENT: KeptFields = { env: { items: VARIABLE }, envFrom: ENV_FROM };
export const CONTAINERS: Kept = { items: { fields: ENVIRONMENT } };
/** Volumes that Pod Security refuses. */
export const REFUSED: KeptFields = Object.fromEntries(
  ['hostPath', ...REFUSED_VOLUMES].map((type) => [type, { fields: {} }] as const),
);
/** What admission and the scheduler ask of a pod, beside its containers and volumes. */
export const ADMITTED_PODS: KeptFields = {
  ...scalars('hostIPC', 'hostNetwork', 'hostPID', 'hostUsers'),
  initContainers: {
    items: { fields: { ...ADMITTED, ...scalars('name', 'restartPolicy'), ...ENVIRONMENT } },
  },
  os: NAME,
  resources: RESOURCES,
  securityContext: { fields: { ...USER, sysctls: { items: { fields: scalars('name') } } } },
  tolerations: {
    items: { fields: scalars('key', 'operator', 'value', 'effect', 'tolerationSeconds') },
  },
};

/** Variables and arguments that say which namespaces a controller watches. */
const NAMESPACE_ENDINGS: readonly string[] = ['NAMESPACE', 'NAMESPACES'];
/** And what it deletes outside of the cluster. */
export const POLICY_FLAGS: readonly string[] = ['--deletion-policy'];
const POLICY_ENDING = 'DELETION_POLICY';
export const NAMESPACE_FLAGS: readonly string[] = ['namespace', 'namespaces']
  .flatMap((name) => [name, `watch-${name}`, `watched-${name}`, `target-${name}`])
  .flatMap((name) => [`--${name}`, `-${name}`]);
/** A shell and its flag for a script, which says that there is one. What it has is not kept. */
export const SHELLS: readonly string[] = ['sh', 'bash', 'ash', 'dash'].flatMap((name) => [
  name,
  ...['/bin', '/usr/bin', '/busybox'].map((folder) => `${folder}/${name}`),
]);
export const SCRIPT_FLAGS: readonly string[] = [
  ...['-c', '-ec', '-ce', '-lc', '-xc', '-cx', '-exc', '-euc', '-euxc', '-xec'],
];
const FLAGS: Kept = {
  flags: [...NAMESPACE_FLAGS, ...POLICY_FLAGS],
  words: [...SHELLS, ...SCRIPT_FLAGS],
};
/** Those that may run a controller. */
export const CONTROLLERS: Kept = {
  items: {
    fields: {
      // Dumps without it have none of the rest.
      name: 'scalar',
      image: 'scalar',
      ...ADMITTED,
      args: FLAGS,
      command: FLAGS,
      env: {
        items: {
          endings: [...NAMESPACE_ENDINGS, POLICY_ENDING],
          kept: {
            fields: {
              ...scalars('name', 'value'),
              valueFrom: { fields: { ...SOURCES, fieldRef: { fields: scalars('fieldPath') } } },
            },
          },
          others: VARIABLE,
        },
      },
      envFrom: ENV_FROM,
    },
  },
};

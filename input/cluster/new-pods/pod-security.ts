import { isMapping, listAt, textAt, valueAt } from '../../documents/shape.ts';

/** The label of a namespace that has the API server refuse pods (`podsecurity.AdmissionLabel`). */
export const ENFORCED = 'pod-security.kubernetes.io/enforce';
/** The release whose rules count: `v1.25`, or `latest`. */
export const ENFORCED_VERSION = `${ENFORCED}-version`;

/** The number of a release of Kubernetes 1; the newest one's if none is named (`ParseVersion`). */
export function minorOf(version: unknown): number {
  return Number(/^v1\.(\d+)$/.exec(String(version))?.[1] ?? LATEST);
}

const LATEST = 36;

/** The standards that have each pod refused that says more. */
export interface Standard {
  readonly level: 'baseline' | 'restricted';
  readonly minor: number;
}

export type Fields = Readonly<Record<string, unknown>>;

/** What the API server and the scheduler ask of a pod, as its spec says it. */
export interface Asks {
  /** Names by field; absent: not said. */
  readonly names: Readonly<Record<(typeof NAMES)[number], string | null>>;
  /** Those that quotas and ranges count; null: the dump may lack what they say. */
  readonly containers: readonly {
    readonly name: string;
    readonly limits: Fields;
    readonly requests: Fields;
    readonly isShown: boolean;
  }[];
  /** The pod says it for all of its containers. */
  readonly saysForAll: boolean;
  readonly tolerations: readonly unknown[];
  /** Whether a field that is not there is not set. */
  readonly isWhole: boolean;
}

const NAMES = ['serviceAccountName', 'priorityClassName', 'runtimeClassName', 'nodeName'] as const;

export function asksOf(spec: Fields): Asks {
  const counted = ['containers', 'initContainers'].flatMap((at) => listAt(spec, [at]));
  return {
    names: {
      serviceAccountName: textAt(spec, ['serviceAccountName']),
      priorityClassName: textAt(spec, ['priorityClassName']),
      runtimeClassName: textAt(spec, ['runtimeClassName']),
      nodeName: textAt(spec, ['nodeName']),
    },
    containers: counted.map((one) => {
      const resources = fieldsAt(one, ['resources']);
      return {
        name: textAt(one, ['name']) ?? '',
        limits: fieldsAt(resources, ['limits']) ?? {},
        requests: fieldsAt(resources, ['requests']) ?? {},
        // The API server stores all of them, and dumps of an older `dump-command` have none.
        isShown: resources !== null,
      };
    }),
    saysForAll: Object.keys(fieldsAt(spec, ['resources']) ?? {}).length > 0,
    tolerations: listAt(spec, ['tolerations']),
    isWhole: isWhole(spec),
  };
}

/**
 * What a pod violates of the Pod Security Standards, each in words. Of what the dump may lack,
 * nothing is said (`policy` of k8s.io/pod-security-admission, 1.37).
 */
export function violationsOf(
  standard: Standard,
  spec: Fields,
  annotations: Fields,
): readonly string[] {
  const found = [
    ...hostOf(spec),
    ...(standard.minor < 34 ? [] : probedHostsOf(spec)),
    ...privilegesOf(spec, standard),
    ...settingsOf(spec, standard),
    ...profilesOf(annotations, standard.minor),
  ];
  return standard.level === 'restricted'
    ? [...found, ...volumesOf(spec), ...lackingOf(spec, standard.minor)]
    : found;
}

/** Other hosts that the kubelet is to reach (`hostProbesAndHostLifecycle`, 1.34). */
function probedHostsOf(spec: Fields): readonly string[] {
  const found = containersOf(spec).flatMap((one) =>
    PROBES.flatMap((path) =>
      ['httpGet', 'tcpSocket'].flatMap((how) => {
        const at = [...path, how, 'host'];
        const host = String(valueAt(one, at) ?? '');
        return host === '' ? [] : [`${at.join('.')}: ${host}`];
      }),
    ),
  );
  return [...new Set(found)];
}

const PROBES: readonly (readonly string[])[] = [
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((name) => [name]),
  ...['postStart', 'preStop'].map((name) => ['lifecycle', name]),
];

/** What said it before the field did. */
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

/** Rules of releases before 1.19, which a namespace may still name (`seccompProfileBaseline_1_0`). */
const SECCOMP =
  /^(container\.seccomp\.security\.alpha\.kubernetes\.io\/|seccomp\.security\.alpha\.kubernetes\.io\/pod$)/;

function profilesOf(annotations: Fields, minor: number): readonly string[] {
  const isRefused = ([key, value]: readonly [string, unknown]): boolean => {
    const profile = String(value);
    if (profile === 'runtime/default' || profile.startsWith('localhost/')) return false;
    if (key.startsWith(APP_ARMOR)) return profile !== '';
    return minor < 19 && SECCOMP.test(key) && profile !== 'docker/default';
  };
  return Object.entries(annotations)
    .filter(isRefused)
    .map(([key, value]) => `${key}: ${String(value)}`);
}

/** `capabilities_baseline`. */
const CAPABILITIES: readonly string[] = [
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD'],
  ...['NET_BIND_SERVICE', 'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'],
];

function hostOf(spec: Fields): readonly string[] {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true);
  const volumes = listAt(spec, ['volumes']).filter((one) => valueAt(one, ['hostPath']) != null);
  const ports = containersOf(spec).flatMap((one) =>
    listAt(one, ['ports']).filter((port) => Number(valueAt(port, ['hostPort']) ?? 0) !== 0),
  );
  return [
    ...shared.map((field) => `${field}: true`),
    ...(volumes.length > 0 ? ['a hostPath volume'] : []),
    ...(ports.length > 0 ? ['a hostPort'] : []),
  ];
}

function privilegesOf(spec: Fields, { level, minor }: Standard): readonly string[] {
  const allowed = level === 'restricted' && minor >= 22 ? ['NET_BIND_SERVICE'] : CAPABILITIES;
  const added = containersOf(spec).flatMap((one) =>
    listAt(one, [CONTEXT, 'capabilities', 'add']).map(String),
  );
  return [...new Set(added)]
    .filter((one) => !allowed.includes(one))
    .map((one) => `capability ${one}`);
}

const LABELS: readonly string[] = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
/** `selinuxAllowedTypes1_31`. */
const LABEL_OF_31 = 'container_engine_t';

/** What a security context may say of a field, if it says anything. */
const SETTINGS: readonly (readonly [path: readonly string[], allowed: readonly unknown[]])[] = [
  [['privileged'], [false]],
  [
    ['seccompProfile', 'type'],
    ['RuntimeDefault', 'Localhost'],
  ],
  [
    ['appArmorProfile', 'type'],
    ['RuntimeDefault', 'Localhost'],
  ],
  [['procMount'], ['Default']],
  [['seLinuxOptions', 'role'], ['']],
  [['seLinuxOptions', 'type'], LABELS],
  [['seLinuxOptions', 'user'], ['']],
  [['windowsOptions', 'hostProcess'], [false]],
];

/** Each with the release that began to allow it (`sysctlsAllowedV1Dot37`). */
const SYSCTLS: Readonly<Record<string, number>> = {
  'kernel.shm_rmid_forced': 0,
  ...Object.fromEntries(
    Object.entries({
      ...{ ip_local_port_range: 0, ip_unprivileged_port_start: 0, ping_group_range: 0 },
      ...{ tcp_syncookies: 0, ip_local_reserved_ports: 27, tcp_fin_timeout: 29 },
      ...{ tcp_keepalive_intvl: 29, tcp_keepalive_probes: 29, tcp_keepalive_time: 29 },
      ...{ tcp_rmem: 32, tcp_wmem: 32, tcp_notsent_lowat: 37, tcp_slow_start_after_idle: 37 },
    }).map(([name, minor]) => [`net.ipv4.${name}`, minor] as const),
  ),
};

function settingsOf(spec: Fields, { level, minor }: Standard): readonly string[] {
  const isAllowed = (value: unknown, allowed: readonly unknown[]): boolean =>
    allowed.includes(value) || (allowed === LABELS && value === LABEL_OF_31 && minor >= 31);
  const refused = SETTINGS.flatMap(([path, allowed]) => {
    if (path[0] === 'seccompProfile' && minor < 19) return [];
    if (path[0] === 'procMount' && level === 'baseline' && hasOwnUsers(spec, minor)) return [];
    return [spec, ...containersOf(spec)]
      .map((one) => valueAt(one, [CONTEXT, ...path]) ?? null)
      .filter((value) => value !== null && !isAllowed(value, allowed))
      .map((value) => `${path.join('.')}: ${value}`);
  });
  // They are compared as they are written: not `net/ipv4/tcp_syncookies`.
  const sysctls = listAt(spec, [CONTEXT, 'sysctls'])
    .map((one) => String(valueAt(one, ['name'])))
    .filter((name) => !Object.hasOwn(SYSCTLS, name) || Number(SYSCTLS[name]) > minor);
  return [...new Set([...refused, ...sysctls.map((name) => `sysctl ${name}`)])];
}

/** What `restrictedVolumes` refuses beside a hostPath. */
export const REFUSED_VOLUMES: readonly string[] = [
  ...['awsElasticBlockStore', 'azureDisk', 'azureFile', 'cephfs', 'cinder', 'fc', 'flexVolume'],
  ...['flocker', 'gcePersistentDisk', 'gitRepo', 'glusterfs', 'iscsi', 'nfs'],
  ...['photonPersistentDisk', 'portworxVolume', 'quobyte', 'rbd', 'scaleIO', 'storageos'],
  'vsphereVolume',
];

function volumesOf(spec: Fields): readonly string[] {
  const volumes = listAt(spec, ['volumes']);
  return REFUSED_VOLUMES.filter((type) => volumes.some((one) => valueAt(one, [type]) != null)).map(
    (type) => `a volume of type ${type}`,
  );
}

/** Its user ids are not those of the node, so it may be root (`relaxPolicyForUserNamespacePod`). */
function hasOwnUsers(spec: Fields, minor: number): boolean {
  return spec.hostUsers === false && minor >= 35;
}

/** What the level `restricted` requires of each container, and no field says. */
function lackingOf(spec: Fields, minor: number): readonly string[] {
  if (valueAt(spec, ['os', 'name']) === 'windows' && minor >= 25) return rootOf(spec, minor);
  const containers = containersOf(spec);
  const some = (isLacking: (one: Fields) => boolean): boolean =>
    isWhole(spec) && containers.some(isLacking);
  const escalates = some((one) => valueAt(one, [CONTEXT, 'allowPrivilegeEscalation']) !== false);
  const keeps = some((one) => !listAt(one, [CONTEXT, 'capabilities', 'drop']).includes('ALL'));
  const isProfiled = (one: Fields): boolean =>
    ['RuntimeDefault', 'Localhost'].includes(seccompOf(one) ?? seccompOf(spec) ?? '');
  return [
    ...(escalates && minor >= 8 ? ['allowPrivilegeEscalation is not false'] : []),
    ...(keeps && minor >= 22 ? ['capabilities.drop lacks ALL'] : []),
    ...rootOf(spec, minor),
    ...(minor >= 19 && some((one) => !isProfiled(one)) ? ['no seccompProfile'] : []),
  ];
}

function rootOf(spec: Fields, minor: number): readonly string[] {
  if (hasOwnUsers(spec, minor)) return [];
  const containers = containersOf(spec);
  const isRoot = [spec, ...containers].some((one) => valueAt(one, [CONTEXT, 'runAsUser']) === 0);
  const saysSo = (one: Fields): boolean => {
    const own = valueAt(one, [CONTEXT, 'runAsNonRoot']) ?? null;
    return (own ?? valueAt(spec, [CONTEXT, 'runAsNonRoot'])) === true;
  };
  // Said of the pod, it counts although each container says otherwise.
  const isSaid = [spec, ...containers].some(
    (one) => valueAt(one, [CONTEXT, 'runAsNonRoot']) === false,
  );
  const isUnsaid = isWhole(spec) && !containers.every(saysSo);
  return [
    ...(isSaid || isUnsaid ? ['runAsNonRoot is not true'] : []),
    ...(isRoot && minor >= 23 ? ['runAsUser: 0'] : []),
  ];
}

const CONTEXT = 'securityContext';

function seccompOf(one: Fields): string | null {
  const type = valueAt(one, [CONTEXT, 'seccompProfile', 'type']);
  return typeof type === 'string' ? type : null;
}

export function fieldsAt(value: unknown, path: readonly string[]): Fields | null {
  const found = valueAt(value, path);
  return isMapping(found) ? found : null;
}

/** The containers of a pod, with those that come first and those that are for looking at it. */
function containersOf(spec: Fields): readonly Fields[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap((at) => {
    const found = spec[at];
    return Array.isArray(found) ? found.filter(isMapping) : [];
  });
}

/** Null: the dump may lack them. */
export function tolerationsOf(spec: Fields | null): readonly unknown[] | null {
  const found = listAt(spec, ['tolerations']);
  return found.length > 0 || (spec !== null && isWhole(spec)) ? found : null;
}

/**
 * Whether a field that is not there is not set: the API server gives each pod a `securityContext`,
 * which dumps of an older `dump-command` lack.
 */
function isWhole(spec: Fields): boolean {
  return isMapping(spec.securityContext);
}

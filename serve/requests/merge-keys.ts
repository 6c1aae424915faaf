/**
 * How lists of the built-in kinds merge (`patchMergeKey`, `listMapKeys` of the API's types), by the
 * name of the field. Other lists are replaced as a whole.
 */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  ownerReferences: 'uid',
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  env: 'name',
  imagePullSecrets: 'name',
  secrets: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  conditions: 'type',
  addresses: 'type',
  webhooks: 'name',
  resourceClaims: 'name',
};

/** Lists of plain values that merge as sets. */
const SETS: readonly string[] = ['finalizers'];

/** By kind: a list that is replaced, although those of other kinds with its name merge. */
const REPLACED: Readonly<Record<string, string>> = { EndpointSlice: 'ports' };

/** @param kind of the object that has the field. Empty: it is deeper in an object. */
export function isReplaced(kind: string, field: string): boolean {
  return Object.hasOwn(REPLACED, kind) && REPLACED[kind] === field;
}

/** The field by which the elements of a list are told apart. Null: the list is replaced. */
export function mergeKeyOf(field: string, elements: readonly unknown[]): string | null {
  if (Object.hasOwn(MERGE_KEYS, field)) return MERGE_KEYS[field] ?? null;
  if (field !== 'ports') return null;
  // The ports of a container and those of a service have different keys.
  const isOfContainer = elements.some(
    (port) => typeof port === 'object' && port !== null && 'containerPort' in port,
  );
  return isOfContainer ? 'containerPort' : 'port';
}

export function isSet(field: string): boolean {
  return SETS.includes(field);
}

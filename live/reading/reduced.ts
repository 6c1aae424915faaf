import { SPEC_FIELDS, STATUS_FIELDS } from '../../input/collections/dump-command.ts';
import { type Fields, fieldsOf, listOf } from '../asking.ts';

/** Fields of specs that a dump of whole objects has besides, and that the reader of dumps reads. */
const MORE_SPEC: readonly string[] = ['parallelism', 'paused', 'service'];
const MORE_STATUS: readonly string[] = ['numberReady', 'readyReplicas'];

const SPEC: ReadonlySet<string> = new Set([...SPEC_FIELDS, ...MORE_SPEC]);
const STATUS: ReadonlySet<string> = new Set([...STATUS_FIELDS, ...MORE_STATUS]);

const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Kinds of which only the metadata matters. The server is asked for nothing else, so that the data of
 * secrets and config maps stay where they are.
 */
const METADATA_ONLY: ReadonlySet<string> = new Set([
  'clusterroles.rbac.authorization.k8s.io',
  'configmaps',
  'controllerrevisions.apps',
  'endpoints',
  'endpointslices.discovery.k8s.io',
  'leases.coordination.k8s.io',
  'limitranges',
  'podtemplates',
  'roles.rbac.authorization.k8s.io',
  'secrets',
  'serviceaccounts',
]);

export function hasMetadataOnly(resource: string): boolean {
  return METADATA_ONLY.has(resource);
}

/**
 * The parts of an object that the reader of dumps reads, as `dump-command` prints them. Everything
 * else is dropped before anything is stored.
 */
export function reduced(object: Fields, apiVersion: string, kind: string): Fields {
  const { metadata, spec, status, subjects } = object;
  const parts = { spec: specOf(spec), status: chosen(status, STATUS) };
  return {
    apiVersion,
    kind,
    metadata: metadataOf(metadata),
    ...(parts.spec === null ? {} : { spec: parts.spec }),
    ...(parts.status === null ? {} : { status: parts.status }),
    ...(Array.isArray(subjects)
      ? { subjects: subjects.map((each) => chosen(each, SUBJECT) ?? {}) }
      : {}),
  };
}

const SUBJECT: ReadonlySet<string> = new Set(['kind', 'namespace', 'name']);

function metadataOf(metadata: unknown): Fields {
  const { managedFields: _, annotations, ...rest } = fieldsOf(metadata);
  if (annotations === undefined) return rest;
  const { [APPLIED]: _applied, ...others } = fieldsOf(annotations);
  return { ...rest, annotations: others };
}

/** Null: the object has no spec. */
function specOf(spec: unknown): Fields | null {
  const kept = chosen(spec, SPEC);
  if (kept === null) return null;
  const { volumes, versions, volumeClaimTemplates, template } = fieldsOf(spec);
  const account = fieldsOf(fieldsOf(template).spec).serviceAccountName;
  return {
    ...kept,
    ...some('volumes', volumes, ({ persistentVolumeClaim }) =>
      persistentVolumeClaim === undefined ? [] : [{ persistentVolumeClaim }],
    ),
    ...some('versions', versions, ({ name }) => [{ name }]),
    ...some('volumeClaimTemplates', volumeClaimTemplates, ({ metadata }) => [
      { metadata: { name: fieldsOf(metadata).name } },
    ]),
    ...(account === undefined ? {} : { template: { spec: { serviceAccountName: account } } }),
  };
}

function some(name: string, list: unknown, part: (item: Fields) => readonly Fields[]): Fields {
  if (!Array.isArray(list)) return {};
  return { [name]: listOf(list).flatMap((item) => part(fieldsOf(item))) };
}

function chosen(value: unknown, wanted: ReadonlySet<string>): Fields | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.fromEntries(Object.entries(value).filter(([name]) => wanted.has(name)));
}

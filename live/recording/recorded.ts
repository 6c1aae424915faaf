import { type Fields, fieldsOf, textOf } from '../asking.ts';
import type { ServedKind } from '../reading/discovery.ts';

/**
 * The metadata that a recording keeps: what the judge of recordings reads. Labels can say too much.
 */
const METADATA: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'finalizers',
  'generation',
  'name',
  'namespace',
  'ownerReferences',
  'resourceVersion',
  'uid',
]);

/** Kinds of which more than the metadata is recorded. */
const WHOLE: ReadonlySet<string> = new Set(['namespaces', 'pods']);

export function isRecordedWhole(resource: string): boolean {
  return WHOLE.has(resource);
}

/** The object of a watch event, without all that says nothing of deletion. */
export function recorded(object: Fields, { apiVersion, kind, name }: ServedKind): Fields {
  const { metadata, spec, status } = object;
  const kept = Object.fromEntries(
    Object.entries(fieldsOf(metadata)).filter(([field]) => METADATA.has(field)),
  );
  const head = { apiVersion, kind, metadata: kept };
  if (name === 'pods') {
    const { nodeName, terminationGracePeriodSeconds } = fieldsOf(spec);
    // The judge takes a spec without containers for one that is not shown.
    const known = 'containers' in fieldsOf(spec) ? { containers: [] } : {};
    return { ...head, spec: { nodeName, terminationGracePeriodSeconds, ...known } };
  }
  if (name === 'namespaces') {
    const { finalizers } = fieldsOf(spec);
    return { ...head, spec: { finalizers }, status: { phase: textOf(fieldsOf(status).phase) } };
  }
  return head;
}

/** The line of a recording for an event. */
export function eventLine(type: string, object: Fields): string {
  return JSON.stringify({ type, object });
}

/**
 * The line after the objects that a kind had at the start, as API servers send it in a watch with
 * `sendInitialEvents`. It is there for a kind without objects as well.
 *
 * @param before a time of the server after the version. Null: it did not say.
 */
export function endOfInitial(
  { apiVersion, kind }: ServedKind,
  version: string,
  before: string | null,
): string {
  const metadata = {
    resourceVersion: version,
    annotations: {
      'k8s.io/initial-events-end': 'true',
      ...(before === null ? {} : { 'reapcheck/listed-before': before }),
    },
  };
  return eventLine('BOOKMARK', { apiVersion, kind, metadata });
}

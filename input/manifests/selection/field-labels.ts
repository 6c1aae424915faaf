import { valueAt } from '../../documents/shape.ts';

/** A field by which the API server selects. */
export interface FieldLabel {
  /** Where the object has it: the first of these paths at which there is something. */
  readonly at: readonly string[];
  /** What it counts as where the object does not have it. */
  readonly absent: string;
  /**
   * What it means if a dump does not have it: that the object does not (`absent`), or that the dump
   * lacks it, as the API server sets it in every object, or a reduced dump leaves it out.
   */
  readonly inDumps: 'absent' | 'lacks it' | 'left out';
}

type Said = Partial<FieldLabel>;

const SET: Said = { inDumps: 'lacks it' };
const SHOWN: Said = { inDumps: 'absent' };
const COUNT: Said = { absent: '0', inDumps: 'absent' };
const FLAG: Said = { absent: 'false' };

/**
 * By kind: the labels that its group adds (`AddFieldLabelConversionFunc`), and what its strategy
 * says they are (`SelectableFields`).
 */
const LABELS_OF: Readonly<Record<string, Readonly<Record<string, Said>>>> = {
  Pod: {
    'spec.nodeName': SHOWN,
    'spec.host': { ...SHOWN, at: ['spec.nodeName'] },
    'spec.restartPolicy': { absent: 'Always', inDumps: 'absent' },
    'spec.schedulerName': {},
    'spec.serviceAccountName': SET,
    'spec.hostNetwork': FLAG,
    'status.phase': SET,
    'status.podIP': {},
    'status.nominatedNodeName': {},
  },
  Namespace: { 'status.phase': SET },
  Node: { 'spec.unschedulable': FLAG },
  Secret: { type: {} },
  Service: { 'spec.clusterIP': {}, 'spec.type': {} },
  ReplicationController: { 'status.replicas': COUNT },
  'ReplicaSet.apps': { 'status.replicas': COUNT },
  'Job.batch': { 'status.successful': { ...COUNT, at: ['status.succeeded'] } },
  'CertificateSigningRequest.certificates.k8s.io': { 'spec.signerName': {} },
  Event: {
    source: { at: ['source.component', 'reportingComponent'] },
    ...Object.fromEntries(
      [
        ...['type', 'reason', 'reportingComponent', 'involvedObject.kind'],
        ...['involvedObject.namespace', 'involvedObject.name', 'involvedObject.uid'],
        ...['involvedObject.apiVersion', 'involvedObject.resourceVersion'],
        'involvedObject.fieldPath',
      ].map((label) => [label, {}]),
    ),
  },
};

/** `DefaultMetaV1FieldSelectorConversion`. */
const NAME = 'metadata.name';
const NAMESPACE = 'metadata.namespace';

/** Kinds with labels of their own, in which they leave out the one of the namespace. */
const WITHOUT_NAMESPACE: readonly string[] = [
  ...['Namespace', 'Node', 'CertificateSigningRequest.certificates.k8s.io'],
];

/** By label: all fields by which objects of a built-in kind are selected. */
export function fieldLabelsOf(kind: string): ReadonlyMap<string, FieldLabel> {
  const own = Object.hasOwn(LABELS_OF, kind) ? (LABELS_OF[kind] ?? {}) : {};
  const all: readonly (readonly [string, Said])[] = [
    [NAME, SHOWN],
    ...(WITHOUT_NAMESPACE.includes(kind) ? [] : ([[NAMESPACE, SHOWN]] as const)),
    ...Object.entries(own),
  ];
  return new Map(all.map(([label, said]) => [label, fieldLabel(label, said)]));
}

/** A field with a name of its own, which is where it is. */
export function fieldLabel(label: string, said: Said = {}): FieldLabel {
  return { at: [label], absent: '', inDumps: 'left out', ...said };
}

/** What an object has there; null: nothing. */
export function labelledIn(manifest: unknown, { at }: FieldLabel): string | null {
  for (const path of at) {
    const found = valueAt(manifest, path.split('.')) ?? null;
    if (found !== null && found !== '') return String(found);
  }
  return null;
}

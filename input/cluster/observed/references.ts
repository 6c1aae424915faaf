import { textAt, textsAt, valueAt, valuesAt } from '../../documents/shape.ts';
import { NAMED_IN_FIELDS } from '../known/index.ts';
import { networksOf } from './networks.ts';

/** An object that another one names in its spec, and that it does without if it is gone. */
export interface Named {
  /** With its group where kinds of other groups have the same name; otherwise without. */
  readonly kind: string;
  /** Null: that of the object that names it, or none if the kind has none. */
  readonly namespace: string | null;
  readonly name: string;
  /** In whatever namespace: the object does not say it. */
  readonly anywhere?: true;
  /** What the lack of it means: a clause; empty: nothing that can be said in general. */
  readonly effect: string;
}

/** Where a kind names objects; a field on the way may be a list. */
interface Place {
  readonly kind: string;
  readonly at: readonly string[];
  readonly anywhere?: true;
  readonly effect: string;
}

const STARTS = 'unless that is optional, its new pods do not start without it';
const STARTS_WITHOUT = 'that is optional, and its new pods start without it';
const REFUSED = 'its new pods are refused without it';
const VALUES = { configMapKeyRef: 'ConfigMap', secretKeyRef: 'Secret' } as const;
const SOURCES = { configMapRef: 'ConfigMap', secretRef: 'Secret' } as const;

function ofContainers(field: string): readonly Place[] {
  return [
    ...Object.entries(VALUES).map(([ref, kind]) => ({
      ...{ kind, effect: STARTS },
      at: [field, 'env', 'valueFrom', ref, 'name'],
    })),
    ...Object.entries(SOURCES).map(([ref, kind]) => ({
      ...{ kind, effect: STARTS },
      at: [field, 'envFrom', ref, 'name'],
    })),
  ];
}

/** What a pod names, within its spec. */
const OF_PODS: readonly Place[] = [
  ...[
    ['ConfigMap', 'configMap', 'name'],
    ['Secret', 'secret', 'secretName'],
    ['ConfigMap', 'projected', 'sources', 'configMap', 'name'],
    ['Secret', 'projected', 'sources', 'secret', 'name'],
    ['ClusterTrustBundle', 'projected', 'sources', 'clusterTrustBundle', 'name'],
    ['Secret', 'csi', 'nodePublishSecretRef', 'name'],
    ['Secret', 'azureFile', 'secretName'],
    ...['cephfs', 'flexVolume', 'iscsi', 'rbd'].map((type) => [
      'Secret',
      type,
      'secretRef',
      'name',
    ]),
  ].map(([kind = '', ...at]) => ({ kind, at: ['volumes', ...at], effect: STARTS })),
  ...ofContainers('containers'),
  ...ofContainers('initContainers'),
  {
    kind: 'Secret',
    at: ['imagePullSecrets', 'name'],
    effect: 'its new pods may not get their images without it',
  },
  {
    kind: 'ServiceAccount',
    at: ['serviceAccountName'],
    effect: 'its pods lose what they may do, and new ones are refused without it',
  },
  { kind: 'PriorityClass', at: ['priorityClassName'], effect: REFUSED },
  { kind: 'RuntimeClass', at: ['runtimeClassName'], effect: REFUSED },
];

/** A claim of a pod holds it: only what is to make pods names it without that. */
const OF_TEMPLATES: readonly Place[] = [
  ...OF_PODS,
  {
    kind: 'PersistentVolumeClaim',
    at: ['volumes', 'persistentVolumeClaim', 'claimName'],
    effect: 'its new pods wait for such a claim',
  },
  {
    kind: 'ResourceClaim',
    at: ['resourceClaims', 'resourceClaimName'],
    effect: 'its new pods wait for such a claim',
  },
  {
    kind: 'ResourceClaimTemplate',
    at: ['resourceClaims', 'resourceClaimTemplateName'],
    effect: 'its new pods wait for such a template',
  },
];

const REQUESTS = ['devices', 'requests'];
/** Of a ResourceClaim, within its spec. */
const OF_DEVICES: readonly Place[] = [
  [...REQUESTS, 'exactly', 'deviceClassName'],
  [...REQUESTS, 'firstAvailable', 'deviceClassName'],
  [...REQUESTS, 'deviceClassName'],
].map((at) => ({
  ...{ kind: 'DeviceClass', at },
  effect: 'what has no devices yet gets none without it',
}));

const STORAGE_CLASS: Place = {
  kind: 'StorageClass',
  at: ['spec', 'storageClassName'],
  effect: 'without it, what is not bound yet stays pending, and nothing can be expanded',
};

const ATTRIBUTES_CLASS: Place = {
  kind: 'VolumeAttributesClass',
  at: ['spec', 'volumeAttributesClassName'],
  effect: 'without it, a volume is not made, or keeps the attributes that it has',
};

const TEMPLATE = ['spec', 'template', 'spec'];
const JOB_TEMPLATE = ['spec', 'jobTemplate', ...TEMPLATE];

function within(path: readonly string[], places: readonly Place[]): readonly Place[] {
  return places.map((place) => ({ ...place, at: [...path, ...place.at] }));
}

const ROUTES = 'it leads to nothing without it';

const PARENTS = 'it has no listener there without it';

/** What a route of the Gateway API names; a field without a kind names a Gateway or a Service. */
const OF_ROUTES: readonly Place[] = [
  {
    kind: 'Gateway.gateway.networking.k8s.io',
    ...{ at: ['spec', 'parentRefs', 'name'], effect: PARENTS },
  },
  { kind: 'Service', at: ['spec', 'rules', 'backendRefs', 'name'], effect: ROUTES },
];

/** Strimzi owns what it makes for a pool by the pool (`KafkaPool.fromCrd`), and never the pool. */
const OF_STRIMZI: Readonly<Record<string, readonly Place[]>> = Object.fromEntries(
  [
    ['KafkaNodePool', 'its pods run on, and nothing looks after them without it'],
    ...['KafkaTopic', 'KafkaUser', 'KafkaRebalance', 'KafkaConnector'].map((kind) => [
      kind,
      'nothing looks after it without it',
    ]),
  ].map(([kind = '', effect = '']) => [
    kind,
    [
      {
        kind: kind === 'KafkaConnector' ? 'KafkaConnect' : 'Kafka',
        at: ['metadata', 'labels', 'strimzi.io/cluster'],
        effect,
      },
    ],
  ]),
);

/** `SetPools` of MetalLB; the annotation has had two prefixes. */
const POOLED: readonly Place[] = ['metallb.io', 'metallb.universe.tf'].map((prefix) => ({
  ...{ kind: 'IPAddressPool', anywhere: true as const },
  at: ['metadata', 'annotations', `${prefix}/ip-allocated-from-pool`],
  effect: 'MetalLB takes its address away, and gives it one of another pool, if there is one',
}));

/** By the kind of the object that names others; of any group. */
const PLACES: Readonly<Record<string, readonly Place[]>> = {
  Pod: within(['spec'], OF_PODS),
  Deployment: within(TEMPLATE, OF_TEMPLATES),
  ReplicaSet: within(TEMPLATE, OF_TEMPLATES),
  ReplicationController: within(TEMPLATE, OF_TEMPLATES),
  DaemonSet: within(TEMPLATE, OF_TEMPLATES),
  Job: within(TEMPLATE, OF_TEMPLATES),
  CronJob: within(JOB_TEMPLATE, OF_TEMPLATES),
  StatefulSet: [
    ...within(TEMPLATE, OF_TEMPLATES),
    {
      kind: 'Service',
      at: ['spec', 'serviceName'],
      effect: 'its pods lose their names in DNS without it',
    },
  ],
  Service: POOLED,
  VolumeSnapshot: [
    {
      kind: 'VolumeSnapshotClass',
      at: ['spec', 'volumeSnapshotClassName'],
      effect: 'without it, no snapshot is taken that is not there yet',
    },
  ],
  FlowSchema: [
    {
      // `digestFlowSchemasLocked` of API priority and fairness.
      kind: 'PriorityLevelConfiguration',
      at: ['spec', 'priorityLevelConfiguration', 'name'],
      effect: 'it is ignored without it, and its requests match other FlowSchemas',
    },
  ],
  // `policyDefinitionContext`: bindings of a policy that is gone do nothing.
  ...Object.fromEntries(
    ['Validating', 'Mutating'].map((word) => [
      `${word}AdmissionPolicyBinding`,
      [
        {
          kind: `${word}AdmissionPolicy`,
          at: ['spec', 'policyName'],
          effect: `it ${word === 'Mutating' ? 'changes' : 'refuses'} nothing without it`,
        },
      ],
    ]),
  ),
  ClusterServiceVersion: [
    {
      // `operatorGroupFromAnnotations`
      kind: 'OperatorGroup',
      at: ['metadata', 'annotations', 'olm.operatorGroup'],
      effect: 'OLM calls it failed without one, and neither updates nor removes its operator',
    },
  ],
  PersistentVolumeClaim: [
    STORAGE_CLASS,
    ATTRIBUTES_CLASS,
    { kind: 'PersistentVolume', at: ['spec', 'volumeName'], effect: 'it is Lost without it' },
  ],
  ...Object.fromEntries(
    ['L2Advertisement', 'BGPAdvertisement'].map((kind) => [
      kind,
      [
        {
          kind: 'IPAddressPool',
          at: ['spec', 'ipAddressPools'],
          effect: 'it announces nothing of it',
        },
      ],
    ]),
  ),
  // `reconciler` of the attach-detach controller.
  VolumeAttachment: [
    {
      kind: 'Node',
      at: ['spec', 'nodeName'],
      effect:
        'it goes once Kubernetes detaches its volume, which can take minutes, and until then a volume for one node attaches to no other',
    },
  ],
  PersistentVolume: [
    STORAGE_CLASS,
    {
      kind: 'CSIDriver',
      at: ['spec', 'csi', 'driver'],
      effect: 'its driver is taken for one with the default options',
    },
  ],
  ResourceClaim: within(['spec'], OF_DEVICES),
  ResourceClaimTemplate: within(['spec', 'spec'], OF_DEVICES),
  ServiceAccount: [
    {
      kind: 'Secret',
      at: ['imagePullSecrets', 'name'],
      effect: 'its new pods may not get their images without it',
    },
  ],
  Gateway: [
    {
      kind: 'GatewayClass',
      at: ['spec', 'gatewayClassName'],
      effect: 'its controller may serve it no longer',
    },
  ],
  ...Object.fromEntries(
    ['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'UDPRoute'].map((kind) => [kind, OF_ROUTES]),
  ),
  ...OF_STRIMZI,
  // Of OpenShift.
  Route: [{ kind: 'Service', at: ['spec', 'to', 'name'], effect: ROUTES }],
  TargetGroupBinding: [{ kind: 'Service', at: ['spec', 'serviceRef', 'name'], effect: ROUTES }],
  Application: [
    {
      kind: 'AppProject',
      at: ['spec', 'project'],
      effect: 'Argo CD neither syncs nor finalizes it without it',
    },
  ],
  Ingress: [
    {
      kind: 'IngressClass',
      at: ['spec', 'ingressClassName'],
      effect: 'its controller may serve it no longer',
    },
    {
      kind: 'Secret',
      at: ['spec', 'tls', 'secretName'],
      effect: 'it is served without that certificate',
    },
    {
      kind: 'Service',
      at: ['spec', 'rules', 'http', 'paths', 'backend', 'service', 'name'],
      effect: ROUTES,
    },
    { kind: 'Service', at: ['spec', 'defaultBackend', 'service', 'name'], effect: ROUTES },
  ],
};

/** What an object of this kind (without its group) names; each once. */
export function referencesOf(kind: string, manifest: unknown): readonly Named[] {
  const listed = Object.hasOwn(PLACES, kind) ? (PLACES[kind] ?? []) : [];
  const found = listed.flatMap((place) => namedAt(manifest, place));
  const named = [
    // Of two for the same object, the last one counts.
    ...found.filter(({ isOptional }) => isOptional).map(({ named: one }) => one),
    ...found.filter(({ isOptional }) => !isOptional).map(({ named: one }) => one),
    ...NAMED_IN_FIELDS.filter(({ users }) => users?.includes(kind) !== false).flatMap(
      ({ at, kind: usual, anywhere, effect }): readonly Named[] =>
        valuesAt(manifest, at).flatMap((one): readonly Named[] => {
          const used = textAt(one, ['kind']) ?? usual;
          // Gateways of Istio, and what objects of Vault name: `NAMESPACE/NAME`.
          const [said = null, before = null] = (textAt(one, []) ?? '').split('/').reverse();
          const name = said || textAt(one, ['name']);
          const namespace = before ?? textAt(one, ['namespace']);
          if (used === undefined || name === null) return [];
          return [{ kind: used, namespace, name, ...(anywhere ? { anywhere } : {}), effect }];
        }),
    ),
    ...catalogOf(kind, manifest),
    ...subjectsOf(manifest),
    ...networksOf(manifest).map((network): Named => {
      const effect = 'its new pods do not start without it';
      return { kind: 'NetworkAttachmentDefinition', ...network, effect };
    }),
    ...(kind === 'PersistentVolume' ? nodesOf(manifest) : []),
  ];
  return [
    ...new Map(named.map((one) => [`${one.kind}/${one.namespace}/${one.name}`, one])).values(),
  ];
}

/** What is named at a place, and whether the field around it says that it is optional. */
function namedAt(manifest: unknown, { at, ...used }: Place) {
  return valuesAt(manifest, at.slice(0, -1)).flatMap((around) => {
    const isOptional = valueAt(around, ['optional']) === true;
    const effect = isOptional && used.effect === STARTS ? STARTS_WITHOUT : used.effect;
    return textsAt(around, at.slice(-1)).map((name) => {
      const named: Named = { ...used, effect, namespace: null, name };
      return { isOptional, named };
    });
  });
}

/** The catalog from which OLM updates what a Subscription has installed. */
function catalogOf(kind: string, manifest: unknown): readonly Named[] {
  const name = kind === 'Subscription' ? textAt(manifest, ['spec', 'source']) : null;
  const namespace = textAt(manifest, ['spec', 'sourceNamespace']);
  if (name === null || namespace === null) return [];
  const effect = 'OLM neither installs nor updates what it would have from it';
  return [{ kind: 'CatalogSource', namespace, name, effect }];
}

/** The accounts that a binding names: a new one of that name has its rights. */
function subjectsOf(manifest: unknown): readonly Named[] {
  const subjects = valueAt(manifest, ['subjects']);
  if (!Array.isArray(subjects)) return [];
  return subjects.flatMap((subject: unknown): readonly Named[] => {
    const [kind] = textsAt(subject, ['kind']);
    const [name] = textsAt(subject, ['name']);
    const [namespace = null] = textsAt(subject, ['namespace']);
    if (kind !== 'ServiceAccount' || name === undefined) return [];
    const effect = 'a new account of that name in that namespace has these rights again';
    return [{ kind, namespace, name, effect }];
  });
}

/**
 * The node of a volume that is on the disks of one: drivers name that in keys of their own. One
 * term has to be met, with all that it requires (`nodeaffinity.GetAffinityTerms`).
 */
function nodesOf(manifest: unknown): readonly Named[] {
  const terms = valueAt(manifest, ['spec', 'nodeAffinity', 'required', 'nodeSelectorTerms']);
  const [first = [], ...others] = (Array.isArray(terms) ? terms : []).map(onlyValuesOf);
  const effect = 'its data are on that node, and no pod that uses it can run on another one';
  return [...new Set(first)]
    .filter((name) => others.every((values) => values.includes(name)))
    .map((name) => ({ kind: 'Node', namespace: null, name, effect }));
}

/** Values that a term requires: each of them is the only one of its key. */
function onlyValuesOf(term: unknown): readonly string[] {
  return ['matchExpressions', 'matchFields'].flatMap((field) => {
    const required = valueAt(term, [field]);
    return (Array.isArray(required) ? required : []).flatMap((one: unknown) => {
      const values = textsAt(one, ['values']);
      // Dumps of an older dump-command have no operators.
      const isOne = (valueAt(one, ['operator']) ?? 'In') === 'In' && values.length === 1;
      return isOne ? values : [];
    });
  });
}

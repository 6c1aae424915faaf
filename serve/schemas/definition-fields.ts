import type { Body } from '../cluster/body.ts';

/**
 * The fields of a CustomResourceDefinition of `apiextensions.k8s.io/v1` as a structural schema:
 * those of `types.go` in apiextensions-apiserver (1.33). A schema in it is looked at by itself.
 */

const TEXT: Body = { type: 'string' };
const FLAG: Body = { type: 'boolean' };
const WHOLE: Body = { type: 'integer' };
const TIME: Body = { type: 'string', format: 'date-time' };
const ANYTHING: Body = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function record(properties: Body): Body {
  return { type: 'object', properties };
}

function list(items: Body): Body {
  return { type: 'array', items };
}

const NAMES = record({
  plural: TEXT,
  singular: TEXT,
  shortNames: list(TEXT),
  kind: TEXT,
  listKind: TEXT,
  categories: list(TEXT),
});

const VERSION = record({
  name: TEXT,
  served: FLAG,
  storage: FLAG,
  deprecated: FLAG,
  deprecationWarning: TEXT,
  schema: record({ openAPIV3Schema: ANYTHING }),
  subresources: record({
    status: record({}),
    scale: record({ specReplicasPath: TEXT, statusReplicasPath: TEXT, labelSelectorPath: TEXT }),
  }),
  additionalPrinterColumns: list(
    record({
      name: TEXT,
      type: TEXT,
      format: TEXT,
      description: TEXT,
      priority: WHOLE,
      jsonPath: TEXT,
    }),
  ),
  selectableFields: list(record({ jsonPath: TEXT })),
});

const CONVERSION = record({
  strategy: TEXT,
  webhook: record({
    clientConfig: record({
      url: TEXT,
      service: record({ namespace: TEXT, name: TEXT, path: TEXT, port: WHOLE }),
      caBundle: { type: 'string', format: 'byte' },
    }),
    conversionReviewVersions: list(TEXT),
  }),
});

const CONDITION = record({
  type: TEXT,
  status: TEXT,
  lastTransitionTime: TIME,
  reason: TEXT,
  message: TEXT,
  observedGeneration: WHOLE,
});

export const DEFINITION_FIELDS: Body = record({
  spec: record({
    group: TEXT,
    names: NAMES,
    scope: TEXT,
    versions: list(VERSION),
    conversion: CONVERSION,
    preserveUnknownFields: FLAG,
  }),
  status: record({
    conditions: {
      ...list(CONDITION),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    },
    acceptedNames: NAMES,
    storedVersions: list(TEXT),
    observedGeneration: WHOLE,
  }),
});

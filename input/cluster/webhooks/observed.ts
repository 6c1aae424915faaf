import * as z from 'zod';
import { byPriority } from '../../manifests/version-order.ts';

/** What a dump says of webhooks, and of the pods behind them. All readers are lenient. */

/** The requests that a webhook, a policy or its binding is about. */
export interface Matching {
  /** Of labels of the namespace, and of the object. Empty: everything. */
  readonly namespaceSelector: readonly Requirement[];
  readonly objectSelector: readonly Requirement[];
  /** `matchConditions`: expressions that all have to be true. */
  readonly conditions: readonly string[];
  /**
   * `matchPolicy: Exact`: requests through other versions than those of the rules are not meant.
   */
  readonly exact: boolean;
  readonly rules: readonly Rule[];
  /** What none of the rules is about. */
  readonly excluded: readonly Rule[];
}

export interface Rule {
  readonly groups: readonly string[];
  /** None: the dump does not say. */
  readonly versions: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly string[];
  /** `Cluster`, `Namespaced` or `*`. */
  readonly scope: string;
  /** The objects; empty: all. */
  readonly names: readonly string[];
}

/** A webhook for admission. */
export interface Webhook extends Matching {
  readonly name: string;
  /** `failurePolicy`: whether a request is refused if it does not answer. */
  readonly refuses: boolean;
  readonly timeoutSeconds: number;
  /** `namespace/name`; empty: it is reached by a URL. */
  readonly service: string;
}

/** One requirement of a LabelSelector. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

/** The webhook that converts the instances of a definition, if some have to be converted. */
export interface Conversion {
  /** `namespace/name`; empty: it is reached by a URL. */
  readonly service: string;
  /** Some are stored in another version than the one in which the definition's controller reads. */
  readonly byDefinition: boolean;
  /** Some are stored in another version than the preferred one, in which all others read. */
  readonly byOthers: boolean;
}

export const text = z.string().catch('');
export const texts = z.array(z.string()).catch([]).default([]);

const clientSchema = z
  .looseObject({
    service: z.looseObject({ namespace: text, name: text }).nullish().catch(null),
  })
  .optional()
  .catch(undefined);

export const selectorSchema = z
  .looseObject({
    matchLabels: z.record(z.string(), text).nullish(),
    matchExpressions: z
      .array(
        z.looseObject({
          key: z.string(),
          operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
          values: z.array(z.string()).nullish(),
        }),
      )
      .nullish(),
  })
  .nullish()
  // What cannot be read selects everything: the webhook may be asked.
  .catch(null);

export function requirementsOf(selector: z.output<typeof selectorSchema>): readonly Requirement[] {
  const { matchLabels, matchExpressions } = selector ?? {};
  return [
    ...Object.entries(matchLabels ?? {}).map(
      ([key, value]): Requirement => ({ key, operator: 'In', values: [value] }),
    ),
    ...(matchExpressions ?? []).map(({ key, operator, values }) => ({
      ...{ key, operator, values: values ?? [] },
    })),
  ];
}

/** The requirements of any LabelSelector; none: it selects everything. */
export function selectorOf(selector: unknown): readonly Requirement[] {
  return requirementsOf(selectorSchema.parse(selector));
}

/** The default of `timeoutSeconds`. */
const TIMEOUT = 10;

export const conditionsSchema = z
  .array(z.looseObject({ expression: text.default('') }).catch({ expression: '' }))
  .nullish()
  .catch(null);

/** An expression that the dump lacks is empty, which is none. */
export function conditionsOf(conditions: z.output<typeof conditionsSchema>): readonly string[] {
  return (conditions ?? []).map(({ expression }) => expression);
}

export const rulesSchema = z
  .array(
    z.looseObject({
      apiGroups: texts,
      apiVersions: texts,
      resources: texts,
      operations: texts,
      scope: text.default('*'),
      resourceNames: texts,
    }),
  )
  .nullish()
  .catch(null);

const webhooksSchema = z.looseObject({
  webhooks: z
    .array(
      z.looseObject({
        name: text,
        failurePolicy: text.default('Fail'),
        timeoutSeconds: z.int().catch(TIMEOUT).default(TIMEOUT),
        namespaceSelector: selectorSchema,
        objectSelector: selectorSchema,
        matchConditions: conditionsSchema,
        matchPolicy: text.default(''),
        clientConfig: clientSchema,
        rules: rulesSchema,
      }),
    )
    .nullish()
    .catch(null),
});

/** The webhooks of a configuration. */
export function webhooksOf(manifest: unknown): readonly Webhook[] {
  const { data } = webhooksSchema.safeParse(manifest);
  return (data?.webhooks ?? []).map((webhook) => ({
    name: webhook.name,
    refuses: webhook.failurePolicy !== 'Ignore',
    timeoutSeconds: webhook.timeoutSeconds,
    namespaceSelector: requirementsOf(webhook.namespaceSelector),
    objectSelector: requirementsOf(webhook.objectSelector),
    conditions: conditionsOf(webhook.matchConditions),
    exact: webhook.matchPolicy === 'Exact',
    service: serviceOf(webhook.clientConfig),
    rules: rulesOf(webhook.rules),
    excluded: [],
  }));
}

export function rulesOf(rules: z.output<typeof rulesSchema>): readonly Rule[] {
  return (rules ?? []).map(({ apiGroups: groups, apiVersions: versions, ...rule }) => {
    const { resources, operations, scope, resourceNames: names } = rule;
    return { groups, versions, resources, operations, scope, names };
  });
}

function serviceOf(client: z.output<typeof clientSchema>): string {
  const service = client?.service;
  return service ? `${service.namespace}/${service.name}` : '';
}

const conversionSchema = z.looseObject({
  spec: z.looseObject({
    conversion: z
      .looseObject({
        strategy: text,
        webhook: z.looseObject({ clientConfig: clientSchema }).optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
    versions: z
      .array(
        z.looseObject({
          name: text,
          served: z.boolean().catch(true).default(true),
          storage: z.boolean().catch(false).default(false),
        }),
      )
      .catch([])
      .default([]),
  }),
  status: z.looseObject({ storedVersions: texts }).optional().catch(undefined),
});

/** Null: no instance has to be converted by a webhook. */
export function conversionOf(manifest: unknown): Conversion | null {
  const { data } = conversionSchema.safeParse(manifest);
  const { conversion, versions = [] } = data?.spec ?? {};
  if (conversion?.strategy !== 'Webhook') return null;
  const storage = versions.find((version) => version.storage)?.name;
  const stored = data?.status?.storedVersions ?? [];
  const preferred = versions.filter(({ served }) => served).map(({ name }) => name);
  const [read] = preferred.sort(byPriority);
  const differs = (version: string | undefined): boolean =>
    [...stored, ...(storage === undefined ? [] : [storage])].some((name) => name !== version);
  const [byDefinition, byOthers] = [differs(storage), differs(read)];
  if (!byDefinition && !byOthers) return null;
  return { service: serviceOf(conversion.webhook?.clientConfig), byDefinition, byOthers };
}

const sliceSchema = z.looseObject({
  metadata: z.looseObject({ labels: z.record(z.string(), text).nullish().catch(null) }),
  endpoints: z
    .array(
      z.looseObject({
        conditions: z
          .looseObject({ ready: z.boolean().nullish().catch(null) })
          .nullish()
          .catch(null),
      }),
    )
    .nullish()
    .catch(null),
  subsets: z
    .array(z.looseObject({ addresses: z.array(z.unknown()).nullish().catch(null) }))
    .nullish()
    .catch(null),
});

/** The name of the Service (empty: that of the object), and how many addresses are ready. */
export function endpointsOf(manifest: unknown): { service: string; ready: number } {
  const { data } = sliceSchema.safeParse(manifest);
  const service = data?.metadata.labels?.['kubernetes.io/service-name'] ?? '';
  // An endpoint that does not say whether it is ready counts as ready.
  const endpoints = (data?.endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
  const addresses = (data?.subsets ?? []).flatMap((subset) => subset.addresses ?? []);
  return { service, ready: endpoints.length + addresses.length };
}

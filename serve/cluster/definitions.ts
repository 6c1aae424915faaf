import * as z from 'zod';
import { customKind } from '../../model/index.ts';
import type { Body } from './body.ts';
import { byVersion, type Column, type Resource } from './resources.ts';

/** The parts of a CustomResourceDefinition that the server reads, in `apiextensions.k8s.io/v1`. */
const definitionSchema = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    group: z.string().min(1),
    scope: z.enum(['Namespaced', 'Cluster']),
    names: z.looseObject({
      plural: z.string().min(1),
      kind: z.string().min(1),
      singular: z.string().nullish(),
      shortNames: z.array(z.string()).nullish(),
      categories: z.array(z.string()).nullish(),
    }),
    versions: z
      .array(
        z.looseObject({
          name: z.string().min(1),
          served: z.boolean(),
          storage: z.boolean(),
          subresources: z
            .looseObject({
              status: z.looseObject({}).nullish(),
              scale: z
                .looseObject({
                  specReplicasPath: z.string(),
                  statusReplicasPath: z.string(),
                  labelSelectorPath: z.string().nullish(),
                })
                .nullish(),
            })
            .nullish(),
          schema: z
            .looseObject({ openAPIV3Schema: z.record(z.string(), z.unknown()).nullish() })
            .nullish(),
          selectableFields: z.array(z.looseObject({ jsonPath: z.string() })).nullish(),
          additionalPrinterColumns: z
            .array(
              z.looseObject({
                name: z.string(),
                type: z.string(),
                jsonPath: z.string(),
                format: z.string().nullish(),
                description: z.string().nullish(),
                priority: z.int().nullish(),
              }),
            )
            .nullish(),
        }),
      )
      .min(1),
  }),
});

type Definition = z.output<typeof definitionSchema>;

/** What is wrong with a definition, one sentence each. Empty: nothing. */
export function definitionFaults(body: Body): readonly string[] {
  const read = definitionSchema.safeParse(body);
  if (!read.success) {
    return read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  }
  const { metadata, spec } = read.data;
  const name = `${spec.names.plural}.${spec.group}`;
  const stored = spec.versions.filter(({ storage }) => storage);
  return [
    ...(metadata.name === name
      ? []
      : [`metadata.name: must be spec.names.plural+"."+spec.group, which is "${name}"`]),
    ...(spec.group.includes('.') ? [] : ['spec.group: should be a domain with at least one dot']),
    ...(stored.length === 1 ? [] : ['spec.versions: exactly one version must be the stored one']),
    ...(spec.versions.some(({ served }) => served)
      ? []
      : ['spec.versions: reapcheck serves a definition only if one of its versions is served']),
  ];
}

/** The resource that a definition adds. Null if the definition is not as the server reads it. */
export function definedResource(body: Body): Resource | null {
  const read = definitionSchema.safeParse(body);
  if (!read.success) return null;
  const { spec } = read.data;
  const { names } = spec;
  const served = spec.versions
    .filter((version) => version.served)
    .map(({ name }) => `${spec.group}/${name}`)
    .sort(byVersion);
  const [preferred] = served;
  if (preferred === undefined) return null;
  const kind = customKind(preferred, names.kind, spec.scope === 'Namespaced', names.plural);
  const version = spec.versions.find(({ name }) => `${spec.group}/${name}` === preferred);
  const scale = version?.subresources?.scale;
  return {
    kind: { ...kind, apiVersions: served },
    singular: names.singular || names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    status: Boolean(version?.subresources?.status),
    scale: scale
      ? {
          spec: plainPath(scale.specReplicasPath),
          status: plainPath(scale.statusReplicasPath),
          ...(scale.labelSelectorPath ? { selector: plainPath(scale.labelSelectorPath) } : {}),
        }
      : null,
    columns: Object.fromEntries(
      spec.versions.map((one) => [`${spec.group}/${one.name}`, columnsOf(one)]),
    ),
    schemas: Object.fromEntries(
      spec.versions.flatMap(({ name, schema }) =>
        schema?.openAPIV3Schema ? [[`${spec.group}/${name}`, schema.openAPIV3Schema]] : [],
      ),
    ),
    selectable: Object.fromEntries(
      spec.versions.map(({ name, selectableFields }) => [
        `${spec.group}/${name}`,
        (selectableFields ?? []).map(({ jsonPath }) => plainPath(jsonPath)),
      ]),
    ),
  };
}

function columnsOf(version: Definition['spec']['versions'][number]): readonly Column[] {
  return (version.additionalPrinterColumns ?? []).map(
    ({ name, type, jsonPath, format, description, priority }) => ({
      name,
      type,
      format: format ?? '',
      description: description ?? name,
      priority: priority ?? 0,
      path: jsonPath,
    }),
  );
}

function plainPath(path: string): string {
  return path.replace(/^\./, '');
}

/** The status of a definition whose kind is served. */
export function definitionStatus(body: Body, now: string): Body {
  const read = definitionSchema.safeParse(body);
  if (!read.success) return {};
  const { names, versions } = read.data.spec;
  const condition = (type: string, reason: string, message: string): Body => ({
    type,
    status: 'True',
    reason,
    message,
    lastTransitionTime: now,
  });
  return {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: {
      ...names,
      singular: names.singular || names.kind.toLowerCase(),
      listKind: names.listKind ?? `${names.kind}List`,
    },
    storedVersions: versions.filter(({ storage }) => storage).map(({ name }) => name),
  };
}

import type { Body } from '../cluster/body.ts';
import { groupOf, type Resource, type Resources } from '../cluster/resources.ts';
import { builtInSchema } from '../schemas/built-in.ts';
import { publishedSchema } from '../schemas/published.ts';

/**
 * As much of OpenAPI as clients need: `kubectl` asks whether a PATCH of a kind takes the parameter
 * `fieldValidation`, and leaves the validation to the server if it does; and `kubectl explain`
 * shows schemas. Those of definitions are as their authors wrote them; those of built-in kinds have
 * all fields with their types, and words for the metadata only.
 */

const INFO = { title: 'reapcheck serve', version: 'v1' };

/** `/openapi/v3`. */
export function openApiPaths(resources: Resources): Body {
  const versions = [...resources.versions().values()].flat();
  return {
    paths: Object.fromEntries(
      versions.map((apiVersion) => {
        const path = groupOf(apiVersion) === '' ? `api/${apiVersion}` : `apis/${apiVersion}`;
        return [path, { serverRelativeURL: `/openapi/v3/${path}` }];
      }),
    ),
  };
}

/** `/openapi/v3/apis/GROUP/VERSION`. Null: the server has no such version. */
export function openApi(resources: Resources, apiVersion: string): Body | null {
  const found = resources.in(apiVersion);
  if (found.length === 0) return null;
  return {
    openapi: '3.0.0',
    info: INFO,
    components: {
      schemas: Object.fromEntries([
        ...found.flatMap(({ kind }) =>
          Object.entries(publishedSchema(apiVersion, kind.kind)?.parts ?? {}),
        ),
        [METADATA_NAME, METADATA],
        ...found.map((resource) => [
          `${groupOf(apiVersion) || 'core'}.${versionIn(apiVersion)}.${resource.kind.kind}`,
          schemaOf(resource, apiVersion),
        ]),
      ]),
    },
    paths: Object.fromEntries(
      found.map((resource) => [pathOf(resource, apiVersion), patchOf(resource, apiVersion)]),
    ),
  };
}

function pathOf({ kind }: Resource, apiVersion: string): string {
  const root = groupOf(apiVersion) === '' ? '/api' : '/apis';
  const place = kind.namespaced ? '/namespaces/{namespace}' : '';
  return `${root}/${apiVersion}${place}/${kind.resource}/{name}`;
}

function patchOf({ kind }: Resource, apiVersion: string): Body {
  const parameter = (name: string): Body => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  });
  return {
    patch: {
      parameters: ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map(parameter),
      responses: { 200: { description: 'OK' } },
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': kindIn(kind.kind, apiVersion),
    },
  };
}

function versionIn(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

function kindIn(kind: string, apiVersion: string): Body {
  return { group: groupOf(apiVersion), version: versionIn(apiVersion), kind };
}

const METADATA_NAME = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

function text(description: string): Body {
  return { type: 'string', description };
}

/** What the server knows of the metadata of every object, in its own words. */
const METADATA: Body = {
  type: 'object',
  description: 'The metadata that every object has.',
  properties: {
    name: text('Unique in its namespace, among objects of this kind.'),
    generateName: text('With this prefix, the server chooses a name.'),
    namespace: text('Empty for objects of the cluster.'),
    uid: text('Tells the object from others of the same name, before and after it.'),
    resourceVersion: text('Changes with each write. In a write, it must be the current one.'),
    creationTimestamp: { ...text('When it was created.'), format: 'date-time' },
    deletionTimestamp: {
      ...text('The object is being deleted: it goes when it has no finalizers left.'),
      format: 'date-time',
    },
    deletionGracePeriodSeconds: {
      type: 'integer',
      description: 'How long it may take to end, once it is being deleted.',
    },
    generation: { type: 'integer', description: 'Changes with the spec.' },
    labels: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Names and values by which it can be selected.',
    },
    annotations: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Names and values for any use.',
    },
    finalizers: {
      type: 'array',
      items: { type: 'string' },
      description: 'While there is one, the object is not removed. Its owner takes it off.',
    },
    ownerReferences: {
      type: 'array',
      description: 'When all of its owners are gone, the garbage collector deletes the object.',
      items: {
        type: 'object',
        required: ['apiVersion', 'kind', 'name', 'uid'],
        properties: {
          apiVersion: text('Version of the API of the owner.'),
          kind: text('Kind of the owner.'),
          name: text('Name of the owner, in the same namespace or of the cluster.'),
          uid: text('The uid of the owner.'),
          controller: { type: 'boolean', description: 'Whether it is the managing controller.' },
          blockOwnerDeletion: {
            type: 'boolean',
            description: 'Whether an owner that is deleted in the foreground waits for the object.',
          },
        },
      },
    },
  },
};

/** A schema of any depth. */
const ANYTHING: Body = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function schemaOf({ kind, status, schemas }: Resource, apiVersion: string): Body {
  const given = Object.hasOwn(schemas, apiVersion) ? schemas[apiVersion] : undefined;
  const parts = {
    spec: { ...ANYTHING, description: 'Stored as it is sent.' },
    ...(status ? { status: { ...ANYTHING, description: 'Stored as it is sent.' } } : {}),
  };
  const published = publishedSchema(apiVersion, kind.kind)?.schema;
  const builtIn = published ?? builtInSchema(apiVersion, kind.kind);
  const { properties = given === undefined ? parts : {}, ...rest } = given ?? builtIn ?? ANYTHING;
  return {
    ...rest,
    properties: {
      ...(properties as Body),
      apiVersion: text('The version of the API that this is written in.'),
      kind: text('What this is.'),
      metadata: {
        $ref: `#/components/schemas/${METADATA_NAME}`,
        description: 'The metadata that every object has.',
      },
    },
    'x-kubernetes-group-version-kind': [kindIn(kind.kind, apiVersion)],
  };
}

/** `/openapi/v2`, which older clients read. It names no kinds, so they validate none. */
export const OPENAPI_V2: Body = { swagger: '2.0', info: INFO, paths: {}, definitions: {} };

/** The same document in the protocol buffers of gnostic, which is what `kubectl` asks for. */
export function openApiV2Bytes(): Uint8Array {
  const info = Buffer.concat([
    field(1, Buffer.from(INFO.title)),
    field(2, Buffer.from(INFO.version)),
  ]);
  return Buffer.concat([
    field(1, Buffer.from('2.0')),
    field(2, info),
    field(8, Buffer.alloc(0)),
    field(9, Buffer.alloc(0)),
  ]);
}

/** A field of the wire type "bytes". Every value here is shorter than 128 bytes. */
function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

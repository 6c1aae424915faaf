import type { Body } from '../cluster/body.ts';
import { groupOf, type Resource, type Resources } from '../cluster/resources.ts';

/**
 * As much of OpenAPI as clients need: `kubectl` asks whether a PATCH of a kind takes the parameter
 * `fieldValidation`, and leaves the validation to the server if it does. There are no schemas:
 * specs are stored as they are.
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
    components: { schemas: {} },
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
      'x-kubernetes-group-version-kind': {
        group: groupOf(apiVersion),
        version: apiVersion.slice(apiVersion.indexOf('/') + 1),
        kind: kind.kind,
      },
    },
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

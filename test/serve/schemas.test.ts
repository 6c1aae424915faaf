import { describe, expect, it } from 'vitest';
import { faultsIn } from '../../serve/schemas/faults.ts';
import { shaped } from '../../serve/schemas/shape.ts';
import { serving, type TestServer } from './server.ts';

/** What the schema of a definition does to the objects of its kind. */

type Schema = Readonly<Record<string, unknown>>;

const object = (properties: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const text = { type: 'string' };
const preserved = { 'x-kubernetes-preserve-unknown-fields': true };

describe('a value is refused in the words of Kubernetes', () => {
  const named = { type: 'array', items: object({ name: text }) };
  const sized = { type: 'array', items: object({ min: { type: 'integer' } }) };
  it.each<readonly [schema: Schema, value: unknown, fault: string | null]>([
    [
      { type: 'integer' },
      '3',
      'a: Invalid value: "string": a in body must be of type integer: "string"',
    ],
    [
      { type: 'integer' },
      2.5,
      'a: Invalid value: "number": a in body must be of type integer: "number"',
    ],
    [{ type: 'number' }, 3, null],
    [text, null, 'a: Invalid value: "null": a in body must be of type string: "null"'],
    [{ ...text, nullable: true, enum: ['x'] }, null, null],
    [{ ...text, enum: ['x', 'y'] }, 'z', 'a: Unsupported value: "z": supported values: "x", "y"'],
    [object({}, { required: ['b'] }), {}, 'a.b: Required value'],
    [
      named,
      [{ name: 'x' }, { name: 1 }],
      'a[1].name: Invalid value: "integer": a[1].name in body must be of type string: "integer"',
    ],
    [
      object({}, { additionalProperties: text }),
      { 'k/v': 1 },
      'a.k/v: Invalid value: "integer": a.k/v in body must be of type string: "integer"',
    ],
    [
      { type: 'integer', minimum: 1 },
      0,
      'a: Invalid value: 0: a in body should be greater than or equal to 1',
    ],
    [
      { type: 'integer', minimum: 1, exclusiveMinimum: true },
      1,
      'a: Invalid value: 1: a in body should be greater than 1',
    ],
    [
      { ...text, pattern: '^[a-z]+$' },
      'A',
      'a: Invalid value: "A": a in body should match \'^[a-z]+$\'',
    ],
    [{ ...text, pattern: '(?i)^(?P<all>[a-z]+)$' }, 'A', null],
    [{ ...text, pattern: '^\\_\\pL$' }, 'x', null],
    [{ ...text, pattern: '^(a+)+$' }, 'aa', null],
    [{ ...text, maxLength: 1 }, 'ab', 'a: Too long: may not be more than 1 bytes'],
    [{ ...named, maxItems: 0 }, [{}], 'a: Too many: 1: must have at most 0 items'],
    [
      { ...text, format: 'date-time' },
      'today',
      'a: Invalid value: "today": a in body must be of type date-time: "today"',
    ],
    [{ ...text, format: 'unheard-of' }, 'today', null],
    [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, text] }, '8080', null],
    [
      { 'x-kubernetes-int-or-string': true },
      true,
      'a: Invalid value: "boolean": a in body must be of type integer,string: "boolean"',
    ],
    [
      object({ b: text, c: text }, { oneOf: [{ required: ['b'] }, { required: ['c'] }] }),
      { b: '', c: '' },
      'a: Invalid value: {"b":"","c":""}: a in body must validate one and only one schema (oneOf)',
    ],
    [
      { ...named, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      [{ name: 'x' }, { name: 'x' }],
      'a[1]: Duplicate value: {"name":"x"}',
    ],
    [
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      ['x', 'y', 'x'],
      'a[2]: Duplicate value: "x"',
    ],
    [sized, [{ min: 1 }, { min: 1 }], null],
  ])('%j of %j', (schema, value, fault) => {
    const found = faultsIn(object({ a: schema }), { a: value });
    expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(
      fault === null ? [] : [fault],
    );
  });
});

it('a pattern that backtracks for ever ends with a Status, for all texts of an object together', () => {
  const schema = object({ a: { type: 'array', items: { ...text, pattern: '^(a+)+$' } } });
  const endless = Array.from({ length: 50 }, (_, index) => `${'a'.repeat(50 + index)}!`);
  const begun = process.cpuUsage();
  expect(() => faultsIn(schema, { a: endless })).toThrow(
    expect.objectContaining({ code: 501, message: expect.stringMatching(/it takes too long/) }),
  );
  const { user } = process.cpuUsage(begun);
  expect(user).toBeLessThan(10_000_000);
  expect(faultsIn(schema, { a: ['aaa'] })).toEqual([]);
});

it('prunes what is not specified, and fills in what is missing', () => {
  const schema = object({
    spec: object({
      mode: { ...text, default: 'Fast' },
      free: object({ known: object({}) }, preserved),
      labels: object({}, { additionalProperties: text }),
      ports: { type: 'array', items: object({ protocol: { ...text, default: 'TCP' } }) },
      template: object({ spec: object({}) }, { 'x-kubernetes-embedded-resource': true }),
      none: { ...text, nullable: true, default: 'x' },
      pool: object({ size: { type: 'integer', default: 1 } }),
    }),
  });
  const metadata = { name: 'w' };
  const { body, unknown } = shaped(schema, {
    apiVersion: 'v1',
    metadata,
    data: 1,
    spec: {
      mode: null,
      free: { any: { thing: 1 }, known: { not: 1 } },
      labels: { a: 'b' },
      ports: [{ nmae: 'web' }],
      template: { metadata, kind: 'Pod', spec: { x: 1 }, y: 2 },
      none: null,
    },
  });
  expect(body).toEqual({
    apiVersion: 'v1',
    metadata,
    spec: {
      mode: 'Fast',
      free: { any: { thing: 1 }, known: {} },
      labels: { a: 'b' },
      ports: [{ protocol: 'TCP' }],
      template: { metadata, kind: 'Pod', spec: {} },
      none: null,
    },
  });
  expect(unknown).toEqual([
    ...['data', 'spec.free.known.not', 'spec.ports[0].nmae'],
    ...['spec.template.spec.x', 'spec.template.y'],
  ]);
});

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/example.test/v1/namespaces/default/widgets';
const MERGE = 'application/merge-patch+json';

const definition = (schema: Schema, more: Schema = {}) => ({
  metadata: { name: 'widgets.example.test' },
  spec: {
    group: 'example.test',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [
      { name: 'v1', served: true, storage: true, ...more, schema: { openAPIV3Schema: schema } },
    ],
  },
});

const SCHEMA = object({
  spec: object(
    { size: { type: 'integer', minimum: 1 }, mode: { ...text, default: 'Fast' } },
    { required: ['size'] },
  ),
  status: object({ ready: { type: 'boolean' } }),
});

async function withWidgets(schema = SCHEMA, options = {}): Promise<TestServer> {
  const server = await serving('fair', [], options);
  const subresources = {
    status: {},
    scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
  };
  const { code } = await server.send('POST', DEFINITIONS, definition(schema, { subresources }));
  expect(code).toBe(201);
  return server;
}

const widget = (spec: unknown, more: Schema = {}) => ({ metadata: { name: 'w' }, spec, ...more });

/** The headers `Warning` of an answer. */
async function warned(server: TestServer, path: string, body: object): Promise<string | null> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers,
  });
  return answer.headers.get('warning');
}

it('an object that is wrong is neither created, nor made so by any other request', async () => {
  const server = await withWidgets();
  const invalid = (message: string) => ({
    code: 422,
    reason: 'Invalid',
    message: `Widget.example.test "w" is invalid: ${message}`,
  });
  const required = 'spec.size: Required value';
  const { body: refused } = await server.send('POST', WIDGETS, widget({}));
  expect(refused).toMatchObject({
    ...invalid(required),
    details: { kind: 'Widget', causes: [{ field: 'spec.size', reason: 'FieldValueRequired' }] },
  });
  expect((await server.get(`${WIDGETS}/w`)).code).toBe(404);
  const { body } = await server.send('POST', WIDGETS, widget({ size: 1 }));
  expect(body.spec).toEqual({ size: 1, mode: 'Fast' });
  const low = 'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1';
  const at = `${WIDGETS}/w`;
  const wrong = { spec: { size: 0 } };
  for (const [method, path, sent, type] of [
    ['PUT', at, { ...body, ...wrong }, 'application/json'],
    ['PATCH', at, wrong, MERGE],
    [
      'PATCH',
      `${at}?fieldManager=m&force=true`,
      { ...widget({ size: 0 }), apiVersion: 'example.test/v1', kind: 'Widget' },
      'application/apply-patch+yaml',
    ],
    ['PATCH', `${at}/scale`, { spec: { replicas: 0 } }, MERGE],
  ] as const) {
    expect((await server.send(method, path, sent, type)).body, method).toMatchObject(invalid(low));
  }
  const unready = await server.send('PATCH', `${at}/status`, { status: { ready: 'no' } }, MERGE);
  expect(unready.body).toMatchObject(
    invalid(
      'status.ready: Invalid value: "string": status.ready in body must be of type boolean: "string"',
    ),
  );
  expect((await server.get(at)).body).toEqual(body);
});

it('an unknown field is dropped with a warning, or refused if the client asks for it', async () => {
  const server = await withWidgets();
  const sent = { ...widget({ size: 1, sice: 2 }), junk: '"\n' };
  const strict = await server.send('POST', `${WIDGETS}?fieldValidation=Strict`, sent);
  expect(strict.body).toMatchObject({
    code: 400,
    message: 'strict decoding error: unknown field "spec.sice", unknown field "junk"',
  });
  expect(await warned(server, `${WIDGETS}?fieldValidation=Ignore&dryRun=All`, sent)).toBe(null);
  expect(await warned(server, WIDGETS, sent)).toBe(
    '299 - "unknown field \\"spec.sice\\"", 299 - "unknown field \\"junk\\""',
  );
  const { body } = await server.get(`${WIDGETS}/w`);
  expect(body).not.toHaveProperty('junk');
  expect(body.spec).toEqual({ size: 1, mode: 'Fast' });
  const applied = { apiVersion: 'example.test/v1', kind: 'Widget', ...widget({ sice: 2 }) };
  const type = 'application/apply-patch+yaml';
  expect(
    (await server.send('PATCH', `${WIDGETS}/w?fieldManager=m`, applied, type)).body,
  ).toMatchObject({
    code: 500,
    message: expect.stringContaining('.spec.sice: field not declared in schema'),
  });
});

it.each([
  ['v1.29', 422],
  ['v1.30', 200],
])('what a schema forbids later may stay as it is: %s answers %d', async (protocol, code) => {
  const server = await withWidgets(SCHEMA, { protocol });
  await server.send(
    'POST',
    WIDGETS,
    widget({ size: 1 }, { metadata: { name: 'w', finalizers: ['example.test/hold'] } }),
  );
  const stricter = object({ spec: object({ size: { type: 'integer', minimum: 5 } }) });
  const name = `${DEFINITIONS}/widgets.example.test`;
  const { body } = await server.get(name);
  await server.send('PUT', name, { ...body, spec: definition(stricter).spec });
  const letGo = { metadata: { finalizers: null } };
  expect((await server.send('PATCH', `${WIDGETS}/w`, letGo, MERGE)).code).toBe(code);
  const changed = await server.send('PATCH', `${WIDGETS}/w`, { spec: { size: 2 } }, MERGE);
  expect(changed.code).toBe(422);
});

it('a definition says what is wrong with its schemas, and what of them is not checked', async () => {
  const server = await serving();
  for (const [schema, message] of [
    [{}, /must be object at the root/],
    [object({ a: {} }), /properties\[a\]\.type: Required value/],
    [object({ a: { type: 'text' } }), /Unsupported value: "text"/],
    [object({ a: { $ref: '#/x' } }), /\$ref is not supported/],
    [object({ a: { ...text, maxLength: 'x' } }), /maxLength: Invalid value/],
  ] as const) {
    const { body } = await server.send('POST', DEFINITIONS, definition(schema));
    expect(body).toMatchObject({ code: 422, message: expect.stringMatching(message) });
  }
  const without = definition({});
  const { schema: _, ...version } = without.spec.versions[0] ?? { schema: {} };
  const bare = { ...without, spec: { ...without.spec, versions: [version] } };
  expect((await server.send('POST', DEFINITIONS, bare)).body).toMatchObject({
    message: expect.stringContaining('schemas are required'),
  });
  const rules = [{ rule: 'self.min < self.max' }];
  const ruled = definition(object({ spec: object({}, { 'x-kubernetes-validations': rules }) }));
  expect(await warned(server, DEFINITIONS, ruled)).toMatch(/properties\[spec\].*no rules in CEL/);
  const quota = { metadata: { name: 'q' } };
  const at = '/api/v1/namespaces/default/resourcequotas';
  expect(await warned(server, at, quota)).toMatch(/stores a ResourceQuota, and does not act on it/);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import type { Body } from '../cluster/body.ts';
import { messageOf, messages } from '../protobuf/messages.ts';
import { DEFINITION_FIELDS } from './definition-fields.ts';
import { IS_QUANTITY } from './quantities.ts';
import { IS_MICRO_TIME } from './scalars.ts';
import { EMBEDS, OMITS_ZERO } from './shape.ts';

/**
 * The fields of the built-in kinds as structural schemas, from the table of their messages. They
 * say which fields there are, of which type, and how they merge; not what their values must be.
 */

const DEFINITION = 'apiextensions.k8s.io/v1.CustomResourceDefinition';

const made = new Map<string, Body>();

/** Null: the fields of the kind are not known. */
export function builtInSchema(apiVersion: string, kind: string): Body | null {
  if (`${apiVersion}.${kind}` === DEFINITION) return DEFINITION_FIELDS;
  const message = messageOf(apiVersion, kind);
  return message === null ? null : schemaOfMessage(message);
}

function schemaOfMessage(message: string): Body {
  const known = made.get(message);
  if (known !== undefined) return known;
  const schema = {
    ...messageSchema(message, schemaOfMessage),
    // The claims in a StatefulSet are whole objects, unlike all other templates.
    ...(message === 'core/v1.PersistentVolumeClaim' ? { [EMBEDS]: true } : {}),
  };
  made.set(message, schema);
  return schema;
}

/** @param nested the schema of a message that is the type of a field. */
export function messageSchema(message: string, nested: Nested): Body {
  return {
    type: 'object',
    properties: Object.fromEntries(propertiesOf(message, nested)),
    ...(merging()[message] === 'atomic' ? { 'x-kubernetes-map-type': 'atomic' } : {}),
  };
}

type Nested = (message: string) => Body;

function propertiesOf(
  message: string,
  nested: Nested,
): readonly (readonly [field: string, schema: Body])[] {
  const fields = [...(messages().get(message)?.values() ?? [])];
  return fields.flatMap(({ name, type, omitsZero }) => {
    if (name === '') return propertiesOf(type, nested);
    const field = `${message}.${name}`;
    const schema = { ...schemaOfType(type, nested), ...mergingOf(field), ...defaultOf(field) };
    return [[name, omitsZero ? { ...schema, [OMITS_ZERO]: true } : schema] as const];
  });
}

/** A key of a list has a default, or elements without it would have no name. */
function defaultOf(field: string): Body {
  const keys = ['core/v1.ContainerPort.protocol', 'core/v1.ServicePort.protocol'];
  return keys.includes(field) ? { default: 'TCP' } : {};
}

function schemaOfType(type: string, nested: Nested): Body {
  if (type.startsWith('[]')) return { type: 'array', items: schemaOfType(type.slice(2), nested) };
  if (type.startsWith('{}')) {
    return { type: 'object', additionalProperties: schemaOfType(type.slice(2), nested) };
  }
  switch (type) {
    case 'text':
    case 'duration':
      return { type: 'string' };
    case 'time':
      return { type: 'string', format: 'date-time' };
    case 'microTime':
      return { type: 'string', format: 'date-time', [IS_MICRO_TIME]: true };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'flag':
      return { type: 'boolean' };
    case 'whole':
      return { type: 'integer' };
    case 'double':
      return { type: 'number' };
    case 'quantity':
      return { anyOf: [{ type: 'number' }, { type: 'string' }], [IS_QUANTITY]: true };
    case 'intOrString':
      return { 'x-kubernetes-int-or-string': true };
    case 'raw':
      return { 'x-kubernetes-preserve-unknown-fields': true };
    default:
      return nested(type);
  }
}

let rows: Readonly<Record<string, string>> | null = null;

/**
 * By field or message: how it merges. The tool that writes the messages writes this file as well.
 */
function merging(): Readonly<Record<string, string>> {
  if (rows !== null) return rows;
  const file = join(PACKAGE_FOLDER, 'serve', 'schemas', 'merging.json');
  rows = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
  return rows;
}

function mergingOf(field: string): Body {
  const [how, ...keys] = merging()[field]?.split(' ') ?? [];
  switch (how) {
    case 'map':
      return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys };
    case 'set':
      return { 'x-kubernetes-list-type': 'set' };
    case 'atomic':
      return { 'x-kubernetes-map-type': 'atomic' };
    default:
      return {};
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';

export interface Field {
  /** Empty: the fields of the value stand in place of this one. */
  readonly name: string;
  /** A message, or a plain type; after `[]` of a list, after `{}` of a mapping from texts. */
  readonly type: string;
  /** Whether 0 and false mean that nobody has set it, so that Go leaves it out of JSON. */
  readonly omitsZero: boolean;
}

type Messages = ReadonlyMap<string, ReadonlyMap<number, Field>>;

let known: Messages | null = null;

/**
 * The messages of the API by name, such as `apps/v1.DeploymentSpec`, with their fields by number;
 * `tools/protobuf-messages.mjs` writes the file.
 */
export function messages(): Messages {
  if (known !== null) return known;
  const file = join(PACKAGE_FOLDER, 'serve', 'protobuf', 'messages.json');
  const lines = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
  known = new Map(
    Object.entries(lines).map(([message, line]) => {
      const fields = line.split(',').map((part): [number, Field] => {
        const [number, name = '', type = ''] = part.split(' ');
        const omitsZero = type.endsWith('?');
        return [Number(number), { name, type: type.replace('?', ''), omitsZero }];
      });
      return [message, new Map(fields)];
    }),
  );
  return known;
}

/** The name of the message of a kind. Null: it is not in the table. */
export function messageOf(apiVersion: string, kind: string): string | null {
  const [group = '', version] = apiVersion.split('/');
  // A group of a definition can begin like a built-in one: `batch.tutorial.kubebuilder.io`.
  if (version !== undefined && group.includes('.') && !group.endsWith('.k8s.io')) return null;
  const place = version === undefined ? `core/${group}` : `${group.split('.')[0]}/${version}`;
  const message = `${place}.${kind}`;
  return messages().has(message) ? message : null;
}

import { NAMESPACE_FLAGS } from '../../collections/kept.ts';
import { valueAt } from '../../documents/shape.ts';

/** Which namespaces a controller watches, by its variables and arguments. */
export interface Watched {
  /** Empty: its own. Null: those of something that the dump does not show. */
  readonly namespaces: readonly string[] | null;
  /** The variable or argument. */
  readonly by: string;
}

const VARIABLE = /^(\w+_)?(WATCH|WATCHED|TARGET|SCOPE)_NAMESPACES?$|^STRIMZI_NAMESPACE$/;
/** OLM writes what the OperatorGroup selects to this annotation of the pods. */
const OF_OLM = /^metadata\.annotations\['(olm\.targetNamespaces)'\]$/;
/** A variable of the same container. */
const EXPANDED = /^\$\((\w+)\)$/;

/** By the template of the pods; null: all, or not said. */
export function watchedOf(manifest: unknown): Watched | null {
  const template = valueAt(manifest, ['spec', 'template']);
  for (const container of listAt(valueAt(template, ['spec']), 'containers')) {
    const variables = listAt(container, 'env');
    for (const variable of variables) {
      const name = valueAt(variable, ['name']);
      if (typeof name !== 'string' || !VARIABLE.test(name)) continue;
      const found = watchedBy(name, valueIn(variable, variables, template));
      if (found !== null) return found;
    }
    for (const [name, value] of ['args', 'command'].flatMap((field) => flagsIn(container, field))) {
      const found = watchedBy(name, expanded(value, variables, template));
      if (found !== null) return found;
    }
  }
  return null;
}

function listAt(value: unknown, field: string): readonly unknown[] {
  const found = valueAt(value, [field]);
  return Array.isArray(found) ? found : [];
}

/** As `FLAG=VALUE`, and as two words. */
function flagsIn(container: unknown, field: string): readonly (readonly [string, string])[] {
  const words = listAt(container, field).map(String);
  return words.flatMap((word, index) => {
    const [name = '', ...value] = word.split('=');
    if (!NAMESPACE_FLAGS.includes(name)) return [];
    const next = words[index + 1] ?? '';
    return [[name, value.length > 0 ? value.join('=') : next.startsWith('-') ? '' : next] as const];
  });
}

/** Empty: all. Null: the dump does not show it. */
function valueIn(
  variable: unknown,
  variables: readonly unknown[],
  template: unknown,
): string | null {
  const value = valueAt(variable, ['value']);
  if (typeof value === 'string') return expanded(value, variables, template);
  const from = valueAt(variable, ['valueFrom']);
  // The API server leaves an empty value out.
  if (from === undefined || from === null) return '';
  const path = valueAt(from, ['fieldRef', 'fieldPath']);
  if (path === 'metadata.namespace') return OWN;
  const [, annotation] = OF_OLM.exec(String(path)) ?? [];
  if (annotation === undefined) return null;
  const found = valueAt(template, ['metadata', 'annotations', annotation]);
  return typeof found === 'string' ? found : '';
}

function expanded(value: string, variables: readonly unknown[], template: unknown): string | null {
  const [, name] = EXPANDED.exec(value) ?? [];
  if (name === undefined) return value.includes('$(') ? null : value;
  const place = variables.findIndex((one) => valueAt(one, ['name']) === name);
  // Variables are expanded by those before them.
  return place < 0 ? null : valueIn(variables[place], variables.slice(0, place), template);
}

/** No namespace has this name. */
const OWN = '.';

function watchedBy(by: string, value: string | null): Watched | null {
  if (value === null) return { namespaces: null, by };
  const names = value.split(',').map((name) => name.trim());
  if (names.includes('') || names.includes('*')) return null;
  return { namespaces: names.map((name) => (name === OWN ? '' : name)), by };
}

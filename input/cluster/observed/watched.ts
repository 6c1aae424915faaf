import { valueAt } from '../../documents/shape.ts';

/** Which namespaces a controller watches, by its variables and arguments. */
export interface Watched {
  /** Empty: its own. `*`: all. */
  readonly namespaces: readonly string[];
  /** The variable or argument. */
  readonly by: string;
}

const VARIABLE = /^(\w+_)?(WATCH|WATCHED|TARGET|SCOPE)_NAMESPACES?$|^STRIMZI_NAMESPACE$/;
const ARGUMENT = /^(--(?:watch-)?namespaces?)=(.*)$/;
/** OLM writes what the OperatorGroup selects to this annotation of the pods. */
const OF_OLM = /^metadata\.annotations\['(olm\.targetNamespaces)'\]$/;

/** By the template of the pods; null: all, or not said. */
export function watchedOf(manifest: unknown): Watched | null {
  const template = valueAt(manifest, ['spec', 'template']);
  const containers = valueAt(template, ['spec', 'containers']);
  for (const container of Array.isArray(containers) ? containers : []) {
    const variables = valueAt(container, ['env']);
    for (const variable of Array.isArray(variables) ? variables : []) {
      const name = valueAt(variable, ['name']);
      if (typeof name !== 'string' || !VARIABLE.test(name)) continue;
      const found = watchedBy(name, valueIn(variable, template));
      if (found !== null) return found;
    }
    for (const field of ['args', 'command']) {
      const words = valueAt(container, [field]);
      for (const word of Array.isArray(words) ? words : []) {
        const [, name = '', value = ''] = ARGUMENT.exec(String(word)) ?? [];
        const found = name === '' || value.startsWith('$(') ? null : watchedBy(name, value);
        if (found !== null) return found;
      }
    }
  }
  return null;
}

/** Null: not said. */
function valueIn(variable: unknown, template: unknown): string | null {
  const value = valueAt(variable, ['value']);
  if (typeof value === 'string') return value;
  const path = valueAt(variable, ['valueFrom', 'fieldRef', 'fieldPath']);
  if (path === 'metadata.namespace') return OWN;
  const [, annotation] = OF_OLM.exec(String(path)) ?? [];
  if (annotation === undefined) return null;
  const found = valueAt(template, ['metadata', 'annotations', annotation]);
  return typeof found === 'string' ? found : null;
}

/** No namespace has this name. */
const OWN = '.';

function watchedBy(by: string, value: string | null): Watched | null {
  const names = (value ?? '').split(',').map((name) => name.trim());
  if (names.includes('') || names.includes('*')) return null;
  return { namespaces: names.map((name) => (name === OWN ? '' : name)), by };
}

import { isMapping, valueAt } from '../../documents/shape.ts';
import type { Mark } from './mark.ts';

/** An object of the namespace of a pod, from which it has variables. */
export interface SourceOfVariables {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
}

/** One key of it. */
export interface SourceOfVariable extends SourceOfVariables {
  readonly key: string;
}

/** All that is kept of the data of a ConfigMap or Secret: which namespaces something watches. */
const KEPT = /namespace/i;
/** Names of namespaces, with commas between them. Other values may be redacted. */
const NAMESPACES = /^[a-z0-9*., -]*$/;

/** What a ConfigMap or Secret says of namespaces, if the dump has its data at all. */
export function variablesIn(kind: string, manifest: unknown): readonly Mark[] {
  const data = valueAt(manifest, ['data']);
  const isSource = kind === 'ConfigMap' || kind === 'Secret';
  // No API server prints an empty mapping here.
  if (!isSource || !isMapping(data) || Object.keys(data).length === 0) return [];
  const found = Object.entries(data).filter(([key]) => KEPT.test(key));
  if (found.length === 0) return NONE;
  const values = found.map(([key, value]) => {
    const text = kind === 'Secret' ? decoded(value) : value;
    return [key, typeof text === 'string' && NAMESPACES.test(text) ? text : null] as const;
  });
  return [{ mark: 'sets', tool: null, values: Object.fromEntries(values) }];
}

/** One for all that say nothing. */
const NONE: readonly Mark[] = [{ mark: 'sets', tool: null, values: {} }];

/** Null: nothing that can be read, or nothing at all, as where a tool has taken the values out. */
function decoded(value: unknown): string | null {
  try {
    return atob(String(value)).trim() || null;
  } catch {
    return null;
  }
}

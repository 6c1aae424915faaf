import type { Body } from '../cluster/body.ts';
import type { Column, Resource } from '../cluster/resources.ts';
import { CLUSTER_TABLES } from './cluster.ts';
import { AGE, type BuiltInColumn, NAME, since } from './column.ts';
import { jsonPath } from './json-path.ts';
import { NETWORK_TABLES } from './network.ts';
import { STORAGE_TABLES } from './storage.ts';
import { WORKLOAD_TABLES } from './workloads.ts';

const TABLES: Readonly<Record<string, readonly BuiltInColumn[]>> = {
  ...WORKLOAD_TABLES,
  ...STORAGE_TABLES,
  ...NETWORK_TABLES,
  ...CLUSTER_TABLES,
};

/** A column of a table, whatever says what it shows. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0: always shown; more: shown by `kubectl get -o wide`. */
  readonly priority: number;
  /** @param now milliseconds since 1970. */
  readonly cell: (object: Body, now: number) => unknown;
}

/** The columns that `kubectl get` shows of a kind, served through a version of the API. */
export function columnsOf({ kind, columns }: Resource, apiVersion: string): readonly TableColumn[] {
  const printed = Object.hasOwn(columns, apiVersion) ? (columns[apiVersion] ?? []) : [];
  if (printed.length > 0) return [builtIn(NAME), ...printed.map(ofDefinition)];
  const known = Object.hasOwn(TABLES, kind.name) ? TABLES[kind.name] : undefined;
  const own = known ?? [AGE];
  // The name of an event says nothing, so it comes last.
  if (kind.name === 'Event') return [...own, { ...NAME, wide: true }].map(builtIn);
  return [NAME, ...own].map(builtIn);
}

function builtIn({ name, type, wide, format, cell }: BuiltInColumn): TableColumn {
  return { name, type, format, description: name, priority: wide ? 1 : 0, cell };
}

/**
 * Mirrors the table convertor of apiextensions: a value of another type than the column has no
 * cell.
 */
function ofDefinition({ path, ...column }: Column): TableColumn {
  const found = jsonPath(path);
  const cell: TableColumn['cell'] = (object, now) => {
    const value = found?.(object)[0];
    return value === undefined ? null : cellOf(value, column.type, now);
  };
  return { ...column, cell };
}

function cellOf(value: unknown, type: string, now: number): unknown {
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? since(value, now) : null;
    default:
      if (value === null) return null;
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}

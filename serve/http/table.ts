import { type Body, textIn, valueAt } from '../cluster/body.ts';
import type { Column } from '../cluster/resources.ts';
import type { View } from '../cluster/views.ts';
import { withType } from './context.ts';
import { partialMetadata, type Wanted } from './wanted.ts';

/** `meta.k8s.io/v1 Table`, which `kubectl get` prints. */
export function tableOf(wanted: Wanted, views: readonly View[]): Body {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {},
    columnDefinitions: [
      definition('Name', 'string', 'name'),
      ...wanted.resource.columns.map(({ name, type }) => definition(name, type)),
      definition('Age', 'string'),
    ],
    rows: rowsOf(wanted, views),
  };
}

function definition(name: string, type: string, format = ''): Body {
  return { name, type, format, description: name, priority: 0 };
}

export function rowsOf(wanted: Wanted, views: readonly View[]): readonly Body[] {
  const { resource, now } = wanted;
  return views.map((view) => ({
    cells: [
      textIn(view.metadata, 'name'),
      ...resource.columns.map((column) => cell(view, column)),
      age(now - Date.parse(textIn(view.metadata, 'creationTimestamp'))),
    ],
    object: objectOf(wanted, view),
  }));
}

function objectOf({ include, apiVersion, resource }: Wanted, view: View): Body | null {
  switch (include) {
    case 'None':
      return null;
    case 'Metadata':
      return partialMetadata(view);
    case 'Object':
      return withType(apiVersion, resource.kind.kind, view);
    default:
      throw new Error(`unknown part ${include satisfies never}`);
  }
}

function cell(view: View, { path, type }: Column): unknown {
  const value = valueAt(view, path);
  if (value === undefined || value === null) return type === 'string' ? '' : null;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** Like `duration.HumanDuration`: a duration in its largest unit. */
function age(milliseconds: number): string {
  if (Number.isNaN(milliseconds)) return '<unknown>';
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

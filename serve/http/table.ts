import type { Body } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import type { View } from '../cluster/views.ts';
import { columnsOf } from '../tables/columns.ts';
import { podConditions } from '../tables/pods.ts';
import { withType } from './context.ts';

/** The forms in which a client can ask for objects. */
export type Form = 'whole' | 'table' | 'metadata';

/** What a client wants to see of objects. */
export interface Wanted {
  readonly resource: Resource;
  readonly apiVersion: string;
  readonly form: Form;
  /** `includeObject` of a table. */
  readonly include: 'None' | 'Metadata' | 'Object';
  /** Milliseconds since 1970, for the ages of a table. */
  readonly now: number;
}

export function partialMetadata(view: View): Body {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: view.metadata,
  };
}

/** `meta.k8s.io/v1 Table`, which `kubectl get` prints. */
export function tableOf(wanted: Wanted, views: readonly View[]): Body {
  const columns = columnsOf(wanted.resource, wanted.apiVersion);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {},
    columnDefinitions: columns.map(({ cell: _, ...definition }) => definition),
    rows: rowsOf(wanted, views),
  };
}

export function rowsOf(wanted: Wanted, views: readonly View[]): readonly Body[] {
  const { resource, apiVersion, now } = wanted;
  const columns = columnsOf(resource, apiVersion);
  return views.map((view) => {
    const conditions = resource.kind.name === 'Pod' ? podConditions(view) : [];
    return {
      cells: columns.map(({ cell }) => cell(view, now)),
      ...(conditions.length === 0 ? {} : { conditions }),
      object: objectOf(wanted, view),
    };
  });
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

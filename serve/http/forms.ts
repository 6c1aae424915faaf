import type { Body } from '../cluster/body.ts';
import type { View } from '../cluster/views.ts';
import { withType } from './context.ts';
import { type Form, partialMetadata, rowsOf, tableOf, type Wanted } from './table.ts';

/** The first form in the header `Accept` that the server knows. Everything else gets JSON. */
export function formOf(accept: string): Form {
  for (const option of accept.split(',')) {
    const [type = '', ...parameters] = option.split(';').map((part) => part.trim());
    const wanted = new Map(
      parameters.map((parameter) => parameter.split('=', 2) as [string, string]),
    );
    if (type !== 'application/json') continue;
    const as = wanted.get('as');
    if (as === undefined) return 'whole';
    if (wanted.get('v') !== 'v1') continue;
    if (as === 'Table') return 'table';
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return 'metadata';
  }
  return 'whole';
}

/** One object in the form that the client wants. */
export function itemIn(wanted: Wanted, view: View): Body {
  const { resource, apiVersion, form } = wanted;
  switch (form) {
    case 'whole':
      return withType(apiVersion, resource.kind.kind, view);
    case 'metadata':
      return partialMetadata(view);
    case 'table': {
      const { resourceVersion } = view.metadata;
      return { ...tableOf(wanted, [view]), metadata: { resourceVersion } };
    }
    default:
      throw new Error(`unknown form ${form satisfies never}`);
  }
}

/** A list in the form that the client wants. */
export function listIn(wanted: Wanted, views: readonly View[], metadata: Body): Body {
  const { resource, apiVersion, form } = wanted;
  switch (form) {
    case 'whole':
      return {
        kind: `${resource.kind.kind}List`,
        apiVersion,
        metadata,
        items: views.map((view) => withType(apiVersion, resource.kind.kind, view)),
      };
    case 'metadata':
      return {
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
        metadata,
        items: views.map(partialMetadata),
      };
    case 'table':
      return { ...tableOf(wanted, []), metadata, rows: rowsOf(wanted, views) };
    default:
      throw new Error(`unknown form ${form satisfies never}`);
  }
}

import type { Body } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import type { View } from '../cluster/views.ts';

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

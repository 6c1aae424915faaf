import type { Property } from '../checker/index.ts';
import type { Cluster, Setup } from '../model/index.ts';

/** A property as people meet it: one sentence, where it comes from, and what it assumes. */
export interface CatalogueEntry {
  /** A sentence; the name of the property everywhere. */
  readonly name: string;
  readonly kind: Property<Cluster>['kind'];
  /** What is judged, and when. */
  readonly about: string;
  /** When the property counts as exercised. */
  readonly trigger: string;
  /** The sentence of a document, or the issue, that motivates it. */
  readonly source: string;
  /** What must be assumed to happen; for safety properties nothing. */
  readonly fairness: string;
  /** The property for one setup. */
  build(setup: Setup): Property<Cluster>;
}

/** What every progress property assumes of the actors. */
export const ACTORS_ARE_FAIR =
  'weak: every stream delivers, every worker goes on, requests once begun are served, cooperative ' +
  'owners remove their finalizers; strong: no queued item is passed over for ever; users and ' +
  'relists are bound to nothing';

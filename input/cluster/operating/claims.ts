import {
  type ApiObject,
  isCustomResource,
  type KindTable,
  thirdPartyFinalizers,
} from '../../../model/index.ts';
import { type KnownFinalizer, knownFinalizer } from '../known/index.ts';

/** Why the owner of a finalizer deletes the claims of the pods beneath an object. */
export interface ClaimsDeleted {
  readonly finalizer: string;
  /** The row that says so; null: nothing is known of the finalizer of a custom resource. */
  readonly known: KnownFinalizer | null;
}

/**
 * The owner that does so; null: none. A row that says it comes before finalizers that nobody knows.
 *
 * @param table the rows of the user, before those of the well-known table.
 */
export function claimsDeletedBy(
  object: ApiObject,
  table: readonly KnownFinalizer[],
  kinds: KindTable,
): ClaimsDeleted | null {
  const rows = thirdPartyFinalizers(object).map((finalizer) => ({
    finalizer,
    known: knownFinalizer(finalizer, table, object.kind),
  }));
  const kind = kinds[object.kind];
  const isCustom = kind !== undefined && isCustomResource(kind);
  return (
    rows.find(({ known }) => known?.deletesClaims === true) ??
    rows.find(({ known }) => known === null && isCustom) ??
    null
  );
}

import type { ObjectKey } from '../../../model/index.ts';

/** What the model leaves out, and what can make the fate of an object another one. */
export interface Doubt {
  /** The object that it is about. */
  readonly object: ObjectKey;
  /**
   * admission: a DELETE of the object may be refused. controller: a controller may delete the object
   * although it stays in the model.
   */
  readonly by: 'admission' | 'controller';
  /** One clause. */
  readonly why: string;
}

import { type ApiObject, keyOf } from '../../../model/index.ts';
import { plural } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import type { Besides } from '../beside/besides.ts';
import type { Doubt } from '../beside/doubts.ts';
import type { Asked } from './asked.ts';

/** A webhook or policy that the API server asks about a DELETE, and that may refuse it. */
export interface Review {
  readonly by: string;
  /** What happens to it: `asked`. */
  readonly verb: string;
  /** The DELETE of an object: `about`. */
  readonly preposition: string;
  /** What is known of its answer. */
  readonly details: string;
  /** The same for each of the objects. Absent: nothing. */
  readonly reason?: string;
  /** A command that says what is not known, if no dry run does. */
  readonly settle?: string;
  /** The objects whose DELETE it is asked about, and those of which the dump leaves it open. */
  readonly surely: readonly ApiObject[];
  readonly perhaps: readonly ApiObject[];
}

/**
 * By whether it is asked about the DELETE of these objects.
 *
 * @param isThere whether it is there at the DELETE for certain.
 */
export function reviewedBy(
  objects: readonly ApiObject[],
  asked: (object: ApiObject) => Asked,
  isThere: boolean,
): Pick<Review, 'surely' | 'perhaps'> {
  const open = objects.map((object) => ({ object, is: asked(object) }));
  const those = (answer: Asked): readonly ApiObject[] =>
    open.flatMap(({ object, is }) => (is === answer ? [object] : []));
  if (!isThere) {
    return { surely: [], perhaps: open.flatMap(({ object, is }) => (is === 'no' ? [] : [object])) };
  }
  return { surely: those('yes'), perhaps: those('perhaps') };
}

/** What an answer says of each of them. */
export function notesOn(reviews: readonly Review[]): readonly Besides[] {
  return reviews.flatMap(({ by, verb, preposition, details, surely, perhaps }) => {
    const [first, ...others] = [...surely, ...perhaps];
    if (first === undefined) return [];
    const more = others.length === 0 ? '' : ` and ${plural(others.length, 'more object')}`;
    const what = `${by} is ${verb} ${preposition} the DELETE of ${displayName(first)}${more}, and may refuse it: ${details}`;
    return [{ object: keyOf(first), what }];
  });
}

/**
 * The objects whose DELETE one of them may refuse.
 *
 * @param look looks at the limits.
 */
export function doubtsOn(reviews: readonly Review[], look: () => void): readonly Doubt[] {
  return reviews.flatMap(({ by, verb, reason = '', surely, perhaps, settle }) => {
    const doubt = (object: ApiObject, why: string): Doubt => {
      look();
      const known = { object: keyOf(object), by: 'admission', why } as const;
      return settle === undefined ? known : { ...known, settle };
    };
    return [
      ...surely.map((object) => doubt(object, `${by} is ${verb}${reason}`)),
      ...perhaps.map((object) => doubt(object, `${by} may be ${verb}${reason}`)),
    ];
  });
}

import { distance } from 'fastest-levenshtein';

const LONGEST_COMPARED = 80;
/** A prefix is closer than any word at a distance of one edit. */
const BEGINS_ALIKE = 0.5;
/** Shorter words begin many others. */
const LONG_BEGINNING = 5;

/**
 * The known word that was probably meant: the closest one, if it is close enough or begins with the
 * given text, or the given text with it. Null if there is none.
 */
export function closest(given: string, known: Iterable<string>): string | null {
  if (given.length > LONGEST_COMPARED) return null;
  const wanted = given.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const word of known) {
    const candidate = word.toLowerCase();
    const prefix =
      (wanted.length >= 3 && candidate.startsWith(wanted)) ||
      (candidate.length >= LONG_BEGINNING && wanted.startsWith(candidate));
    const found = prefix ? BEGINS_ALIKE : distance(wanted, candidate.slice(0, LONGEST_COMPARED));
    if (found < bestDistance) {
      best = word;
      bestDistance = found;
    }
  }
  return best;
}

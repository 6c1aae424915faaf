import { distance } from 'fastest-levenshtein';

const LONGEST_COMPARED = 80;
/** Nearer than any word with one edit. */
const BEGINS_ALIKE = 0.5;

/**
 * The known word that was probably meant: the nearest one, if it is near enough or begins like
 * what was given. Null when nothing is.
 */
export function closest(given: string, known: Iterable<string>): string | null {
  if (given.length > LONGEST_COMPARED) return null;
  const wanted = given.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const word of known) {
    const candidate = word.toLowerCase();
    const prefix = wanted.length >= 3 && candidate.startsWith(wanted);
    const found = prefix ? BEGINS_ALIKE : distance(wanted, candidate.slice(0, LONGEST_COMPARED));
    if (found < bestDistance) {
      best = word;
      bestDistance = found;
    }
  }
  return best;
}

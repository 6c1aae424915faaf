/** Edits (insert, delete, replace, swap neighbours) between two short words. */
function distance(a: string, b: string): number {
  const width = b.length + 1;
  const table = Array.from({ length: (a.length + 1) * width }, (_, cell) => {
    if (cell < width) return cell;
    return cell % width === 0 ? cell / width : 0;
  });
  const at = (row: number, column: number): number => table[row * width + column]!;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2];
      if (swapped && a[row - 2] === b[column - 1])
        best = Math.min(best, at(row - 2, column - 2) + 1);
      table[row * width + column] = best;
    }
  }
  return at(a.length, b.length);
}

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

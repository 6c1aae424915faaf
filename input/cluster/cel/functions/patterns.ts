/**
 * What `find` and `findAll` take (`library.Regex` of the API server, 1.23). Patterns that RE2 and
 * JavaScript may match in different ways, or that can take long, are not known here.
 */

const LONGEST = 2_000;
const ASCII = /^[\x20-\x7e]*$/;
/** One character, or a class. */
const ATOM =
  /\\[dDwW.\-/()[\]{}*+?|^$:]|\[\^?(?:\\[dw.\-/\]]|[\w.,:;@/ +=-])+\]|[\w.,:;@/ =\-"'<>#%&!~]/;
const COUNT = /[*+?]\??|\{\d{1,3}(?:,\d{0,3})?\}/;
const PART = new RegExp(`(?:${ATOM.source})(?:${COUNT.source})?`);
/** Groups that are not repeated, so that the work is bounded. */
const KNOWN = new RegExp(
  `^\\^?(?:${PART.source}|\\((?:\\?:)?(?:${PART.source})+(?:\\|(?:${PART.source})+)*\\)\\??|\\|)*\\$?$`,
);
/** Of parts that repeat without a bound: each multiplies the work by the length of the text. */
const MOST_REPEATED = 3;

/** A pattern that finds all matches; null: not known. */
export function patternOf(pattern: string, text: string): RegExp | null {
  if (text.length > LONGEST || pattern.length > LONGEST) return null;
  if (!ASCII.test(text) || !ASCII.test(pattern) || !KNOWN.test(pattern)) return null;
  const repeated = pattern.match(/[*+]|,\}/g) ?? [];
  if (repeated.length > MOST_REPEATED) return null;
  try {
    return new RegExp(pattern, 'g');
  } catch {
    return null;
  }
}

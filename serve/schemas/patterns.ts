import { createContext, Script } from 'node:vm';
import { notImplemented } from '../requests/status.ts';
import { patternOf } from './checkable.ts';

/**
 * The patterns of definitions. They are written for RE2, whose work grows with the length of the
 * text; a pattern of JavaScript can take for ever, and a client could stop the server with one.
 */

/** Milliseconds that the patterns of one object may take together. */
const MOST = 500;

/** Milliseconds of one match that do not count: a call into another context takes a part of one. */
const CALL = 0.5;

const PLACE = createContext(Object.create(null) as Record<string, unknown>);
const TEST = new Script('pattern.test(text)');

let left = MOST;

/** The patterns of another object are matched from now on. */
export function renewTime(): void {
  left = MOST;
}

/** A pattern as ajv takes it. Its test throws `StatusError` if it takes too long. */
export function boundedPattern(pattern: string): RegExp {
  const made = patternOf(pattern) ?? /(?:)/;
  // Without repetitions, the pattern bounds the work. One is enough to double it with each letter.
  if (!/[*+{?]/.test(pattern)) return made;
  const tooLong = () =>
    notImplemented(
      `the pattern ${JSON.stringify(pattern)} for such a text: it takes too long, and Kubernetes' own expressions would not`,
    );
  const test = (text: string): boolean => {
    if (left <= 0) throw tooLong();
    const begun = performance.now();
    try {
      PLACE.pattern = made;
      PLACE.text = text;
      return TEST.runInContext(PLACE, { timeout: Math.max(1, Math.ceil(left)) }) === true;
    } catch (error) {
      if ((error as { readonly code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        throw error;
      throw tooLong();
    } finally {
      left -= Math.max(0, performance.now() - begun - CALL);
      PLACE.pattern = undefined;
      PLACE.text = undefined;
    }
  };
  return Object.assign(new RegExp(made.source, made.flags), { test });
}

import type { Parameters } from './model.ts';
import type { LimitKind, ModelDefect } from './result.ts';

/** Why `check` refuses its options. */
export type CheckerErrorCode =
  | 'badCheckpoint'
  | 'badConfluence'
  | 'badFairness'
  | 'badLimit'
  | 'badOption'
  | 'badParameters'
  | 'badState'
  | 'badSymmetry'
  | 'duplicateParameters'
  | 'duplicateProperty'
  | 'noActions'
  | 'noInitialState'
  | 'noParameters'
  | 'noProperties'
  | 'notEnabled'
  | 'tooLarge'
  | 'unknownAction'
  | 'unknownField'
  | 'unknownPropertyKind'
  | 'unknownSlotKind';

/** The options of `check` are wrong; nothing was searched. */
export class CheckerError extends Error {
  override readonly name = 'CheckerError';
  readonly code: CheckerErrorCode;

  constructor(code: CheckerErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reports a defect of the model and ends the search. */
export class DefectError extends Error {
  override readonly name = 'DefectError';
  readonly defect: ModelDefect;

  constructor(defect: ModelDefect) {
    super(defect.message);
    this.defect = defect;
  }
}

/** A limit was hit inside of a unit of work, which is given up. The stored states are unchanged. */
export class LimitHitError extends Error {
  override readonly name = 'LimitHitError';
  readonly limit: LimitKind;

  constructor(limit: LimitKind) {
    super(`the limit (${limit}) was hit`);
    this.limit = limit;
  }
}

/** The limit that ended a unit of work. Throws the error again if it is another one. */
export function limitOf(error: unknown): LimitKind {
  if (error instanceof LimitHitError) return error.limit;
  throw error;
}

/**
 * A replica of an engine met something that it has not learnt: only the engine itself may learn.
 */
export class UnlearntError extends Error {
  override readonly name = 'UnlearntError';
}

/** A thread of the search has ended before the search. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';
}

/** A value that cannot be part of a state. */
export class BadValueError extends Error {
  override readonly name = 'BadValueError';

  /** `path` leads from the examined value to the bad one; null if it is not known. */
  constructor(found: string, path: string | null) {
    super(path === null ? found : path === '' ? `the value is ${found}` : `${path}: ${found}`);
  }
}

/** User code used a draft or a view of the state after the call had ended. */
export class LeakedDraftError extends Error {
  override readonly name = 'LeakedDraftError';

  constructor() {
    super('a draft or state was used after the call that it was made for');
  }
}

/** A reducer returned a state, or something else that would be lost. */
export class ReturnedError extends Error {
  override readonly name = 'ReturnedError';

  constructor(found: string) {
    super(`it returned ${found}; change the draft instead, and return nothing`);
  }
}

/** A second run in the same state read or did something different. */
export class NondeterminismError extends Error {
  override readonly name = 'NondeterminismError';
}

/**
 * The defect for an error that user code has thrown; `culprit` names the action or property. A
 * limit is no defect and stays as it is.
 */
export function defectOf(
  error: unknown,
  culprit: string,
  parameters: Parameters,
): DefectError | LimitHitError {
  if (error instanceof DefectError || error instanceof LimitHitError) return error;
  const text = error instanceof Error ? error.message : worded(error);
  return new DefectError({ kind: kindOf(error, text), culprit, parameters, message: text });
}

/** Whatever was thrown, even a value that refuses to be a string. */
function worded(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return `a value of type ${typeof thrown}`;
  }
}

function kindOf(error: unknown, text: string): ModelDefect['kind'] {
  if (error instanceof BadValueError) return 'badValue';
  if (error instanceof NondeterminismError) return 'nondeterministic';
  if (error instanceof LeakedDraftError) return 'leakedDraft';
  if (error instanceof ReturnedError) return 'returned';
  // Immer revokes its drafts; the engine's own text is the only sign of it.
  if (error instanceof TypeError && /proxy that has been revoked/.test(text)) return 'leakedDraft';
  return 'threw';
}

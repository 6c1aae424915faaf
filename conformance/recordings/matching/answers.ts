import {
  type Answer,
  type ApiObject,
  applyChange,
  type Call,
  type Kind,
  type Rules,
} from '../../../model/index.ts';
import type { SeenRequest } from '../logs/observations.ts';
import { type Difference, difference, type Misfit, writtenDifference } from './differences.ts';
import type { Written } from './initial-objects.ts';

/** Compares the model's answers with those in the log. */

/** An answer that is decided although the object is not removed yet. */
export interface DecidedAnswer {
  readonly object: ApiObject;
  readonly written: Written;
}

/**
 * The answer of an update that empties the finalizers: the object that the update has read, with
 * its change. What is stored at the removal does not matter.
 */
export function decidedBy(call: Call, next: Call, object: ApiObject | undefined): ApiObject | null {
  if (call.verb !== 'update' || next.verb !== 'update' || object === undefined) return null;
  return applyChange(object, call.change);
}

export function withDecided(answer: Answer, decided: DecidedAnswer | null): Answer {
  return decided === null || 'reason' in answer ? answer : { ...answer, object: decided.object };
}

/**
 * The answer of a storage with a DELETE of its own: until 1.22 that of Services says that the
 * Service is deleted, even if finalizers keep it (`REST.Delete` of services).
 */
export function withOwnDelete(answer: Answer, call: Call, kind: Kind, rules: Rules): Answer {
  if (call.verb !== 'delete' || kind.singlyDeleted !== true || 'reason' in answer) return answer;
  if (rules.serviceCollections !== 'refused') return answer;
  return { code: 200, deleted: true, object: null };
}

/**
 * To the model, the POST of an Eviction is a DELETE and that of a Binding an update. Both are
 * answered as the creation of what they send.
 */
export function loggedCode({ verb, subresource }: SeenRequest, answer: Answer): number {
  const creates = verb === 'create' && subresource !== '';
  return creates && !('reason' in answer) ? 201 : answer.code;
}

/**
 * Compares the model's answer with the one that was logged.
 *
 * @param written what the log shows elsewhere of the version of the object in the answer.
 */
export function answerMisfit(
  seen: SeenRequest,
  answer: Answer,
  written: Written,
): Omit<Misfit, 'request' | 'changes'> | null {
  const wrong = (sentence: string, found: Difference) => ({
    what: 'answer' as const,
    sentence,
    difference: found,
  });
  const code = loggedCode(seen, answer);
  if (seen.code !== code) {
    const why = 'message' in answer ? ` (${answer.message})` : '';
    return wrong(`the model answers ${code}${why}, the log has ${seen.code}`, {
      field: 'code',
      seen: seen.code,
      model: code,
    });
  }
  if ('reason' in answer || !seen.answerLogged) return null;
  const { answer: shown } = seen;
  if (shown === null) {
    const kept = seen.verb === 'delete' && !answer.deleted && seen.body.is !== 'notLogged';
    if (!kept) return null;
    return wrong('the model keeps the object and answers with it', {
      field: 'response',
      seen: null,
      model: 'the object',
    });
  }
  if (answer.object !== null) {
    const found = difference(seen.kind, withoutSpec(shown), answer.object);
    if (found !== null) return wrong(`the answer differs in ${found.field}`, found);
  }
  const otherwise = writtenDifference(shown, written);
  if (otherwise !== null) {
    return wrong(`elsewhere the object has another ${otherwise.field}`, otherwise);
  }
  return null;
}

/** Answers to `finalize` requests and deletions may show the spec before or after the change. */
function withoutSpec(seen: NonNullable<SeenRequest['answer']>) {
  return { ...seen, phase: null, specFinalizers: null };
}

import type { CheckReport } from '../report/document/result-document.ts';
import { WALKS_WORKER, type WalksAnswer, type WalksQuestion, walksReport } from '../run/walks.ts';
import type { Reply } from '../run/worker-process.ts';
import type { Workplace } from '../run/workplace.ts';
import { FLEET_ERRORS } from './errors.ts';

const INTERRUPTION_MILLISECONDS = 50;

/**
 * Waits for the report of one question. After an interruption, the report says that it has none.
 *
 * @param waiting called again and again until then, with the number of answers so far to all
 *   questions.
 */
export type AskedWalks = (
  interrupted: () => boolean,
  waiting: (answered: number) => void,
) => Promise<CheckReport>;

/** Asks all questions at once. The reports do not depend on the order in which they come back. */
export function askedWalks(
  place: Workplace,
  questions: readonly WalksQuestion[],
): readonly AskedWalks[] {
  const answerers = place.answerers<WalksQuestion, WalksAnswer>(WALKS_WORKER, questions.length);
  const queue = questions.entries();
  const replies = new Map<number, Reply<WalksAnswer> | Error>();
  for (const answerer of answerers) {
    void (async () => {
      for (const [index, question] of queue) {
        replies.set(index, await answerer.ask(question, null).catch((error: Error) => error));
      }
    })();
  }
  return questions.map((question, index) => async (interrupted, waiting) => {
    let reply = replies.get(index);
    while (reply === undefined && !interrupted()) {
      waiting(replies.size);
      await new Promise((resolve) => setTimeout(resolve, INTERRUPTION_MILLISECONDS));
      reply = replies.get(index);
    }
    return reply === undefined ? walksReport(question, undefined, () => true) : reportIn(reply);
  });
}

function reportIn(reply: Reply<WalksAnswer> | Error): CheckReport {
  if (reply instanceof Error) throw reply;
  switch (reply.reply) {
    case 'answer':
      return JSON.parse(reply.answer.json) as CheckReport;
    case 'late':
      throw FLEET_ERRORS.late();
    case 'died':
      throw new Error(reply.why);
    default:
      throw new Error(`unknown reply ${JSON.stringify(reply satisfies never)}`);
  }
}

import { type WalksAnswer, type WalksQuestion, walksReport } from './walks.ts';
import { answerQuestions } from './worker-process.ts';

/** The process that takes walks, for one plan at a time. */

answerQuestions<WalksQuestion, WalksAnswer>(async (question) => {
  return { json: JSON.stringify(await walksReport(question)) };
});

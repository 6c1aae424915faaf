/**
 * The other side of `WorkerProcess`: answers the questions of the process that started this one, and
 * ends with it. Ctrl-C reaches all processes of a terminal; what it means is decided by that one.
 */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
): void {
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit());
  process.on('message', async (question: Question) => {
    process.send?.(await answer(question));
  });
}

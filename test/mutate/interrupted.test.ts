import { expect, it } from 'vitest';
import type { Workplace } from '../../run/workplace.ts';
import type { Answer, Question } from '../../tools/mutate/messages.ts';
import { runMutants } from '../../tools/mutate/run.ts';

/** A place with one process, which never answers a question of this sort. */
function hangingAt(silent: Question['ask'], onSilence: () => void): Workplace {
  let stop: () => void = () => undefined;
  const answerOf = ({ ask }: Question): Answer => {
    if (ask === 'scenarios') return { answer: 'scenarios', names: ['one'] };
    const outcome = { verdicts: {}, states: 1, transitions: 0, defect: null };
    const rules = { cycleBreaking: 'all' };
    const known = { scenario: 'one', outcome, milliseconds: 1, reached: [], decisive: [], rules };
    return { answer: 'baseline', baseline: known } as Answer;
  };
  const ask = (question: Question): Promise<unknown> =>
    new Promise((resolve) => {
      stop = () => resolve({ reply: 'died', why: 'stopped' });
      if (question.ask === silent) onSilence();
      else resolve({ reply: 'answer', answer: answerOf(question) });
    });
  return { megabytes: null, answerers: () => [{ ask, stop: () => stop() }] as never };
}

it.each(['scenarios', 'baseline', 'mutant'] as const)(
  'Ctrl-C ends a run that waits for an answer to %s, and calls no mutant broken',
  async (silent) => {
    let interrupted = false;
    const place = hangingAt(silent, () => {
      interrupted = true;
    });
    const mutant = { kind: 'rule', rule: 'cycleBreaking', value: 'none' } as const;
    expect(await runMutants([mutant], { place, interrupted: () => interrupted })).toEqual([]);
  },
);

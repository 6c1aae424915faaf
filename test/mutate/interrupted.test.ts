import { expect, it } from 'vitest';
import type { Workplace } from '../../run/workplace.ts';
import { mutate } from '../../tools/mutate/main.ts';
import type { Answer, Question } from '../../tools/mutate/messages.ts';
import { runMutants } from '../../tools/mutate/run.ts';
import { countingClock } from '../clock.ts';

const MEGABYTES = 300;
const MUTANT = { kind: 'rule', rule: 'cycleBreaking', value: 'none' } as const;

/**
 * A place with one process.
 *
 * @param silent it never answers a question of this sort.
 * @param full in such a search, the memory is full.
 */
function placeWith(
  silent: Question['ask'] | null,
  onSilence: () => void,
  full: Question['ask'] | null = null,
): Workplace {
  let stop: () => void = () => undefined;
  const answerOf = ({ ask, megabytes }: Question): Answer => {
    if (ask === 'scenarios') return { answer: 'scenarios', names: ['one'] };
    const isFull = ask === full && megabytes === MEGABYTES;
    if (ask === 'seen') return { answer: 'seen', graph: isFull ? null : 'graph', isFull };
    const limit = isFull ? ('memory' as const) : null;
    const states = ask === 'mutant' ? 2 : 1;
    const outcome = { verdicts: {}, states, transitions: 0, defect: null, limit };
    if (ask === 'mutant') return { answer: 'mutant', outcome };
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
    const place = placeWith(silent, () => {
      interrupted = true;
    });
    expect(await runMutants([MUTANT], { place, interrupted: () => interrupted })).toEqual([]);
  },
);

it.each(['mutant', 'seen'] as const)(
  'a mutant is left out if %s fills the memory of its process',
  async (full) => {
    const place = placeWith(null, () => {}, full);
    expect(await runMutants([MUTANT], { place })).toMatchObject([{ fate: { fate: 'unseen' } }]);
    expect(await runMutants([MUTANT], { place, megabytes: MEGABYTES })).toEqual([]);
  },
);

it('the model as it is has to fit into the memory', async () => {
  const place = placeWith(null, () => {}, 'baseline');
  await expect(runMutants([MUTANT], { place, megabytes: MEGABYTES })).rejects.toMatchObject({
    exitCode: 3,
    message: 'the memory of 300 MB was used up while searching one as it is',
  });
});

it('a run ends when its time is up, with what is known then', async () => {
  countingClock(100);
  const printed: string[] = [];
  const stream = { isTerminal: false, write: (text: string) => void printed.push(text) };
  const streams = { stdout: stream, stderr: stream, env: {}, onInterrupt: () => () => {} };
  const words = ['--only', 'rule cycleBreaking=none', '--timeout', '1'];
  expect(await mutate(words, streams, () => placeWith('mutant', () => {}))).toBe(3);
  expect(printed.join('')).toContain('A limit was hit: 1 mutant not run');
});

import { describe, expect, it } from 'vitest';
import type { WorkerModule } from '../../run/worker-process.ts';
import { processesHere, type Workplace } from '../../run/workplace.ts';
import { mutate, type Streams } from '../../tools/mutate/main.ts';
import type { Answer } from '../../tools/mutate/messages.ts';
import { allMutants, mutantWords, sampled } from '../../tools/mutate/mutants.ts';
import type { MutationReport } from '../../tools/mutate/report.ts';
import { KNOWN_SURVIVORS, knownSurvivor } from '../../tools/mutate/survivors.ts';
import { expectError, type Outcome } from '../cli/run-cli.ts';

/** Tries mutants only on scenarios with this in their name: all of them take a minute. */
const onFew =
  (wanted: string) =>
  (processes: number | null = null): Workplace => {
    const place = processesHere(processes);
    return {
      ...place,
      answerers: <Asked extends object, Told>(module: WorkerModule, most: number) =>
        place.answerers<Asked, Told>(module, most).map((worker) => ({
          stop: () => worker.stop(),
          ask: async (question: Asked, seconds: number | null) => {
            const told = await worker.ask(question, seconds);
            if (told.reply !== 'answer' || !isList(told.answer)) return told;
            const names = told.answer.names.filter((name) => name.includes(wanted));
            return { ...told, answer: { ...told.answer, names } };
          },
        })),
    };
  };

function isList(answer: unknown): answer is Extract<Answer, { readonly answer: 'scenarios' }> {
  return (answer as Answer).answer === 'scenarios';
}

async function runMutate(...words: readonly string[]): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written): Streams['stdout'] => ({
    isTerminal: false,
    write: (text) => {
      written[name] += text;
    },
  });
  const code = await mutate(
    words,
    {
      stdout: stream('stdout'),
      stderr: stream('stderr'),
      env: {},
      onInterrupt: () => () => undefined,
    },
    onFew('synchronous-cycle'),
  );
  return { code, ...written };
}

describe('npm run mutate', () => {
  it('a sample is chosen by its seed alone', () => {
    const mutants = allMutants();
    expect(sampled(mutants, 20, 7)).toEqual(sampled(mutants, 20, 7));
    expect(sampled(mutants, 20, 7)).not.toEqual(sampled(mutants, 20, 8));
    expect(sampled(mutants, mutants.length, 7)).toEqual(mutants);
  });

  it('every known survivor is still a mutant and has one reason', () => {
    const words = allMutants().map(mutantWords);
    const all = new Set(words);
    const known = KNOWN_SURVIVORS.flatMap(({ mutants = [] }) => mutants);
    expect(known.filter((line) => !all.has(line))).toEqual([]);
    expect(new Set(known).size).toBe(known.length);
    const places = new Set(words.map((line) => line.split(':', 1)[0]));
    const functions = KNOWN_SURVIVORS.flatMap((group) => group.functions ?? []);
    expect(functions.filter((place) => !places.has(place))).toEqual([]);
  });

  it('a survivor is known by its words or by its function', () => {
    for (const { kind, why, mutants = [], functions = [] } of KNOWN_SURVIVORS) {
      for (const line of mutants) expect(knownSurvivor(line)).toEqual({ kind, why });
      for (const place of functions) {
        expect(knownSurvivor(`${place}: some code, skipped`)).toEqual({ kind, why });
      }
    }
    expect(knownSurvivor('some/module, some: code, skipped')).toBeNull();
  });

  it('shows which property notices a change', async () => {
    const words = ['--only', 'rule cycleBreaking=', '--format', 'json'];
    const { stdout, code } = await runMutate(...words);
    const { trials, score } = JSON.parse(stdout) as MutationReport;
    expect(trials.map(({ words: line, fate }) => [line, fate.fate])).toContainEqual([
      'rule cycleBreaking=none',
      'killed',
    ]);
    expect(score).toBe(1);
    expect(code).toBe(0);
  });

  it('refuses wrong options', async () => {
    expectError(await runMutate('--only', 'rule x=y'), /no mutant has "rule x=y"/);
    expectError(await runMutate('--seed', '3'), /--seed says nothing without --sample/);
    expectError(await runMutate('--sampel', '3'), /sampel/);
    expectError(await runMutate('--sample', 'some'), /--sample/, /a whole number from 1/);
  });

  it('has a manual', async () => {
    const { code, stdout } = await runMutate('--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/npm run mutate -- --sample 100 --seed 7/);
  });
});

import { describe, expect, it } from 'vitest';
import { allMutants, mutantWords, sampled } from '../../cli/mutate/mutants.ts';
import type { MutationReport } from '../../cli/mutate/report.ts';
import { KNOWN_FUNCTIONS, KNOWN_SURVIVORS, knownSurvivor } from '../../cli/mutate/survivors.ts';
import { expectError, runCli } from '../cli/run-cli.ts';

describe('reapcheck mutate', () => {
  it('a sample is chosen by its seed alone', () => {
    const mutants = allMutants();
    expect(sampled(mutants, 20, 7)).toEqual(sampled(mutants, 20, 7));
    expect(sampled(mutants, 20, 7)).not.toEqual(sampled(mutants, 20, 8));
    expect(sampled(mutants, mutants.length, 7)).toEqual(mutants);
  });

  it('every known survivor is still a mutant', () => {
    const words = allMutants().map(mutantWords);
    const all = new Set(words);
    expect(Object.keys(KNOWN_SURVIVORS).filter((known) => !all.has(known))).toEqual([]);
    const places = new Set(words.map((line) => line.split(':', 1)[0]));
    expect(Object.keys(KNOWN_FUNCTIONS).filter((known) => !places.has(known))).toEqual([]);
  });

  it('a survivor is known by its words or by its function', () => {
    const [line = ''] = Object.keys(KNOWN_SURVIVORS);
    const [place = ''] = Object.keys(KNOWN_FUNCTIONS);
    expect(knownSurvivor(line)).toEqual(KNOWN_SURVIVORS[line]);
    expect(knownSurvivor(`${place}: some code, skipped`)).toEqual(KNOWN_FUNCTIONS[place]);
    expect(knownSurvivor('some/module, some: code, skipped')).toBeNull();
  });

  it('tells who notices a change', { timeout: 300_000 }, async () => {
    const words = ['mutate', '--only', 'rule cycleBreaking=', '--format', 'json'];
    const { stdout, code } = await runCli(words);
    const { trials, score } = JSON.parse(stdout) as MutationReport;
    expect(trials.map(({ words: line, fate }) => [line, fate.fate])).toContainEqual([
      'rule cycleBreaking=none',
      'killed',
    ]);
    expect(score).toBe(1);
    expect(code).toBe(0);
  });

  it('refuses what makes no sense', async () => {
    expectError(await runCli(['mutate', '--only', 'rule x=y']), /no mutant has "rule x=y"/);
    expectError(await runCli(['mutate', '--seed', '3']), /--seed says nothing without --sample/);
    expectError(await runCli(['mutate', '--sample', 'some']), /--sample/, /a whole number from 1/);
  });
});

import { describe, expect, it } from 'vitest';
import { allMutants, mutantWords, sampled } from '../../tools/mutate/mutants.ts';
import type { MutationReport } from '../../tools/mutate/report.ts';
import { KNOWN_SURVIVORS, knownSurvivor } from '../../tools/mutate/survivors.ts';
import { expectError, runCli } from '../cli/run-cli.ts';

describe('reapcheck mutate', () => {
  it('a sample is chosen by its seed alone', () => {
    const mutants = allMutants();
    expect(sampled(mutants, 20, 7)).toEqual(sampled(mutants, 20, 7));
    expect(sampled(mutants, 20, 7)).not.toEqual(sampled(mutants, 20, 8));
    expect(sampled(mutants, mutants.length, 7)).toEqual(mutants);
  });

  it('every known survivor is still a mutant, and known for one reason', () => {
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

  it('tells who notices a change', async () => {
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

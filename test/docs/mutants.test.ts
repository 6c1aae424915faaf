import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { KnownSurvivors } from '../../tools/mutate/mutants.ts';
import { BAR, type MutationReport } from '../../tools/mutate/report.ts';
import { KNOWN_SURVIVORS, knownSurvivor } from '../../tools/mutate/survivors.ts';

/**
 * docs/mutants.md is written out of tools/mutate/survivors.ts and docs/mutants.json, the figures of
 * the last whole run and of the runs of parts since then: UPDATE_GOLDEN=1. With MUTANTS_RUN=FILE,
 * the result of `npm run --silent mutate -- --format json`, and MUTANTS_COMMAND, the command in
 * words, it first takes the figures from that file. With MUTANTS_PART=FILE in its place, they are
 * those of one part more, and MUTANTS_COMMAND says of which.
 */

const DOCS = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs');
const FIGURES = resolve(DOCS, 'mutants.json');
const PAGE = resolve(DOCS, 'mutants.md');

interface RunFigures extends Pick<MutationReport, 'counts' | 'sample'> {
  readonly command: string;
  readonly date: string;
  readonly mutants: number;
  /** Survivors in their words. */
  readonly survivors: readonly string[];
}

interface Figures extends RunFigures {
  /** Runs of parts after the whole run. */
  readonly since: readonly RunFigures[];
}

function figuresOf(report: MutationReport, command: string): RunFigures {
  const { counts, sample, trials } = report;
  const survivors = trials.filter(({ fate }) => fate.fate === 'survived');
  return {
    command,
    date: new Date().toISOString().slice(0, 10),
    mutants: trials.length,
    counts,
    sample,
    survivors: survivors.map(({ words }) => words),
  };
}

/** Mutants are code: as such they need no escaping. */
function code(words: string): string {
  return words.includes('`') ? `\`\` ${words} \`\`` : `\`${words}\``;
}

/** The survivors of the run that are known for this reason. */
function group({ why, kind }: KnownSurvivors, survivors: readonly string[]): readonly string[] {
  const known = survivors.filter((words) => {
    const found = knownSurvivor(words);
    return found?.why === why && found.kind === kind;
  });
  return known.length === 0 ? [] : [why, known.map((words) => `- ${code(words)}`).join('\n')];
}

function groups(kind: KnownSurvivors['kind'], survivors: readonly string[]): readonly string[] {
  return KNOWN_SURVIVORS.filter((known) => known.kind === kind).flatMap((known) =>
    group(known, survivors),
  );
}

function equivalentOf({ survivors }: RunFigures): number {
  return survivors.filter((words) => knownSurvivor(words)?.kind === 'equivalent').length;
}

function table(run: RunFigures): string {
  const { counts, mutants } = run;
  const equivalent = equivalentOf(run);
  const judged = counts.killed + counts.survived - equivalent;
  const percent = `${((counts.killed / judged) * 100).toFixed(1)} %`;
  return [
    '| mutants | |',
    '| --- | --- |',
    `| tried | ${mutants} |`,
    `| killed | ${counts.killed} |`,
    `| survived | ${counts.survived} |`,
    `| of these equivalent | ${equivalent} |`,
    `| change no state space | ${counts.unchanged} |`,
    `| change nothing that users see | ${counts.unseen} |`,
    `| never reached | ${counts.notReached} |`,
    `| not models | ${counts.broken} |`,
    `| **killed of those that change behaviour** | **${percent}** |`,
  ].join('\n');
}

function page(figures: Figures): string {
  const { command, date, mutants, since } = figures;
  const survivors = [figures, ...since].flatMap((run) => run.survivors);
  const equivalent = equivalentOf(figures);
  const missing = groups('missing', survivors);
  const unknown = survivors.filter((words) => knownSurvivor(words) === null);
  return `${[
    '# Mutants',
    '<!-- test/docs/mutants.test.ts writes this page (UPDATE_GOLDEN=1). -->',
    'How strong are the properties? `npm run mutate` changes the model in small ways, one at a time:\n' +
      'another value of a rule, a condition taken for true or for false, a statement skipped, a branch left\n' +
      'out. A mutant is killed if the verdict of some property changes in some scenario. A mutant says\n' +
      'nothing if it changes no state space, if no scenario reaches it, or if it is not a model any more. Nor\n' +
      'does one that changes nothing that users see: in each scenario with another state space, the graph of\n' +
      'the stored objects, of the answers to clients and of what is outside the cluster is the same.',
    `At least ${BAR * 100} % of the mutants that change behaviour must be killed. The last whole run, on\n${date}, ` +
      `${command}:`,
    table(figures),
    ...since.flatMap((run) => [`Since then, on ${run.date}, ${run.command}:`, table(run)]),
    '## Equivalent',
    `These mutants change nothing that a user is promised. A person has judged so: ${((equivalent / mutants) * 100).toFixed(1)} % of all\nmutants.`,
    ...groups('equivalent', survivors),
    '## Missing',
    ...(missing.length === 0
      ? []
      : ['No property or scenario shows these mutants yet.', ...missing]),
    ...(missing.length + unknown.length === 0
      ? ['None: a property or a scenario kills every other mutant of this run.']
      : []),
    ...(unknown.length === 0
      ? []
      : [
          'Not examined yet. A property or a scenario counts as missing until someone gives another reason.',
          unknown.map((words) => `- ${code(words)}`).join('\n'),
        ]),
  ].join('\n\n')}\n`;
}

it('docs/mutants.md lists every survivor of the last run (UPDATE_GOLDEN=1 writes it)', () => {
  const { UPDATE_GOLDEN, MUTANTS_RUN, MUTANTS_PART, MUTANTS_COMMAND } = process.env;
  const before = JSON.parse(readFileSync(FIGURES, 'utf8')) as Figures;
  const file = MUTANTS_RUN ?? MUTANTS_PART;
  if (file !== undefined) {
    const report = JSON.parse(readFileSync(file, 'utf8')) as MutationReport;
    const run = figuresOf(report, MUTANTS_COMMAND ?? '`npm run mutate`');
    const whole = MUTANTS_RUN !== undefined;
    const now = whole ? { ...run, since: [] } : { ...before, since: [...before.since, run] };
    writeFileSync(FIGURES, `${JSON.stringify(now, null, 2)}\n`);
  }
  const figures = JSON.parse(readFileSync(FIGURES, 'utf8')) as Figures;
  const text = page(figures);
  if (UPDATE_GOLDEN === '1') writeFileSync(PAGE, text);
  expect(readFileSync(PAGE, 'utf8')).toBe(text);
});

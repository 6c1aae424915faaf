import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Cell, CellOutcome, RunCellsOptions, ScenarioCell } from '../../gate/cell.ts';
import { openCache } from '../../gate/run/cache.ts';
import { type CellAnswer, type CellQuestion, runCell } from '../../gate/run/run-cell.ts';
import { cellRunner } from '../../gate/run/run-cells.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import type { Reply } from '../../run/worker-process.ts';
import type { Workplace } from '../../run/workplace.ts';
import { MESSAGES } from '../../text/messages.ts';
import { temporaryFile, temporaryFolder } from '../cli/run-cli.ts';
import { CODE, cellOf, SMALL, timeless } from './cells.ts';

const OPTIONS: RunCellsOptions = { interrupted: () => false, pinnedStates: new Map() };

const cells = await Promise.all(SMALL.map((scenario) => cellOf(scenario)));
const [first, middle, last] = cells as [ScenarioCell, ScenarioCell, ScenarioCell];

/** Every process that is started from now on loads this as well. */
function loadedInto(text: string): void {
  process.env.NODE_OPTIONS = `--require ${temporaryFile('first.cjs', text)}`;
}

afterEach(() => {
  delete process.env.NODE_OPTIONS;
});

/** The process does this instead of answering for the scenario. */
function insteadOfAnswering(scenario: string, does: string): void {
  loadedInto(`
    const send = process.send;
    process.send = function (answer, ...rest) {
      if (answer.json?.includes('{"title":"${scenario}"')) ${does};
      else send.call(this, answer, ...rest);
    };`);
}

describe('cells in processes', () => {
  it('give the same results as in this process, in order', async () => {
    const reports = await Promise.all(cells.map((cell) => runCell(cell)));
    const here = reports.map((report): CellOutcome => {
      return { kind: 'done', report: JSON.parse(JSON.stringify(report)), cached: false };
    });
    const outcomes = await cellRunner({ code: CODE, processes: 2 })(cells, OPTIONS);
    expect(timeless(outcomes)).toEqual(timeless(here));
  });

  it('cells without pinned states come first, then the longest', async () => {
    const order: string[] = [];
    const onDone = (_done: number, _of: number, cell: Cell) => order.push(cell.name);
    const pinnedStates = new Map([
      [SMALL[0]!, 5],
      [SMALL[2]!, 70],
    ]);
    const options = { ...OPTIONS, pinnedStates, onDone };
    await cellRunner({ code: CODE, processes: 1 })(cells, options);
    expect(order).toEqual([SMALL[1], SMALL[2], SMALL[0]]);
  });

  it.each([
    ['is killed', "process.kill(process.pid, 'SIGKILL')", /was killed \(SIGKILL\)/],
    ['ends', 'process.exit(3)', /its process ended \(exit code 3\)/],
    [
      'fails',
      "process.nextTick(() => { throw new RangeError('too much') })",
      /its process ended \(exit code 1\): RangeError: too much/,
    ],
  ])(
    'a process that %s is an error of its cell, and the others are run',
    async (_how, does, why) => {
      insteadOfAnswering(first.name, does);
      const outcomes = await cellRunner({ code: CODE, processes: 1 })(cells, OPTIONS);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'done', 'done']);
      expect(outcomes[0]).toMatchObject({ message: expect.stringMatching(why) });
    },
  );

  it('a process that Ctrl-C ends before it can ignore that is replaced', async () => {
    const marker = JSON.stringify(join(temporaryFolder(), 'was-killed'));
    loadedInto(`
      const { existsSync, writeFileSync } = require('node:fs');
      if (!existsSync(${marker})) {
        writeFileSync(${marker}, '');
        process.kill(process.pid, 'SIGINT');
      }`);
    const outcomes = await cellRunner({ code: CODE, processes: 1 })([first], OPTIONS);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done']);
  });

  it('a process that runs out of memory says so', async () => {
    insteadOfAnswering(first.name, 'for (const all = []; ; ) all.push(new Array(1e5).fill({}))');
    process.env.NODE_OPTIONS += ' --max-old-space-size=64';
    const outcomes = await cellRunner({ code: CODE, processes: 1 })([first], OPTIONS);
    expect(outcomes).toEqual([{ kind: 'failed', message: 'its process ran out of memory' }]);
  });

  it('a cell that cannot be run is an error of its own', async () => {
    const broken = { ...first, limits: { states: -1 } };
    const outcomes = await cellRunner({ code: CODE, processes: 1 })([broken, last], OPTIONS);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'done']);
  });

  it('an interruption ends the processes and leaves out unfinished cells', async () => {
    insteadOfAnswering(middle.name, 'undefined');
    let interrupted = false;
    const outcomes = await cellRunner({ code: CODE, processes: 2 })(cells, {
      pinnedStates: new Map(),
      interrupted: () => interrupted,
      onDone: () => {
        interrupted = true;
      },
    });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'notRun', 'notRun']);
  });
});

/** Cells are run in this process, which takes less time than to start one. */
const HERE: Workplace = {
  megabytes: null,
  answerers: <Question extends object, Answer>() => [
    {
      ask: async (question: Question): Promise<Reply<Answer>> => {
        const json = JSON.stringify(await runCell(question as CellQuestion));
        const answer: CellAnswer = { kind: 'report', json };
        return { reply: 'answer', answer: answer as Answer };
      },
      stop: () => undefined,
    },
  ],
};

describe('with a cache', () => {
  const kindsOf = (outcomes: readonly CellOutcome[]) =>
    outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.cached : outcome.kind));

  it('an unchanged cell is not run again, a changed one is', async () => {
    const cache = await openCache(temporaryFolder());
    const run = cellRunner({ code: CODE, cache, place: HERE });
    expect(kindsOf(await run(cells, OPTIONS))).toEqual([false, false, false]);
    const changed = [first, { ...last, text: `${last.text} ` }, { ...last, limits: { states: 5 } }];
    expect(kindsOf(await run(changed, OPTIONS))).toEqual([true, false, false]);
    const code = { ...CODE, model: 'changed' };
    expect(kindsOf(await cellRunner({ code, cache, place: HERE })([first], OPTIONS))).toEqual([
      false,
    ]);
  });

  it('does not cache failures and results that depend on the machine', async () => {
    const folder = temporaryFolder();
    const cache = await openCache(folder);
    const run = cellRunner({ code: CODE, cache, processes: 1 });
    const large = await cellOf('two-workers-foreground-diamond', { limits: { seconds: 0.000001 } });
    const [slow] = await run([large], OPTIONS);
    expect(slow).toMatchObject({ kind: 'done', report: { result: { limit: { kind: 'time' } } } });
    insteadOfAnswering(first.name, 'process.exit(1)');
    await run([first, { ...last, limits: { states: -1 } }], OPTIONS);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('caches and reports nothing if the code changed meanwhile', async () => {
    const folder = temporaryFolder();
    const cache = await openCache(folder);
    const checkCode = () => {
      throw MESSAGES.codeChanged();
    };
    const run = cellRunner({ code: CODE, cache, checkCode, place: HERE });
    await expect(run([first], OPTIONS)).rejects.toThrow(/was recompiled/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('fresh and cached reports are the same, whatever is changed in the question', async () => {
    const cache = await openCache(temporaryFolder());
    const cell = await cellOf('foreground-chain');
    const { plan } = cell;
    const asked: readonly ScenarioCell[] = [
      cell,
      await cellOf('orphan-chain'),
      { ...cell, plan: { ...plan, setup: { ...plan.setup, deleteWorkers: 2 } } },
      { ...cell, plan: { ...plan, properties: plan.properties.slice(3) } },
      { ...cell, limits: { states: 5 } },
      { ...cell, limits: { states: 6 } },
      { ...cell, reductions: ['confluence'] },
    ];
    const run = cellRunner({ code: CODE, cache, processes: 1 });
    const stored = reportsIn(await run(asked, OPTIONS));
    const cached = reportsIn(await run(asked, OPTIONS));
    expect(cached).toEqual(stored.map((outcome) => ({ ...outcome, cached: true })));
    const fresh = await Promise.all(asked.map((one) => runCell(one)));
    const wanted = cached.map((outcome, index) => {
      return { ...outcome, report: JSON.parse(JSON.stringify(fresh[index])) };
    });
    expect(timeless(cached)).toEqual(timeless(wanted));
  });
});

function reportsIn(outcomes: readonly CellOutcome[]) {
  return outcomes.map((outcome): { kind: 'done'; report: CheckReport; cached: boolean } => {
    if (outcome.kind !== 'done') throw new Error(`not done: ${JSON.stringify(outcome)}`);
    return outcome;
  });
}

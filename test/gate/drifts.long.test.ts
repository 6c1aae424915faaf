import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DRIFT_KINDS, type DriftKind } from '../../report/document/drift.ts';
import { gateDocumentSchema } from '../../report/document/gate-document.ts';
import { WIDTH } from '../../text/layout.ts';
import { expectGoldenFile } from '../report/golden-file.ts';
import { CODE, folderWith, type GateSurroundings, inFolder, runGate } from './gate-cli.ts';
import {
  CELLS,
  type LockJson,
  lockedSmallSuite,
  readJson,
  SMALL_SUITE,
  writeLockJson,
} from './small-suite.ts';

/**
 * What the gate says about each kind of drift. Each case changes the lock of a small suite as if
 * other results had been pinned. UPDATE_GOLDEN=1 writes the transcripts. Commit only changes that
 * you can explain.
 */

const ORPHANED = 'orphaned objects are not collected';
const CLAIM = 'a claim in use does not leave';
const QUIET = 'the collector comes to rest';
const STAYS = 'outcome: b stays';
const GOES = 'outcome: b goes';

interface Case {
  readonly kinds: readonly DriftKind[];
  readonly exitCode?: number;
  /** Changes the lock as if it had been written earlier. */
  readonly before?: (lock: LockJson) => void;
  /** Files that have changed since. */
  readonly files?: Readonly<Record<string, string>>;
  readonly surroundings?: GateSurroundings;
}

const trace = { length: 5, shape: 'path', digest: '0123456789abcdef' } as const;

const CASES: Readonly<Record<string, Case>> = {
  nothing: { kinds: [], exitCode: 0 },
  'new-violation': {
    kinds: ['newViolation'],
    before: ({ cells: { [CELLS.late]: late }, rules }) => {
      late!.facts.verdicts[ORPHANED] = 'holds';
      late!.facts.traces = {};
      rules.referenceRemoval!['v1.20'] = 'put';
    },
  },
  'violation-gone': {
    kinds: [
      'violationGone',
      'becameVacuous',
      'vacuousNoLonger',
      'inconclusiveNoLonger',
      'triggerCounts',
    ],
    before: ({ cells: { [CELLS.grid]: grid } }) => {
      grid!.facts.verdicts[QUIET] = 'violated';
      grid!.facts.traces = { [QUIET]: { ...trace, shape: 'lasso' } };
      grid!.facts.verdicts[CLAIM] = 'holds';
      grid!.facts.verdicts['nothing is stuck'] = 'vacuous';
      grid!.facts.verdicts['finalizers are respected'] = 'inconclusive';
    },
    surroundings: { code: { ...CODE, model: 'another', checker: 'another' } },
  },
  witnesses: {
    kinds: ['witnessLost', 'witnessFound', 'triggerCounts'],
    before: ({ cells: { [CELLS.ends]: ends } }) => {
      ends!.facts.verdicts[STAYS] = 'holds';
      ends!.facts.verdicts[GOES] = 'violated';
      ends!.facts.traces = { [STAYS]: trace };
    },
    files: {
      'ends.yaml': SMALL_SUITE['ends.yaml']!.replace('b stays: never', 'b stays: sometimes'),
    },
  },
  judged: {
    kinds: ['judgedNow', 'judgedNoLonger', 'becameInconclusive'],
    before: (lock) => {
      const grid = lock.cells[CELLS.grid]!;
      for (const cell of Object.values(lock.cells)) {
        delete cell.facts.verdicts[QUIET];
        delete cell.facts.verdicts[CLAIM];
      }
      grid.facts.verdicts['one that was never exercised'] = 'vacuous';
      grid.facts.verdicts['an old property'] = 'holds';
    },
  },
  'limit-lowered': {
    kinds: [
      'limitHit',
      'becameInconclusive',
      'fateOpen',
      'statesShrank',
      'actionCounts',
      'triggerCounts',
    ],
    files: {
      'reapcheck.suite.yaml': `${SMALL_SUITE['reapcheck.suite.yaml']}    limits: {states: 5}\n`,
    },
  },
  limits: {
    kinds: ['limitGone', 'otherLimit', 'inconclusiveNoLonger', 'statesGrew'],
    before: ({ cells: { [CELLS.limited]: limited, [CELLS.grid]: grid } }) => {
      limited!.facts.outcome = 'depth';
      grid!.facts.outcome = 'states';
      for (const [name, verdict] of Object.entries(grid!.facts.verdicts)) {
        if (verdict !== 'vacuous') grid!.facts.verdicts[name] = 'inconclusive';
      }
      grid!.facts.size!.states = 3;
    },
  },
  'states-grew': {
    kinds: ['statesGrew', 'statesShrank', 'shapeChanged', 'actionCounts', 'triggerCounts'],
    before: ({ cells: { [CELLS.late]: late, [CELLS.grid]: grid, [CELLS.ends]: ends } }) => {
      late!.facts.size!.states = 16;
      late!.facts.size!.transitions = 20;
      grid!.facts.size!.states = 300;
      ends!.facts.size!.depth = 8;
      late!.facts.triggered[ORPHANED] = 7;
      late!.facts.actions.deliver = 4;
    },
    files: { 'late.yaml': `${SMALL_SUITE['late.yaml']}# Another comment.\n` },
  },
  actions: {
    kinds: ['actionLost', 'actionNew'],
    before: ({ cells: { [CELLS.late]: late } }) => {
      late!.facts.actions.relist = 12;
      delete late!.facts.actions.attemptToOrphan;
      late!.rules = { referenceRemoval: 'put', cycleBreaking: 'none' };
    },
  },
  counterexamples: {
    kinds: ['counterexampleLonger', 'counterexampleShorter'],
    before: ({ cells: { [CELLS.late]: late, [CELLS.ends]: ends } }) => {
      late!.facts.traces = { [ORPHANED]: { ...trace, length: 12 } };
      ends!.facts.traces[GOES] = { ...trace, length: 100 };
    },
  },
  'another-counterexample': {
    kinds: ['otherCounterexample'],
    before: ({ cells: { [CELLS.late]: late } }) => {
      late!.facts.traces[ORPHANED]!.digest = 'another';
    },
  },
  fates: {
    kinds: ['fateChanged'],
    before: ({ cells: { [CELLS.dump]: dump } }) => {
      for (const object of Object.keys(dump!.facts.fates)) dump!.facts.fates[object] = 'either';
    },
  },
  cells: {
    kinds: ['newCell', 'cellGone'],
    before: ({ cells }) => {
      cells['gone.yaml [workers=2]'] = cells[CELLS.grid]!;
      delete cells[CELLS.late];
    },
  },
  'new-cells-with-faults': {
    kinds: ['newCell', 'newViolation', 'nothingJudged'],
    files: {
      'reapcheck.suite.yaml': `${SMALL_SUITE['reapcheck.suite.yaml']}
  - scenarios: [late.yaml]
    grid: {protocol: [newest, v1.7]}
    properties: [${ORPHANED}]
  - scenarios: [ends.yaml]
    grid: {workers: [2]}
    properties: [${CLAIM}]
`,
    },
  },
  failed: {
    kinds: [],
    exitCode: 70,
    surroundings: {
      outcomeOf: ({ name }) =>
        name === CELLS.late ? { kind: 'failed', message: 'the process ended with SIGKILL' } : null,
    },
  },
  restated: {
    kinds: ['resultsRestated', 'actionNew', 'actionCounts'],
    files: {
      'late.yaml': SMALL_SUITE['late.yaml']!.replace(
        'expect:\n  states: 44\n',
        'environment:\n  relists: {ConfigMap: 1}\nexpect:\n  states: 1\n',
      ),
    },
  },
  unmet: {
    kinds: [],
    files: {
      'late.yaml': SMALL_SUITE['late.yaml']!.replace('states: 44', 'states: 43'),
    },
  },
};

describe('drift', () => {
  for (const [name, given] of Object.entries(CASES)) {
    it(name, async () => {
      const { kinds, exitCode = 1, before, files = {}, surroundings = {} } = given;
      await inFolder(folderWith(SMALL_SUITE), async () => {
        const lock = await lockedSmallSuite();
        before?.(lock);
        writeLockJson(lock);
        for (const [file, content] of Object.entries(files)) writeFileSync(file, content);
        const outcome = await runGate(['--report', 'json=gate.json'], surroundings);
        const text = `$ reapcheck gate\n${outcome.stdout}[exit code ${outcome.code}]\n`;
        const document = gateDocumentSchema.parse(readJson('gate.json'));
        expect(new Set(document.drifts.map(({ kind }) => kind))).toEqual(new Set(kinds));
        expect(outcome.code).toBe(exitCode);
        expectNarrow(text);
        expectGoldenFile(`gate-${name}.txt`, text);
      });
    });
  }

  it('has a case here for each of its kinds', () => {
    const shown = new Set(Object.values(CASES).flatMap(({ kinds }) => kinds));
    expect(DRIFT_KINDS.filter((kind) => !shown.has(kind))).toEqual([]);
  });
});

/** Only a command that readers copy may be longer than a line. */
function expectNarrow(text: string): void {
  const isCopied = (line: string): boolean => /^ {2}(again|replay:) /.test(line);
  expect(text.split('\n').filter((line) => line.length > WIDTH && !isCopied(line))).toEqual([]);
}

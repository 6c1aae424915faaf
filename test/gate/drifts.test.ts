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
 * What the gate says of each kind of drift. The lock of a small suite is changed to what came out
 * before, as it were. With UPDATE_GOLDEN=1 the transcripts are written anew; commit only changes that
 * you can explain.
 */

const ORPHANED = 'orphaned objects are not collected';
const CLAIM = 'a claim in use does not leave';
const QUIET = 'the collector comes to rest';
const STAYS = 'outcome: b stays is possible';
const GOES = 'outcome: b goes is possible';

interface Case {
  readonly kinds: readonly DriftKind[];
  readonly exitCode?: number;
  /** Makes the lock one of another time. */
  readonly before?: (lock: LockJson) => void;
  /** What has changed since. */
  readonly files?: Readonly<Record<string, string>>;
  readonly surroundings?: GateSurroundings;
}

const trace = { steps: 5, shape: 'path', digest: '0123456789abcdef' };

const CASES: Readonly<Record<string, Case>> = {
  nothing: { kinds: [], exitCode: 0 },
  'new-violation': {
    kinds: ['newViolation'],
    before: ({ cells: { [CELLS.late]: late }, protocols }) => {
      late!.verdicts[ORPHANED] = 'holds';
      late!.traces = {};
      protocols['v1.20']!.referenceRemoval = 'put';
    },
  },
  'violation-gone': {
    kinds: ['violationGone', 'becameVacuous', 'vacuousNoLonger', 'inconclusiveNoLonger'],
    before: ({ cells: { [CELLS.grid]: grid } }) => {
      grid!.verdicts[QUIET] = 'violated';
      grid!.traces = { [QUIET]: { ...trace, shape: 'lasso' } };
      grid!.verdicts[CLAIM] = 'holds';
      grid!.verdicts['nothing is stuck'] = 'vacuous';
      grid!.verdicts['finalizers are respected'] = 'inconclusive';
    },
    surroundings: { code: { ...CODE, model: 'another', checker: 'another' } },
  },
  witnesses: {
    kinds: ['witnessLost', 'witnessFound'],
    before: ({ cells: { [CELLS.ends]: ends } }) => {
      ends!.verdicts[STAYS] = 'holds';
      ends!.verdicts[GOES] = 'violated';
      ends!.traces = { [STAYS]: trace };
    },
  },
  judged: {
    kinds: ['judgedNow', 'judgedNoLonger', 'becameInconclusive'],
    before: (lock) => {
      const grid = lock.cells[CELLS.grid]!;
      for (const cell of Object.values(lock.cells)) {
        delete cell.verdicts[QUIET];
        delete cell.verdicts[CLAIM];
      }
      grid.verdicts['one that was never exercised'] = 'vacuous';
      grid.verdicts['an old property'] = 'holds';
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
      limited!.outcome = 'depth';
      grid!.outcome = 'states';
      for (const [name, verdict] of Object.entries(grid!.verdicts)) {
        if (verdict !== 'vacuous') grid!.verdicts[name] = 'inconclusive';
      }
      grid!.states = 3;
    },
  },
  'states-grew': {
    kinds: ['statesGrew', 'statesShrank', 'shapeChanged', 'actionCounts', 'triggerCounts'],
    before: ({ cells: { [CELLS.late]: late, [CELLS.grid]: grid, [CELLS.ends]: ends } }) => {
      late!.states = 16;
      late!.transitions = 20;
      grid!.states = 300;
      ends!.depth = 8;
      late!.triggered[ORPHANED] = 7;
      late!.actions.deliver = 4;
    },
    files: { 'late.yaml': `${SMALL_SUITE['late.yaml']}# Another comment.\n` },
  },
  actions: {
    kinds: ['actionLost', 'actionNew'],
    before: ({ cells: { [CELLS.late]: late } }) => {
      late!.actions.relist = 12;
      delete late!.actions.attemptToOrphan;
      late!.rules = { referenceRemoval: 'put', cycleBreaking: 'none' };
    },
  },
  counterexamples: {
    kinds: ['counterexampleLonger', 'counterexampleShorter'],
    before: ({ cells: { [CELLS.late]: late, [CELLS.ends]: ends } }) => {
      late!.traces = { [ORPHANED]: { ...trace, steps: 12 } };
      ends!.traces![GOES] = { ...trace, steps: 100 };
    },
  },
  'another-counterexample': {
    kinds: ['otherCounterexample'],
    before: ({ cells: { [CELLS.late]: late } }) => {
      late!.traces![ORPHANED]!.digest = 'another';
    },
  },
  fates: {
    kinds: ['fateChanged'],
    before: ({ cells: { [CELLS.dump]: dump } }) => {
      for (const object of Object.keys(dump!.fates!)) dump!.fates![object] = 'either';
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

  it('is shown here in all of its kinds', () => {
    const shown = new Set(Object.values(CASES).flatMap(({ kinds }) => kinds));
    expect(DRIFT_KINDS.filter((kind) => !shown.has(kind))).toEqual([]);
  });
});

/** Only what is there to be copied may be longer than a line. */
function expectNarrow(text: string): void {
  const isCopied = (line: string): boolean => /^ {2}(again|replay:) /.test(line);
  expect(text.split('\n').filter((line) => line.length > WIDTH && !isCopied(line))).toEqual([]);
}

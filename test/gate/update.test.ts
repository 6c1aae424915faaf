import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CellOutcome } from '../../gate/cell.ts';
import { readLock } from '../../gate/lock/lock.ts';
import { expectError } from '../cli/run-cli.ts';
import { folderWith, type GateSurroundings, inFolder, runGate } from './gate-cli.ts';
import {
  CELLS,
  type LockJson,
  lockedSmallSuite,
  SMALL_SUITE,
  writeLockJson,
} from './small-suite.ts';

/** What `--update` writes and refuses; it leaves no temporary files. */

const LOCK = 'reapcheck.lock.json';

function inSmallSuite(act: () => Promise<void>): Promise<void> {
  return inFolder(folderWith(SMALL_SUITE), act);
}

function files(): readonly string[] {
  return readdirSync('.').sort();
}

function lockWritten(): string {
  return readFileSync(LOCK, 'utf8');
}

async function doctored(change: (lock: LockJson) => void): Promise<string> {
  const lock = await lockedSmallSuite();
  change(lock);
  return writeLockJson(lock);
}

describe('--update', () => {
  it('writes the first lock, and the next gate finds no drift', async () => {
    await inSmallSuite(async () => {
      const first = await runGate([]);
      expect(first.code).toBe(1);
      expect(first.stdout).toMatch(/There is no reapcheck\.lock\.json yet/);
      expect(files()).not.toContain(LOCK);
      expect((await runGate(['--update', '--accept-worse'])).code).toBe(0);
      const written = lockWritten();
      expect(files()).toEqual([...Object.keys(SMALL_SUITE), LOCK].sort());
      expect((await runGate([])).code).toBe(0);
      const again = await runGate(['--update']);
      expect(again.code).toBe(0);
      expect(again.stdout).toMatch(/is up to date/);
      expect(lockWritten()).toBe(written);
    });
  });

  it('writes the lock even if the requested format cannot show the result; no report overwrites suite or lock', async () => {
    await inSmallSuite(async () => {
      const words = ['--update', '--accept-worse', '--format', 'itf', '--report'];
      expectError(await runGate([...words, `json=./${LOCK}`]), /input of this command/);
      expectError(
        await runGate(['--report', 'json=./reapcheck.suite.yaml']),
        /input of this command/,
      );
      expectError(await runGate(['--shard', '1/2', '--output', LOCK]), /input of this command/);
      expect(files()).toEqual(Object.keys(SMALL_SUITE).sort());
      expectError(await runGate([...words, 'json=gate.json']), /no trace to show/);
      expect(JSON.parse(readFileSync('gate.json', 'utf8')).lock.update).toBe('written');
      expect(files()).toContain(LOCK);
    });
  });

  it('accepts what did not get worse', async () => {
    await inSmallSuite(async () => {
      await doctored(({ cells: { [CELLS.late]: late } }) => {
        late!.facts.size!.states = 10;
        late!.facts.verdicts['nothing is stuck'] = 'violated';
      });
      expect((await runGate([])).code).toBe(1);
      expect((await runGate(['--update'])).code).toBe(0);
      expect((await runGate([])).code).toBe(0);
    });
  });

  it('refuses worse results, names their cells, and accepts them with --accept-worse', async () => {
    await inSmallSuite(async () => {
      const before = await doctored(({ cells: { [CELLS.late]: late } }) => {
        late!.facts.verdicts['orphaned objects are not collected'] = 'holds';
      });
      const refused = await runGate(['--update']);
      expect(refused.code).toBe(1);
      expect(refused.stdout).toMatch(/left as it is[\s\S]*--accept-worse[\s\S]*late\.yaml/);
      expect(lockWritten()).toBe(before);
      expect(files()).toEqual([...Object.keys(SMALL_SUITE), LOCK].sort());
      expect((await runGate(['--update', '--accept-worse'])).code).toBe(0);
      expect((await runGate([])).code).toBe(0);
    });
  });

  const broken: Readonly<Record<string, readonly [CellOutcome, number, RegExp]>> = {
    'a cell that failed': [{ kind: 'failed', message: 'killed' }, 70, /cannot pin what failed/],
    'an interruption': [{ kind: 'notRun' }, 130, /interrupted/],
  };
  for (const [name, [outcome, code, words]] of Object.entries(broken)) {
    it(`writes nothing after ${name}`, async () => {
      await inSmallSuite(async () => {
        const before = await doctored(({ cells: { [CELLS.ends]: ends } }) => {
          ends!.facts.size!.states = 3;
        });
        const surroundings: GateSurroundings = {
          outcomeOf: (cell) => (cell.name === CELLS.late ? outcome : null),
        };
        const refused = await runGate(['--update', '--accept-worse'], surroundings);
        expect(refused.code).toBe(code);
        expect(refused.stdout).toMatch(words);
        expect(lockWritten()).toBe(before);
        expect(files()).toEqual([...Object.keys(SMALL_SUITE), LOCK].sort());
      });
    });
  }

  it('does not excuse a result that the scenario itself does not expect', async () => {
    await inSmallSuite(async () => {
      const late = SMALL_SUITE['late.yaml']!.replace('states: 44', 'states: 43');
      writeFileSync('late.yaml', late);
      const written = await runGate(['--update', '--accept-worse']);
      expect(written.code).toBe(1);
      expect(written.stdout).toMatch(/states: expected 43, found 44/);
      expect((await runGate([])).code).toBe(1);
    });
  });

  it('writes the same for the same cells in another order', async () => {
    await inSmallSuite(async () => {
      await lockedSmallSuite();
      const written = lockWritten();
      const suite = readFileSync('reapcheck.suite.yaml', 'utf8');
      writeFileSync(
        'reapcheck.suite.yaml',
        suite.replace('late.yaml, ends.yaml', '"[el]*s.yaml", late.yaml'),
      );
      expect((await runGate(['--update'])).stdout).toMatch(/is up to date/);
      expect(lockWritten()).toBe(written);
    });
  });

  it('is needed for --accept-worse', async () => {
    expectError(await runGate(['--accept-worse']), /--accept-worse says nothing without --update/);
  });

  it('of a suite with another name', async () => {
    const folder = folderWith({
      ...SMALL_SUITE,
      'models/own.suite.yaml': 'groups:\n  - scenarios: [../chain.yaml]\n',
    });
    await inFolder(folder, async () => {
      const first = await runGate(['models/own.suite.yaml']);
      expect(first.stdout).toMatch(/reapcheck gate models\/own\.suite\.yaml --update/);
      expect((await runGate(['models/own.suite.yaml', '--update'])).code).toBe(0);
      expect(readdirSync('models')).toEqual(['own.lock.json', 'own.suite.yaml']);
      const file = 'models/own.lock.json';
      const lock = readLock({ file, text: readFileSync(file, 'utf8') }, 'own.suite.yaml');
      expect(Object.keys(lock.cells)).toEqual(['../chain.yaml']);
    });
  });
});

import { check } from '../checker/index.ts';
import { DiskFolder } from '../run/disk-folder.ts';
import { consistent, twoPhaseCommit } from './models/two-phase-commit.ts';

/**
 * `node disk.js MANAGERS [FOLDER [MOST-STATES]]` searches two-phase commit with all rows in memory
 * or, with a folder, with old rows on disk. It prints what that took as JSON.
 */
const [managers, folder, mostStates] = process.argv.slice(2);
const count = Number(managers);
if (!Number.isInteger(count) || count < 1) {
  throw new Error('usage: disk.js MANAGERS [FOLDER [MOST-STATES]]');
}
const storage = folder === undefined ? null : new DiskFolder(folder);
const { outcome, statistics, properties } = await check({
  model: twoPhaseCommit(count),
  properties: [consistent(count)],
  limits: mostStates === undefined ? {} : { states: Number(mostStates) },
  ...(storage === null ? {} : { storage }),
});
storage?.close();
const { user, system } = process.cpuUsage();
const measured = {
  outcome,
  states: statistics.states,
  transitions: statistics.transitions,
  layers: statistics.layers,
  verdicts: properties.map(({ verdict }) => verdict),
  userSeconds: user / 1e6,
  systemSeconds: system / 1e6,
  wallSeconds: statistics.wallSeconds,
  peakMegabytes: process.resourceUsage().maxRSS / 1000,
  bytesPerState: statistics.bytesPerState,
};
process.stdout.write(`${JSON.stringify(measured)}\n`);

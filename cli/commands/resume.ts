import { join } from 'node:path';
import { CheckerError } from '../../checker/index.ts';
import { codeDigests } from '../../gate/run/code-digest.ts';
import { digestOf } from '../../gate/run/digest.ts';
import { text, type Values } from '../../input/options/values.ts';
import { packageVersion } from '../../input/package-files.ts';
import { runPlan } from '../../run/assemble.ts';
import { BlockFile } from '../../run/checkpoint/block-file.ts';
import { CHECKPOINT_ERRORS } from '../../run/checkpoint/errors.ts';
import { locked } from '../../run/checkpoint/lock.ts';
import {
  createFolder,
  demandSame,
  type Manifest,
  manifestOf,
  readManifest,
} from '../../run/checkpoint/manifest.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import { shellQuoted } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import { type CheckArguments, checkArguments } from '../check-arguments.ts';
import { type CheckpointArguments, intervalOf, resumedWords } from '../checkpoint-arguments.ts';
import { parseCommandLine } from '../command-line.ts';
import type { Io } from '../io.ts';
import { againLine, deliverChecks, plansWithin, searchOptions } from './check.ts';

/** Continues the search of a folder, with other limits and other output if these are given. */
export async function resumeCommand(values: Values, io: Io): Promise<ExitCode> {
  const folder = text(values, 'folder') ?? '';
  const saved = readManifest(folder);
  const words = resumedWords(saved.words, values);
  const line = await parseCommandLine(words, packageVersion());
  if (line.kind === 'print' || line.command !== 'check') {
    throw CHECKPOINT_ERRORS.badManifest(join(folder, 'manifest.json'), 'its words are no check');
  }
  const given = checkArguments(line.values, words);
  const every = text(values, 'checkpoint-every') ?? saved.every;
  return checkSaved(given, { folder, every }, io, (now) => demandSame(saved, now));
}

/** Checks one scenario and saves the search. */
export function checkpointedCheck(
  given: CheckArguments,
  checkpoint: CheckpointArguments,
  io: Io,
): Promise<ExitCode> {
  return checkSaved(given, checkpoint, io, (manifest) => createFolder(checkpoint.folder, manifest));
}

/** @param prepare given what is asked now: makes the folder, or compares with what it has. */
async function checkSaved(
  given: CheckArguments,
  { folder, every }: CheckpointArguments,
  io: Io,
  prepare: (manifest: Manifest) => void,
): Promise<ExitCode> {
  const interval = intervalOf(every);
  const { plans, limits } = await plansWithin(given, io);
  const [plan] = plans;
  if (plan === undefined || plans.length > 1) {
    throw MESSAGES.usage(
      `--checkpoint saves one check, and this command has ${plans.length}`,
      'give one scenario, and one folder to each command',
    );
  }
  const { finalizerTable } = given.overrides;
  const files = [...given.inputs, ...(finalizerTable === undefined ? [] : [finalizerTable])];
  prepare(manifestOf(plan, files, { ...versionOf(), words: [...given.words], every }));
  const unlock = locked(folder);
  const store = new BlockFile(folder, join(folder, 'search.blocks'));
  try {
    return await deliverChecks(
      [plan],
      given,
      terminable(io),
      async (_, onProgress, interrupted) => {
        const checkpoint = { store, ...interval };
        const asked = { ...searchOptions(plan, given), asked: given.limits, limits };
        const search = { ...asked, checkpoint, onProgress, interrupted };
        const report = await runPlan(plan, search, againLine(plan, given)).catch(
          (error: unknown) => {
            const isMisfit = error instanceof CheckerError && error.code === 'badCheckpoint';
            throw isMisfit ? CHECKPOINT_ERRORS.notContinued(folder, error.message) : error;
          },
        );
        if (report.result.limit !== null && !given.quiet) {
          io.stderr.write(
            `The search is saved: reapcheck resume ${shellQuoted(folder)} continues it.\n`,
          );
        }
        return report;
      },
    );
  } finally {
    store.close();
    unlock();
  }
}

function versionOf(): Pick<Manifest, 'version' | 'code'> {
  const node = process.versions.node.split('.', 1);
  return {
    version: `reapcheck ${packageVersion()}, Node.js ${process.versions.node}`,
    code: digestOf([codeDigests(), node]),
  };
}

/** A request to end (SIGTERM) stops the search like Ctrl-C: it saves, and reports what it has. */
function terminable(io: Io): Io {
  return {
    ...io,
    onInterrupt: (callback) => {
      io.onTerminate?.(callback);
      return io.onInterrupt(callback);
    },
  };
}

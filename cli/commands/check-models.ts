import { type CheckResult, checkDistinct, type ProgressEvent } from '../../checker/index.ts';
import { authoredModel, withProperties } from '../../run/authored/authored.ts';
import { type Answering, type AuthoredQuestion, reportOnModel } from '../../run/authored/report.ts';
import { onDisk } from '../../run/disk-folder.ts';
import { threadsOf } from '../../run/search-threads.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import type { CheckArguments } from '../check-arguments.ts';
import type { Io } from '../io.ts';
import { loadModule } from '../modules.ts';
import { againLine, deliverChecks, searchOptions } from './check.ts';

/** Answers the question of one module. */
export type ModelRunner = (
  question: AuthoredQuestion,
  onProgress: (event: ProgressEvent) => void,
  interrupted: () => boolean,
  file: string,
) => Promise<CheckResult>;

/** Checks the models that modules export. */
export function checkModels(given: CheckArguments, io: Io): Promise<ExitCode> {
  const {
    distinct = 1,
    threads = 1,
    limits,
    auditEvery,
    ...options
  } = searchOptions({ expectation: null }, given);
  // Else those of the checker apply: a model may be unbounded, or have a wrong symmetry.
  const limited = Object.keys(limits).length > 0 && { limits };
  const asked = { ...limited, ...(auditEvery !== 0 && { auditEvery }) };
  return onDisk(given.disk, (stored) =>
    reportModels(given, io, 'search', (question, onProgress, interrupted, file) => {
      const search = { ...options, ...stored, ...question, onProgress, interrupted };
      const more = threadsOf(threads, 'cli/commands/module-thread', { file });
      return checkDistinct({ ...search, ...asked, ...more }, distinct);
    }),
  );
}

/**
 * Loads all modules, then reports each as `runner` answers.
 *
 * @param suffix is added to the command line that repeats a check.
 */
export async function reportModels(
  given: CheckArguments,
  io: Io,
  how: Answering['how'],
  runner: ModelRunner,
  suffix = '',
): Promise<ExitCode> {
  const items = [];
  for (const file of given.inputs) {
    const authored = withProperties(
      authoredModel(await loadModule(file, given.limits.seconds)),
      given.properties,
    );
    items.push({ authored, title: authored.model.name, museum: null });
  }
  return deliverChecks(items, given, io, ({ authored, title }, onProgress, interrupted) =>
    reportOnModel(authored, {
      title,
      again: `${againLine({ given: authored.file }, given)}${suffix}`,
      limits: given.limits,
      how,
      answer: (question) => runner(question, onProgress, interrupted, authored.file),
    }),
  );
}

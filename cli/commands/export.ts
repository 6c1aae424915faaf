import { testCaseOf } from '../../export/case.ts';
import { EXPORT_FORMATS, isExportFormat } from '../../export/format-names.ts';
import { written } from '../../export/formats.ts';
import { sourceRun } from '../../export/source.ts';
import { limitsOf } from '../../input/options/input-options.ts';
import {
  maxMegabytesOf,
  outputFile,
  text,
  type Values,
  whole,
} from '../../input/options/values.ts';
import { nameMeant } from '../../input/property-names.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Io } from '../io.ts';
import { loadModule } from '../modules.ts';
import { demandNotRead, openOutput } from '../output.ts';

/** Writes a counterexample as a test in another language. Returns exit code 0. */
export async function exportCommand(values: Values, io: Io): Promise<ExitCode> {
  const format = text(values, 'to') ?? '';
  if (!isExportFormat(format)) {
    throw MESSAGES.wrongValue('to', `one of ${EXPORT_FORMATS.join(', ')}`, format);
  }
  const property = text(values, 'property');
  const input = text(values, 'run') ?? '-';
  const file = outputFile(values, '');
  if (file !== null) await demandNotRead([file], [input]);
  const output = file === null ? null : await openOutput(file);
  const check = whole(values, 'check', 1);
  const meant = property === null ? null : nameMeant(property);
  const bounds = { maxMegabytes: maxMegabytesOf(values), limits: limitsOf(values) };
  const wanted = { input, check, property: meant, ...bounds };
  const run = await sourceRun(wanted, io.stdin, loadModule);
  const source = written(testCaseOf(run), format);
  if (output === null) io.stdout.write(source);
  else await output.commit(source);
  return EXIT.asExpected;
}

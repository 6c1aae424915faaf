import { readSource } from '../../input/documents/source.ts';
import { readDocument } from '../../report/document/documents.ts';
import { formatNamed } from '../../report/formats.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Values } from '../command-line.ts';
import type { Io } from '../io.ts';
import { maxMegabytesOf, text } from '../option-values.ts';
import { openReports, wantedReports } from '../reports.ts';

/** Shows a stored document in another format, from what it holds alone. Exit code 0: it is shown. */
export async function renderCommand(values: Values, io: Io): Promise<ExitCode> {
  const wanted = wantedReports(values);
  const choice = { check: text(values, 'check'), property: text(values, 'property') };
  const traces = values.traces === true;
  const formats = [wanted.format, ...wanted.reports.map(({ format }) => format)];
  const full = values.full === true;
  for (const [option, given] of Object.entries({ traces, full })) {
    if (!given || formats.includes('text')) continue;
    throw MESSAGES.usage(`--${option} says nothing with --format ${wanted.format}`);
  }
  for (const [option, value] of Object.entries(choice)) {
    if (value === null || formats.some((name) => formatNamed(name).shows !== 'document')) continue;
    throw MESSAGES.usage(
      `--${option} says nothing with --format ${wanted.format}, which shows all`,
    );
  }
  const limits = { maxMegabytes: maxMegabytesOf(values) };
  const document = readDocument(await readSource(text(values, 'result') ?? '-', io.stdin, limits));
  const reports = await openReports(wanted, io);
  await reports.deliver(document, { traces, full, quiet: values.quiet === true, choice });
  return EXIT.asExpected;
}

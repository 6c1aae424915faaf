import { readSource } from '../../input/documents/source.ts';
import { limitsOf } from '../../input/options/input-options.ts';
import { maxMegabytesOf, text, type Values } from '../../input/options/values.ts';
import { nameMeant } from '../../input/property-names.ts';
import { lookAt, workClock } from '../../input/work-clock.ts';
import { readDocument } from '../../report/document/documents.ts';
import { formatNamed } from '../../report/format-names.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Io } from '../io.ts';
import { openReports, wantedReports } from '../reports.ts';

/** Shows a stored document in another format. Returns exit code 0; throws if nothing was judged. */
export async function renderCommand(values: Values, io: Io): Promise<ExitCode> {
  const wanted = wantedReports(values);
  const property = text(values, 'property');
  const choice = {
    check: text(values, 'check'),
    property: property === null ? null : nameMeant(property),
  };
  const traces = values.traces === true;
  const formats = [wanted.format, ...wanted.reports.map(({ format }) => format)];
  const full = values.full === true;
  for (const [option, given] of Object.entries({ traces, full })) {
    if (!given || formats.includes('text')) continue;
    throw MESSAGES.usage(`--${option} has no effect with --format ${wanted.format}`);
  }
  for (const [option, value] of Object.entries(choice)) {
    if (value === null || formats.some((name) => formatNamed(name).shows !== 'document')) continue;
    throw MESSAGES.usage(
      `--${option} has no effect with --format ${wanted.format}, which shows all checks`,
    );
  }
  const look = lookAt(limitsOf(values), workClock(), 'or a result of fewer checks');
  const reading = { maxMegabytes: maxMegabytesOf(values), look };
  const source = await readSource(text(values, 'result') ?? '-', io.stdin, reading);
  const document = readDocument(source, look);
  // They hold all of it, indented and escaped.
  const isLarge = formats.includes('json') || formats.includes('html');
  if (isLarge) look(`rendering ${source.file}`, 4 * source.text.length);
  const reports = await openReports(wanted, io);
  await reports.deliver(document, { traces, full, quiet: values.quiet === true, choice });
  return EXIT.asExpected;
}

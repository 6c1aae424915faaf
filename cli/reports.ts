import { outputFile, text, texts, type Values } from '../input/options/values.ts';
import { answerShown } from '../report/answer/parts.ts';
import type { ReportDocument } from '../report/document/documents.ts';
import { chosenGraph, graphsIn } from '../report/document/state-graphs.ts';
import { ANY_TRACE, chosenTrace, type TraceChoice } from '../report/document/traces.ts';
import { FORMAT_NAMES, type Format, type FormatName, formatNamed } from '../report/format-names.ts';
import { openJobSummary } from '../report/formats/job-summary.ts';
import { type Renderer, type RenderOptions, renderersOf } from '../report/formats.ts';
import { InputError } from '../text/input-error.ts';
import { colorsFor, PLAIN } from '../text/layout.ts';
import { hint, MESSAGES } from '../text/messages.ts';
import type { Io } from './io.ts';
import { type Output, openOutputs } from './output.ts';

/** The requested formats of a document, and their destinations. */
export interface WantedReports {
  /** The format that is printed, or written to `output`. */
  readonly format: FormatName;
  readonly output: string | null;
  readonly reports: readonly { readonly format: FormatName; readonly file: string }[];
}

/** `--format`, `--output` and `--report`. Throws `InputError`. */
export function wantedReports(values: Values): WantedReports {
  return {
    format: formatCalled(text(values, 'format') ?? 'text', 'format'),
    output: outputFile(values),
    reports: texts(values, 'report').map((given) => {
      const equals = given.indexOf('=');
      if (equals <= 0) throw MESSAGES.wrongValue('report', 'FORMAT=FILE', given);
      return {
        format: formatCalled(given.slice(0, equals), 'report'),
        file: given.slice(equals + 1),
      };
    }),
  };
}

/**
 * `wantedReports` for a command whose documents never contain what some formats show. Such a `--format`
 * is an error. Such a `--report` is not, so that one list of reports works for all commands.
 */
export function reportsShowing(
  values: Values,
  command: string,
  shown: readonly Format['shows'][],
): WantedReports {
  const wanted = wantedReports(values);
  const { shows } = formatNamed(wanted.format);
  if (shows === 'document' || shown.includes(shows)) return wanted;
  const what = {
    states: 'records no graph of states',
    trace: 'has no run of the model to show',
    answer: 'answers no question about a dump',
  }[shows];
  throw MESSAGES.usage(
    `reapcheck ${command} has no format ${wanted.format}: it ${what}`,
    shows === 'states' ? 'reapcheck check records the graph of a small model' : undefined,
  );
}

function formatCalled(name: string, option: string): FormatName {
  const found = FORMAT_NAMES.find((known) => known === name);
  if (found !== undefined) return found;
  throw MESSAGES.usage(
    `--${option} does not know the format "${name}"`,
    hint(name, FORMAT_NAMES, `available: ${FORMAT_NAMES.join(', ')}`),
  );
}

/** The words of a command line without formats and output files, to repeat the work. */
export function withoutReports(words: readonly string[]): readonly string[] {
  return words.filter((word, index) => {
    const isValue = REPORT_WORDS.includes(words[index - 1] ?? '');
    const isOption = REPORT_WORDS.some(
      (option) => word === option || (option !== '-o' && word.startsWith(`${option}=`)),
    );
    return !isValue && !isOption;
  });
}

const REPORT_WORDS: readonly string[] = ['--format', '--output', '-o', '--report'];

/** How to show a document. */
export interface Showing {
  /** Text: every trace, not only unexpected ones. */
  readonly traces: boolean;
  /** Text: the whole state at each step of a trace. */
  readonly full: boolean;
  readonly quiet: boolean;
  readonly choice: TraceChoice;
  /** Replaces the output on stdout, for a command that has already printed a part of it. */
  readonly printed?: (options: RenderOptions) => string;
  /** Moves further files of the result into place, together with the reports. */
  readonly placeRest?: () => Promise<void>;
}

/** For commands without options about traces. */
export function showingOf(values: Values): Showing {
  return { traces: false, full: false, quiet: values.quiet === true, choice: ANY_TRACE };
}

/** All outputs of a command, opened before the work begins. */
export interface Reports {
  /** Whether the document is printed and not written to `--output`. */
  readonly printing: boolean;
  /** Renders everything, writes everything, then moves all files into place. */
  deliver(document: ReportDocument, showing: Showing): Promise<void>;
  /** Leaves all files unchanged. */
  discard(): Promise<void>;
}

interface Opened {
  readonly format: FormatName;
  readonly file: string;
  readonly output: Output;
}

/** Throws `InputError` for a path that cannot be written or is given twice. */
export async function openReports(wanted: WantedReports, io: Io): Promise<Reports> {
  const { format, output, reports } = wanted;
  const isOnGithub = [format, ...reports.map((report) => report.format)].includes('github');
  const summary = isOnGithub ? await openJobSummary(io.env) : null;
  const files = [...(output === null ? [] : [{ format, file: output }]), ...reports];
  const outputs = await openOutputs(files.map(({ file }) => file));
  const opened = files.map((file, index): Opened => ({ ...file, output: outputs[index]! }));
  const discard = async (): Promise<void> => {
    for (const one of outputs) await one.discard();
  };
  return {
    printing: output === null,
    discard,
    deliver: async (document, showing) => {
      try {
        const refused = await write(document, wanted, opened, showing, io);
        await summary?.add(document);
        if (refused !== undefined) throw refused;
      } finally {
        await discard();
      }
    },
  };
}

/** Returns why `--format` cannot show the document. The other reports are written nevertheless. */
async function write(
  document: ReportDocument,
  { format, output }: WantedReports,
  opened: readonly Opened[],
  showing: Showing,
  io: Io,
): Promise<InputError | undefined> {
  const note = (line: string): void => {
    if (!showing.quiet) io.stderr.write(`${line}\n`);
  };
  const { traces, full, choice } = showing;
  const renderers = await renderersOf([format, ...opened.map((one) => one.format)]);
  const render = (name: FormatName, options: RenderOptions): string => {
    const content = renderers.get(name)!.render(document, options);
    const { shows, prefersAnswer } = formatNamed(name);
    const isTree = prefersAnswer === true && answerShown(document, choice) !== null;
    if (shows === 'trace' && !isTree) othersNote(document, choice, name, note);
    if (shows === 'states') otherGraphsNote(document, choice, name, note);
    return content;
  };
  const toScreen = { traces, full, choice, colors: colorsFor(io.env, io.stdout.isTerminal) };
  const toFile = { traces, full, choice, colors: PLAIN };
  const refused: InputError[] = [];
  const requested = (options: RenderOptions): string | null => {
    try {
      return render(format, options);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      refused.push(error);
      return null;
    }
  };
  const printed = output === null ? (showing.printed?.(toScreen) ?? requested(toScreen)) : null;
  const filled: Opened[] = [];
  for (const one of opened) {
    const content =
      one.file === output
        ? requested(toFile)
        : reportContent(one, renderers.get(one.format)!, () => render(one.format, toFile), note);
    if (content === null) continue;
    await one.output.write(content);
    filled.push(one);
  }
  for (const one of filled) await one.output.place();
  await showing.placeRest?.();
  if (printed !== null) io.stdout.write(printed);
  else if (refused.length === 0) note(`The result is in ${output}`);
  return refused[0];
}

/** Some formats have nothing to show for many documents. For `--report` that is not an error. */
function reportContent(
  { file }: Opened,
  { comment }: Renderer,
  render: () => string,
  note: (line: string) => void,
): string | null {
  try {
    return render();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { what } = error.text;
    note(comment === undefined ? `${file} is not written: ${what}` : `${file} is empty: ${what}`);
    return comment?.(what) ?? null;
  }
}

function othersNote(
  document: ReportDocument,
  choice: TraceChoice,
  format: FormatName,
  note: (line: string) => void,
): void {
  const { shown, others } = chosenTrace(document, choice);
  if (others.length === 0) return;
  const more = others.length === 1 ? 'there is 1 more' : `there are ${others.length} more`;
  note(`${format} shows the trace of "${shown.property.name}" in ${shown.check}; ${more}`);
}

function otherGraphsNote(
  document: ReportDocument,
  choice: TraceChoice,
  format: FormatName,
  note: (line: string) => void,
): void {
  const others = graphsIn(document).length - 1;
  if (others < 1) return;
  const more = others === 1 ? 'there is 1 more' : `there are ${others} more`;
  note(`${format} shows the states of ${chosenGraph(document, choice).check}; ${more}`);
}

import type { PropertyResult } from '../../checker/index.ts';
import { EXIT } from '../../text/exit-codes.ts';
import type { Colors } from '../../text/layout.ts';
import { answerText } from '../answer/text.ts';
import type { CheckReport, ResultDocument } from '../document/result-document.ts';
import { headLines } from './museum.ts';
import { reportLines } from './report.ts';
import { totalLines } from './summary.ts';

export interface TextOptions {
  readonly colors: Colors;
  /** Show every trace, not only unexpected ones. */
  readonly traces: boolean;
  /** Show the whole state at each point of a trace. */
  readonly full?: boolean;
}

/**
 * The document as text: one check in full; for several checks a line each, then the unexpected
 * ones.
 */
export function renderText(document: ResultDocument, options: TextOptions): string {
  if (document.answer !== null) {
    return answerText(document, document.answer, options);
  }
  const heads = isSingle(document)
    ? []
    : headLines(document.checks, options.colors).map((line) => `${line}\n`);
  return `${heads.join('')}${renderRest(document, options)}`;
}

/** The rest of the text after the lines of the checks, which are printed one by one. */
export function renderRest(document: ResultDocument, options: TextOptions): string {
  const { colors, full = false } = options;
  if (isSingle(document)) {
    const wanted = hasTrace(options);
    const [report] = document.checks;
    return `${reportLines(report!, { colors, wanted, full, brief: false }).join('\n')}\n`;
  }
  const unexpected = document.checks
    .filter((report) => options.traces || needsReading(report))
    .flatMap((report) => {
      const wanted = options.traces ? hasTrace(options) : isUnexpected(report);
      return ['', ...reportLines(report, { colors, wanted, full, brief: true })];
    });
  return `${[...unexpected, '', ...totalLines(document, colors)].join('\n')}\n`;
}

function isSingle({ checks, notRun }: ResultDocument): boolean {
  return checks.length === 1 && notRun.length === 0;
}

function needsReading({ exitCode }: CheckReport): boolean {
  return exitCode !== EXIT.asExpected && exitCode !== EXIT.interrupted;
}

/** Examples of witnesses are shown on request only. */
function hasTrace({ traces }: TextOptions): (property: PropertyResult) => boolean {
  return ({ verdict }) => verdict === 'violated' || traces;
}

function isUnexpected({ expectation }: CheckReport): (property: PropertyResult) => boolean {
  return ({ name, verdict }) => verdict === 'violated' && expectation?.verdicts[name] !== verdict;
}

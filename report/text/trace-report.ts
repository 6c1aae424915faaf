import { escaped } from '../../text/escape.ts';
import { type Colors, grouped, plural, wrapped } from '../../text/layout.ts';
import type {
  Coverage,
  Failure,
  MisfitText,
  TraceReport,
  TracesReport,
} from '../document/conformance-documents.ts';
import { valueText } from './run-words.ts';

/** The report of `conform trace` as text: a line for each trace, more for those not accepted. */
export function traceReportLines(report: TracesReport, colors: Colors): readonly string[] {
  const accepted = report.traces.filter(({ verdict }) => verdict === 'accepted').length;
  return [
    ...report.traces.flatMap((trace) => traceLines(trace, colors)),
    '',
    ...(report.coverage === null ? [] : [...coverageLines(report.coverage), '']),
    ...(report.notJudged === 0 ? [] : [`interrupted: ${plural(report.notJudged, 'trace')} left`]),
    ...(report.partial && report.traces.some(({ open }) => open === null) ? wrapped(PARTIAL) : []),
    ...(report.traces.some(({ open }) => open !== null) ? wrapped(OPEN) : []),
    `${grouped(accepted)} of ${plural(report.traces.length, 'trace')} accepted by ${escaped(report.protocol)}`,
  ];
}

const PARTIAL =
  'With --partial the logs may leave out requests: accepted means that the model explains what was logged if the missing requests were the right ones; requests of the collector that write are never taken to be missing.';

const OPEN =
  'A log without bodies is judged object by object: what it does not show may have any value. Owners and finalizers are not shown, so accepted does not mean that the collector deleted the right objects. Every write to a kind is taken to be in the log, if any is.';

/** What the verdict on a log without bodies leaves open; null if the log has them. */
export function openText({ open, requests: all }: TraceReport): string | null {
  if (open === null) return null;
  const { level, requests, bodies, answers } = open;
  const parts = [
    ...(bodies > 0
      ? [bodies === 1 ? '1 body of a request' : `${grouped(bodies)} bodies of requests`]
      : []),
    ...(answers > 0 ? [plural(answers, 'answer')] : []),
  ];
  return `as far as a log at level ${level} can tell: ${grouped(requests)} of ${plural(all, 'request')} had no body or no answer (${parts.join(' and ')})`;
}

/** Why neither an explanation was found nor all were excluded. */
export function inconclusiveText({ open }: TraceReport): string {
  const objects = open?.dryRuns ?? 0;
  if (objects === 0)
    return 'a limit was hit before all explanations were tried; see --timeout and --memory';
  return `explained only if a DELETE was a dry run (for ${plural(objects, 'object')}): the log lacks the body that says so; level Request shows it`;
}

export function traceLines(trace: TraceReport, colors: Colors): readonly string[] {
  const size = `${plural(trace.requests, 'request')}, ${plural(trace.changes, 'change')}`;
  const tried = `${plural(trace.states, 'state')} tried`;
  const name = escaped(trace.trace);
  switch (trace.verdict) {
    case 'accepted':
      return [...wrapped(`${name}: ${size}, ${tried}`, 'accepted      '), ...openLines(trace)];
    case 'rejected':
      return [
        '',
        ...wrapped(`${name}: ${size}, ${tried}`, 'rejected      ').map((line) => colors.red(line)),
        ...openLines(trace),
        ...failureLines(trace, trace.failure),
      ];
    case 'inconclusive':
      return [
        '',
        ...wrapped(`${name}: ${size}, ${tried}`, 'inconclusive  ').map((line) =>
          colors.yellow(line),
        ),
        ...wrapped(inconclusiveText(trace), '  '),
        ...openLines(trace),
        ...failureLines(trace, trace.failure),
      ];
    default:
      throw new Error(`unknown verdict ${String(trace.verdict satisfies never)}`);
  }
}

function openLines(trace: TraceReport): readonly string[] {
  const text = openText(trace);
  return text === null ? [] : wrapped(text, '  ');
}

const MOST_MISFITS = 5;
const MOST_ENDS = 3;
const MOST_INSTEAD = 8;

function failureLines(trace: TraceReport, failure: Failure | null): readonly string[] {
  if (failure === null) return [];
  const { event, place, change, misfits, instead, prefixes, ends } = failure;
  // A log without bodies is judged object by object: there are no explanations of a beginning.
  const whole = trace.open === null;
  const explained = `${grouped(trace.explained)} of ${plural(trace.observations, 'observation')}`;
  const furthest = Math.max(0, ...ends.map(({ changes }) => changes));
  return [
    ...(whole
      ? wrapped(
          `explained: ${explained} and ${furthest} of ${plural(trace.changes, 'change')}, in ${prefixes === 1 ? '1 way' : `${grouped(prefixes)} ways that differ at the end`}`,
          '  ',
        )
      : []),
    ...wrapped(escaped(event), '  no explanation for  '),
    ...wrapped(escaped(place), '    at '),
    ...(change === null
      ? []
      : [
          ...wrapped(escaped(change.what), '  next change         '),
          ...wrapped(escaped(change.place), '    at '),
        ]),
    ...misfits.slice(0, MOST_MISFITS).flatMap(misfitLines),
    ...more(misfits.length, MOST_MISFITS, 'misfit'),
    ...(instead === null ? [] : insteadLines(instead)),
    ...ends
      .slice(0, MOST_ENDS)
      .flatMap((end, index) => [
        ...wrapped(escaped(end.lastSteps.join('; ')), `  way ${index + 1} ends with  `),
        ...(end.underWay.length === 0
          ? []
          : wrapped(escaped(end.underWay.join(', ')), '    under way     ')),
      ]),
    ...(whole ? more(prefixes, MOST_ENDS, 'way') : []),
  ];
}

function insteadLines(instead: readonly string[]): readonly string[] {
  if (instead.length === 0) return wrapped('no worker of the collector has anything to send', '  ');
  const shown = escaped(instead.slice(0, MOST_INSTEAD).join(', '));
  return [
    ...wrapped(shown, '  the collector could have sent  ', '    '),
    ...more(instead.length, MOST_INSTEAD, 'request'),
  ];
}

function more(count: number, shown: number, noun: string): readonly string[] {
  return count <= shown ? [] : [`  and ${plural(count - shown, noun)} more`];
}

function misfitLines({ sentence, field, seen, model }: MisfitText): readonly string[] {
  return [
    ...wrapped(escaped(sentence), '  why  '),
    ...(field === null
      ? []
      : [
          ...wrapped(escaped(`${field} ${valueText(seen)}`), '    the log    '),
          ...wrapped(escaped(valueText(model)), '    the model  '),
        ]),
  ];
}

function coverageLines(coverage: Coverage): readonly string[] {
  const unseen = coverage.steps.filter(({ times }) => times === 0);
  const unread = coverage.rules.filter(({ traces }) => traces.length === 0);
  return [
    'Steps of the model that the accepted traces exercised:',
    ...coverage.steps
      .filter(({ times }) => times > 0)
      .map(({ times, traces, ...step }) => {
        const name = escaped(stepName(step));
        return `  ${name.padEnd(40)} ${grouped(times).padStart(7)} in ${plural(traces.length, 'trace')}`;
      }),
    ...(unseen.length === 0
      ? []
      : wrapped(escaped(unseen.map(stepName).join(', ')), '  none exercised  ')),
    '',
    'Rules that they made the model read:',
    ...coverage.rules
      .filter(({ traces }) => traces.length > 0)
      .map(
        ({ rule, value, traces }) =>
          `  ${escaped(`${rule}=${value}`).padEnd(60)} in ${plural(traces.length, 'trace')}`,
      ),
    ...(unread.length === 0
      ? []
      : wrapped(
          escaped(unread.map(({ rule, value }) => `${rule}=${value}`).join(', ')),
          '  none read  ',
        )),
  ];
}

function stepName({ action, step }: { readonly action: string; readonly step: string }): string {
  return step === '' ? action : `${action}: ${step}`;
}

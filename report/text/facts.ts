import { escaped } from '../../text/escape.ts';
import { type Colors, plural, wrapped } from '../../text/layout.ts';
import type {
  AreaReport,
  CaseReport,
  Counts,
  FactsReport,
} from '../document/conformance-documents.ts';
import { valueText } from './run-words.ts';

/**
 * The report of `conform facts` as text: a line for each area, then every case that did not pass.
 */
export function factsLines(report: FactsReport, colors: Colors): readonly string[] {
  const width = Math.max(...report.areas.map(({ area }) => escaped(area).length));
  const later = report.cases.filter(({ as }) => as === 'later').length;
  const deviations = report.cases.filter(({ as }) => as === 'deviation').length;
  return [
    ...report.areas.map((area) => areaLine(area, width, colors)),
    ...report.cases.flatMap((judgement) => caseLines(judgement, colors)),
    '',
    ...(deviations === 0
      ? []
      : [
          `${plural(deviations, 'case')} judged by the deviation that they state for ${escaped(report.protocol)}`,
        ]),
    ...(later === 0
      ? []
      : [`${plural(later, 'case')} about later releases, judged by the newest value of each rule`]),
    ...(report.notJudged === 0 ? [] : [`interrupted: ${plural(report.notJudged, 'case')} left`]),
    `${plural(report.cases.length, 'case')} for ${escaped(report.protocol)}: ${countsText(report.total)}`,
  ];
}

function countsText({ passed, failed, unsupported, inconclusive }: Counts): string {
  const more = inconclusive === 0 ? '' : `, ${inconclusive} inconclusive`;
  return `${passed} passed, ${failed} failed, ${unsupported} unsupported${more}`;
}

function areaLine(area: AreaReport, width: number, colors: Colors): string {
  const line = `${escaped(area.area).padEnd(width)}  ${countsText(area)}`;
  if (area.failed > 0) return colors.red(line);
  return area.unsupported + area.inconclusive > 0 ? colors.yellow(line) : line;
}

/** The details of a case that did not pass. */
export function caseLines({ id, title, outcome }: CaseReport, colors: Colors): readonly string[] {
  const head = escaped(`${id}: ${title}`);
  switch (outcome.verdict) {
    case 'passed':
      return [];
    case 'failed': {
      const where = outcome.step === 'expect' ? 'at the end' : `step ${outcome.step}`;
      return [
        '',
        ...wrapped(head, 'failed  ').map((line) => colors.red(line)),
        ...wrapped(escaped(`${where}: ${outcome.rule}`), '  '),
        ...wrapped(escaped(valueText(outcome.expected)), '  expected  '),
        ...wrapped(escaped(valueText(outcome.got)), '  got       '),
      ];
    }
    case 'unsupported':
    case 'inconclusive':
      return [
        '',
        ...wrapped(head, `${outcome.verdict}  `).map((line) => colors.yellow(line)),
        ...wrapped(escaped(outcome.why), '  '),
      ];
    default:
      throw new Error(`unknown outcome ${JSON.stringify(outcome satisfies never)}`);
  }
}

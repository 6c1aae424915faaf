import { escaped } from '../../text/escape.ts';
import { plural, shellQuoted } from '../../text/layout.ts';
import { ALARMS, type ReportCase, sentenceOf, shortened, worstFirst } from '../cases/cases.ts';
import { suitesOf } from '../cases/suites.ts';
import type { ReportDocument } from '../document/documents.ts';

/**
 * Workflow commands of GitHub Actions. A step that prints them adds annotations to the lines of a
 * pull request. GitHub shows ten of each kind for a step, so the last one counts the rest.
 */
export function renderGithub(document: ReportDocument): string {
  const found = suitesOf(document).flatMap(({ name, cases }) =>
    worstFirst(cases).flatMap((one) => annotation(name, one)),
  );
  const lines = KINDS.flatMap((kind) => shown(found.filter((one) => one.kind === kind)));
  const counts = KINDS.map((kind) => plural(found.filter((one) => one.kind === kind).length, kind));
  return `${[...lines, `reapcheck: ${counts.join(', ')}`].join('\n')}\n`;
}

const KINDS = ['error', 'warning', 'notice'] as const;
type Kind = (typeof KINDS)[number];

const MOST_OF_A_KIND = 10;

interface Annotation {
  readonly kind: Kind;
  readonly title: string;
  readonly message: string;
  readonly place: ReportCase['place'];
}

/** Green cases have no annotation, except known violations, which have a notice. */
function annotation(suite: string, one: ReportCase): readonly Annotation[] {
  const { name, rule, status, place, known } = one;
  const kind = ALARMS[status] ?? (known === null ? null : 'notice');
  if (kind === null) return [];
  const message = `${shortened(sentenceOf(one), LONGEST_MESSAGE)}${replayWords(one)}`;
  const id = rule.id === undefined ? '' : ` (${rule.id})`;
  return [{ kind, title: `${suite}: ${name}${id}`, message, place }];
}

function shown(all: readonly Annotation[]): readonly string[] {
  if (all.length <= MOST_OF_A_KIND) return all.map(command);
  const some = all.slice(0, MOST_OF_A_KIND - 1);
  const left = plural(all.length - some.length, `more ${all[0]!.kind}`);
  const rest = { kind: all[0]!.kind, title: 'reapcheck', place: null };
  return [...some, { ...rest, message: `${left} in the summary of this job and its log` }].map(
    command,
  );
}

const LONGEST_MESSAGE = 1000;

function replayWords({ trace }: ReportCase): string {
  const token = trace?.token ?? null;
  return token === null ? '' : ` (reapcheck replay ${shellQuoted(token)})`;
}

function command({ kind, title, message, place }: Annotation): string {
  const properties = [
    ...(place === null ? [] : [`file=${property(place.file)}`]),
    ...(place?.line == null ? [] : [`line=${place.line}`]),
    `title=${property(title)}`,
  ];
  return `::${kind} ${properties.join(',')}::${data(message)}`;
}

/** Escapes as the runner expects them: `%` and line ends; in properties also `:` and `,`. */
function data(text: string): string {
  return escaped(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

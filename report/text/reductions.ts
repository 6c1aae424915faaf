import type { CheckResult } from '../../checker/index.ts';
import { grouped, plural } from '../../text/layout.ts';

type Reported<Name extends keyof CheckResult> = NonNullable<CheckResult[Name]>;

/**
 * Which reductions were used and why that is sound, what was judged without them, and why one that
 * was asked for was not applied. Nothing about what was switched off.
 */
export function reductionNotes(result: CheckResult): readonly string[] {
  const { symmetry, confluence, partialOrder } = result;
  return [
    ...(symmetry === null ? [] : symmetryNotes(symmetry)),
    ...(confluence === undefined ? [] : [confluenceNote(confluence)]),
    ...(partialOrder === undefined ? [] : [partialOrderNote(partialOrder)]),
  ];
}

const NOTHING_INTERCHANGEABLE = 'Symmetry is not applied: nothing in the model is interchangeable.';

/** The reason that the checker gives if symmetry was switched off. */
const SWITCHED_OFF = 'switched off';

function symmetryNotes({
  groups,
  renamings,
  judgedWithout,
  shown,
}: Reported<'symmetry'>): readonly string[] {
  if (groups.length === 0) return [NOTHING_INTERCHANGEABLE];
  const applied = groups.filter((group) => group.applied);
  const refused = groups.filter(
    (group) => !group.applied && group.reason !== null && group.reason !== SWITCHED_OFF,
  );
  return [
    ...(applied.length === 0
      ? []
      : [
          `Symmetry: states that differ only by one of ${plural(renamings, 'renaming')} are counted as one, as ` +
            `renaming takes runs to runs: ${applied.map(groupText).join('; ')}.${again(judgedWithout)}`,
        ]),
    ...(shown === 'by a sample' ? [SAMPLED] : []),
    ...refused.map((group) => `Symmetry is not applied to ${groupText(group)}: ${group.reason}.`),
  ];
}

const SAMPLED =
  'There are too many renamings to try them all with every step. If the model does not have this ' +
  'symmetry, the verdicts may be wrong. Check a smaller instance too, or use --reduction none.';

/** How many members are named. */
const NAMED = 6;

function groupText({
  name,
  members,
  applied,
  reason,
}: Reported<'symmetry'>['groups'][number]): string {
  const note = applied && reason !== null ? `, ${reason}` : '';
  const more = members.length - NAMED;
  const listed = members.slice(0, NAMED).join(', ');
  return `${name} (${listed}${more > 0 ? ` and ${grouped(more)} more` : ''}${note})`;
}

function confluenceNote({
  applied,
  reason,
  steps,
  judgedWithout,
  leftOpen,
}: Reported<'confluence'>): string {
  if (!applied) return `Confluence is not applied: ${reason ?? 'no reason given'}.`;
  const open =
    leftOpen.length === 0
      ? ''
      : ` Left open, as they read what such steps write: ${leftOpen.join('; ')}. With confluence in the ` +
        'place of confluence-only, a second search judges them.';
  return (
    `Confluence: ${plural(steps, 'step')} taken at once, as delaying them makes no difference. ${FEWER}` +
    `${again(judgedWithout)}${open}`
  );
}

function partialOrderNote({
  applied,
  reason,
  states,
  judgedWithout,
}: Reported<'partialOrder'>): string {
  if (!applied) return `Partial order is not applied: ${reason ?? 'no reason given'}.`;
  return (
    `Partial order: ${plural(states, 'state')} expanded by a stubborn set, as the steps left out there commute ` +
    `with those taken and are taken later. ${FEWER}${again(judgedWithout)}`
  );
}

const FEWER =
  'The model has more states than counted, and counterexamples may be longer than the shortest.';

function again(names: readonly string[]): string {
  return names.length === 0 ? '' : ` Judged again without it: ${names.join('; ')}.`;
}

/**
 * Of the searches of one answer: which steps they left out, or why they did not. How far symmetry
 * was used, the answer says itself.
 */
export function reductionsUsed(
  checks: readonly { readonly result: CheckResult }[],
): readonly string[] {
  const results = checks.map(({ result }) => result);
  const confluences = results.flatMap(({ confluence }) => confluence ?? []);
  const orders = results.flatMap(({ partialOrder }) => partialOrder ?? []);
  const confluence = overall(confluences);
  const steps = confluences.reduce((sum, report) => sum + report.steps, 0);
  const leftOpen = [...new Set(confluences.flatMap((report) => report.leftOpen))];
  const isIdle = confluences.length === 0 || (confluence.applied && steps === 0);
  return [
    ...(isIdle ? [] : [confluenceNote({ ...confluence, steps, leftOpen })]),
    ...(orders.length === 0
      ? []
      : [
          partialOrderNote({
            ...overall(orders),
            states: orders.reduce((sum, { states }) => sum + states, 0),
          }),
        ]),
  ];
}

/** One search that applies it is enough. */
function overall(
  reports: readonly Pick<Reported<'partialOrder'>, 'applied' | 'reason' | 'judgedWithout'>[],
) {
  return {
    applied: reports.some(({ applied }) => applied),
    reason: reports[0]?.reason ?? null,
    judgedWithout: [...new Set(reports.flatMap(({ judgedWithout }) => judgedWithout))],
  };
}

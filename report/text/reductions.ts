import type { CheckResult } from '../../checker/index.ts';
import { grouped, plural } from '../../text/layout.ts';

/** How symmetry was used, and why not for some groups; nothing if it was switched off. */
export function symmetryNotes({ symmetry }: CheckResult): readonly string[] {
  if (symmetry === null) return [];
  const applied = symmetry.groups.filter((group) => group.applied);
  const refused = symmetry.groups.filter(
    ({ applied, reason }) => !applied && reason !== null && reason !== SWITCHED_OFF,
  );
  return [
    ...(applied.length === 0
      ? []
      : [
          `States that differ only by one of ${plural(symmetry.renamings, 'renaming')} are counted as ` +
            `one: ${applied.map(groupText).join('; ')}.`,
        ]),
    ...refused.map((group) => `Not applied to ${groupText(group)}: ${group.reason}.`),
    ...(symmetry.judgedWithout.length === 0
      ? []
      : [`Judged again without it: ${symmetry.judgedWithout.join('; ')}.`]),
  ];
}

/** The reason that the checker gives if symmetry was switched off. */
const SWITCHED_OFF = 'switched off';

/** How many members are named. */
const NAMED = 6;

function groupText({
  name,
  members,
  applied,
  reason,
}: NonNullable<CheckResult['symmetry']>['groups'][number]): string {
  const note = applied && reason !== null ? `, ${reason}` : '';
  const more = members.length - NAMED;
  const listed = members.slice(0, NAMED).join(', ');
  return `${name} (${listed}${more > 0 ? ` and ${grouped(more)} more` : ''}${note})`;
}

/** How confluence was used, or why not; nothing if it was not asked for. */
export function confluenceNotes({ confluence }: CheckResult): readonly string[] {
  if (confluence === undefined) return [];
  const { applied, reason, steps, judgedWithout, leftOpen } = confluence;
  if (!applied) return [`Not applied: ${reason ?? 'no reason given'}.`];
  return [
    `${plural(steps, 'step')} taken at once, as delaying them makes no difference: the model has more ` +
      'states than counted, and counterexamples may be longer than the shortest.',
    ...(judgedWithout.length === 0
      ? []
      : [`Judged again without it: ${judgedWithout.join('; ')}.`]),
    ...(leftOpen.length === 0
      ? []
      : [
          `Left open, as they read what such steps write: ${leftOpen.join('; ')}. --confluence on judges them by a second search.`,
        ]),
  ];
}

/** How partial-order reduction was used, or why not; nothing if it was not asked for. */
export function partialOrderNotes({ partialOrder }: CheckResult): readonly string[] {
  if (partialOrder === undefined) return [];
  const { applied, reason, states, judgedWithout } = partialOrder;
  if (!applied) return [`Not applied: ${reason ?? 'no reason given'}.`];
  return [
    `${plural(states, 'state')} expanded by a stubborn set: the steps left out there commute with those taken, ` +
      'so they are taken later. The model has more states than counted, and counterexamples may be longer ' +
      'than the shortest.',
    ...(judgedWithout.length === 0
      ? []
      : [`Judged again without it: ${judgedWithout.join('; ')}.`]),
  ];
}

import type { CheckResult } from '../../checker/index.ts';
import { plural } from '../../text/layout.ts';

/** What was taken at once, or why nothing was; nothing where it was not asked for. */
export function confluenceNotes({ confluence }: CheckResult): readonly string[] {
  if (confluence === undefined) return [];
  const { applied, reason, steps, judgedWithout, leftOpen } = confluence;
  if (!applied) return [`Not applied: ${reason ?? 'no reason given'}.`];
  return [
    `${plural(steps, 'step')} taken at once that nobody gains by putting off: fewer states than there are, ` +
      'and counterexamples may be longer than the shortest.',
    ...(judgedWithout.length === 0
      ? []
      : [`Judged once more without it: ${judgedWithout.join('; ')}.`]),
    ...(leftOpen.length === 0
      ? []
      : [
          `Left open, as they look at what such steps write: ${leftOpen.join('; ')}. --confluence on judges them, by a second search.`,
        ]),
  ];
}

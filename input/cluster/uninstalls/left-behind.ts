import type { Besides, BesidesGiven } from '../beside/besides.ts';
import { unattendedIn, unreadableIn } from '../beside/operators.ts';
import type { Evidence } from '../doubts/evidence.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { strangersIn } from './strangers.ts';
import { volumesLostIn } from './volumes.ts';

export interface UninstallOptions {
  /**
   * The question is about all of a release. Its answer is about what stays as well, so that doubts
   * about that count, too.
   */
  readonly uninstalls?: true;
}

/** What stays and does not do without what goes. */
export function leftBehindIn(
  given: BesidesGiven,
  table: readonly KnownFinalizer[],
  evidence: Evidence,
  { uninstalls }: UninstallOptions,
): readonly Besides[] {
  const own = { ...evidence, goes: given.goes };
  return [
    ...unattendedIn(given, table, evidence, (unattended) =>
      strangersIn(unattended, own, uninstalls === true),
    ),
    ...unreadableIn(given, table, evidence.labels),
    ...(uninstalls === true ? volumesLostIn(given, own) : []),
  ];
}

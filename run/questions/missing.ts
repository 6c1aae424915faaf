import type { DoubtfulOwner } from '../../input/cluster/doubts/owners.ts';
import type { Gap } from '../../input/collections/collection.ts';
import type { Plan } from '../../input/plan.ts';
import type { Answer } from '../../report/document/answer.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { plural } from '../../text/layout.ts';

/** What the dump does not say, each with the command that settles it. */
export function missingOf(question: Answer['question'], plan: Plan): Answer['missing'] {
  const { cluster } = plan;
  return [
    ...(cluster?.unknownOwners ?? []).map(({ reference, settle, dependents }) => ({
      text: `${reference.kind}/${reference.name}, which owns ${plural(dependents.length, 'object')} here: the dump has no ${reference.kind}${REPLACING.has(reference.kind) ? '; if it exists, it replaces what is deleted' : ''}`,
      settle,
    })),
    ...(cluster?.doubtfulOwners ?? []).map((owner) => ({
      text: `${plural(owner.dependents.length, 'object')}: ${doubtfulWords(owner)} (${SERVED[owner.doubt]})`,
      settle: owner.settle,
    })),
    ...(cluster?.unknownContents ?? []).map(({ kind, why, settle, reported }) => ({
      text: reported ?? `${kind}: ${why}`,
      settle,
    })),
    ...refusalsOf(plan),
    ...(question === 'explain' ? [] : unknownOwnersOf(plan)),
    ...gapsOf(plan).map(({ what, settle }) => ({ text: what, settle })),
  ];
}

/** Why it is unknown whether the collector finds an owner. */
export function doubtfulWords({ reference, doubt }: DoubtfulOwner): string {
  const { apiVersion, kind, name } = reference;
  return doubt === 'version'
    ? `its owner ${kind}/${name} is named in ${apiVersion}, and the dump shows ${kind} in other versions only: nothing says that this one is still served`
    : `its owner ${kind}/${name} has the uid of an object of another kind, and the dump does not say what serves ${apiVersion} ${kind}`;
}

/** What the settling command can answer. */
const SERVED: Readonly<Record<DoubtfulOwner['doubt'], string>> = {
  kind: 'absent if a definition serves that; there if an aggregated API does, and shows that object so; never looked up, and nothing collected, if nothing serves it',
  version: 'never looked up, and nothing collected, if kubectl finds no such resource type',
};

/** Kinds whose controllers create again what is deleted beneath them. */
const REPLACING: ReadonlySet<string> = new Set([
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'ReplicationController', 'Job'],
]);

/** How to find the owners of finalizers. The remedies of an explanation have these commands. */
function unknownOwnersOf({ cluster }: Plan): Answer['missing'] {
  const found = (cluster?.finalizers ?? []).flatMap(({ finalizer, rows }) =>
    rows.flatMap(({ judgement, reached, settle, known, held }) => {
      if (judgement !== 'unknown' || !reached || settle === null) return [];
      const text = held?.asks ?? `whether ${known?.owner ?? 'a controller'} removes ${finalizer}`;
      return [{ text, settle }];
    }),
  );
  return [...new Map(found.map((one) => [`${one.text} ${one.settle}`, one])).values()];
}

function refusalsOf({ cluster }: Plan): Answer['missing'] {
  // What a policy refuses is known.
  const found = (cluster?.refused ?? []).flatMap(({ by, why, settle }) =>
    by === 'policy' ? [] : [{ text: why, settle }],
  );
  return [...new Map(found.map((one) => [one.text, one])).values()];
}

/** Gaps of the input in which more can be that goes or hangs. */
export function gapsOf({ cluster }: Pick<Plan, 'cluster'>): readonly Gap[] {
  return cluster === null ? [] : [...cluster.incomplete, ...cluster.unread];
}

/** Nothing is certain about a cluster of which a part could not be read. */
export function unreadCode({ cluster }: Pick<Plan, 'cluster'>): ExitCode {
  return (cluster?.unread.length ?? 0) === 0 ? EXIT.asExpected : EXIT.inconclusive;
}

/** A sentence about all objects, with what it cannot know. */
export function withUnread(sentence: string, { cluster }: Pick<Plan, 'cluster'>): string {
  const [gap] = cluster?.unread ?? [];
  if (gap === undefined) return sentence;
  return `${sentence.replace(/\.$/, '')}; what else there is is unknown: ${gap.what}.`;
}

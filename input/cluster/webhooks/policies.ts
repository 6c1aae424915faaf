import { type ApiObject, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import { dryRunOf } from '../../manifests/object-words.ts';
import type { Doubt } from '../beside/doubts.ts';
import type { Requested, Requester } from '../cel/requests.ts';
import type { Observation } from '../observations.ts';
import type { Admitted } from './admitted.ts';
import { type Asking, allOf, isAskedAbout } from './asked.ts';
import { type Decision, type DecisionsGiven, decisionOn } from './decisions.ts';
import type { Later } from './later.ts';
import { MeantIndex } from './meant.ts';
import type { Policy, PolicyBinding } from './observed-policies.ts';
import type { Refused } from './refusals.ts';
import type { Review } from './reviews.ts';

export interface Given extends Asking, DecisionsGiven {
  readonly kept: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  readonly requested: Requested;
  readonly admitted: Admitted;
  /** The requests that follow the DELETE of an object. */
  readonly later: (object: ApiObject) => readonly Later[];
}

/** What policies decide about the DELETEs of a deletion. */
export interface Policed {
  /** Those of which it is not known. */
  readonly reviews: readonly Review[];
  /** Objects that a person deletes, and that stay: the policy refuses every user. */
  readonly refused: readonly Refused[];
  /** Objects whose DELETE by a controller is refused. */
  readonly doubts: readonly Doubt[];
}

/** A policy acts only through its bindings. */
export function policiesIn(given: Given): Policed {
  const { all, kept, goes, observations } = given;
  const policies = new Map(
    all.flatMap((object) => {
      const observed = observations.get(keyOf(object));
      return observed?.of === 'admission policy'
        ? [[object.name, { object, observed }] as const]
        : [];
    }),
  );
  const index = new MeantIndex(kept.filter(goes), (object) => object, given);
  const found = all.map((binding) => {
    const observed = observations.get(keyOf(binding));
    if (observed?.of !== 'admission binding') return [];
    const known = policies.get(observed.policy);
    if (known === undefined) return [];
    const by = displayName(known.object);
    const isThere = !goes(binding) && !goes(known.object);
    const { name } = known.object;
    const active = { policy: known.observed, binding: observed, name, by, isThere };
    const matching = [known.observed.matching, ...observed.matching];
    return index.of(matching, 'DELETE').map((object) => verdictOn(object, active, given));
  });
  const verdicts = found.flat();
  return {
    reviews: found.flatMap(reviewsOf),
    refused: verdicts.flatMap(({ refused }) => refused ?? []),
    doubts: verdicts.flatMap(({ doubt }) => doubt ?? []),
  };
}

interface Active {
  readonly policy: Policy;
  readonly binding: PolicyBinding;
  readonly name: string;
  readonly by: string;
  /** Whether both are there at the DELETE for certain. */
  readonly isThere: boolean;
}

type Open = Extract<Decision, { readonly is: 'unknown' }>;

interface Verdict {
  readonly object: ApiObject;
  readonly by: string;
  /** What it depends on. */
  readonly open?: Open;
  readonly refused?: Refused;
  readonly doubt?: Doubt;
}

function verdictOn(object: ApiObject, active: Active, given: Given): Verdict {
  const { by } = active;
  const decisions = given.requests
    .deletersOf(object)
    .map((sender) => ({ sender, decision: decisionFor(object, sender, active, given) }));
  const refusals = decisions.flatMap(({ sender, decision }) =>
    decision.is === 'refuses' ? [{ sender, why: decision.why }] : [],
  );
  const [first] = refusals;
  const refusing = new Set(refusals.map(({ sender }) => sender));
  const begins = decisions.filter(({ sender }) => !sender.isLast);
  const isRequested = given.requested.has(keyOf(object)) && begins.length > 0;
  if (first !== undefined && isRequested && begins.every(({ sender }) => refusing.has(sender))) {
    const why = `${by} refuses the DELETE: ${first.why}`;
    const settle = dryRunOf(object, given.table);
    const refused = { object: keyOf(object), by: 'policy', why, settle, isSure: true } as const;
    return { object, by, refused };
  }
  if (first !== undefined) {
    const sender = first.sender.name === null ? '' : ` by ${first.sender.name}`;
    const why = `${by} refuses the DELETE of ${displayName(object)}${sender}: ${first.why}`;
    const settle = `${dryRunOf(object, given.table)} ${first.sender.flags}`.trim();
    return { object, by, doubt: { object: keyOf(object), by: 'refusal', why, settle } };
  }
  const open = decisions.flatMap(({ decision }) => (decision.is === 'unknown' ? [decision] : []));
  return open[0] === undefined ? { object, by } : { object, by, open: open[0] };
}

/** What the policy decides, where it is about the request at all. */
function decisionFor(
  object: ApiObject,
  sender: Requester,
  { policy, binding, name, isThere }: Active,
  given: Given,
): Decision {
  const asked = allOf(
    [policy.matching, ...binding.matching].map((matching) =>
      isAskedAbout(matching, object, ['DELETE'], given, sender),
    ),
  );
  if (asked === 'no') return { is: 'accepts' };
  const decision = decisionOn(policy, binding, object, sender, given);
  if (decision.is !== 'accepts' && given.admitted.has(object, [name])) return { is: 'accepts' };
  if (decision.is === 'accepts' || (asked === 'yes' && isThere)) return decision;
  const what = isThere ? 'labels or versions that the dump may lack' : 'whether it goes first';
  return { is: 'unknown', what };
}

/** One for all objects of which the same is open. */
function reviewsOf(verdicts: readonly Verdict[]): readonly Review[] {
  const groups = new Map<string, { readonly open: Open; readonly objects: ApiObject[] }>();
  for (const { object, open } of verdicts) {
    if (open === undefined) continue;
    const key = JSON.stringify([open.what, open.settle]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { open, objects: [object] });
    else known.objects.push(object);
  }
  return [...groups.values()].map(({ open: { what, settle }, objects }): Review => {
    const reason = `depends on ${what}`;
    return {
      ...(settle === undefined ? {} : { settle }),
      ...{ by: verdicts[0]?.by ?? '', verb: 'evaluated', preposition: 'for' },
      ...{ details: `it ${reason}`, reason: `, and ${reason}`, surely: objects, perhaps: [] },
    };
  });
}

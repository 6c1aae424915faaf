import { type ApiObject, FOREGROUND, isBeingDeleted, keyOf, ORPHAN } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import { objectWords } from '../../manifests/object-words.ts';
import type { Doubt } from '../beside/doubts.ts';
import { COLLECTOR, type Requester, someone } from '../cel/requests.ts';
import { dependentsIn } from '../lookups.ts';
import { allOf, isAskedAbout } from './asked.ts';
import { type Decision, decisionOn } from './decisions.ts';
import type { PolicyBinding } from './observed-policies.ts';
import type { Given } from './policies.ts';
import { isAskedToFree } from './refusals.ts';

/**
 * Webhooks and policies that may refuse the PATCH of a person who takes a finalizer off. What is
 * refused to the owners of finalizers is another matter, of which the dump says nothing.
 */
export function updatesIn(given: Given): readonly Doubt[] {
  const { all, kept, goes, observations } = given;
  const held = kept.filter(
    (object) => object.finalizers.length > 0 && (goes(object) || isBeingDeleted(object)),
  );
  if (held.length === 0) return [];
  return all.flatMap((configuration): readonly Doubt[] => {
    const observed = observations.get(keyOf(configuration));
    const name = displayName(configuration);
    if (observed?.of === 'webhooks') {
      return observed.webhooks.flatMap((webhook) => {
        const names = [webhook.name, configuration.name];
        const asked = held.filter(
          (object) => isAskedToFree(webhook, object, names, given) !== 'no',
        );
        return asked.map((object) =>
          doubt(object, `the webhook ${webhook.name} of ${name} is asked`),
        );
      });
    }
    if (observed?.of !== 'admission binding') return [];
    const found = policyFor(observed, given);
    if (found === null) return [];
    const { policy, decide } = found;
    const open = held.filter((object) => decide(object, someone(false)).is !== 'accepts');
    return open.map((object) => doubt(object, `${displayName(policy)} is evaluated`));
  });
}

/**
 * What waits for the collector at the end of a foreground deletion or of an orphaning, and stays as a
 * policy refuses the PATCH. What the dump leaves open about that PATCH is not judged.
 */
export function keptOpenIn(given: Given): readonly Doubt[] {
  const { all, kept, goes, observations, requested } = given;
  const isForeground = [...requested.values()].includes('Foreground');
  const patches = (object: ApiObject) => patchesFor(object, isForeground, given);
  const waiting = kept.filter(goes).flatMap(patches);
  if (waiting.length === 0) return [];
  return all.flatMap((binding): readonly Doubt[] => {
    const observed = observations.get(keyOf(binding));
    const found = observed?.of === 'admission binding' ? policyFor(observed, given) : null;
    if (found === null || goes(binding) || goes(found.policy)) return [];
    return waiting.flatMap(({ object, patched }): Doubt[] => {
      const decision = found.decide(patched, COLLECTOR);
      if (decision.is !== 'refuses') return [];
      const by = displayName(found.policy);
      const why = `${by} refuses the PATCH of ${displayName(patched)} by the garbage collector: ${decision.why}`;
      const words = objectWords(patched, given.table);
      const settle = `kubectl patch ${words} --type=merge -p '{}' --dry-run=server ${COLLECTOR.flags}`;
      return [{ object: keyOf(object), by: 'refusal', why, settle }];
    });
  });
}

/** The objects that the collector changes before this one goes. */
function patchesFor(object: ApiObject, isForeground: boolean, { kept, requested }: Given) {
  const policy = requested.get(keyOf(object));
  const dependents = dependentsIn(kept).get(object.uid) ?? [];
  const isBelow = isForeground && dependents.length > 0;
  const isWaiting = policy === 'Foreground' || isBelow || object.finalizers.includes(FOREGROUND);
  const isOrphaning = policy === 'Orphan' || object.finalizers.includes(ORPHAN);
  const patched = [
    ...(isWaiting || isOrphaning ? [object] : []),
    ...(isOrphaning ? dependents : []),
  ];
  return patched.map((one) => ({ object, patched: one }));
}

/** The policy of a binding, and what it decides about an UPDATE; null: it says nothing of any. */
function policyFor(binding: PolicyBinding, given: Given) {
  const { all, observations, admitted } = given;
  const policy = all.find(
    (object) =>
      object.name === binding.policy && observations.get(keyOf(object))?.of === 'admission policy',
  );
  const known = policy === undefined ? undefined : observations.get(keyOf(policy));
  if (policy === undefined || known?.of !== 'admission policy') return null;
  if (admitted.lets(policy.name)) return null;
  const decide = (object: ApiObject, by: Requester): Decision => {
    const matching = [known.matching, ...binding.matching];
    const asked = allOf(matching.map((one) => isAskedAbout(one, object, ['UPDATE'], given)));
    if (asked === 'no') return { is: 'accepts' };
    const decision = decisionOn(known, binding, object, by, given, 'UPDATE');
    const isOpen = asked === 'perhaps' && decision.is === 'refuses';
    return isOpen ? { is: 'unknown', what: 'labels or versions that the dump may lack' } : decision;
  };
  return { policy, decide };
}

function doubt(object: ApiObject, why: string): Doubt {
  return { object: keyOf(object), by: 'update', why };
}

import { keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import { objectWords } from '../../manifests/object-words.ts';
import type { Besides } from '../beside/besides.ts';
import type { Doubt } from '../beside/doubts.ts';
import type { View } from '../cel/requests.ts';
import { type Asked, allOf, isAskedAbout } from './asked.ts';
import { conditionsMet } from './conditions.ts';
import { type Later, laterWords } from './later.ts';
import type { MutatingPolicy, PolicyBinding } from './observed-policies.ts';
import type { Given } from './policies.ts';

/**
 * MutatingAdmissionPolicies (1.32) see creations and updates, and never a DELETE (`NewPlugin` of
 * the plug-in for mutating policies). They see each change that takes a finalizer off. One that
 * sets finalizers again holds the object: that is no new finalizer, which validation would refuse.
 */
export function mutationsIn(given: Given): {
  readonly doubts: readonly Doubt[];
  readonly besides: readonly Besides[];
} {
  const { all, kept, goes, observations, later } = given;
  const policies = new Map(
    all.flatMap((object) => {
      const observed = observations.get(keyOf(object));
      return observed?.of === 'mutating policy'
        ? [[object.name, { object, observed }] as const]
        : [];
    }),
  );
  if (policies.size === 0) return { doubts: [], besides: [] };
  const doubts: Doubt[] = [];
  const besides: Besides[] = [];
  for (const binding of all) {
    const bound = observations.get(keyOf(binding));
    const found = bound?.of === 'mutating binding' ? policies.get(bound.policy) : undefined;
    if (bound?.of !== 'mutating binding' || found === undefined) continue;
    if (given.admitted.lets(found.object.name)) continue;
    const by = displayName(found.object);
    const changed: Later[] = [];
    for (const object of kept.filter(goes)) {
      for (const request of later(object)) {
        const effect = effectOn(request, found.observed, bound, given);
        if (effect === 'changes') changed.push(request);
        if (effect !== 'holds') continue;
        const why = `${by} may set finalizers anew at ${laterWords(request)}`;
        const settle = `kubectl patch ${objectWords(request.about, given.table)} --type=merge -p '{"metadata":{"finalizers":null}}' --dry-run=server -o yaml`;
        doubts.push({ object: keyOf(object), by: 'admission', why, settle });
      }
    }
    const [first, ...others] = changed;
    if (first === undefined) continue;
    const more = others.length === 0 ? '' : `, and at ${others.length} more`;
    const what = `${by} acts at ${laterWords(first)}${more}: if it fails there, its failurePolicy refuses the change, and the object stays`;
    besides.push({ object: keyOf(first.about), what });
  }
  return { doubts, besides };
}

/** holds: it may keep a finalizer. changes: it may only fail, which refuses the request. */
type Effect = 'none' | 'changes' | 'holds';

function effectOn(
  { about, subresource, by }: Later,
  policy: MutatingPolicy,
  binding: PolicyBinding,
  given: Given,
): Effect {
  const matching = [policy.matching, ...binding.matching];
  const asked: Asked = allOf(
    matching.map((one) => isAskedAbout(one, about, ['UPDATE'], given, { subresource })),
  );
  if (asked === 'no') return 'none';
  const { requests } = given;
  const { rules, conditions } = policy.matching;
  const view: View = { operation: 'UPDATE', subresource, rules };
  const variables = requests.variables(about, by, view);
  const met = conditionsMet(conditions, variables, policy.refuses, requests.expressions);
  if (met.is === 'no') return 'none';
  if (isFinalizing(policy)) return 'holds';
  return policy.refuses ? 'changes' : 'none';
}

/** A path of a JSON patch that is written out, and no part of the metadata as a whole. */
const PATH = /\bpath\s*:\s*("[^"\\]*"|'[^'\\]*')\s*[,}]/g;
const WHOLE_METADATA = /^.(?:\/metadata\/?)?.$/;

/** Whether its mutations may be about finalizers, as far as their text says. */
function isFinalizing({ mutations, variables }: MutatingPolicy): boolean {
  if (mutations.length === 0) return true;
  const texts = [...mutations, ...variables.map(({ expression }) => expression)];
  if (texts.some((text) => text === '' || text.includes('finalizers'))) return true;
  return texts.some((text) => {
    const paths = [...text.matchAll(PATH)].map(([, path = '']) => path);
    const patches = text.split('JSONPatch{').length - 1;
    return paths.length < patches || paths.some((path) => WHOLE_METADATA.test(path));
  });
}

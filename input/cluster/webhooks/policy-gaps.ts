import { type ApiObject, keyOf } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import type { Doubt } from '../beside/doubts.ts';
import { type Asked, allOf, isAskedAbout } from './asked.ts';
import { decisionOn } from './decisions.ts';
import { MeantIndex } from './meant.ts';
import type { Matching } from './observed.ts';
import { EVERYTHING, type Policy, type PolicyBinding } from './observed-policies.ts';
import type { Given } from './policies.ts';

/**
 * What a dump lacks of policies: the policy that a binding names, or all bindings. A binding
 * without its policy does nothing, and neither does a policy without a binding
 * (`calculatePolicyData`, 1.30); but a dump that lacks one of them does not say that it is not
 * there.
 */

/** What a policy that is not known may refuse. */
interface Gap {
  /** Its name, and that of what binds it, as `--admitted` takes them. */
  readonly names: readonly string[];
  readonly matching: readonly Matching[];
  /** Null: the dump lacks it. */
  readonly policy: Policy | null;
  /** One clause. */
  readonly why: string;
  readonly settle: string;
}

const POLICIES = 'validatingadmissionpolicies';
const BINDINGS = 'validatingadmissionpolicybindings';

/** If there is a binding, it may do anything. */
export const ANY_BINDING: PolicyBinding = {
  policy: '',
  denies: true,
  matching: [],
  paramRef: null,
};

function gapsIn({ all, observations }: Given): readonly Gap[] {
  const policies = new Map<string, { readonly object: ApiObject; readonly policy: Policy }>();
  const bindings: { readonly object: ApiObject; readonly binding: PolicyBinding }[] = [];
  for (const object of all) {
    const observed = observations.get(keyOf(object));
    if (observed?.of === 'admission policy')
      policies.set(object.name, { object, policy: observed });
    if (observed?.of === 'admission binding') bindings.push({ object, binding: observed });
  }
  const unknown = bindings.flatMap(({ object, binding }): readonly Gap[] => {
    const { policy: name, matching } = binding;
    if (name === '' || policies.has(name)) return [];
    const why = `${displayName(object)} binds the policy ${name}, which the dump lacks`;
    const settle = `kubectl get ${POLICIES} ${shellQuoted(name)} -o yaml`;
    return [{ names: [name, object.name], matching, policy: null, why, settle }];
  });
  if (bindings.length > 0) return unknown;
  const unbound = [...policies.values()].map(({ object, policy }): Gap => {
    const why = `the dump has no binding at all, and so perhaps lacks that of ${displayName(object)}`;
    const settle = `kubectl get ${BINDINGS} -o yaml`;
    return { names: [object.name], matching: [policy.matching], policy, why, settle };
  });
  return [...unknown, ...unbound];
}

/** The DELETEs, and the changes by people, that such a policy may refuse. */
export function gapDoubtsIn(given: Given): readonly Doubt[] {
  const gaps = gapsIn(given);
  if (gaps.length === 0) return [];
  const { kept, goes, requests, admitted } = given;
  const index = new MeantIndex(kept, (object) => object, given);
  const doubts = new Map<ApiObject, Doubt[]>(kept.map((object) => [object, []]));
  for (const { names, matching, policy, why, settle } of gaps) {
    const matchings = [EVERYTHING, ...matching];
    const meant = new Set([...index.of(matchings, 'DELETE'), ...index.of(matchings, 'UPDATE')]);
    for (const object of meant) {
      const asked = (verb: 'DELETE' | 'UPDATE', namesObject: boolean): Asked =>
        allOf(matchings.map((one) => isAskedAbout(one, object, [verb], given, { namesObject })));
      const mayRefuse = requests.deletersOf(object).some((by) => {
        if (asked('DELETE', by.namesObject) === 'no') return false;
        // Its parameters are those of the binding.
        if (policy === null || policy.paramKind !== null) return true;
        return decisionOn(policy, ANY_BINDING, object, by, given).is !== 'accepts';
      });
      const about = { object: keyOf(object), why };
      const found: readonly Doubt[] = [
        ...(goes(object) && mayRefuse && !admitted.has(object, names)
          ? [{ ...about, by: 'admission', settle } as const]
          : []),
        ...(object.finalizers.length > 0 &&
        asked('UPDATE', true) !== 'no' &&
        !names.some((name) => admitted.lets(name))
          ? [{ ...about, by: 'update' } as const]
          : []),
      ];
      doubts.get(object)?.push(...found);
    }
  }
  return [...doubts.values()].flat();
}

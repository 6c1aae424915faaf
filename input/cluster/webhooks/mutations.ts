import { type ApiObject, keyOf } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { objectWords } from '../../manifests/object-words.ts';
import type { Doubt } from '../beside/doubts.ts';
import type { View } from '../cel/requests.ts';
import { type Asked, allOf, isAskedAbout } from './asked.ts';
import { conditionsMet } from './conditions.ts';
import { isHarmless } from './harmless.ts';
import { dryRunOfLater, endOf, type Later, laterWords } from './later.ts';
import { MeantIndex } from './meant.ts';
import type { Matching } from './observed.ts';
import { EVERYTHING, type MutatingPolicy, type PolicyBinding } from './observed-policies.ts';
import { paramsOf } from './params.ts';
import type { Given } from './policies.ts';
import { ANY_BINDING } from './policy-gaps.ts';

/**
 * MutatingAdmissionPolicies (1.32) see creations and updates, and never a DELETE (`NewPlugin` of
 * the plug-in for mutating policies). They see each change that takes a finalizer off. One that
 * sets finalizers again holds the object: that is no new finalizer, which validation would refuse.
 */
export function mutationsIn(given: Given): readonly Doubt[] {
  const { kept, goes, later } = given;
  const active = activeIn(given);
  if (active.length === 0) return [];
  const changes = kept
    .filter(goes)
    .flatMap((object) => later(object).map((request) => ({ object, request })));
  const index = new MeantIndex(changes, ({ request }) => request.about, given);
  return active.flatMap((one) =>
    index.of(matchingOf(one), 'UPDATE').flatMap(({ object, request }): Doubt[] => {
      const doubt = doubtFrom(effectOn(request, one, given), one, request, given);
      return doubt === null ? [] : [{ object: keyOf(object), ...doubt, ...endOf(request, object) }];
    }),
  );
}

/** A policy that a binding makes act. */
interface Active {
  readonly by: string;
  /** Null: the dump lacks it. */
  readonly policy: MutatingPolicy | null;
  readonly binding: PolicyBinding;
  /** Whether neither goes: one that goes may be gone by then. */
  readonly isThere: boolean;
  /** What the dump lacks of it. */
  readonly gap: { readonly why: string; readonly settle: string } | null;
}

const POLICIES = 'mutatingadmissionpolicies';
const BINDINGS = 'mutatingadmissionpolicybindings';

function activeIn({ all, goes, observations, admitted }: Given): readonly Active[] {
  const policies = new Map<
    string,
    { readonly object: ApiObject; readonly policy: MutatingPolicy }
  >();
  const bindings: { readonly object: ApiObject; readonly binding: PolicyBinding }[] = [];
  for (const object of all) {
    const observed = observations.get(keyOf(object));
    if (observed?.of === 'mutating policy') policies.set(object.name, { object, policy: observed });
    if (observed?.of === 'mutating binding') bindings.push({ object, binding: observed });
  }
  if (bindings.length === 0) {
    return [...policies.values()]
      .filter(({ object }) => !admitted.lets(object.name))
      .map(({ object, policy }) => {
        const by = displayName(object);
        const why = `the dump has no binding at all, and so perhaps lacks that of ${by}`;
        const gap = { why, settle: `kubectl get ${BINDINGS} -o yaml` };
        return { by, policy, binding: ANY_BINDING, isThere: !goes(object), gap };
      });
  }
  return bindings.flatMap(({ object, binding }): readonly Active[] => {
    const { policy: name } = binding;
    if ([name, object.name].some((each) => admitted.lets(each)) || name === '') return [];
    const found = policies.get(name);
    if (found !== undefined) {
      const isThere = !goes(object) && !goes(found.object);
      return [{ by: displayName(found.object), policy: found.policy, binding, isThere, gap: null }];
    }
    const by = displayName(object);
    const why = `${by} binds the policy ${name}, which the dump lacks`;
    const gap = { why, settle: `kubectl get ${POLICIES} ${shellQuoted(name)} -o yaml` };
    return [{ by, policy: null, binding, isThere: !goes(object), gap }];
  });
}

type Effect =
  | { readonly is: 'none' }
  /** It may keep a finalizer. */
  | { readonly is: 'holds' }
  /** It may fail, which refuses the request. */
  | { readonly is: 'fails' }
  /** It refuses the request, as its parameters or conditions cannot be used. */
  | { readonly is: 'refuses'; readonly why: string };

const NONE: Effect = { is: 'none' };

function doubtFrom(
  effect: Effect,
  { by, isThere, gap }: Active,
  request: Later,
  given: Given,
): Omit<Doubt, 'object'> | null {
  const at = laterWords(request);
  if (gap !== null && effect.is !== 'none') {
    return { by: 'admission', ...gap };
  }
  switch (effect.is) {
    case 'none':
      return null;
    case 'holds': {
      const why = `${by} may set finalizers anew at ${at}`;
      const settle = `kubectl patch ${objectWords(request.about, given.table)} --type=merge -p '{"metadata":{"finalizers":null}}' --dry-run=server -o yaml`;
      return { by: 'admission', why, settle };
    }
    case 'fails': {
      const why = `${by} acts at ${at}, and if it fails there, its failurePolicy refuses it`;
      return { by: 'admission', why, settle: dryRunOfLater(request, given) };
    }
    case 'refuses': {
      const why = `${by} refuses ${at}: ${effect.why}`;
      const settle = dryRunOfLater(request, given);
      return { by: isThere ? 'refusal' : 'admission', why, settle };
    }
    default:
      throw new Error(`unknown effect ${effect satisfies never}`);
  }
}

function matchingOf({ policy, binding }: Active): readonly Matching[] {
  return [policy?.matching ?? EVERYTHING, ...binding.matching];
}

/** Mirrors `Dispatch` and `dispatchInvocations` of the plug-in for mutating policies (1.32). */
function effectOn({ about, subresource, by }: Later, active: Active, given: Given): Effect {
  const { policy, binding } = active;
  const asked: Asked = allOf(
    matchingOf(active).map((one) => isAskedAbout(one, about, ['UPDATE'], given, { subresource })),
  );
  if (asked === 'no') return NONE;
  if (policy === null) return { is: 'fails' };
  const { requests } = given;
  const { rules, conditions } = policy.matching;
  const refusing = (why: string): Effect => {
    if (!policy.refuses) return NONE;
    return asked === 'yes' ? { is: 'refuses', why } : { is: 'fails' };
  };
  const place = about.kind === 'Namespace' ? about.name : about.namespace;
  const params = paramsOf(policy, binding, place, given);
  if (params.is === 'error') return refusing(params.message);
  if (params.is === 'known' && params.params.length === 0) return NONE;
  const hasParams = params.is === 'unknown' || params.params.some((param) => param !== null);
  const view: View = { operation: 'UPDATE', subresource, rules };
  const variables = requests.variables(about, by, view);
  const met = conditionsMet(conditions, variables, policy.refuses, requests.expressions);
  if (met.is === 'no') return NONE;
  // The parameters are not among the variables here.
  if (met.is === 'fails' && !hasParams) return refusing(`it cannot be evaluated (${met.message})`);
  if (isFinalizing(policy)) return { is: 'holds' };
  if (!policy.refuses) return NONE;
  const canFail =
    params.is === 'unknown' || met.is === 'fails' || (met.is === 'perhaps' && met.canFail);
  const hasLabels = Object.keys(given.labels.get(keyOf(about)) ?? {}).length > 0;
  return {
    is: canFail || !policy.mutations.every((one) => isHarmless(one, hasLabels)) ? 'fails' : 'none',
  };
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

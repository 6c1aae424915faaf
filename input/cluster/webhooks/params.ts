import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import type { KindCatalogue } from '../../manifests/kind-catalogue.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import type { Besides } from '../beside/besides.ts';
import type { Observation } from '../observations.ts';
import { meetsAll } from './asked.ts';
import type { ParamRef, Policy, PolicyBinding } from './observed-policies.ts';

/** What decides which objects are the parameters of a policy. */
export interface ParamsGiven {
  readonly all: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly labels: ReadonlyMap<string, Labels>;
  readonly kinds: KindCatalogue;
  /** Whether some kinds of the cluster could not be read. */
  readonly hasUnread: boolean;
}

export type Params =
  /** The policy is evaluated with each of them; null stands for none. */
  | { readonly is: 'known'; readonly params: readonly (ApiObject | null)[] }
  /** The API server cannot find them, which it treats as an error. */
  | { readonly is: 'error'; readonly message: string }
  /** @property settle a command that gets them. */
  | { readonly is: 'unknown'; readonly what: string; readonly settle?: string };

/** Mirrors `CollectParams` (1.30). @param namespace of the request. */
export function paramsOf(
  { paramKind }: Policy,
  { paramRef }: PolicyBinding,
  namespace: string,
  given: ParamsGiven,
): Params {
  if (paramKind === null || paramRef === null) return { is: 'known', params: [null] };
  const { all, goes, labels, kinds, hasUnread } = given;
  const settle = commandFor(paramKind, paramRef, namespace);
  const unknown: Params = {
    is: 'unknown',
    what: 'its parameters, which the dump may lack',
    settle,
  };
  const kind = kinds.resolve(paramKind.apiVersion, paramKind.kind);
  const ofKind = kind === null ? [] : all.filter((object) => object.kind === kind.name);
  const [sample] = ofKind;
  if (kind === null || sample === undefined) return unknown;
  if (!kind.namespaced && paramRef.namespace !== '') {
    return { is: 'error', message: 'its parameters have no namespace' };
  }
  const place = kind.namespaced ? paramRef.namespace || namespace : '';
  if (kind.namespaced && place === '') {
    return { is: 'error', message: 'its parameters have a namespace, and the object has none' };
  }
  const { name, selector, demanded } = paramRef;
  const isMeant = (object: ApiObject): boolean =>
    object.namespace === place &&
    (name !== ''
      ? object.name === name
      : meetsAll(selector ?? [], labels.get(keyOf(object)) ?? {}));
  const params = ofKind.filter(isMeant);
  if (params.some((param) => goes(param) || isBeingDeleted(param))) {
    return { is: 'unknown', what: 'its parameters, which are deleted' };
  }
  // A dump of some namespaces lacks the objects of others.
  const isRead = place === '' || all.some((object) => object.namespace === place);
  if (params.length === 0 && (hasUnread || !isRead)) return unknown;
  if (params.length === 0 && demanded) return { is: 'error', message: 'it has no parameters' };
  return { is: 'known', params };
}

/**
 * Bindings that stay and lose all parameters: with `parameterNotFoundAction` Deny, their policy then
 * refuses whatever it is about.
 */
export function unparametedIn(
  given: ParamsGiven & { readonly observations: ReadonlyMap<string, Observation> },
): readonly Besides[] {
  const { all, goes, kinds, observations } = given;
  return all.flatMap((object): readonly Besides[] => {
    const binding = goes(object) ? undefined : observations.get(keyOf(object));
    if (binding?.of !== 'admission binding' || !binding.denies) return [];
    if (binding.paramRef?.demanded !== true) return [];
    const policy = all.find(
      ({ kind, name }) => kind.startsWith('ValidatingAdmissionPolicy.') && name === binding.policy,
    );
    const observed = policy && !goes(policy) ? observations.get(keyOf(policy)) : undefined;
    if (policy === undefined || observed?.of !== 'admission policy' || !observed.refuses) {
      return [];
    }
    const { paramKind } = observed;
    const kind = paramKind && kinds.resolve(paramKind.apiVersion, paramKind.kind);
    const places = new Set(
      all.flatMap((one) => (one.kind === kind?.name && goes(one) ? [one.namespace] : [])),
    );
    return [...places].flatMap((place): readonly Besides[] => {
      const now = paramsOf(observed, binding, place, { ...given, goes: () => false });
      const found = now.is === 'known' ? now.params : [];
      const [first] = found;
      if (!first || !found.every((one) => one !== null && goes(one))) return [];
      const where = binding.paramRef?.namespace === '' && place !== '' ? ` in ${place}` : '';
      const what = `${displayName(object)} stays without parameters, and says parameterNotFoundAction: Deny: ${displayName(policy)} then refuses all that it is about${where}`;
      return [{ object: keyOf(first), what }];
    });
  });
}

function commandFor(
  { apiVersion, kind }: NonNullable<Policy['paramKind']>,
  { name, namespace }: ParamRef,
  ofObject: string,
): string {
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  const place = namespace || ofObject;
  const words = [
    shellQuoted(`${kind.toLowerCase()}${group}`),
    ...(name === '' ? [] : [shellQuoted(name)]),
    ...(place === '' ? [] : ['-n', shellQuoted(place)]),
  ];
  return `kubectl get ${words.join(' ')} -o yaml`;
}

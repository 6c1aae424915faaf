import { type Body, bodyIn, isBody, textIn } from '../cluster/body.ts';
import { invalidRequest, methodNotAllowed } from '../requests/status.ts';
import type { ApiRequest, Reply } from './context.ts';
import type { ResourceRoute } from './route.ts';

/**
 * Questions about rights, such as `kubectl auth can-i` asks. They are only created, and nothing is
 * stored. Every client may do everything, as the server has neither authentication nor
 * authorization.
 */
export interface Review {
  readonly apiVersion: string;
  /** Plural. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly status: (body: Body) => Body;
}

const AUTHORIZATION = 'authorization.k8s.io/v1';
const REASON = 'reapcheck serve has no authorization: everyone may do everything';
const USER: Body = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

function access(kind: string, namespaced = false): Review {
  return {
    apiVersion: AUTHORIZATION,
    resource: `${kind.toLowerCase()}s`,
    kind,
    namespaced,
    status: (body) => {
      checkAttributes(kind, body);
      return { allowed: true, reason: REASON };
    },
  };
}

const REVIEWS: readonly Review[] = [
  access('SelfSubjectAccessReview'),
  access('SubjectAccessReview'),
  access('LocalSubjectAccessReview', true),
  {
    apiVersion: AUTHORIZATION,
    resource: 'selfsubjectrulesreviews',
    kind: 'SelfSubjectRulesReview',
    namespaced: false,
    status: () => ({
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
    }),
  },
  {
    apiVersion: 'authentication.k8s.io/v1',
    resource: 'selfsubjectreviews',
    kind: 'SelfSubjectReview',
    namespaced: false,
    status: () => ({ userInfo: USER }),
  },
];

/** The versions of the API that only have reviews. */
export const REVIEW_VERSIONS: readonly string[] = [
  ...new Set(REVIEWS.map(({ apiVersion }) => apiVersion)),
];

export function reviewsIn(apiVersion: string): readonly Review[] {
  return REVIEWS.filter((review) => review.apiVersion === apiVersion);
}

/** Null: the path names no review. */
export function reviewOf(route: ResourceRoute): Review | null {
  const { apiVersion, resource, namespace, name } = route;
  const found = reviewsIn(apiVersion).find((review) => review.resource === resource);
  const isHere = found?.namespaced === (namespace !== '') && name === '';
  return found !== undefined && isHere ? found : null;
}

/** POST of a review. Throws `StatusError`. */
export function answerReview({ apiVersion, kind, status }: Review, request: ApiRequest): Reply {
  const { method, route, body } = request;
  if (method !== 'POST') throw methodNotAllowed(method, route.resource);
  const given = isBody(body) ? body : {};
  const [givenVersion, givenKind] = [textIn(given, 'apiVersion'), textIn(given, 'kind')];
  if ((givenVersion || apiVersion) !== apiVersion || (givenKind || kind) !== kind) {
    throw invalidRequest(`${kind} is invalid: the body is ${givenKind} of ${givenVersion}`);
  }
  return { code: 201, body: { ...given, apiVersion, kind, status: status(given) } };
}

/** A question is about resources or about paths. Throws `StatusError`. */
function checkAttributes(kind: string, body: Body): void {
  const spec = bodyIn(body, 'spec');
  if (isBody(spec.resourceAttributes) !== isBody(spec.nonResourceAttributes)) return;
  throw invalidRequest(
    `${kind}.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified`,
  );
}

import type { Rules } from '../rules/rules.ts';
import type { DeleteOptions } from '../state/calls.ts';
import { type ApiObject, isBeingDeleted, type PodGrace } from '../state/objects.ts';

/**
 * What `BeforeDelete` finds, with the object and the options as it leaves them. It changes both.
 */
export interface GracefulCheck {
  /** The grace period still has to run (or, with 0, has been set to be over). */
  readonly graceful: boolean;
  /** A graceful deletion is in progress and this request does not shorten it: nothing to do. */
  readonly pending: boolean;
  readonly object: ApiObject;
  readonly options: DeleteOptions;
}

/**
 * Mirrors `rest.BeforeDelete` (1.20) after validation and preconditions.
 *
 * @param gracefulKind whether the kind's strategy is a `RESTGracefulDeleteStrategy`.
 * @param now seconds after the start of the clock, which stays at 0 in a model.
 */
export function beforeDelete(
  rules: Rules,
  gracefulKind: boolean,
  given: ApiObject,
  request: DeleteOptions,
  now = 0,
): GracefulCheck {
  const { object, options } = withoutNegativeGrace(rules, given, request);
  const unchanged = { object, options };
  if (!gracefulKind) return { graceful: false, pending: false, ...unchanged };
  if (!isBeingDeleted(object)) return startGracefully(rules, object, options, now);
  const granted = object.deletionGracePeriodSeconds;
  if (granted === null || granted === 0) return { graceful: false, pending: false, ...unchanged };
  const asked = options.gracePeriodSeconds;
  if (asked === undefined) {
    return {
      graceful: false,
      pending: true,
      object,
      options: { ...options, gracePeriodSeconds: granted },
    };
  }
  if (asked >= granted) return { graceful: false, pending: true, ...unchanged };
  const end = (object.deletionTimestamp ?? now) - granted + asked;
  const past = rules.shortenedGracePeriod === 'endsNowAtTheEarliest' && end < now;
  return {
    graceful: true,
    pending: false,
    object: {
      ...object,
      deletionTimestamp: past ? now : end,
      deletionGracePeriodSeconds: past && asked !== 0 ? 1 : asked,
    },
    options,
  };
}

function withoutNegativeGrace(
  rules: Rules,
  object: ApiObject,
  options: DeleteOptions,
): { readonly object: ApiObject; readonly options: DeleteOptions } {
  if (rules.negativeGracePeriod === 'kept') return { object, options };
  const granted = object.deletionGracePeriodSeconds;
  const asked = options.gracePeriodSeconds;
  return {
    object: granted !== null && granted < 0 ? { ...object, deletionGracePeriodSeconds: 1 } : object,
    options: asked !== undefined && asked < 0 ? { ...options, gracePeriodSeconds: 1 } : options,
  };
}

function startGracefully(
  rules: Rules,
  object: ApiObject,
  options: DeleteOptions,
  now: number,
): GracefulCheck {
  const grace = podGracePeriod(rules, object.pod, options);
  return {
    graceful: true,
    pending: false,
    object: {
      ...object,
      deletionTimestamp: now + grace,
      deletionGracePeriodSeconds: grace,
      generation: object.generation > 0 ? object.generation + 1 : object.generation,
    },
    options: { ...options, gracePeriodSeconds: grace },
  };
}

/**
 * `corev1.DefaultTerminationGracePeriodSeconds`: what the API server stores for a pod that states
 * no `spec.terminationGracePeriodSeconds` (`SetDefaults_PodSpec`). In seconds.
 */
export const DEFAULT_GRACE_PERIOD = 30;

/**
 * Mirrors `podStrategy.CheckGracefulDelete` (1.20), which always accepts. In seconds. A pod without
 * known details counts as not scheduled.
 */
export function podGracePeriod(
  rules: Rules,
  pod: PodGrace | undefined,
  options: Pick<DeleteOptions, 'gracePeriodSeconds'>,
): number {
  if (pod === undefined || !pod.scheduled || pod.finished) return 0;
  const period = options.gracePeriodSeconds ?? pod.terminationGracePeriodSeconds ?? 0;
  return rules.negativeGracePeriod === 'oneSecond' && period < 0 ? 1 : period;
}

/** Mirrors `markAsDeleting` (1.20): for objects that finalizers hold without a grace period. */
export function markAsDeleting(object: ApiObject, now = 0): ApiObject {
  const begun = object.deletionTimestamp;
  return {
    ...object,
    generation: begun === null && object.generation > 0 ? object.generation + 1 : object.generation,
    deletionTimestamp: begun === null || begun > now ? now : begun,
    deletionGracePeriodSeconds: 0,
  };
}

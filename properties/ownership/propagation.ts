import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  type DeleteCall,
  FOREGROUND,
  ORPHAN,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOf } from '../relations.ts';

/** A DELETE that writes or removes an object with this step. */
interface Effect {
  readonly call: DeleteCall;
  readonly old: ApiObject;
  /** Null if the DELETE has removed the object. */
  readonly now: ApiObject | null;
}

function effectOf(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): Effect | null {
  const call = actingItemCall(setup, before, action);
  if (call?.verb !== 'delete') return null;
  const old = before.store[call.key];
  if (old === undefined) return null;
  const now = after.store[call.key];
  if (now === undefined) return { call, old, now: null };
  const marks = ({ deletionTimestamp, finalizers }: ApiObject): string =>
    [deletionTimestamp, ...finalizers].join(' ');
  return marks(old) === marks(now) ? null : { call, old, now };
}

function collectorFinalizers(object: ApiObject | null): readonly string[] {
  return (object?.finalizers ?? []).filter((name) => name === ORPHAN || name === FOREGROUND);
}

/** Actions that delete an object because something else is being deleted. */
const CASCADING: readonly string[] = ['attemptToDelete', 'emptyNamespace'];

/**
 * The finalizers of the collector that the request asks for. Null where it leaves that to the
 * default of the kind. A cascading DELETE never does: without a policy it asks for the finalizers
 * that are there.
 */
function asked(
  setup: Setup,
  action: ActionInstance,
  { call, old }: Effect,
): readonly string[] | null {
  if (setup.kinds[old.kind]?.defaultPolicy === 'unsupported') return [];
  const { orphanDependents, propagationPolicy } = call.options;
  if (orphanDependents !== undefined) return orphanDependents ? [ORPHAN] : [];
  switch (propagationPolicy) {
    case 'Orphan':
      return [ORPHAN];
    case 'Foreground':
      return [FOREGROUND];
    case 'Background':
      return [];
    case undefined:
      return CASCADING.includes(action.name) ? collectorFinalizers(old) : null;
    default:
      throw new Error(`unknown policy ${propagationPolicy satisfies never}`);
  }
}

interface Judged {
  readonly effect: Effect;
  readonly wanted: readonly string[];
}

function judged(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): Judged | null {
  const effect = effectOf(setup, before, action, after);
  const wanted = effect === null ? null : asked(setup, action, effect);
  return effect === null || wanted === null ? null : { effect, wanted };
}

function isAsAsked({ effect, wanted }: Judged): boolean {
  return collectorFinalizers(effect.now).join(' ') === wanted.join(' ');
}

export const PROPAGATION_POLICY_HONORED = defineProperty({
  id: 'propagation-policy-honored',
  group: 'ownership and cascade',
  name: 'a DELETE propagates as it asks',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'If the object is still stored after a DELETE, it has exactly the finalizer of the ' +
    'collector that the policy of the DELETE asks for. A DELETE that the collector or the ' +
    'namespace controller sends without a policy leaves these finalizers as they are: it ' +
    'carries out what others have asked for.',
  trigger: 'a DELETE that asks for a policy marks or removes an object, or changes its finalizers',
  source:
    'Kubernetes documentation, Garbage Collection: "When you delete an object, you can specify whether ' +
    'the object\'s dependents are also deleted automatically"; ' +
    'https://github.com/kubernetes/kubernetes/issues/44046, ' +
    'https://github.com/kubernetes/kubernetes/issues/76042',
  build: (setup) => ({
    trigger: (before, action, after) => judged(setup, before, action, after) !== null,
    holds: (before, action, after) => {
      const found = judged(setup, before, action, after);
      return found === null || isAsAsked(found);
    },
    explain: (before, action, after) => {
      const found = judged(setup, before, action, after);
      if (found === null || isAsAsked(found)) return [];
      const { effect, wanted } = found;
      const words = (names: readonly string[]): string => names.join(', ') || 'neither of them';
      return [
        `the DELETE of ${nameOf(effect.old)} asks for ${words(wanted)} of the collector's finalizers ` +
          `and leaves ${words(collectorFinalizers(effect.now))}`,
      ];
    },
  }),
});

import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import { byKeyIn } from '../lookups.ts';
import type { Observation } from '../observations.ts';

type Observations = ReadonlyMap<string, Observation>;

/** What an object needs to delete what it has applied. */
interface Need {
  /** In the dump; empty: the dump has others of the kind in the namespace, and none of these. */
  readonly objects: readonly ApiObject[];
  /** What they are, if there are none. */
  readonly name: string;
  /** A clause that follows a semicolon, and ends before what became of them. */
  readonly what: string;
}

/**
 * Why Flux deletes nothing of what it has applied for this object, as something is gone: one
 * clause; null: nothing that the dump shows (`finalize`, `reconcileReleaseDeletion`).
 */
export function idleWithout(
  object: ApiObject,
  all: readonly ApiObject[],
  observations: Observations,
): string | null {
  const lacking = needsOf(object, all, observations).find(({ objects }) => objects.length === 0);
  return lacking === undefined ? null : `${lacking.what} ${lacking.name}, which the dump lacks`;
}

/** The service account as which it acts, if the dump lacks it and has others; null: it does not. */
export function lackingAccountOf(
  object: ApiObject,
  all: readonly ApiObject[],
  observations: Observations,
): string | null {
  const observed = observations.get(keyOf(object));
  const name = observed?.of === 'reconciled' ? observed.account : '';
  const { namespace } = object;
  if (name === '' || !has('ServiceAccount', namespace, all)) return null;
  return byKeyIn(all).has(keyOf({ kind: 'ServiceAccount', namespace, name })) ? null : name;
}

/** Why it may delete nothing, as something may go first: one clause; null: nothing does. */
export function idleOnceGone(
  object: ApiObject,
  all: readonly ApiObject[],
  observations: Observations,
  goes: (object: ApiObject) => boolean,
): string | null {
  const going = needsOf(object, all, observations).find(
    ({ objects }) => objects.length > 0 && objects.every((one) => goes(one) || isBeingDeleted(one)),
  );
  const first = going?.objects[0];
  return going === undefined || first === undefined
    ? null
    : `${going.what} ${displayName(first)}, which may go first`;
}

/**
 * The Secret without which it reaches no cluster; null: it needs none, or the dump does not say.
 */
export function kubeConfigOf(
  object: ApiObject,
  all: readonly ApiObject[],
  observations: Observations,
): { readonly name: string; readonly secret: ApiObject | null } | null {
  const observed = observations.get(keyOf(object));
  const name = observed?.of === 'reconciled' ? observed.kubeConfig : '';
  if (name === '' || !has('Secret', object.namespace, all)) return null;
  const key = keyOf({ kind: 'Secret', namespace: object.namespace, name });
  return { name, secret: byKeyIn(all).get(key) ?? null };
}

function needsOf(
  object: ApiObject,
  all: readonly ApiObject[],
  observations: Observations,
): readonly Need[] {
  const observed = observations.get(keyOf(object));
  if (observed?.of !== 'reconciled') return [];
  const { namespace, kind } = object;
  const { account, release } = observed;
  const needs: Need[] = [];
  if (account !== '' && has('ServiceAccount', namespace, all)) {
    const found = byKeyIn(all).get(keyOf({ kind: 'ServiceAccount', namespace, name: account }));
    needs.push({
      ...{ objects: found === undefined ? [] : [found], name: `ServiceAccount/${account}` },
      what: 'it deletes what it has applied only as',
    });
  }
  // A Kustomization is stuck without it.
  const config = kind.startsWith('HelmRelease.') ? kubeConfigOf(object, all, observations) : null;
  if (config !== null) {
    const { secret, name } = config;
    needs.push({
      ...{ objects: secret === null ? [] : [secret], name: `Secret/${name}` },
      what: 'it uninstalls the release only with',
    });
  }
  const isHere = observed.kubeConfig === '' && config === null;
  if (isHere && release !== null && has('Secret', release.namespace, all)) {
    const prefix = `sh.helm.release.v1.${release.name}.v`;
    needs.push({
      objects: all.filter(
        (one) =>
          one.kind === 'Secret' &&
          one.namespace === release.namespace &&
          one.name.startsWith(prefix) &&
          /^\d+$/.test(one.name.slice(prefix.length)),
      ),
      name: `Secret/${prefix}N`,
      what: 'Helm knows the release only by',
    });
  }
  return needs;
}

/** Whether the dump has objects of the kind in the namespace. */
function has(kind: string, namespace: string, all: readonly ApiObject[]): boolean {
  return all.some((one) => one.kind === kind && one.namespace === namespace);
}

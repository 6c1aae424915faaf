import type { DeleteCall } from '../state/calls.ts';
import { type ApiObject, isVisible, keyOf } from '../state/objects.ts';
import type { World } from '../state/world.ts';

/**
 * `metav1.Initializers`, as the proposal of garbage collection describes them. A new object is
 * stored, but only its initializers see it, one after the other, until all of them are done. In
 * 1.7, behind a gate, a GET by name found such an object. Lists within the API server (of a
 * collection, of the contents of a namespace) include it.
 */

/**
 * A new object as it is stored: without initializers if none is pending or if the version ignores
 * them.
 */
export function withInitializers({ rules }: Pick<World, 'rules'>, object: ApiObject): ApiObject {
  const { initializers, ...initialized } = object;
  if (initializers === undefined) return object;
  if (rules.initializers === 'ignored') return initialized;
  const { pending, failed } = initializers;
  return pending.length === 0 && failed !== true ? initialized : object;
}

/** Whether a request by name finds the object, if the client is not one of its initializers. */
export function isFoundByName(
  { rules }: Pick<World, 'rules'>,
  object: Pick<ApiObject, 'initializers'>,
): boolean {
  return rules.initializers !== 'honoured' || isVisible(object);
}

/**
 * An object whose initialization has failed is stored so that every client sees it, and then
 * deleted. The request continues as this DELETE.
 */
export function removalOfRejected(client: string, object: ApiObject): DeleteCall {
  return {
    verb: 'delete',
    client,
    key: keyOf(object),
    options: { preconditions: { uid: object.uid } },
    at: 'get',
  };
}

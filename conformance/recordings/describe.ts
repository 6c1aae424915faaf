import {
  type CollectorRequest,
  describeChange,
  describeOptions,
  formatKey,
} from '../../model/index.ts';
import type { Place } from '../../text/input-error.ts';
import { placeText } from '../../text/input-error.ts';
import { keyOfRequest } from './logs/keys.ts';
import type { SeenRequest } from './logs/observations.ts';
import type { Change } from './logs/timeline.ts';
import type { ModelStep } from './search/history.ts';

/** Describes observations and steps of the model. The texts are not escaped yet. */

const LONGEST_BODY = 160;

/** For example `gc DELETE ConfigMap/b {"propagationPolicy":"Background"}, answered 200`. */
export function describeSeen(request: SeenRequest): string {
  const key = keyOfRequest(request);
  const target = key === null ? `${request.kind.kind} collection` : formatKey(key);
  const part = request.subresource === '' ? '' : `/${request.subresource}`;
  const body =
    request.body.is === 'value' ? ` ${shortened(JSON.stringify(request.body.value))}` : '';
  const shown = request.verb === 'create' ? '' : body;
  return `${request.client} ${METHODS[request.verb]} ${target}${part}${shown}, answered ${request.code}`;
}

/** The method of a request, by its verb in recordings. */
export const METHODS = {
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
  get: 'GET',
} as const;

function shortened(text: string): string {
  return text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}...` : text;
}

/** For example `MODIFIED ConfigMap/a resourceVersion 81`. */
export function describeChangeSeen({ seen, key }: Change): string {
  const version = seen.object.resourceVersion;
  return `${seen.type} ${formatKey(key)}${version === null ? '' : ` resourceVersion ${version}`}`;
}

export function describeCollectorRequest(request: CollectorRequest): string {
  const target = formatKey(request.key);
  switch (request.verb) {
    case 'get':
      return `GET ${target}`;
    case 'delete':
      return `DELETE ${target}${describeOptions({
        ...(request.propagationPolicy === null
          ? {}
          : { propagationPolicy: request.propagationPolicy }),
        ...(request.uidPrecondition === null
          ? {}
          : { preconditions: { uid: request.uidPrecondition } }),
      })}`;
    case 'update': {
      const { finalizers } = request;
      return `PUT ${target} ${describeChange({ do: 'setFinalizers', finalizers })}`;
    }
    case 'patch': {
      const { patch } = request;
      if (patch.do === 'setOwners') {
        const { ownerReferences } = patch;
        return `PATCH ${target} ${describeChange({ do: 'setOwnerReferences', ownerReferences })}`;
      }
      return `PATCH ${target} ${describeChange(patch)}`;
    }
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

/** For example `attemptToDelete getOwner ConfigMap/b`. */
export function describeStep({ action, step, subject }: ModelStep): string {
  return [action, step, subject].filter((word) => word !== '').join(' ');
}

export function describePlace(place: Place): string {
  return placeText(place);
}

import type { Controller } from '../../state/controllers.ts';
import type { World } from '../../state/world.ts';
import { beginNamespace, requestOf } from './controller.ts';

/** What the namespace controller reads in this step; what it writes is told as a request. */
export function describeNamespaceStep(
  world: World,
  controller: Controller | undefined,
  name: string,
): string {
  const worker =
    controller !== undefined && 'actor' in controller
      ? controller.actor.worker
      : beginNamespace(name);
  const request = requestOf(world.rules, worker);
  switch (request.verb) {
    case 'get':
      return `GET Namespace/${request.name}`;
    case 'discover':
      return `asks discovery what there can be in namespace ${name}`;
    case 'listPods':
      return `LIST pods in namespace ${request.namespace}, for their grace periods`;
    case 'list':
      return `LIST ${request.type.resource} in namespace ${request.namespace}`;
    case 'updateStatus':
    case 'finalize':
    case 'deleteNamespace':
    case 'delete':
    case 'deleteCollection':
      return `works on namespace ${name}`;
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

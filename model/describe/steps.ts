import { produce } from 'immer';
import { actingCall, type Step } from '../actions.ts';
import {
  describeDeleteStep,
  describeOrphanStep,
  describeOrphanTake,
  describeTake,
} from '../actors/collector/worker-words.ts';
import { actorOf } from '../actors/index.ts';
import { apiOf } from '../apiserver/port.ts';
import type { Call, Progress } from '../state/calls.ts';
import type { Cluster, WatchEvent } from '../state/cluster.ts';
import { equalJson } from '../state/equal.ts';
import { formatKey } from '../state/keys.ts';
import type { Setup } from '../state/setup.ts';
import type { World } from '../state/world.ts';
import type { Names } from '../words/names.ts';
import { describeRequest } from '../words/requests.ts';

/** What the words are about. */
export interface Context {
  readonly setup: Setup;
  readonly world: World;
  readonly names: Names;
}

/** One sentence for a step, the actor first, in Kubernetes' words. */
export function describeAction(
  context: Context,
  step: Step,
  before: Cluster,
  after: Cluster,
): string {
  const { setup, world, names } = context;
  const of = (name: string): string => String(step.parameters[name] ?? '');
  const call = actingCall(setup, before, step);
  if (call !== null) {
    const changes = !equalJson(before.store, after.store);
    return describeRequest(names, call, advanced(world, before, call), before, changes);
  }
  const actor = names.client(of('worker'));
  switch (step.name) {
    case 'request':
      return `${of('user')}: ${describeWait(setup, of('user'), before)}`;
    case 'startControllers':
      return `${of('user')}: starts the controller manager`;
    case 'deliver':
      return `graph builder: sees ${describeEvent(names, before.watch[of('kind')]?.[0])}`;
    case 'deliverVirtualDelete':
      return `graph builder: handles the collector's own DELETED ${names.node(of('node'))}`;
    case 'takeForDelete':
      return `${actor}: ${describeTake(names, before, after, of('worker'), of('node'))}`;
    case 'attemptToDelete':
      return `${actor}: ${describeDeleteStep(names, world, before, after, of('worker'))}`;
    case 'takeForOrphan':
      return `${actor}: ${describeOrphanTake(names, after, of('worker'), of('node'))}`;
    case 'attemptToOrphan':
      return `${actor}: ${describeOrphanStep(names, before, after, of('worker'))}`;
    case 'deliverListed': {
      const listed = before.watch[of('kind')]?.find(({ key }) => key === of('key'));
      return `graph builder: sees ${describeEvent(names, listed)}, from the first list`;
    }
    case 'relist':
      return `watch of ${of('kind')}: breaks, the collector lists anew and compares`;
    default:
      return (
        actorOf(step.name)?.describe(context, step, before, after) ??
        `${step.name} ${JSON.stringify(step.parameters)}`
      );
  }
}

/** What the API server makes of the step, found by doing it once more. */
function advanced(world: World, before: Cluster, call: Call): Progress {
  const seen: Progress[] = [];
  produce(before, (draft) => {
    seen.push(apiOf(world).advance(draft, world, call));
  });
  const [progress] = seen;
  if (progress === undefined) throw new Error('the API server did nothing');
  return progress;
}

function describeWait(setup: Setup, user: string, before: Cluster): string {
  const request = setup.users[user]?.[before.users[user] ?? 0]?.request;
  if (request === undefined) return 'has nothing left to do';
  if (request.do === 'read') return `GET ${formatKey(request.key)}`;
  if (request.do === 'await') return 'has seen what it waited for';
  switch (request.do) {
    case 'settle':
      return 'has waited until all is quiet';
    case 'loseNode':
      return `loses the machine of Node/${request.node}`;
    case 'kubectlDelete':
      return `kubectl of this version knows no --cascade=${request.flags.cascade}, sends nothing`;
    case 'serveVersion':
      return `has ${request.kind} served as ${request.version} only; the collector watches that`;
    case 'stopControllers':
      return 'stops the controller manager';
    default:
      return request.do;
  }
}

const EVENT_TYPES = { add: 'ADDED', update: 'MODIFIED', delete: 'DELETED' } as const;

export function describeEvent(names: Names, event: WatchEvent | undefined): string {
  if (event === undefined) return 'nothing';
  const { identity } = event.object;
  const line = `${EVENT_TYPES[event.type]} ${names.identity(identity)}`;
  if (event.type !== 'update' || event.old.uid === identity.uid) return line;
  return `${line}, until now uid ${event.old.uid}`;
}

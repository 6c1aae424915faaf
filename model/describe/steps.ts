import { produce } from 'immer';
import { ACTIONS, actingCall, actingItemCall } from '../actions.ts';
import { beliefLine } from '../actors/collector/beliefs.ts';
import { apiOf } from '../apiserver/port.ts';
import type { Call, Progress } from '../state/calls.ts';
import type { Cluster } from '../state/cluster.ts';
import { equalJson } from '../state/equal.ts';
import { formatKey } from '../state/keys.ts';
import { type ApiObject, keyOf } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import type { Context, Reading, Step } from '../words/context.ts';
import { describeRequest } from '../words/requests.ts';
import { describeReading } from './readings.ts';

/** The words of a step: generic words for requests, the words of the action for other steps. */

/** One sentence for a step, the actor first, in Kubernetes' words. */
export function describeAction(
  context: Context,
  step: Step,
  before: Cluster,
  after: Cluster,
): string {
  const { setup, world, names } = context;
  const call = actingCall(setup, before, step);
  if (call !== null) {
    const changes = !equalJson(before.store, after.store);
    return describeRequest(names, call, advanced(world, before, call), before, changes);
  }
  return (
    ACTIONS[step.name]?.describe(context, step.parameters, before, after) ??
    `${step.name} ${JSON.stringify(step.parameters)}`
  );
}

/** The result of the step in the API server, found by repeating it. */
function advanced(world: World, before: Cluster, call: Call): Progress {
  const seen: Progress[] = [];
  produce(before, (draft) => {
    seen.push(apiOf(world).advance(draft, world, call));
  });
  const [progress] = seen;
  if (progress === undefined) throw new Error('the API server did nothing');
  return progress;
}

/**
 * Beliefs of the actor of a step that differ from the store, if the step acts on them. A lag that
 * no step acts on gets no line.
 */
export function describeBeliefs(
  context: Context,
  step: Step,
  before: Cluster,
  after: Cluster,
): readonly string[] {
  const handled = actingItemCall(context.setup, before, step);
  if (handled?.verb === 'delete' && handled.at === 'remove') {
    return after.store[handled.key] === undefined ? removalBeliefs(before.store[handled.key]) : [];
  }
  return ACTIONS[step.name]?.beliefs?.(context, step.parameters, before, after) ?? [];
}

/** The handler decided on the removal while the object had no finalizers. */
function removalBeliefs(object: ApiObject | undefined): readonly string[] {
  if (object === undefined || object.finalizers.length === 0) return [];
  const name = formatKey(keyOf(object));
  return [beliefLine(`${name} has no finalizers`, object.finalizers.join(', '))];
}

/** If a delivery reads one of these empty queues, that alone explains why it is not possible. */
const QUEUES: readonly string[] = ['watch', 'unseen'];

/**
 * Why a step is not possible, in words: the last thing that its reducer has read before it gave up,
 * and what its action says about that.
 */
export function describeObstacle(
  context: Context,
  step: Step,
  cluster: Cluster,
  reading: Reading | null,
): string {
  if (reading === null) return 'it never does anything in this model';
  const words = describeReading(context, cluster, reading);
  if (reading.aspect === 'written' && !QUEUES.includes(reading.path[0] ?? '')) {
    return `it would change nothing: ${words}`;
  }
  const { obstacle } = ACTIONS[step.name] ?? {};
  return obstacle?.(context, step.parameters, cluster, reading, words) ?? words;
}

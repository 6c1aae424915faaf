import type { Cluster } from '../state/cluster.ts';
import { withPlainFinalizers } from '../state/finalizers.ts';
import type { Setup } from '../state/setup.ts';
import { worldOf } from '../system.ts';
import { clientsOf } from '../users/api-server.ts';
import type { Context, Reading, Step } from '../words/context.ts';
import { type Names, namesWith } from '../words/names.ts';
import { describeChanges } from './changes.ts';
import { describeInstance } from './instances.ts';
import { describeState } from './states.ts';
import { describeAction, describeBeliefs, describeObstacle } from './steps.ts';

/** Words for traces; same structure as the checker's `Describer`. */
export interface ClusterDescriber {
  action(step: Step, before: Cluster, after: Cluster): string;
  /** The actor of the step: the beginning of `action`. */
  actor(step: Step, before: Cluster, after: Cluster): string;
  /** Beliefs of the actor that differ from the store and that the step acts on. */
  beliefs(step: Step, before: Cluster, after: Cluster): readonly string[];
  changes(before: Cluster, after: Cluster): readonly string[];
  state(cluster: Cluster): readonly string[];
  /** The name of a step and its parameters, in words. They are the same in every state. */
  instance(step: Step): readonly string[];
  /** Why a step cannot be taken, derived from what its reducer has read last. */
  obstacle(step: Step, cluster: Cluster, reading: Reading | null): string;
}

export function namesOf(setup: Setup): Names {
  return namesWith(setup, clientsOf(setup));
}

export function describer(setup: Setup): ClusterDescriber {
  const context: Context = { setup, world: worldOf(setup), names: namesOf(setup) };
  const said = withPlainFinalizers;
  return {
    action: (step, before, after) => said(describeAction(context, step, before, after)),
    actor: (step, before, after) => actorIn(said(describeAction(context, step, before, after))),
    beliefs: (step, before, after) => describeBeliefs(context, step, before, after).map(said),
    changes: (before, after) => describeChanges(context.names, before, after).map(said),
    state: (cluster) => describeState(context.names, cluster).map(said),
    instance: (step) => describeInstance(context, step).map(said),
    obstacle: (step, cluster, reading) => said(describeObstacle(context, step, cluster, reading)),
  };
}

/**
 * The text before the colon of a sentence. A name can contain a colon, but not followed by a blank.
 */
function actorIn(sentence: string): string {
  const [actor = sentence] = sentence.split(': ', 1);
  return actor;
}

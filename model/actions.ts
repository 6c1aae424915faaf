import type { ActionDefinition, Actor } from './actors/actor.ts';
import { LISTS } from './actors/collector/lists.ts';
import { ACTORS } from './actors/registry.ts';
import type { Rules } from './rules/rules.ts';
import type { Call, ItemCall } from './state/calls.ts';
import { itemCall } from './state/calls.ts';
import type { Cluster } from './state/cluster.ts';
import type { Setup } from './state/setup.ts';
import { API_SERVER } from './users/api-server.ts';
import { FINALIZER_OWNERS } from './users/finalizer-owners.ts';
import { STARTS, USERS } from './users/users.ts';
import type { Step } from './words/context.ts';

/** All actors, in the order in which a search explores their steps. */
export const ALL_ACTORS: readonly Actor[] = [
  USERS,
  API_SERVER,
  FINALIZER_OWNERS,
  ...ACTORS,
  STARTS,
  LISTS,
];

/** All actions by name. Which of them a model has depends on its setup. */
export const ACTIONS: Readonly<Record<string, ActionDefinition>> = Object.assign(
  {},
  ...ALL_ACTORS.map(({ actions }) => actions),
);

/** What `reapcheck list actions` shows of an action. */
export interface ActionSummary {
  readonly name: string;
  readonly fairness: ActionDefinition['fairness'];
  readonly about: string;
}

export function actionSummaries(): readonly ActionSummary[] {
  return Object.entries(ACTIONS).map(([name, { fairness, about }]) => ({ name, fairness, about }));
}

const COLLECTOR_ACTIONS: readonly string[] = [
  'attemptToDelete',
  'orphanDependent',
  'attemptToOrphan',
];

/** The actions through which the collector can write to the store. */
export function collectorActions({ rules }: { readonly rules: Rules }): readonly string[] {
  return rules.foregroundDeletion === 'synchronousQueue'
    ? [...COLLECTOR_ACTIONS, 'synchronousDeletion']
    : COLLECTOR_ACTIONS;
}

/**
 * The request that this step advances, as it was before the step. Null if the step belongs to no
 * request.
 */
export function actingCall(setup: Setup, before: Cluster, step: Step): Call | null {
  return ACTIONS[step.name]?.request?.(setup, before, step.parameters) ?? null;
}

/** The same request after the step. Null once it has been answered. */
export function continuedCall(after: Cluster, step: Step): Call | null {
  return ACTIONS[step.name]?.continued?.(after, step.parameters) ?? null;
}

/** Like `actingCall`, but null for requests that concern no single object. */
export function actingItemCall(setup: Setup, before: Cluster, step: Step): ItemCall | null {
  return itemCall(actingCall(setup, before, step));
}

/** The same DELETE, PUT or PATCH of one object after the step. Null once it has been answered. */
export function continuedItemCall(after: Cluster, step: Step, call: ItemCall): ItemCall | null {
  const next = itemCall(continuedCall(after, step));
  if (next === null || next.verb !== call.verb) return null;
  if (next.verb === 'create' || call.verb === 'create') return next;
  return next.key === call.key ? next : null;
}

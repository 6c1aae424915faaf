import type { Actor } from './actor.ts';
import { DEFINITIONS } from './definitions.ts';
import { GENERATIONS } from './generations.ts';
import { KUBELETS } from './kubelet.ts';
import { NAMESPACES } from './namespaces.ts';
import { WORKLOADS } from './workloads.ts';

/** Everybody who may act besides users and collector. */
export const ACTORS: readonly Actor[] = [NAMESPACES, DEFINITIONS, KUBELETS, WORKLOADS, GENERATIONS];

const BY_ACTION: ReadonlyMap<string, Actor> = new Map(
  ACTORS.flatMap((actor) => actor.actionNames.map((name) => [name, actor])),
);

/** The actor whose action this is; none for those of users, collector and API server. */
export function actorOf(actionName: string): Actor | undefined {
  return BY_ACTION.get(actionName);
}

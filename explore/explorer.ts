import { type ActionInstance, type Model, type Property, whyDisabled } from '../checker/index.ts';
import type { Plan } from '../input/plan.ts';
import {
  type Cluster,
  type ClusterDescriber,
  describer,
  type Names,
  namesOf,
} from '../model/index.ts';
import { type Snapshot, snapshots } from '../report/view/snapshot.ts';
import { judgedBy, modelOf } from '../run/assemble.ts';
import { possibleIn, sorted } from '../run/execution.ts';
import type { Colors } from '../text/layout.ts';

/** Everything that stays the same while exploring a model. */
export interface Explorer {
  readonly plan: Plan;
  readonly model: Model<Cluster>;
  readonly properties: readonly Property<Cluster>[];
  readonly words: ClusterDescriber;
  readonly names: Names;
  readonly initial: Cluster;
  /** All actions with all their parameters, in the order of the model. */
  readonly instances: readonly NamedInstance[];
  readonly colors: Colors;
  readonly snapshot: (state: Cluster) => Snapshot;
  /** The enabled actions of a state, in the order of the model. */
  readonly enabled: (state: Cluster) => readonly Enabled[];
}

export interface NamedInstance {
  readonly action: ActionInstance;
  /** The action and its parameters, in words; unique. */
  readonly label: string;
  /** The words that select it, in lower case. */
  readonly keywords: ReadonlySet<string>;
}

/** An action that is enabled in a state. */
export interface Enabled {
  readonly action: ActionInstance;
  readonly after: Cluster;
  readonly sentence: string;
}

export function explorerOf(plan: Plan, colors: Colors): Explorer {
  const { setup } = plan;
  const model = modelOf(setup);
  const words = describer(setup);
  const known = new WeakMap<Cluster, readonly Enabled[]>();
  return {
    plan,
    model,
    properties: judgedBy(plan),
    words,
    names: namesOf(setup),
    initial: sorted(model.initial[0]!),
    instances: Object.entries(model.actions).flatMap(([name, { parameters = [{}] }]) =>
      parameters.map((chosen) => named(words, { name, parameters: chosen })),
    ),
    colors,
    snapshot: snapshots(setup),
    enabled: (state) => {
      const found = known.get(state) ?? enabledIn(model, words, state);
      known.set(state, found);
      return found;
    },
  };
}

function named(words: ClusterDescriber, action: ActionInstance): NamedInstance {
  const label = words.instance(action).join(' ');
  return { action, label, keywords: new Set(label.toLowerCase().split(/[\s,()]+/)) };
}

function enabledIn(
  model: Model<Cluster>,
  words: ClusterDescriber,
  state: Cluster,
): readonly Enabled[] {
  return Array.from(possibleIn(model, state), ({ action, after }) => ({
    action,
    after,
    sentence: words.action(action, state, after),
  }));
}

/** Why an action is not enabled. */
export interface Obstacle {
  readonly instance: NamedInstance;
  readonly reason: string;
  /** The last read of the reducer: a path and its value; null if it reads nothing. */
  readonly read: { readonly path: readonly string[]; readonly value: unknown } | null;
}

/** Null if the action is enabled. */
export function obstacleTo(
  { model, words }: Explorer,
  state: Cluster,
  instance: NamedInstance,
): Obstacle | null {
  const disabled = whyDisabled(model, state, instance.action);
  if (disabled === null) return null;
  const { deciding } = disabled;
  return { instance, reason: words.obstacle(instance.action, state, deciding), read: deciding };
}

/** The instances that words select: the name of an action, and any of its parameters. */
export function instancesMeant(
  instances: readonly NamedInstance[],
  given: readonly string[],
): readonly NamedInstance[] {
  const wanted = given.join(' ').toLowerCase();
  const exact = instances.filter(({ label }) => label.toLowerCase() === wanted);
  if (exact.length > 0) return exact;
  const words = wanted.split(/[\s,()]+/).filter((word) => word !== '');
  return instances.filter(
    ({ action, keywords }) =>
      action.name.toLowerCase() === words[0] && words.every((word) => keywords.has(word)),
  );
}

import {
  type ActionInstance,
  type CheckOptions,
  type Describer,
  type Model,
  type Property,
  type StateReading,
  whyDisabled,
} from '../checker/index.ts';
import type { Plan, Subject } from '../input/plan.ts';
import { type Cluster, describer, type Names, namesOf, type Setup } from '../model/index.ts';
import { type Snapshot, snapshots } from '../report/view/snapshot.ts';
import { judgedBy, modelOf } from '../run/assemble.ts';
import type { AuthoredModel } from '../run/authored/authored.ts';
import { possibleIn, sorted } from '../run/execution.ts';
import { adviceOn, adviceOnModel } from '../run/limit-advice.ts';
import { fileSubject } from '../run/tokens/subject.ts';
import { initialDigest, setupDigest } from '../run/tokens/token.ts';
import type { Colors } from '../text/layout.ts';

/** How steps and states print. */
export interface ExplorerWords extends Describer<unknown> {
  /** The name of a step and its parameters, in words. They are the same in every state. */
  instance(step: ActionInstance): readonly string[];
  /** Why a step cannot be taken, derived from what its reducer has read last. */
  obstacle(step: ActionInstance, state: unknown, reading: StateReading | null): string;
}

/** Everything that stays the same while exploring a model. */
export interface Explorer extends Pick<Plan, 'title' | 'about' | 'cut' | 'warnings'> {
  /** What tokens refer to; null: tokens cannot be made. */
  readonly subject: Subject | null;
  /** Digest of what the model is made from, for tokens. */
  readonly inputDigest: string;
  readonly model: Model<unknown>;
  readonly properties: readonly Property<unknown>[];
  readonly words: ExplorerWords;
  readonly within: ((state: unknown) => boolean) | null;
  readonly advice: NonNullable<CheckOptions<unknown>['advice']>;
  /** All actions with all their parameters, in the order of the model. */
  readonly instances: readonly NamedInstance[];
  readonly colors: Colors;
  /** Null: the states are not those of a cluster. */
  readonly cluster: ClusterPart | null;
  /** The enabled actions of a state, in the order of the model. */
  readonly enabled: (state: unknown, look?: () => void) => readonly Enabled[];
}

/** What is known of a cluster besides its states. */
export interface ClusterPart {
  readonly setup: Setup;
  readonly names: Names;
  readonly snapshot: (state: unknown) => Snapshot;
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
  readonly after: unknown;
  readonly sentence: string;
}

/** @param look looks at the limits: there may be thousands of objects. It may throw. */
export function explorerOf(plan: Plan, colors: Colors, look: () => void = () => {}): Explorer {
  const { setup } = plan;
  const snapshot = snapshots(setup);
  // The explorer gives the model only states of its own.
  const model: unknown = modelOf(setup, look);
  const parts = {
    ...plan,
    inputDigest: setupDigest(setup),
    model: model as Model<unknown>,
    properties: judgedBy(plan, look) as readonly Property<unknown>[],
    words: describer(setup) as ExplorerWords,
    within: null,
    advice: adviceOn(setup, 'search'),
    colors,
    cluster: {
      ...{ setup, names: namesOf(setup) },
      snapshot: (state: unknown) => snapshot(state as Cluster),
    },
  };
  return explorerWith(parts, look);
}

/** Explores the model of a module. */
export function explorerOfModel(
  authored: AuthoredModel,
  colors: Colors,
  look: () => void,
): Explorer {
  const { model, properties, words, within } = authored;
  const others = model.initial.length - 1;
  const more = `it starts in the first of ${others + 1} initial states`;
  const parts = {
    title: model.name,
    about: null,
    cut: [],
    warnings: others === 0 ? [] : [more],
    subject: fileSubject(authored.file),
    inputDigest: initialDigest(model),
    model,
    properties,
    words: { ...words, instance: instanceWords, obstacle: obstacleWords },
    within,
    advice: adviceOnModel('search'),
    colors,
    cluster: null,
  };
  return explorerWith(parts, look);
}

function instanceWords({ name, parameters }: ActionInstance): readonly string[] {
  return [name, ...Object.entries(parameters).map(([key, value]) => `${key}=${value}`)];
}

function obstacleWords(_step: ActionInstance, _state: unknown, reading: StateReading | null) {
  if (reading === null) return 'it changes nothing';
  const value = reading.value === undefined ? 'absent' : JSON.stringify(reading.value);
  return `it changes nothing here; what it read last is ${reading.path.join('.')}: ${value}`;
}

function explorerWith(parts: Omit<Explorer, 'instances' | 'enabled'>, look: () => void): Explorer {
  const { model, words } = parts;
  const known = new WeakMap<object, readonly Enabled[]>();
  return {
    ...parts,
    instances: Object.entries(model.actions).flatMap(([name, { parameters = [{}] }]) =>
      parameters.map((chosen) => {
        look();
        return named(words, { name, parameters: chosen });
      }),
    ),
    enabled: (state, within) => {
      const found = known.get(state as object) ?? enabledIn(model, words, state, within);
      known.set(state as object, found);
      return found;
    },
  };
}

/** The initial state of this number, in the form that steps give. */
export function initialOf({ model }: Pick<Explorer, 'model'>, index: number): unknown {
  return sorted(model.initial[index] ?? model.initial[0]);
}

function named(words: ExplorerWords, action: ActionInstance): NamedInstance {
  const label = words.instance(action).join(' ');
  return { action, label, keywords: new Set(label.toLowerCase().split(WORDS)) };
}

const WORDS = /[\s,()=]+/;

function enabledIn(
  model: Model<unknown>,
  words: ExplorerWords,
  state: unknown,
  look?: () => void,
): readonly Enabled[] {
  return Array.from(possibleIn(model, state, look), ({ action, after }) => ({
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
  state: unknown,
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
  const words = wanted.split(WORDS).filter((word) => word !== '');
  return instances.filter(
    ({ action, keywords }) =>
      action.name.toLowerCase() === words[0] && words.every((word) => keywords.has(word)),
  );
}

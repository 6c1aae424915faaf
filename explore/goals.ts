import type { Property } from '../checker/index.ts';
import {
  type Cluster,
  formatKey,
  identityOfNode,
  instancesOf,
  isQuiet,
  type ObjectKey,
} from '../model/index.ts';
import { hint } from '../text/messages.ts';
import { type ClusterPart, type Explorer, instancesMeant } from './explorer.ts';
import { type GoalName, goalsOf } from './vocabulary.ts';

/** Something to search for from a state. */
export interface Goal {
  /** `ConfigMap/a is gone`. */
  readonly words: string;
  /** Its shortest counterexample (or example, for a witness) leads to the goal. */
  readonly property: Property<unknown>;
  /** Whether the last step of that run is the action that becomes enabled, which is not taken. */
  readonly stopsBefore: boolean;
  /** Whether it is a property of the model, whose counterexample is reported. */
  readonly judged: boolean;
}

export type GoalOrError = Goal | { readonly error: string };

/** The goal of an `until` command. */
export function goalOf(explorer: Explorer, goal: GoalName, words: readonly string[]): GoalOrError {
  switch (goal) {
    case 'gone':
      return inCluster(explorer, goal, (cluster) => goneGoal(cluster, words));
    case 'stored':
      return inCluster(explorer, goal, (cluster) =>
        aboutObject(
          cluster,
          words,
          'is stored',
          (key) =>
            ({ store }) =>
              key in store,
        ),
      );
    case 'deleting':
      return inCluster(explorer, goal, (cluster) =>
        aboutObject(cluster, words, 'is being deleted', (key) => ({ store }) => {
          const object = store[key];
          return object !== undefined && object.deletionTimestamp !== null;
        }),
      );
    case 'queued':
      return inCluster(explorer, goal, (cluster) => queuedGoal(cluster, words));
    case 'enabled':
      return enabledGoal(explorer, words);
    case 'quiet':
      return inCluster(explorer, goal, ({ setup }) =>
        looked('all is quiet', (state) => isQuiet(setup, state)),
      );
    case 'end':
      return {
        words: 'nothing can be done',
        property: { kind: 'settled', name: 'end', settled: () => false },
        stopsBefore: false,
        judged: false,
      };
    case 'property':
      return propertyGoal(explorer, words);
    default:
      throw new Error(`unknown goal ${JSON.stringify(goal satisfies never)}`);
  }
}

function inCluster(
  { cluster }: Explorer,
  goal: GoalName,
  make: (cluster: ClusterPart) => GoalOrError,
): GoalOrError {
  if (cluster !== null) return make(cluster);
  const known = goalsOf({ cluster }).map(({ name }) => name);
  return { error: `this model has no "${goal}"; available: ${known.join(', ')}` };
}

function looked(words: string, reached: (state: Cluster) => boolean): Goal {
  const property: Property<unknown> = {
    ...{ kind: 'witness', name: words },
    reached: (state) => reached(state as Cluster),
  };
  return { words, property, stopsBefore: false, judged: false };
}

function aboutObject(
  cluster: ClusterPart,
  words: readonly string[],
  clause: string,
  reached: (key: ObjectKey) => (state: Cluster) => boolean,
): GoalOrError {
  const key = keyMeant(cluster, words);
  return typeof key === 'string' ? looked(`${formatKey(key)} ${clause}`, reached(key)) : key;
}

/** The step that removes the object: it may be absent before it is created. */
function goneGoal(cluster: ClusterPart, words: readonly string[]): GoalOrError {
  const key = keyMeant(cluster, words);
  if (typeof key !== 'string') return key;
  return {
    words: `${formatKey(key)} is removed`,
    property: {
      kind: 'step',
      name: 'removed',
      holds: (before, _action, after) =>
        !(key in (before as Cluster).store) || key in (after as Cluster).store,
    },
    stopsBefore: false,
    judged: false,
  };
}

/** The object that `Kind/name` or `Kind/name.namespace` names. */
function keyMeant({ setup }: ClusterPart, words: readonly string[]): ObjectKey | { error: string } {
  const { keys } = instancesOf(setup);
  const given = words.join(' ');
  const found = keys.filter((key) => formatKey(key).toLowerCase() === given.toLowerCase());
  if (found.length === 1) return found[0]!;
  const next = hint(given, keys.map(formatKey)) ?? 'state shows the objects';
  return { error: `this model has no object "${given}"; ${next}` };
}

function queuedGoal({ names, setup }: ClusterPart, words: readonly string[]): GoalOrError {
  const { nodes } = instancesOf(setup);
  const given = words.join(' ').toLowerCase();
  // Without a uid, the name means every object with that name.
  const meant = nodes.filter((id) => {
    const name = names.node(id).toLowerCase();
    return name === given || name.startsWith(`${given} (uid `);
  });
  if (meant.length === 0) {
    const next = hint(words.join(' '), [...new Set(nodes.map((id) => names.node(id)))]);
    return {
      error: `the collector never queues "${words.join(' ')}"; ${next ?? 'state shows the objects'}`,
    };
  }
  const uids = new Set(meant.map((id) => identityOfNode(id).uid));
  return looked(`${words.join(' ')} is in a queue of the collector`, (state) =>
    [state.attemptToDelete, state.attemptToOrphan, state.synchronousDeletion].some((queue) =>
      Object.keys(queue).some((id) => uids.has(identityOfNode(id).uid)),
    ),
  );
}

function enabledGoal(explorer: Explorer, words: readonly string[]): GoalOrError {
  const meant = instancesMeant(explorer.instances, words);
  const [first] = meant;
  if (first === undefined) return { error: unknownAction(words, explorer) };
  const labels = new Set(meant.map(({ action }) => JSON.stringify(action)));
  return {
    words: `${meant.length === 1 ? first.label : words.join(' ')} is enabled`,
    property: {
      kind: 'step',
      name: 'enabled',
      actions: [first.action.name],
      holds: (_before, { name, parameters }) => !labels.has(JSON.stringify({ name, parameters })),
    },
    stopsBefore: true,
    judged: false,
  };
}

export function unknownAction(
  words: readonly string[],
  { model }: Pick<Explorer, 'model'>,
): string {
  const [name = ''] = words;
  const names = Object.keys(model.actions);
  const known = names.find((one) => one.toLowerCase() === name.toLowerCase());
  if (known !== undefined) {
    return `no ${known} of this model has all of the words "${words.slice(1).join(' ')}"; why ${known} lists them`;
  }
  return `there is no action "${name}" in this model; ${hint(name, names) ?? `available: ${names.join(', ')}`}`;
}

function propertyGoal(explorer: Explorer, words: readonly string[]): GoalOrError {
  const aspect = words.at(-1);
  if (aspect !== 'broken' && aspect !== 'triggered') {
    return { error: 'usage: until property NAME broken|triggered' };
  }
  const property = propertyMeant(explorer, words.slice(0, -1));
  if ('error' in property) return property;
  if (aspect === 'triggered') return triggered(property);
  switch (property.kind) {
    case 'eventually':
      return { error: 'only an endless run can break this property: jump finds one' };
    case 'witness':
      return { error: 'this property asks for an example: jump finds one' };
    case 'invariant':
    case 'step':
    case 'settled':
      return broken(property);
    default:
      throw new Error(`unknown property ${JSON.stringify(property satisfies never)}`);
  }
}

/** The goal of a `jump` command. */
export function broken(property: Property<unknown>): Goal {
  const what = property.kind === 'witness' ? 'reached' : 'broken';
  return { words: `"${property.name}" is ${what}`, property, stopsBefore: false, judged: true };
}

function triggered(property: Property<unknown>): GoalOrError {
  const words = `"${property.name}" is triggered`;
  const { name, parameters } = property;
  const common = { name, ...(parameters === undefined ? {} : { parameters }) };
  const found = (wanted: Property<unknown>): Goal => ({
    words,
    property: wanted,
    stopsBefore: false,
    judged: false,
  });
  switch (property.kind) {
    case 'invariant':
    case 'eventually': {
      const { trigger } = property;
      if (trigger === undefined)
        return { error: 'this property has no trigger: it is judged from the start' };
      // Not a witness, which would need an example for all choices of parameters.
      return found({
        ...common,
        kind: 'invariant',
        holds: (state, chosen) => !trigger(state, chosen),
      });
    }
    case 'step': {
      const { actions, trigger } = property;
      return found({
        ...common,
        kind: 'step',
        ...(actions === undefined ? {} : { actions }),
        holds: (before, action, after, chosen) =>
          trigger !== undefined && !trigger(before, action, after, chosen),
      });
    }
    case 'settled':
      return { error: 'this property is judged where no action is enabled: until end goes there' };
    case 'witness':
      return { error: 'this property asks for an example: jump finds one' };
    default:
      throw new Error(`unknown property ${JSON.stringify(property satisfies never)}`);
  }
}

/** The property with this name, or with this unique part of a name. */
export function propertyMeant(
  { properties }: Pick<Explorer, 'properties'>,
  words: readonly string[],
): Property<unknown> | { readonly error: string } {
  const given = words.join(' ').toLowerCase();
  const exact = properties.find(
    ({ id, name }) => id?.toLowerCase() === given || name.toLowerCase() === given,
  );
  if (exact !== undefined) return exact;
  const meant =
    given === '' ? [] : properties.filter(({ name }) => name.toLowerCase().includes(given));
  if (meant.length === 1) return meant[0]!;
  const names = properties.flatMap(({ id, name }) => (id === undefined ? [name] : [id, name]));
  if (meant.length > 1) {
    return {
      error: `several properties have "${words.join(' ')}" in their names: ${meant.map(({ name }) => `"${name}"`).join(', ')}`,
    };
  }
  return {
    error: `there is no property "${words.join(' ')}" here; ${hint(words.join(' '), names) ?? 'properties lists them'}`,
  };
}

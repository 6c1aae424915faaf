import type { ActionInstance, Parameters, Property } from '../../checker/index.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup } from '../../model/state/setup.ts';

/** A finite run. Nothing happens after its last state. */
export interface Run {
  readonly setup: Setup;
  readonly states: readonly Cluster[];
  /** The action that leads from a state to the next one. Only step rules need it. */
  readonly steps?: readonly ActionInstance[];
}

/** The verdict of a property on a run, for all its parameters. */
export interface Judgement {
  readonly verdict: 'violated' | 'holds' | 'vacuous';
  readonly explained: readonly string[];
}

type Judged = { readonly triggered: boolean; readonly explained: readonly string[] | null };

export function judge(property: Property<Cluster>, run: Run): Judgement {
  const instances: readonly Parameters[] = property.parameters ?? [{}];
  const judged = instances.map((parameters) => judgeInstance(property, run, parameters));
  const broken = judged.find(({ explained }) => explained !== null);
  if (broken !== undefined) return { verdict: 'violated', explained: broken.explained ?? [] };
  const triggered = judged.some((instance) => instance.triggered);
  return { verdict: triggered ? 'holds' : 'vacuous', explained: [] };
}

function judgeInstance(property: Property<Cluster>, run: Run, parameters: Parameters): Judged {
  const last = run.states.at(-1);
  if (last === undefined) throw new Error('a run without states');
  switch (property.kind) {
    case 'invariant': {
      const at = run.states.filter((state) => property.trigger?.(state, parameters) ?? true);
      const bad = at.find((state) => !property.holds(state, parameters));
      return {
        triggered: at.length > 0,
        explained: bad === undefined ? null : (property.explain?.(bad, parameters) ?? []),
      };
    }
    case 'step': {
      const steps = run.states.slice(1).flatMap((after, index) => {
        const before = run.states[index];
        const action = run.steps?.[index];
        if (before === undefined || action === undefined) throw new Error('a step is missing');
        if (property.actions?.includes(action.name) === false) return [];
        if (property.trigger?.(before, action, after, parameters) === false) return [];
        return [{ before, action, after }];
      });
      const bad = steps.find(
        ({ before, action, after }) => !property.holds(before, action, after, parameters),
      );
      const explain = bad === undefined ? undefined : property.explain;
      return {
        triggered: steps.length > 0,
        explained:
          bad === undefined
            ? null
            : (explain?.(bad.before, bad.action, bad.after, parameters) ?? []),
      };
    }
    case 'eventually': {
      let owed = false;
      let triggered = false;
      for (const state of run.states) {
        if (property.trigger?.(state, parameters) ?? true) {
          owed = true;
          triggered = true;
        }
        if (property.goal(state, parameters)) owed = false;
      }
      return { triggered, explained: owed ? (property.explain?.(last, parameters) ?? []) : null };
    }
    case 'settled':
      return {
        triggered: true,
        explained: property.settled(last, parameters)
          ? null
          : (property.explain?.(last, parameters) ?? []),
      };
    case 'witness':
      return {
        triggered: true,
        explained: run.states.some((state) => property.reached(state, parameters)) ? null : [],
      };
    default:
      throw new Error(`unknown kind ${JSON.stringify(property satisfies never)}`);
  }
}

/** Freezes a run completely, so that a predicate that writes throws. */
export function frozen(run: Run): Run {
  return freezeDeeply(run);
}

function freezeDeeply<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freezeDeeply(part);
  }
  return value;
}

/**
 * The same run behind proxies that, like the checker's, support reading, `in` and the own keys, and
 * return another object each time. A predicate that compares identities or serialises behaves
 * differently on them.
 */
export function behindProxies(run: Run): Run {
  return { ...run, states: run.states.map((state) => readOnly(state)) };
}

function readOnly<Value extends object>(target: Value): Value {
  const refuse = (): never => {
    throw new Error('a predicate does more than read');
  };
  const shown = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? readOnly(value) : value;
  return new Proxy(Array.isArray(target) ? ([...target] as unknown as Value) : { ...target }, {
    get: (copy, key) => {
      if (key === 'toJSON') refuse();
      return shown(Reflect.get(copy, key));
    },
    set: refuse,
    deleteProperty: refuse,
    defineProperty: refuse,
    setPrototypeOf: refuse,
    preventExtensions: refuse,
  });
}

import type { RuleName, Rules } from '../../../model/index.ts';

/** A step of the model in an explanation. */
export interface ModelStep {
  /** Name of the model's action. */
  readonly action: string;
  /**
   * The step within the action: the position of the worker or handler. Empty if there is only one.
   */
  readonly step: string;
  /** The object of the step, for messages. */
  readonly subject: string;
}

/** The steps to a state, the last one first. It is not part of the state's identity. */
export interface History extends ModelStep {
  /** Rules that the step read, if they are recorded. */
  readonly rules: readonly RuleName[];
  readonly previous: History | null;
}

export function steps(history: History | null): readonly History[] {
  const found: History[] = [];
  for (let at = history; at !== null; at = at.previous) found.push(at);
  return found.reverse();
}

/** Records which rules are read. */
export class RuleReads {
  readonly #read = new Set<RuleName>();
  /** The rules; reading one records it. */
  readonly rules: Rules;

  constructor(rules: Rules) {
    this.rules = new Proxy(rules, {
      get: (target, name) => {
        if (Object.hasOwn(target, name)) this.#read.add(name as RuleName);
        return Reflect.get(target, name) as unknown;
      },
    });
  }

  /** The rules that were read since the last call. */
  taken(): readonly RuleName[] {
    const names = [...this.#read];
    this.#read.clear();
    return names;
  }
}

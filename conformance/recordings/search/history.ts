import type { RuleName, Rules } from '../../../model/index.ts';

/** A step of the model in an explanation. */
export interface ModelStep {
  /** Name of the model's action. */
  readonly action: string;
  /** Which step of it: where the worker or the handler stood. Empty where there is but one. */
  readonly step: string;
  /** What it was about. */
  readonly subject: string;
}

/** The steps that led to a state, the last one first. Two states that differ in it alone are equal. */
export interface History extends ModelStep {
  /** Rules that the step read, if that is asked for. */
  readonly rules: readonly RuleName[];
  readonly previous: History | null;
}

export function steps(history: History | null): readonly History[] {
  const found: History[] = [];
  for (let at = history; at !== null; at = at.previous) found.push(at);
  return found.reverse();
}

/** Notes which rules are read. */
export class RuleReads {
  readonly #read = new Set<RuleName>();
  /** The rules, noting each that is read. */
  readonly rules: Rules;

  constructor(rules: Rules) {
    this.rules = new Proxy(rules, {
      get: (target, name) => {
        if (Object.hasOwn(target, name)) this.#read.add(name as RuleName);
        return Reflect.get(target, name) as unknown;
      },
    });
  }

  /** What was read since the last time. */
  taken(): readonly RuleName[] {
    const names = [...this.#read];
    this.#read.clear();
    return names;
  }
}

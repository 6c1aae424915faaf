import type { Changed, Explanation } from '../../../input/manifests/explanation.ts';
import type { Plan } from '../../../input/plan.ts';
import type { ApiObject, UserRequest } from '../../../model/index.ts';
import type { Remedy, Wait } from '../../../report/document/answer.ts';

export type Step = Remedy['steps'][number];

/** How much harm a step can do; the least comes first. */
export const HARM = {
  none: 0,
  little: 1,
  deletes: 2,
  running: 3,
  cleanup: 4,
  contents: 5,
} as const;

/** One way to remove one reason why something hangs. */
export interface Option {
  readonly steps: readonly Step[];
  /** Finalizers to take off; their commands follow from all options together. */
  readonly patches: readonly { readonly object: ApiObject; readonly finalizer: string }[];
  readonly leaves: string | null;
  readonly harm: number;
  /** What it deletes besides. */
  readonly deletes: readonly ApiObject[];
  readonly requests: readonly UserRequest[];
  readonly observations: Changed['observations'];
  readonly nodesBack: readonly string[];
  readonly change: (plan: Plan) => Plan;
}

/** A reason why something hangs that nothing else explains, with the ways to remove it. */
export interface Blocker {
  readonly name: string;
  readonly options: readonly Option[];
}

/** An object that hangs, and what it waits for. */
export interface Hanging {
  readonly object: ApiObject;
  readonly waits: readonly Wait[];
}

export const NOTHING: Omit<Option, 'steps' | 'harm'> = {
  patches: [],
  leaves: null,
  deletes: [],
  requests: [],
  observations: new Map(),
  nodesBack: [],
  change: (plan) => plan,
};

export interface Given {
  readonly plan: Plan;
  readonly explanation: Explanation;
  readonly hanging: readonly Hanging[];
}

export function step(
  text: string,
  command: string,
  harm: number,
  leaves: string | null = null,
): Step {
  return { text, command, harm, leaves };
}

export function single(one: Step, more: Partial<Option> = {}): Option {
  return { ...NOTHING, steps: [one], harm: one.harm, ...more };
}

/** A transition of the model: what it mirrors, and what it leaves out. */
export interface Transition {
  readonly action: string;
  /** The step, if the action has several: its name in the coverage of `reapcheck conform trace`. */
  readonly step: string;
  /** Function of Kubernetes 1.20. */
  readonly kubernetes: string;
  /** File in model/. */
  readonly file: string;
  /**
   * `FILE#FUNCTION` in model/: a case that runs all of them takes the step. Empty if that does not
   * distinguish the step from others.
   */
  readonly functions: readonly string[];
  /** What is abstracted, and why that is safe. */
  readonly abstracted: string;
}

export function row(
  action: string,
  step: string,
  kubernetes: string,
  place: string,
  abstracted: string,
): Transition {
  const functions = place.split(' ').filter((name) => name.includes('#'));
  const [file = ''] = place.split(/[# ]/);
  return { action, step, kubernetes, file, functions, abstracted };
}

export const NOTHING = 'nothing';

/** Every transition of the model: what it mirrors, and what is left out of it. */
export interface Transition {
  readonly action: string;
  /** Where one action has several steps: as the coverage of `reapcheck conform trace` names them. */
  readonly step: string;
  /** Function of Kubernetes 1.20. */
  readonly kubernetes: string;
  /** File under model/. */
  readonly file: string;
  /**
   * `FILE#FUNCTION` under model/: a case in which all of them run takes the step. Empty where that
   * would not tell the step from others.
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

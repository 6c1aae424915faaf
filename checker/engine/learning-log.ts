/** What an engine learnt, as the first word of an event in the log. */
export const EVENT = { action: 0, predicate: 1, step: 2, operation: 3, images: 4, row: 5 } as const;

/**
 * In which order an engine has learnt what it knows of the model. Numbers of slots, values,
 * columns, effects and shapes depend on that order alone, so an engine that learns the same again,
 * in the same order, knows the same afterwards. A log is short: an engine learns from few of the
 * states.
 */
export class LearningLog {
  /** Events, one after the other: the kind, then its words. */
  readonly words: number[] = [];

  action(state: number, instance: number): void {
    this.words.push(EVENT.action, state, instance);
  }

  predicate(state: number, predicate: number): void {
    this.words.push(EVENT.predicate, state, predicate);
  }

  step(state: number, predicate: number, instance: number, effect: number): void {
    this.words.push(EVENT.step, state, predicate, instance, effect);
  }

  /** A queue operation met this value of its slot. */
  operation(operation: number, local: number): void {
    this.words.push(EVENT.operation, operation, local);
  }

  /** The canonicalizer took in slots and values. */
  images(): void {
    this.words.push(EVENT.images);
  }

  /** The canonicalizer learnt something from a row that is not stored. */
  row(locals: readonly number[]): void {
    this.words.push(EVENT.row, locals.length, ...locals);
  }
}

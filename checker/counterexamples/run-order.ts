import type { Instance } from '../instances.ts';
import type { Dropped, Footprint, Footprints, Part } from './footprint.ts';

/** The steps of a run with their footprints. Steps can be added at the end. */
export class RunOrder {
  readonly actions: readonly number[];
  /**
   * By step: its level. It depends on some step of the level below, and on none of its own level.
   */
  private readonly levels: readonly number[];
  private readonly footprints: readonly Footprint[];

  private constructor(
    actions: readonly number[],
    footprints: readonly Footprint[],
    levels: readonly number[],
  ) {
    this.actions = actions;
    this.footprints = footprints;
    this.levels = levels;
  }

  static readonly empty = new RunOrder([], [], []);

  /** The run with one more step, taken in its last state. */
  with<State>(footprints: Footprints<State>, state: State, instance: Instance<State>): RunOrder {
    const dropped = this.droppedBefore(this.actions.length);
    const footprint = footprints.ofStep(state, instance, dropped);
    const level = this.footprints.reduce(
      (highest, earlier, index) =>
        depends(earlier, footprint) ? Math.max(highest, this.levels[index]! + 1) : highest,
      0,
    );
    return new RunOrder(
      [...this.actions, instance.number],
      [...this.footprints, footprint],
      [...this.levels, level],
    );
  }

  /** The elements that the first steps take from queues. */
  droppedBefore(steps: number): Dropped {
    const dropped = new Map<number, number>();
    for (const { drops } of this.footprints.slice(0, steps)) {
      for (const [queue, count] of drops) dropped.set(queue, (dropped.get(queue) ?? 0) + count);
    }
    return dropped;
  }

  /**
   * The Foata normal form: the steps level by level. It is the same for all runs that result from
   * each other by exchanging independent neighbours.
   */
  normalForm(rename: (action: number) => number = (action) => action): string {
    const levels: number[][] = [];
    this.actions.forEach((action, index) => {
      const level = this.levels[index]!;
      levels[level] ??= [];
      levels[level].push(rename(action));
    });
    return levels.map((level) => level.sort((one, other) => one - other).join(' ')).join('|');
  }

  /** Whether a later step depends on an earlier one, both given by position. */
  depends(earlier: number, later: number): boolean {
    return depends(this.footprints[earlier]!, this.footprints[later]!);
  }

  /**
   * The positions of the relevant steps, if `readAt(n)` is read after the first n steps. Nothing
   * reads what the other steps change, so the relevant ones are a run themselves.
   */
  relevant(
    readAt: (steps: number) => Iterable<Part>,
    always: ReadonlySet<number>,
  ): readonly number[] {
    const needed = new Set(readAt(this.actions.length));
    const kept: number[] = [];
    for (let index = this.actions.length - 1; index >= 0; index--) {
      const { reads, writes, replaces } = this.footprints[index]!;
      if (always.has(index) || some(writes, (part) => needed.has(part))) {
        kept.push(index);
        for (const part of replaces) needed.delete(part);
        for (const part of reads) needed.add(part);
      }
      for (const part of readAt(index)) needed.add(part);
    }
    return kept.reverse();
  }
}

function depends(earlier: Footprint, later: Footprint): boolean {
  return (
    some(earlier.writes, (part) => later.reads.has(part) || later.writes.has(part)) ||
    some(earlier.reads, (part) => later.writes.has(part))
  );
}

function some<Element>(set: Iterable<Element>, test: (element: Element) => boolean): boolean {
  for (const element of set) if (test(element)) return true;
  return false;
}

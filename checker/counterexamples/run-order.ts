import type { Instance } from '../instances.ts';
import type { Dropped, Footprint, Footprints, Part } from './footprint.ts';

/** The steps of a run with what they looked at and changed; grows at its end. */
export class RunOrder {
  readonly actions: readonly number[];
  /** By step: its level; it depends on some step of the level below, and on none of its own. */
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

  /** The run with one step more, from its last state. */
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

  /** Elements taken from queues by the first steps. */
  droppedBefore(steps: number): Dropped {
    const dropped = new Map<number, number>();
    for (const { drops } of this.footprints.slice(0, steps)) {
      for (const [queue, count] of drops) dropped.set(queue, (dropped.get(queue) ?? 0) + count);
    }
    return dropped;
  }

  /**
   * The steps level by level: the same for all runs that come from one another by taking neighbours
   * in the other order which have nothing to do with each other (the normal form of Foata).
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

  /** Whether a later step has something to do with an earlier one, both by their positions. */
  depends(earlier: number, later: number): boolean {
    return depends(this.footprints[earlier]!, this.footprints[later]!);
  }

  /**
   * The positions of the steps that matter to what is looked at: `readAt(n)` is looked at after the
   * first n steps. What other steps have changed nobody looks at, so the rest is a run of its own.
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

import type { Blocks } from './found-rows.ts';
import type { At, ExpandAt, Way } from './holder.ts';
import type { ExpandTally, FoldTally, PathPart } from './tallies.ts';

/** The partitions of a search, wherever they are. What they throw ends the check. */
export interface PartitionTeam<State> {
  /** How many there are. */
  readonly count: number;
  /** Each expands its states of a layer. Throws `DefectError` if one of them has found a defect. */
  expand(steps: readonly ExpandAt[]): Promise<readonly ExpandTally[]>;
  /** Each takes in its states of the layer. */
  fold(steps: readonly At[]): Promise<readonly FoldTally[]>;
  /**
   * The states from which one of a partition was found, as far as that partition knows them. Throws
   * `LimitHitError`.
   */
  path(partition: number, at: At, local: number): Promise<PathPart<State>>;
  /** What a partition has sent to another one in a layer. */
  read(way: Way, layer: number): Blocks;
}

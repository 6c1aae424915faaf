import type { FirstLayers, FirstTally } from './first-layers.ts';
import type { Blocks } from './found-rows.ts';
import type { ExpandAt, FoldAt } from './holder.ts';
import type { ExpandTally, FoldTally } from './tallies.ts';

/** The partitions of a search, wherever they are. What they throw ends the check. */
export interface PartitionTeam {
  /** How many there are. */
  readonly count: number;
  /** Layers with fewer states are not divided, before the first that has so many. */
  readonly dividedFrom: number;
  /**
   * While the owners are still being chosen, further layers are not divided either, before the
   * first that has so many states.
   */
  readonly dividedLatest: number;
  /** All search the first layers, each as a whole. Throws as `expand` does. */
  first(layers: FirstLayers): Promise<readonly FirstTally[]>;
  /** Each expands its states of a layer. Throws `DefectError` if one of them has found a defect. */
  expand(steps: readonly ExpandAt[]): Promise<readonly ExpandTally[]>;
  /** Each takes in its states of the layer. */
  fold(steps: readonly FoldAt[]): Promise<readonly FoldTally[]>;
  /** The keys of a partition in a layer, as its log has them. */
  keys(partition: number, layer: number): Blocks;
  /** Called before so many states are gathered in this process, for leads-to properties. */
  gathers(states: number): void;
}

import type { Setup } from '../../model/setup.ts';
import type { Names } from '../../model/words/names.ts';
import type { World } from '../../model/world.ts';

/** What is needed to put the states of one model into words. */
export interface Viewpoint {
  readonly setup: Setup;
  readonly world: World;
  readonly names: Names;
}

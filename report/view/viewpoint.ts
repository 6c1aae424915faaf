import type { Names, Setup, World } from '../../model/index.ts';

/** What is needed to put the states of one model into words. */
export interface Viewpoint {
  readonly setup: Setup;
  readonly world: World;
  readonly names: Names;
}

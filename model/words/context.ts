import type { Cluster } from '../state/cluster.ts';
import type { Setup } from '../state/setup.ts';
import type { World } from '../state/world.ts';
import type { Names } from './names.ts';

export type Parameters = Readonly<Record<string, string | number | boolean>>;

/** An action with its parameters. */
export interface Step {
  readonly name: string;
  readonly parameters: Parameters;
}

/** The model that the sentences are about. */
export interface Context {
  readonly setup: Setup;
  readonly world: World;
  readonly names: Names;
}

/** What a reducer has read of a state; same structure as the checker's `StateReading`. */
export interface Reading {
  /** From the root of the state. */
  readonly path: readonly string[];
  readonly aspect: 'presence' | 'value' | 'keys' | 'whole' | 'written';
  readonly value: unknown;
}

/** What was read below one key of a part of the state. */
export interface PartReading {
  readonly context: Context;
  readonly cluster: Cluster;
  /** Key within the part of the state. Empty for the part as a whole. */
  readonly key: string;
  /** The rest of the path, below the key. */
  readonly below: readonly string[];
  readonly value: unknown;
}

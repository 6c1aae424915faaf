import type { EngineUpdate } from '../engine/sharing/sharing.ts';
import type { Decisions } from '../judge.ts';
import type { CheckOptions } from '../options.ts';
import type { BoardMemory } from './board.ts';

/** What a helper is given when it starts. */
export interface HelperTask {
  readonly board: BoardMemory;
  /** How many helpers there are. */
  readonly helpers: number;
  /** Names of the properties that are judged, in order. */
  readonly properties: readonly string[];
  readonly reductions: CheckOptions<never>['reductions'];
  /** Digest of the question: that of the helper must be the same. */
  readonly question: string;
  /** From `ThreadOptions.data`. */
  readonly data: unknown;
}

/** What the owner has learnt and decided since the message before. */
export interface OwnerMessage {
  readonly engine: EngineUpdate | null;
  readonly decisions: Decisions | null;
  /** What helpers find out counts as long as the owner has this number. */
  readonly generation: number;
}

/** Why a helper gives up. */
export interface HelperFailure {
  /** The module does not make the question that it should. */
  readonly isMisfit: boolean;
  readonly message: string;
}

import type { Instance } from '../../instances.ts';
import type { CompiledProperty } from '../../judgements.ts';
import type { Model } from '../../model.ts';

/** What stubborn sets are computed for. */
export interface ReducedQuestion<State> {
  readonly model: Model<State>;
  readonly instances: readonly Instance<State>[];
  readonly properties: readonly CompiledProperty<State>[];
  /** Whether leads-tos are judged. */
  readonly isLive: boolean;
}

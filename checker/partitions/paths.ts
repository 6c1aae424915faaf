import type { EngineExchange } from '../engine/exchange/exchange.ts';
import type { TrackedEngine } from '../engine/tracked.ts';
import type { Finding } from '../judge.ts';
import { emptyTransitionBuffer } from '../liveness/graph.ts';
import type { Model } from '../model.ts';
import { BlockError } from './errors.ts';
import type { PathPart } from './tallies.ts';
import type { FoundIn } from './totals.ts';

const INITIAL = -1;
const UNWATCHED = { watched: new Uint8Array(0), transition: () => undefined };

export type AskPath<State> = (partition: number, local: number) => Promise<PathPart<State>>;

/** Brings the runs to what was found into an engine that knows the initial states only. */
export class Paths<State> {
  private readonly engine: TrackedEngine<State>;
  private readonly exchange: EngineExchange<State>;
  private readonly model: Model<State>;
  private readonly ask: AskPath<State>;

  constructor(engine: TrackedEngine<State>, model: Model<State>, ask: AskPath<State>) {
    this.engine = engine;
    this.exchange = engine.exchange();
    this.model = model;
    this.ask = ask;
  }

  /**
   * The place of a finding in the engine. The states before it are those from which one process would have
   * found it: those with the least keys.
   */
  async to({ partition, local, instance }: FoundIn): Promise<Pick<Finding, 'state' | 'step'>> {
    const states: State[] = [];
    for (let at: readonly [number, number] | null = [partition, local]; at !== null; ) {
      const part: PathPart<State> = await this.ask(...at);
      states.push(...part.states);
      at = part.from;
    }
    let state = INITIAL;
    for (const one of states.reverse()) state = this.exchange.store(this.model, one, state);
    return { state, step: instance === null ? null : this.stepFrom(state, instance) };
  }

  private stepFrom(state: number, instance: number): Finding['step'] {
    const { engine } = this;
    const buffer = emptyTransitionBuffer();
    const count = engine.successors(state, buffer);
    const position = buffer.actions.subarray(0, count).indexOf(instance);
    if (position < 0) throw new BlockError('names a step that does not exist');
    return { instance, target: engine.follow(position, UNWATCHED) };
  }
}

import { setImmediate } from 'node:timers/promises';
import type { EngineExchange } from '../../engine/exchange/exchange.ts';
import { TrackedEngine } from '../../engine/tracked.ts';
import { DefectError, limitOf } from '../../errors.ts';
import { NO_PREDICATE } from '../../judgements.ts';
import type { Clock, SearchProgress } from '../../progress.ts';
import type { PreparedQuestion } from '../../question.ts';
import type { Slot, SlotTable } from '../../values/slots.ts';

/**
 * States expanded in a layer, at most. What changes rarely has the same value in all descendants of
 * a state, and those of few states soon are all that is left in a narrow sample.
 */
const WIDTH = 256;
/** In all layers. */
const MOST_EXPANDED = 1 << 14;
const MOST_FOUND = 1 << 17;
const STATES_PER_CLOCK_CHECK = 64;
/**
 * Of the time that there is, and at most: all partitions wait for it. Both are CPU time, so that a
 * busy machine chooses as an idle one does.
 */
const SHARE = 0.05;
const MOST_MILLISECONDS = 2000;

/** Some states of each layer of a graph, with all their transitions. */
export class Sample<State> {
  private readonly engine: TrackedEngine<State>;
  private readonly exchange: EngineExchange<State>;
  /** The states that were expanded, those of each layer together. */
  readonly expanded: number[] = [];
  /** By layer: how many were expanded in all layers up to it. */
  readonly layers: number[] = [];
  readonly sources: number[] = [];
  readonly targets: number[] = [];

  constructor(engine: TrackedEngine<State>) {
    this.engine = engine;
    this.exchange = engine.exchange();
  }

  /** @param isOver asked every few states. */
  async fill(within: number, isOver: () => Promise<boolean>): Promise<void> {
    const { engine, expanded, layers, sources, targets } = this;
    let state = 0;
    const observer = {
      watched: new Uint8Array(engine.actionCount).fill(1),
      transition: (_: number, target: number) => {
        sources.push(state);
        targets.push(target);
      },
    };
    const isLarge = () => expanded.length >= MOST_EXPANDED || engine.stateCount > MOST_FOUND;
    for (let from = 0; from < engine.stateCount && !isLarge(); ) {
      const to = engine.stateCount;
      const count = Math.min(to - from, WIDTH);
      for (let index = 0; index < count; index++) {
        if (index % STATES_PER_CLOCK_CHECK === 0 && (await isOver())) return;
        state = from + Math.floor((index * (to - from)) / count);
        engine.load(state);
        if (within !== NO_PREDICATE && !engine.test(within)) continue;
        engine.expand(observer);
        expanded.push(state);
      }
      layers.push(expanded.length);
      from = to;
    }
  }

  /** States that were found, expanded or not. */
  get count(): number {
    return this.engine.stateCount;
  }

  get table(): SlotTable {
    return this.exchange.slots;
  }

  get slots(): readonly Slot[] {
    return this.table.slots;
  }

  /** The local number of a slot in each state that was found. */
  locals(slot: Slot): Int32Array {
    const { exchange } = this;
    const { layout } = exchange;
    const locals = new Int32Array(this.count);
    for (let state = 0; state < locals.length; state++) {
      const [words, start] = exchange.rowOf(state);
      locals[state] = layout.read(words, start, slot.number);
    }
    return locals;
  }
}

/**
 * Expands some states of each layer, which are spread over what was found there. So it comes deep
 * into a large graph at once. It ends early if a limit is hit or the model has a defect: the search
 * will say so. Null: there is nothing.
 */
export async function sampled<State>(
  { question, within }: Pick<PreparedQuestion<State>, 'question' | 'within'>,
  clock: Clock,
  progress: SearchProgress,
  seconds = Number.POSITIVE_INFINITY,
): Promise<Sample<State> | null> {
  let sample: Sample<State> | null = null;
  const most = Math.min(MOST_MILLISECONDS, 1000 * SHARE * seconds);
  const before = process.cpuUsage();
  clock.arm();
  try {
    sample = new Sample(new TrackedEngine(question));
    await sample.fill(within, async () => {
      // Meanwhile the partitions go on, and this process has to ask them to.
      await setImmediate();
      const limit = clock.pauseIsDue ? await clock.pause(() => progress) : null;
      return limit !== null || cpuMillisecondsSince(before) > most;
    });
  } catch (error) {
    if (!(error instanceof DefectError)) limitOf(error);
  } finally {
    clock.disarm();
  }
  return sample;
}

function cpuMillisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

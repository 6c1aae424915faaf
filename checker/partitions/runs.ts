import type { TrackedEngine } from '../engine/tracked.ts';
import type { Finding } from '../judge.ts';
import { emptyTransitionBuffer } from '../liveness/graph.ts';
import { BlockError } from './errors.ts';
import { eachKey, KeyCursor, keysIn } from './merge.ts';
import type { FoundAt } from './tallies.ts';
import type { PartitionTeam } from './team.ts';

const UNWATCHED = { watched: new Uint8Array(0), transition: () => undefined };

/** The keys of a layer, those of all partitions, in order. */
export function eachKeyOfLayer(
  team: PartitionTeam,
  layer: number,
  visit: (number: number, instance: number) => void,
  pause: () => Promise<void> = async () => undefined,
): Promise<void> {
  const cursors = Array.from(
    { length: team.count },
    (_, partition) => new KeyCursor(keysIn(team.keys(partition, layer))),
  );
  return eachKey(cursors, (block, row) => visit(block.numbers[row]!, block.instances[row]!), pause);
}

/** The first step to a state. */
interface Step {
  readonly from: number;
  readonly instance: number;
}

/**
 * The places of findings in an engine that knows the initial states only. The runs to them are
 * those of one process: each state is reached as it was found first, by its key.
 *
 * @param counts how many states there were after each layer.
 * @param found by property.
 */
export async function placesOf<State>(
  team: PartitionTeam,
  engine: TrackedEngine<State>,
  counts: readonly number[],
  found: readonly (FoundAt | null)[],
): Promise<readonly (Pick<Finding, 'state' | 'step'> | null)[]> {
  const wanted = new Set(found.flatMap((one) => one?.number ?? []));
  const steps = new Map<number, Step>();
  const most = Math.max(0, ...wanted);
  // The last layers first, as they say what is wanted of those before.
  for (let layer = counts.length - 1; layer > 0; layer--) {
    const first = counts[layer - 1]!;
    if (first > most) continue;
    let number = first;
    const sources: number[] = [];
    await eachKeyOfLayer(team, layer, (from, instance) => {
      if (wanted.has(number)) {
        steps.set(number, { from, instance });
        sources.push(from);
      }
      number++;
    });
    if (number !== counts[layer]) throw new BlockError('of keys is missing');
    for (const source of sources) wanted.add(source);
  }
  const runs = new Runs(engine, steps);
  return found.map((one) => (one === null ? null : runs.place(one)));
}

class Runs<State> {
  private readonly engine: TrackedEngine<State>;
  private readonly steps: ReadonlyMap<number, Step>;
  private readonly buffer = emptyTransitionBuffer();
  /** By number in the whole search, the state of the engine. */
  private readonly states = new Map<number, number>();

  constructor(engine: TrackedEngine<State>, steps: ReadonlyMap<number, Step>) {
    this.engine = engine;
    this.steps = steps;
  }

  place({ number, instance }: FoundAt): Pick<Finding, 'state' | 'step'> {
    const state = this.stateOf(number);
    const step = instance === null ? null : { instance, target: this.follow(state, instance) };
    return { state, step };
  }

  private stateOf(last: number): number {
    const run: number[] = [];
    let number = last;
    for (; !this.states.has(number) && number >= this.engine.initialCount; ) {
      run.push(number);
      number = this.steps.get(number)!.from;
    }
    let state = this.states.get(number) ?? number;
    for (const next of run.reverse()) {
      state = this.follow(state, this.steps.get(next)!.instance);
      this.states.set(next, state);
    }
    return state;
  }

  private follow(state: number, instance: number): number {
    const { engine, buffer } = this;
    const count = engine.successors(state, buffer);
    const position = buffer.actions.subarray(0, count).indexOf(instance);
    if (position < 0) throw new BlockError('names a step that does not exist');
    return engine.follow(position, UNWATCHED);
  }
}

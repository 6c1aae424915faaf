import type { Trace } from '../../checker/index.ts';
import { type Cluster, EMPTY_CLUSTER, type Setup } from '../../model/index.ts';
import { type Snapshot, snapshots } from '../view/snapshot.ts';
import type { RunData, Timeline } from './browser/run-data.ts';
import { sceneOf } from './cards.ts';
import { drawingOf } from './layout.ts';

/**
 * The states of a run for the page. Null if they are no states of this model, as in an edited
 * document: then the page shows text only.
 */
export function runDataOf(setup: Setup, trace: Trace): RunData | null {
  const run = snapshotsOf(setup, trace);
  if (run === null) return null;
  const scenes = run.map(sceneOf);
  const values = new Values();
  const timelines = (part: keyof (typeof scenes)[number]): readonly Timeline[] =>
    timelinesOf(
      scenes.map((scene) => scene[part]),
      values,
    );
  return {
    length: trace.steps.length,
    cards: timelines('cards'),
    lines: timelines('lines'),
    waiting: timelines('waiting'),
    work: timelines('work'),
    values: values.all,
    drawing: drawingOf(scenes, run),
  };
}

function snapshotsOf(setup: Setup, { initial, steps }: Trace): readonly Snapshot[] | null {
  const states = [initial, ...steps.map(({ state }) => state)];
  try {
    const view = snapshots(setup);
    const run = states.map((state) => view(clusterFrom(state)));
    return run.some(({ objects }) => Object.keys(objects).length > 0) ? run : null;
  } catch {
    return null;
  }
}

function clusterFrom(state: unknown): Cluster {
  if (typeof state !== 'object' || state === null) throw new Error('no state');
  return { ...EMPTY_CLUSTER, ...(state as Partial<Cluster>) };
}

/** Stores equal values once. */
class Values {
  readonly all: unknown[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(value: unknown): number {
    const text = JSON.stringify(value);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.all.length);
    return this.all.push(value) - 1;
  }
}

/** When each entry changes; an entry that never changes has one mark. */
function timelinesOf(
  states: readonly Readonly<Record<string, unknown>>[],
  values: Values,
): readonly Timeline[] {
  const found = new Map<string, { at: number[]; takes: number[] }>();
  for (const [state, entries] of states.entries()) {
    for (const [id, value] of Object.entries(entries)) {
      const line = found.get(id) ?? { at: [], takes: [] };
      found.set(id, line);
      mark(line, state, values.numberOf(value));
    }
    for (const [id, line] of found) if (!Object.hasOwn(entries, id)) mark(line, state, -1);
  }
  return [...found].map(([id, line]) => ({ id, ...line }));
}

function mark(
  { at, takes }: { at: number[]; takes: number[] },
  state: number,
  value: number,
): void {
  if (takes.at(-1) === value) return;
  at.push(state);
  takes.push(value);
}

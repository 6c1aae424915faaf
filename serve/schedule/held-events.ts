import type { Cluster } from '../../model/index.ts';
import type { Change } from '../cluster/history.ts';
import type { KnownRun } from './run-calls.ts';
import type { WatchStream } from './schedule.ts';

/**
 * The watches of the operator that plays a controller of the run. What a cache of that controller
 * has not seen yet at this step of the run, the operator does not see either.
 */
export class HeldEvents {
  readonly #streams = new Set<WatchStream>();
  /** By informer of the run: its kind. */
  readonly #informers: ReadonlyMap<string, string>;
  /** By informer: the revisions of the changes that it has not seen, the oldest first. */
  readonly #held = new Map<string, number[]>();
  /** What has changed in this step. */
  #fresh: Change[] = [];
  #isOver = false;

  constructor({ played, states }: KnownRun) {
    const prefix = `${played?.controller}: `;
    const names = Object.keys(states[0]?.unseen ?? {}).filter((name) => name.startsWith(prefix));
    this.#informers = new Map(names.map((name) => [name, name.slice(prefix.length)]));
  }

  /** The kinds of which the run holds an event back, and which the operator does not watch. */
  notWatched({ states }: KnownRun): readonly string[] {
    return [...this.#informers].flatMap(([informer, kind]) => {
      const isLate = states.some(({ unseen }) => (unseen[informer]?.length ?? 0) > 0);
      const isWatched = [...this.#streams].some((stream) => stream.kind === kind);
      return isLate && !isWatched ? [kind] : [];
    });
  }

  add(stream: WatchStream): void {
    this.#streams.add(stream);
    this.#release(stream);
  }

  remove(stream: WatchStream): void {
    this.#streams.delete(stream);
  }

  /** A change is stored. */
  note(change: Change): void {
    this.#fresh.push(change);
  }

  /** What was stored before this step is not of it. */
  begin(): void {
    this.#fresh = [];
  }

  /** A step of the run has been taken. */
  step(before: Cluster, after: Cluster): void {
    for (const [informer, kind] of this.#informers) {
      const [had, has] = [before, after].map(({ unseen }) => unseen[informer]?.length ?? 0);
      const more = (has ?? 0) - (had ?? 0);
      const held = this.#held.get(informer) ?? [];
      const revisions = this.#fresh.filter((change) => change.kind === kind);
      if (more < 0) held.splice(0, -more);
      if (more > 0) held.push(...revisions.slice(-more).map(({ revision }) => revision));
      this.#held.set(informer, held);
    }
    this.#fresh = [];
  }

  /** Nothing is held back any more. */
  end(): void {
    this.#isOver = true;
    this.release();
  }

  /** Every watch sends what it may. */
  release(): void {
    for (const stream of this.#streams) this.#release(stream);
  }

  #release(stream: WatchStream): void {
    const from = this.#isOver ? Number.POSITIVE_INFINITY : this.#heldFrom(stream.kind);
    for (let next = stream.next(); next !== null && next < from; next = stream.next()) {
      stream.flush();
    }
  }

  /** The oldest revision that the operator must not see yet. */
  #heldFrom(kind: string): number {
    for (const [informer, known] of this.#informers) {
      if (known === kind) return this.#held.get(informer)?.[0] ?? Number.POSITIVE_INFINITY;
    }
    return Number.POSITIVE_INFINITY;
  }
}

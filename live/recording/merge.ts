import { earliest, inOrder, type Version } from './versions.ts';

/** A change of an object, as a watch shows it. */
export interface SeenEvent {
  readonly version: Version;
  /** The line of the recording. */
  readonly line: string;
}

/**
 * Brings the events of several watches into the order of the store. A watch can lag behind another
 * one, so an event waits until every watch is past its version: what is taken is complete up to a
 * version of the whole cluster.
 */
export class Merge {
  readonly #progress: Version[];
  #waiting: SeenEvent[] = [];
  #complete: Version;

  /**
   * @param watches how many there are.
   * @param start the version at which all of them begin.
   */
  constructor(watches: number, start: Version) {
    this.#progress = Array.from({ length: watches }, () => start);
    this.#complete = start;
  }

  /** An event of this watch. It has shown all that came before. */
  add(watch: number, event: SeenEvent): void {
    this.#waiting.push(event);
    this.reach(watch, event.version);
  }

  /** This watch has shown everything up to the version. */
  reach(watch: number, version: Version): void {
    if (version > (this.#progress[watch] ?? 0n)) this.#progress[watch] = version;
  }

  progressOf(watch: number): Version {
    return this.#progress[watch] ?? 0n;
  }

  /** Everything up to this version has been taken. */
  get complete(): Version {
    return this.#complete;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The events that are complete by now, in order. Each is given once. */
  take(): readonly SeenEvent[] {
    this.#complete = earliest(this.#progress) ?? this.#complete;
    const ready = this.#waiting.filter(({ version }) => version <= this.#complete);
    if (ready.length === 0) return ready;
    this.#waiting = this.#waiting.filter(({ version }) => version > this.#complete);
    return ready.sort((one, other) => inOrder(one.version, other.version));
  }
}

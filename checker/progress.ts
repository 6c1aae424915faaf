import { setImmediate } from 'node:timers/promises';
import type { Limits, ProgressEvent } from './options.ts';
import { residentMegabytes } from './options.ts';
import type { LimitKind } from './result.ts';

const PAUSE_EVERY_MS = 100;
const REPORT_EVERY_MS = 1000;
const MEASURE_EVERY_MS = 50;

/** What the search has done so far. */
export interface SearchProgress {
  readonly phase: ProgressEvent['phase'];
  readonly layer: number;
  readonly frontier: number;
  readonly previousFrontier: number;
  readonly states: number;
  readonly transitions: number;
}

export interface Watching {
  readonly limits: Limits;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
  readonly interrupted?: (() => boolean) | undefined;
}

/** Keeps the time: reports progress, lets the event loop turn and knows when to stop. */
export class Clock {
  private readonly started = performance.now();
  private readonly cpuStarted = process.cpuUsage();
  private nextPause = this.started + PAUSE_EVERY_MS;
  private nextReport = this.started + REPORT_EVERY_MS;
  private nextMeasurement = 0;
  private measuredMegabytes = 0;
  private readonly watching: Watching;

  constructor(watching: Watching) {
    this.watching = watching;
  }

  get elapsedSeconds(): number {
    return (performance.now() - this.started) / 1000;
  }

  get cpuSeconds(): number {
    const { user, system } = process.cpuUsage(this.cpuStarted);
    return (user + system) / 1e6;
  }

  /** Whether `pause` should be awaited now. Cheap enough to be asked every few states. */
  get pauseIsDue(): boolean {
    return performance.now() >= this.nextPause || this.timeIsUp;
  }

  /** Lets signals and timers in, reports if it is time, and tells which limit was hit. */
  async pause(progress: () => SearchProgress): Promise<LimitKind | null> {
    await setImmediate();
    this.tick(progress);
    this.nextPause = performance.now() + PAUSE_EVERY_MS;
    if (this.watching.interrupted?.() === true) return 'interrupted';
    if (this.timeIsUp) return 'time';
    const { megabytes } = this.watching.limits;
    return megabytes !== undefined && this.megabytes > megabytes ? 'memory' : null;
  }

  /** Reports if the last report was a second ago. */
  tick(progress: () => SearchProgress): void {
    if (performance.now() >= this.nextReport) this.report(progress());
  }

  report(progress: SearchProgress): void {
    this.nextReport = performance.now() + REPORT_EVERY_MS;
    const { elapsedSeconds } = this;
    this.watching.onProgress?.({
      ...progress,
      statesPerSecond: elapsedSeconds > 0 ? progress.states / elapsedSeconds : 0,
      megabytes: this.megabytes,
      elapsedSeconds,
    });
  }

  /** Asking the system takes long enough to be felt if it is done for every layer. */
  private get megabytes(): number {
    const now = performance.now();
    if (now >= this.nextMeasurement) {
      this.measuredMegabytes = residentMegabytes();
      this.nextMeasurement = now + MEASURE_EVERY_MS;
    }
    return this.measuredMegabytes;
  }

  private get timeIsUp(): boolean {
    const { seconds } = this.watching.limits;
    return seconds !== undefined && this.elapsedSeconds >= seconds;
  }
}

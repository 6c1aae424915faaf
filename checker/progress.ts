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

export interface ClockOptions {
  readonly limits: Limits;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
  readonly interrupted?: (() => boolean) | undefined;
}

/**
 * Measures time and memory: reports progress, yields to the event loop and says which limit is hit.
 */
export class Clock {
  private readonly started = performance.now();
  private readonly cpuStarted = process.cpuUsage();
  private nextPause = this.started + PAUSE_EVERY_MS;
  private nextReport = this.started + REPORT_EVERY_MS;
  private nextMeasurement = 0;
  private measuredMegabytes = 0;
  private readonly options: ClockOptions;

  constructor(options: ClockOptions) {
    this.options = options;
  }

  get elapsedSeconds(): number {
    return (performance.now() - this.started) / 1000;
  }

  get cpuSeconds(): number {
    const { user, system } = process.cpuUsage(this.cpuStarted);
    return (user + system) / 1e6;
  }

  /** Whether the caller should await `pause` now. Cheap enough to ask every few states. */
  get pauseIsDue(): boolean {
    return performance.now() >= this.nextPause || this.timeIsUp;
  }

  /** Yields to the event loop, reports progress if it is due, and returns the limit that is hit. */
  async pause(progress: () => SearchProgress): Promise<LimitKind | null> {
    await setImmediate();
    this.tick(progress);
    this.nextPause = performance.now() + PAUSE_EVERY_MS;
    if (this.options.interrupted?.() === true) return 'interrupted';
    if (this.timeIsUp) return 'time';
    const { megabytes } = this.options.limits;
    return megabytes !== undefined && this.megabytes > megabytes ? 'memory' : null;
  }

  /** Reports if the last report was a second ago. */
  tick(progress: () => SearchProgress): void {
    if (performance.now() >= this.nextReport) this.report(progress());
  }

  report(progress: SearchProgress): void {
    this.nextReport = performance.now() + REPORT_EVERY_MS;
    const { elapsedSeconds } = this;
    this.options.onProgress?.({
      ...progress,
      statesPerSecond: elapsedSeconds > 0 ? progress.states / elapsedSeconds : 0,
      megabytes: this.megabytes,
      elapsedSeconds,
    });
  }

  /** Measuring takes too long to be done for every layer, so the value is kept for a while. */
  private get megabytes(): number {
    const now = performance.now();
    if (now >= this.nextMeasurement) {
      this.measuredMegabytes = residentMegabytes();
      this.nextMeasurement = now + MEASURE_EVERY_MS;
    }
    return this.measuredMegabytes;
  }

  private get timeIsUp(): boolean {
    const { seconds } = this.options.limits;
    return seconds !== undefined && this.elapsedSeconds >= seconds;
  }
}

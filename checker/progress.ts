import { setImmediate } from 'node:timers/promises';
import { milliseconds } from './engine/second-runs.ts';
import { LimitHitError } from './errors.ts';
import type { Guard } from './guard.ts';
import { machineMegabytes, megabytesWithin, releaseMemory, usedShareOfHeap } from './memory.ts';
import type { Limits, ProgressEvent } from './options.ts';
import { isInterrupted } from './parallel/interruption.ts';
import type { LimitKind } from './result.ts';

const PAUSE_EVERY_MS = 100;
const REPORT_EVERY_MS = 1000;
const MEASURE_EVERY_MS = 50;
const LOOK_EVERY_MS = 5;
/** Beyond this share of its heap, the process would soon be aborted. */
const FULL_HEAP = 0.9;

/** For so many milliseconds it is not measured again: that takes longer than a small search. */
const CPU_KNOWN_MS = 5;

let knownCpuSeconds = 0;
let cpuKnownUntil = 0;

/** Seconds of CPU that the process has taken. */
function takenCpuSeconds(): number {
  const now = milliseconds();
  if (now >= cpuKnownUntil) {
    const { user, system } = process.cpuUsage();
    knownCpuSeconds = (user + system) / 1e6;
    cpuKnownUntil = now + CPU_KNOWN_MS;
  }
  return knownCpuSeconds;
}

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
  /** When the work has begun, as `performance.now` gives it. Default: now. */
  readonly since?: number | undefined;
}

/**
 * Measures time and memory: reports progress, yields to the event loop and says which limit is hit.
 *
 * As a guard, it ends long units of work. It does so only where it is armed: a result must still be
 * made of what was found before a limit.
 */
export class Clock implements Guard {
  private readonly started: number;
  private readonly cpuStarted = takenCpuSeconds();
  /** Whether a look was so late that `pause` was due. */
  isOverdue = false;
  private nextPause: number;
  private nextReport: number;
  private nextMeasurement = 0;
  private measuredMegabytes = 0;
  /** Megabytes granted since the memory was measured. */
  private granted = 0;
  private heapIsFull = false;
  private readonly options: ClockOptions;
  private readonly mostMegabytes: number;
  /** What `setTime` has said; null: the limit that was given counts. */
  private mostSeconds: number | null = null;
  private isArmed = false;
  private nextLook = 0;
  private hit: LimitHitError | null = null;

  constructor(options: ClockOptions) {
    this.options = options;
    this.started = options.since ?? milliseconds();
    this.nextPause = this.started + PAUSE_EVERY_MS;
    this.nextReport = this.started + REPORT_EVERY_MS;
    this.mostMegabytes = options.limits.megabytes ?? machineMegabytes();
  }

  /** From now on, the time is up after so many seconds; null: it never is. */
  setTime(seconds: number | null): void {
    this.mostSeconds = seconds === null ? Number.POSITIVE_INFINITY : this.elapsedSeconds + seconds;
  }

  /** From now on, as a guard, it ends work that goes beyond a limit. */
  arm(): void {
    this.isArmed = true;
  }

  disarm(): void {
    this.isArmed = false;
    this.hit = null;
  }

  /** Call this where nothing needs any more what the memory is full of. */
  release(): void {
    releaseMemory(this.mostMegabytes);
  }

  look(): void {
    if (!this.isArmed) return;
    const now = milliseconds();
    if (now < this.nextLook) return;
    this.nextLook = now + LOOK_EVERY_MS;
    if (now >= this.nextPause) {
      this.isOverdue = true;
      if (isInterrupted(this.options.interrupted)) this.end('interrupted');
    }
    if (this.timeIsUp) this.end('time');
    if (this.isOutOfMemory(0)) this.end('memory');
  }

  room(bytes: number): void {
    if (!this.isArmed) return;
    if (this.isOutOfMemory(bytes / 1e6)) this.end('memory');
    this.granted += bytes / 1e6;
  }

  /** Whether so many bytes fit, of which the work can do without. Counts them if they do. */
  hasRoom(bytes: number): boolean {
    if (this.isOutOfMemory(bytes / 1e6)) return false;
    this.granted += bytes / 1e6;
    return true;
  }

  confirm(): void {
    if (this.hit !== null) throw this.hit;
  }

  /**
   * Whether work that can be left out has to end: the time is up, and so many milliseconds more, or
   * the memory is.
   */
  isLate(milliseconds: number): boolean {
    return this.isTimeOver(milliseconds) || this.isOutOfMemory(0);
  }

  private isTimeOver(milliseconds: number): boolean {
    const seconds = this.mostSeconds ?? this.options.limits.seconds;
    return seconds !== undefined && this.elapsedSeconds >= seconds + milliseconds / 1000;
  }

  private end(limit: LimitKind): never {
    this.hit ??= new LimitHitError(limit);
    throw this.hit;
  }

  private isOutOfMemory(more: number): boolean {
    return this.megabytes + this.granted + more > this.mostMegabytes || this.heapIsFull;
  }

  get elapsedSeconds(): number {
    return (milliseconds() - this.started) / 1000;
  }

  get cpuSeconds(): number {
    return takenCpuSeconds() - this.cpuStarted;
  }

  /** Whether the caller should await `pause` now. Cheap enough to ask every few states. */
  get pauseIsDue(): boolean {
    return milliseconds() >= this.nextPause || this.timeIsUp;
  }

  /** Yields to the event loop, reports progress if it is due, and returns the limit that is hit. */
  async pause(progress: () => SearchProgress): Promise<LimitKind | null> {
    await setImmediate();
    this.tick(progress);
    this.nextPause = milliseconds() + PAUSE_EVERY_MS;
    this.isOverdue = false;
    if (this.options.interrupted?.() === true) return 'interrupted';
    if (this.timeIsUp) return 'time';
    return this.isOutOfMemory(0) ? 'memory' : null;
  }

  /** Reports if the last report was a second ago. */
  tick(progress: () => SearchProgress): void {
    if (milliseconds() >= this.nextReport) this.report(progress());
  }

  report(progress: SearchProgress): void {
    this.nextReport = milliseconds() + REPORT_EVERY_MS;
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
    const now = milliseconds();
    if (now >= this.nextMeasurement) {
      this.measuredMegabytes = megabytesWithin(this.mostMegabytes);
      this.granted = 0;
      this.heapIsFull = usedShareOfHeap() > FULL_HEAP;
      this.nextMeasurement = now + MEASURE_EVERY_MS;
    }
    return this.measuredMegabytes;
  }

  private get timeIsUp(): boolean {
    return this.isTimeOver(0);
  }
}

import type { Slot } from '../values/slots.ts';
import type { Recording } from './recording.ts';
import { positionOf } from './view.ts';

/** The key of the push that returns nothing, so that the length of the queue is not read. */
export const ENQUEUE = Symbol('enqueue');

/** Changes to a queue that was not read as a whole. Positions count from the old head. */
export interface PendingChange {
  readonly drop: number;
  /** Positions of elements handed out as drafts, which may have been changed. */
  readonly touched: ReadonlySet<number>;
  readonly pushed: readonly unknown[];
}

/**
 * The draft of one queue. It records `push` and `shift` as such, and reads of single elements or of
 * the length. For any other change it first reads the whole queue and goes on with immer's own
 * draft.
 */
export class QueueDraft {
  readonly proxy: unknown[];
  private drop = 0;
  private readonly pushed: unknown[] = [];
  private readonly touched = new Set<number>();
  private wholeArray: unknown[] | null = null;
  private readonly slot: Slot;
  private readonly recording: Recording;
  /** Immer's draft of the array as it was; used for element drafts and for `becomeWhole`. */
  private readonly immerDraft: () => unknown[];
  /** Replaces the engine's proxies by values that immer can hold. */
  private readonly unwrap: (value: unknown) => unknown;

  constructor(
    slot: Slot,
    recording: Recording,
    immerDraft: () => unknown[],
    unwrap: (value: unknown) => unknown,
  ) {
    this.slot = slot;
    this.recording = recording;
    this.immerDraft = immerDraft;
    this.unwrap = unwrap;
    this.proxy = this.makeProxy();
  }

  /** Null if the queue was read as a whole; immer's draft then holds the outcome. */
  get pending(): PendingChange | null {
    if (this.wholeArray !== null) return null;
    return { drop: this.drop, touched: this.touched, pushed: this.pushed };
  }

  /** Elements pushed, for immer to finalise. */
  get pushedElements(): unknown[] {
    return this.pushed;
  }

  /** Reads the whole queue and returns immer's draft, with the changes made so far. */
  becomeWhole(): unknown[] {
    if (this.wholeArray === null) {
      this.recording.whole(this.slot);
      const array = this.immerDraft();
      if (this.drop > 0) array.splice(0, this.drop);
      if (this.pushed.length > 0) array.push(...this.pushed);
      this.wholeArray = array;
    }
    return this.wholeArray;
  }

  private get length(): number {
    const { wholeArray } = this;
    if (wholeArray !== null) return wholeArray.length;
    return this.recording.length(this.slot) - this.drop + this.pushed.length;
  }

  private element(position: number): unknown {
    if (this.wholeArray !== null) return this.wholeArray[position];
    const old = this.drop + position;
    const value = this.recording.element(this.slot, old);
    if (value !== undefined) return this.drafted(old, value);
    return this.pushed[old - this.recording.length(this.slot)];
  }

  private drafted(position: number, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    this.touched.add(position);
    return this.immerDraft()[position];
  }

  private readonly push = (...values: unknown[]): number => {
    this.recording.assertOpen();
    if (this.wholeArray !== null) return this.wholeArray.push(...values);
    // The caller may use the returned length, so the length counts as read, unlike the elements.
    const length = this.length + values.length;
    for (const value of values) this.pushed.push(this.unwrap(value));
    return length;
  };

  private readonly enqueue = (...values: unknown[]): void => {
    this.recording.assertOpen();
    if (this.wholeArray !== null) this.wholeArray.push(...values);
    else for (const value of values) this.pushed.push(this.unwrap(value));
  };

  private readonly shift = (): unknown => {
    this.recording.assertOpen();
    if (this.wholeArray !== null) return this.wholeArray.shift();
    const value = this.recording.element(this.slot, this.drop);
    if (value === undefined) return this.pushed.shift();
    return this.drafted(this.drop++, value);
  };

  private makeProxy(): unknown[] {
    const target: unknown[] = [];
    const whole = () => this.becomeWhole();
    return new Proxy(target, {
      get: (_, key) => {
        this.recording.assertOpen();
        if (key === 'push') return this.push;
        if (key === 'shift') return this.shift;
        if (key === ENQUEUE) return this.enqueue;
        if (key === 'length') return this.length;
        const position = positionOf(key);
        return position < 0 ? Reflect.get(target, key) : this.element(position);
      },
      has: (_, key) => {
        const position = positionOf(key);
        return position < 0 ? Reflect.has(target, key) : position < this.length;
      },
      ownKeys: () => Reflect.ownKeys(whole()),
      getOwnPropertyDescriptor: (_, key) => {
        const descriptor = Reflect.getOwnPropertyDescriptor(whole(), key);
        if (descriptor === undefined) return undefined;
        return { ...descriptor, configurable: key !== 'length' };
      },
      set: (_, key, value) => Reflect.set(whole(), key, this.unwrap(value)),
      deleteProperty: (_, key) => Reflect.deleteProperty(whole(), key),
      defineProperty: () => false,
      setPrototypeOf: () => false,
      preventExtensions: () => false,
    });
  }
}

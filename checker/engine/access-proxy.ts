import { BadValueError } from '../errors.ts';
import type { Recording } from './recording.ts';
import { hasProperty, propertyOf, readProperty } from './view.ts';

/** Reads and changes a record of the state. */
export interface DraftAccess {
  get(key: string): unknown;
  /** Own keys only. */
  has(key: string): boolean;
  write(key: string, present: boolean, value: unknown): void;
  keys(): string[];
}

/** A proxy that behaves like the draft of a record. It throws once the recording is closed. */
export function accessProxy(recording: Recording, access: DraftAccess): object {
  return new Proxy({}, new DraftedRecord(recording, access));
}

class DraftedRecord implements ProxyHandler<object> {
  private readonly recording: Recording;
  private readonly access: DraftAccess;

  constructor(recording: Recording, access: DraftAccess) {
    this.recording = recording;
    this.access = access;
  }

  get(target: object, key: string | symbol): unknown {
    this.recording.assertOpen();
    return readProperty(this.access, target, key);
  }

  has(_: object, key: string | symbol): boolean {
    this.recording.assertOpen();
    return hasProperty(this.access, key);
  }

  ownKeys(): string[] {
    this.recording.assertOpen();
    return this.access.keys();
  }

  getOwnPropertyDescriptor(_: object, key: string | symbol): PropertyDescriptor | undefined {
    this.recording.assertOpen();
    return propertyOf(this.access, key);
  }

  set(_: object, key: string | symbol, value: unknown): boolean {
    this.recording.assertOpen();
    if (typeof key === 'symbol') throw new BadValueError('a symbol', 'a key');
    this.access.write(key, true, value);
    return true;
  }

  deleteProperty(_: object, key: string | symbol): boolean {
    this.recording.assertOpen();
    if (typeof key === 'string') this.access.write(key, false, undefined);
    return true;
  }

  defineProperty(): boolean {
    return false;
  }

  setPrototypeOf(): boolean {
    return false;
  }

  preventExtensions(): boolean {
    return false;
  }
}

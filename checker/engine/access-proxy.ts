import { BadValueError } from '../errors.ts';
import type { Recording } from './recording.ts';
import { propertyOf, readProperty } from './view.ts';

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
  const target = {};
  return new Proxy(target, {
    get: (_, key) => {
      recording.assertOpen();
      return readProperty(access, target, key);
    },
    has: (_, key) => {
      recording.assertOpen();
      return (typeof key === 'string' && access.has(key)) || key in Object.prototype;
    },
    ownKeys: () => {
      recording.assertOpen();
      return access.keys();
    },
    getOwnPropertyDescriptor: (_, key) => {
      recording.assertOpen();
      return typeof key === 'symbol' ? undefined : propertyOf(access, key);
    },
    set: (_, key, value) => {
      recording.assertOpen();
      if (typeof key === 'symbol') throw new BadValueError('a symbol', 'a key');
      access.write(key, true, value);
      return true;
    },
    deleteProperty: (_, key) => {
      recording.assertOpen();
      if (typeof key === 'string') access.write(key, false, undefined);
      return true;
    },
    defineProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  });
}

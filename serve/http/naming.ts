import { createHash, randomBytes } from 'node:crypto';
import type { Naming } from './context.ts';

/**
 * Uids and the ends of generated names. @param seed makes them reproducible. Null: they are random.
 */
export function namingOf(seed: number | null): Naming {
  let count = 0;
  const bytes = (): Buffer => {
    if (seed === null) return randomBytes(16);
    count += 1;
    return createHash('sha256').update(`${seed}:${count}`).digest().subarray(0, 16);
  };
  return {
    newUid: () => {
      const hex = bytes().toString('hex');
      const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
      return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-');
    },
    newSuffix: () =>
      [...bytes().subarray(0, 5)].map((byte) => SUFFIX[byte % SUFFIX.length]).join(''),
  };
}

/**
 * The letters of `names.SimpleNameGenerator`: no vowels, and nothing that looks like another one.
 */
const SUFFIX = 'bcdfghjklmnpqrstvwxz2456789';

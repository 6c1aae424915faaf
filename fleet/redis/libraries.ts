import { createRequire } from 'node:module';
import { FLEET_ERRORS } from '../errors.ts';

export type BullMq = typeof import('bullmq');
export type IoRedis = Pick<typeof import('ioredis'), 'Redis'>;

export interface Libraries {
  readonly bullmq: BullMq;
  readonly ioredis: IoRedis;
}

/**
 * They are CommonJS: to import them takes twice as long, as each file is also searched for what it
 * exports.
 */
const load = createRequire(import.meta.url);

/** Loads the two packages that only a fleet needs. Throws `InputError` if one is not installed. */
export function loadLibraries(): Libraries {
  return {
    bullmq: installed<BullMq>('bullmq'),
    ioredis: installed<IoRedis>('ioredis'),
  };
}

function installed<Module>(name: string): Module {
  try {
    return load(name) as Module;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing =
      code === 'MODULE_NOT_FOUND' && message.startsWith(`Cannot find module '${name}'`);
    throw isMissing ? FLEET_ERRORS.notInstalled(name) : error;
  }
}

import { FLEET_ERRORS } from '../errors.ts';

export type BullMq = typeof import('bullmq');
export type IoRedis = Pick<typeof import('ioredis'), 'Redis'>;

export interface Libraries {
  readonly bullmq: BullMq;
  readonly ioredis: IoRedis;
}

/** Loads the two packages that only a fleet needs. Throws `InputError` if one is not installed. */
export async function loadLibraries(): Promise<Libraries> {
  return {
    bullmq: await installed('bullmq', () => import('bullmq')),
    ioredis: await installed('ioredis', () => import('ioredis')),
  };
}

async function installed<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    throw isMissing && message.includes(name) ? FLEET_ERRORS.notInstalled(name) : error;
  }
}

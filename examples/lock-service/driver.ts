import type { Driver } from 'reapcheck/fast-check';
import type { LockService } from './lock-service.ts';
import type { lock } from './model.ts';

interface Seen {
  readonly holder: string | null;
  readonly line: readonly string[];
}

export const driver: Driver<typeof lock, LockService, Seen> = {
  actions: {
    acquire: (service, { client }) => service.acquire(client),
    giveUp: (service, { client }) => service.giveUp(client),
    release: (service, { client }) => service.release(client),
  },
  observe: (service) => ({ holder: service.holder, line: service.waiting() }),
  expected: ({ holder, waiting }) => ({ holder, line: waiting.line }),
};

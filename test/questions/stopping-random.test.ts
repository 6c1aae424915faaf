import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maybeDeleted } from '../../input/cluster/operating/stopping.ts';
import { PLAIN_WORLD, setupIn } from '../../input/cluster/worlds.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { budget, words } from './deciding.ts';
import { planOfStopping, stoppingDumps } from './dumps-of-stopping.ts';

/** A search with more of them takes too long. */
const MANY = 15_000;

/*
 * A long run, which compares as many different dumps: RANDOM_MODELS=1000 RANDOM_SEED=1 npx vitest
 * run --project unit test/questions/stopping-random --testTimeout 7000000
 */
describe('beside operators that may stop', () => {
  it('pieces have the fates of the whole', async () => {
    const wanted = randomRuns(3);
    const compared = new Set<string>();
    const world = { ...PLAIN_WORLD, finalizers: 'may' } as const;
    for (let seed = fc.readConfigureGlobal().seed ?? 1; compared.size < wanted; seed++) {
      await fc.assert(
        fc.asyncProperty(stoppingDumps, async (dump) => {
          if (compared.size >= wanted) return;
          const plan = await planOfStopping(dump);
          const { setup } = setupIn(plan.setup, plan.cluster!, world);
          if (maybeDeleted(setup).size === 0) return;
          const limited = { ...budget(), limits: { states: MANY } };
          const found = words(await inPieces(plan, world, limited));
          // What goes either way is no news.
          if (!Object.values(found).some((word) => word !== 'either')) return;
          const whole = await grown(plan, world, limited);
          if (whole === null) return;
          const { kinds: _, rules, name, ...rest } = setup;
          compared.add(JSON.stringify(rest));
          expect(words(whole)).toMatchObject(found);
        }),
        { numRuns: 200, seed },
      );
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treesWithin } from '../../input/cluster/parts.ts';
import { isSpecial } from '../../input/cluster/piecemeal.ts';
import { simplified } from '../../input/cluster/pieces.ts';
import { withoutTeardowns } from '../../input/cluster/teardowns.ts';
import { PLAIN_WORLD, setupIn } from '../../input/cluster/worlds.ts';
import { keyOf, type Operator, type Setup } from '../../model/index.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { budget, words } from './deciding.ts';
import {
  type DefinitionsDump,
  definitionsDumps,
  planOfDefinitions,
  waitingDumps,
} from './dumps-of-definitions.ts';

/** A search with more of them takes too long. */
const MANY = 15_000;

/*
 * A long run, which compares as many different dumps: RANDOM_MODELS=1000 RANDOM_SEED=1 npx vitest
 * run --project unit test/questions/teardowns-random --testTimeout 7000000
 */
describe('beside definitions that go', () => {
  it('operators leave what they leave in the whole', async () => {
    await compare(definitionsDumps, (setup) => isLeftOut(setup) && !isLeftOut(connected(setup)));
  });

  it('owners that wait for them have the fates of the whole', async () => {
    await compare(waitingDumps, (given) => {
      const setup = simplified(given);
      const byKey = new Map<string, string>(setup.objects.map((one) => [keyOf(one), one.uid]));
      const defined = new Set((setup.definitions ?? []).map((key) => byKey.get(key)));
      const special = setup.objects.filter((one) => isSpecial(setup, one));
      const waiting = new Set(special.map(({ uid }) => uid));
      return treesWithin({ ...setup, definitions: [] }).some(
        (uids) => uids.some((uid) => waiting.has(uid)) && uids.some((uid) => defined.has(uid)),
      );
    });
  });
});

/** Compares what pieces decide of some dumps with the whole. */
async function compare(
  dumps: fc.Arbitrary<DefinitionsDump>,
  isMeant: (setup: Setup) => boolean,
): Promise<void> {
  const wanted = randomRuns(2);
  const compared = new Set<string>();
  const acts = fc.constantFrom('act' as const, 'act' as const, 'never' as const);
  for (let seed = fc.readConfigureGlobal().seed ?? 1; compared.size < wanted; seed++) {
    await fc.assert(
      fc.asyncProperty(dumps, acts, async (dump, finalizers) => {
        if (compared.size >= wanted) return;
        const plan = await planOfDefinitions(dump);
        const world = { ...PLAIN_WORLD, finalizers };
        const { setup } = setupIn(plan.setup, plan.cluster!, world);
        if (!isMeant(setup)) return;
        const limited = { ...budget(), limits: { states: MANY } };
        const pieces = await inPieces(plan, world, limited);
        const whole = pieces && (await grown(plan, world, limited));
        if (whole === null) return;
        const { kinds: _, rules, name, ...rest } = setup;
        compared.add(JSON.stringify(rest));
        expect(words(whole)).toMatchObject(words(pieces));
      }),
      { numRuns: 200, seed },
    );
  }
}

function isLeftOut(setup: Setup): boolean {
  return withoutTeardowns(setup, new Set()).operators === undefined;
}

/** The setup where each definition has an operator, and so connects its instances. */
function connected(setup: Setup): Setup {
  const { definitions = [], objects, operators = [] } = setup;
  const finalizer = 'example.com/connecting';
  const own = definitions.map((key): Operator => {
    const uid = objects.find(({ name }) => key.endsWith(`/${name}`))?.uid ?? '';
    return {
      ...{ name: `operator of ${key}`, parent: { key, uid }, finalizer, addsFinalizer: false },
      ...{ creates: [], deletes: [], waitsFor: [], reads: 'live', fairness: 'weak' },
    };
  });
  const uids = new Set(own.map(({ parent }) => parent.uid));
  return {
    ...setup,
    operators: [...operators, ...own],
    objects: objects.map((object) =>
      uids.has(object.uid) ? { ...object, finalizers: [...object.finalizers, finalizer] } : object,
    ),
  };
}

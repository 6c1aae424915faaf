import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deletionArguments } from '../../cli/check-arguments.ts';
import { parseCommandLine } from '../../cli/command-line.ts';
import { meetInContainers } from '../../input/cluster/parts.ts';
import { piecesOf } from '../../input/cluster/pieces.ts';
import { setupIn, type World, worldsOf } from '../../input/cluster/worlds.ts';
import { gatherPlans } from '../../input/gather.ts';
import type { Plan } from '../../input/plan.ts';
import { timed } from '../../input/work-clock.ts';
import type { Fate } from '../../report/document/result-document.ts';
import { decide } from '../../run/questions/deciding/decide.ts';
import { planIn, searchOnce } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { InputError } from '../../text/input-error.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { budget } from './deciding.ts';
import { type RandomDump, randomDumps } from './random-dumps.ts';

/** A search of the whole with more of them takes too long. */
const MANY = 1_500;
/** So few that only some of the objects are decided. */
const FEW = 60;

/*
 * A long run, which compares as many different dumps: RANDOM_MODELS=1000 RANDOM_SEED=1 npx vitest
 * run --project unit test/questions/whole-random --testTimeout 7000000
 */
it('what is decided piece by piece has the fates of a search of the whole', async () => {
  const wanted = randomRuns(8);
  const compared = new Set<string>();
  for (let seed = fc.readConfigureGlobal().seed ?? 1; compared.size < wanted; seed++) {
    await fc.assert(
      fc.asyncProperty(randomDumps, async (dump) => {
        if (compared.size >= wanted) return;
        const plan = await planOf(dump);
        if (plan === null) return;
        for (const world of worldsOf(plan.cluster!)) {
          if (await haveSameFates(plan, world)) compared.add(JSON.stringify(dump));
        }
      }),
      { numRuns: 100, seed },
    );
  }
});

/** False: they are not compared. */
async function haveSameFates(plan: Plan, world: World): Promise<boolean> {
  const { setup } = setupIn(plan.setup, plan.cluster!, world);
  // Others are searched as a whole in any case.
  if (piecesOf(setup) === null && !meetInContainers(setup)) return false;
  const search = { ...budget().search, reductions: [] };
  const alone = { ...budget(), search, limits: { states: MANY } };
  const whole = await searchOnce(planIn(plan, world), false, alone);
  if (!whole.isDone) return false;
  const { fates } = whole.report;
  const expected = wordsOf(
    fates.flatMap((fate) => (fate.members ?? [fate]).map(({ uid }) => [uid, fate] as const)),
  );
  const own = budget();
  const found = await decide(plan, world, own);
  expect(wordsOf(found.fates)).toEqual(expected);
  const some = await inPieces(plan, world, { ...own, limits: { states: FEW } });
  expect(expected).toMatchObject(wordsOf(some?.fates ?? []));
  return true;
}

function wordsOf(fates: Iterable<readonly [string, Fate]>): Readonly<Record<string, string>> {
  const words = [...fates].map(([uid, { fate, begins, replaced }]) => {
    const begun = fate === 'stays' && begins ? ', once it is being deleted' : '';
    return [uid, `${fate}${begun}${replaced ? ', replaced' : ''}`] as const;
  });
  return Object.fromEntries(words.sort());
}

/** Null: the question is refused. */
async function planOf({ objects, words }: RandomDump): Promise<Plan | null> {
  const line = ['delete', '-', ...words, '-n', 'shop'];
  const parsed = await parseCommandLine(line, '');
  if (parsed.kind !== 'run') throw new Error(parsed.text);
  const { asked } = timed(deletionArguments(parsed.values, line), 600);
  const stdin = (async function* () {
    yield Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  })();
  try {
    const [plan = null] = await gatherPlans(asked, stdin);
    return plan;
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

import { colorsOf } from '../../../input/cluster/alike.ts';
import { type Chain, chainsApart } from '../../../input/cluster/chains.ts';
import { setupIn, type World } from '../../../input/cluster/worlds.ts';
import type { Plan } from '../../../input/plan.ts';
import type { Setup, Uid } from '../../../model/index.ts';
import type { CheckReport, Fate } from '../../../report/document/result-document.ts';
import { type Budget, clusterOf, type Decision, LEAST, NOTHING } from './decision.ts';
import { planIn, searchOnce } from './grow.ts';

/**
 * Decides each chain of owners beside all other dependents; together they decide the whole
 * (`chainsApart` has the argument). It ascends from the dependents to the owners: once all that an
 * owner has outside of a chain was shown to go, the owner's other dependents are taken to leave.
 *
 * Null: the setup has no such chains, a search has not ended, or something neither goes on every run
 * nor stays on every run without being deleted. Such a fate of a chain can be due to what the
 * other dependents do there and not in the whole.
 */
export async function inChains(plan: Plan, world: World, budget: Budget): Promise<Decision | null> {
  const { setup } = setupIn(plan.setup, clusterOf(plan), world);
  const chains = chainsApart(setup);
  if (chains === null || chains.every(({ others }) => others.size === 0)) return null;
  const known = new KnownFates(setup);
  const reports: CheckReport[] = [];
  const tried = new Map<number, string>();
  for (let hasNews = true; hasNews; ) {
    hasNews = false;
    for (const [number, chain] of chains.entries()) {
      const leaving = placesOfLeaving(chain, known);
      if (known.hasAll(chain.uids) || tried.get(number) === leaving.join()) continue;
      tried.set(number, leaving.join());
      if (budget.deadline - Date.now() < LEAST || budget.interrupted()) return null;
      const part: World = { ...world, part: { division: 'chains', number, leaving } };
      const { report, isDone } = await searchOnce(planIn(plan, part), false, budget);
      if (!isDone || known.isHopeless(report.fates)) return null;
      const shown = known.add(report.fates);
      if (shown.length > 0) reports.push({ ...report, fates: shown });
      hasNews ||= shown.length > 0;
    }
  }
  if (!known.hasAll(setup.objects.map(({ uid }) => uid))) return null;
  // In its chains, a namespace waits for a part of its contents only.
  const isEmptied = (setup.emptiedNamespaces ?? []).length > 0;
  if (isEmptied && !setup.objects.every(({ uid }) => known.goes(uid))) return null;
  const apart = { division: 'chains', count: chains.length } as const;
  // Invariants are judged without the other dependents, which no property knows of.
  const worlds = chains.map(
    (_, number): World => ({ ...world, part: { division: 'chains', number, leaving: null } }),
  );
  const fates = known.of(setup.objects.map(({ uid }) => uid));
  return { ...NOTHING, world, by: 'search', fates, reports, worlds, apart };
}

/** Places in the chain of the owners whose other dependents were all shown to go. */
function placesOfLeaving({ uids, others }: Chain, known: KnownFates): readonly number[] {
  return uids.flatMap((uid, place) =>
    others.get(uid)?.every((other) => known.goes(other.uid)) === true ? [place] : [],
  );
}

/** The fates that were shown, the same for all objects that are alike. */
class KnownFates {
  private readonly colors: ReadonlyMap<Uid, string>;
  private readonly byColor = new Map<string, Fate>();

  constructor(setup: Setup) {
    const colors = colorsOf(setup);
    // Each kind has a watch stream of its own.
    this.colors = new Map(
      setup.objects.map(({ uid, kind }) => [uid, `${kind} ${colors.get(uid)}`]),
    );
  }

  /** Whether an object hangs on every run, or goes in one chain and stays in another. */
  isHopeless(fates: readonly Fate[]): boolean {
    return fates.some((fate) => fate.fate === 'stays' && (fate.begins || this.goes(fate.uid)));
  }

  /** Adds those that are shown. @returns those of them that are new. */
  add(fates: readonly Fate[]): readonly Fate[] {
    return fates.filter((fate) => {
      if (fate.fate !== 'goes' && (fate.fate !== 'stays' || fate.begins)) return false;
      if (this.fateOf(fate.uid) !== undefined) return false;
      for (const { uid } of fate.members ?? [fate])
        this.byColor.set(this.colors.get(uid) ?? '', fate);
      return true;
    });
  }

  goes(uid: Uid): boolean {
    return this.fateOf(uid)?.fate === 'goes';
  }

  hasAll(uids: readonly Uid[]): boolean {
    return uids.every((uid) => this.fateOf(uid) !== undefined);
  }

  of(uids: readonly Uid[]): ReadonlyMap<Uid, Fate> {
    return new Map(
      uids.flatMap((uid) => {
        const fate = this.fateOf(uid);
        return fate === undefined ? [] : [[uid, fate] as const];
      }),
    );
  }

  private fateOf(uid: Uid): Fate | undefined {
    return this.byColor.get(this.colors.get(uid) ?? '');
  }
}

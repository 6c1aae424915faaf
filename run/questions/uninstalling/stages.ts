import { displayName } from '../../../input/manifests/names.ts';
import type { Group, Release } from '../../../input/manifests/release.ts';
import type { Plan } from '../../../input/plan.ts';
import type { ApiObject } from '../../../model/index.ts';
import type { Basis, Condition } from '../../../report/document/answer.ts';
import type { CheckReport } from '../../../report/document/result-document.ts';
import { type Budget, plannedInTime } from '../deciding/decision.ts';
import { execute } from '../remedies/remedies.ts';

/** The deletion of one group after others are gone. */
export interface Stage {
  readonly group: Group;
  /** depends: everything goes if owners of finalizers act of which the dump says too little. */
  readonly verdict: 'clean' | 'depends' | 'stuck' | 'unknown';
  readonly why: string;
  /** Uids of all that is gone afterwards, if what it depends on is so. */
  readonly gone: ReadonlySet<string>;
  readonly along: readonly ApiObject[];
  readonly plan: Plan;
  readonly basis: Basis;
  /** What may refuse it, and what it depends on. */
  readonly on: readonly Condition[];
  readonly checks: readonly CheckReport[];
}

export interface Search {
  readonly release: Release;
  readonly budget: Budget;
  readonly known: Map<string, Stage>;
}

/** The plan of its deletion before all others, or of all of it if the time is up. */
export function planOf(state: Search, group: Group): Plan {
  const { known, release } = state;
  const none: ReadonlySet<string> = new Set();
  return known.get(stageKey(group, none))?.plan ?? planned(state, group, none) ?? release.whole;
}

/** Null: the time was up. */
function planned({ release, budget }: Search, group: Group, gone: ReadonlySet<string>) {
  return plannedInTime(budget, (look) => release.stage(group, gone, look));
}

function stageKey({ name, kind = '' }: Group, gone: ReadonlySet<string>): string {
  return JSON.stringify([name, kind, [...gone].sort()]);
}

/** Null: the time was up before it was planned. */
export async function stageOf(
  state: Search,
  group: Group,
  gone: ReadonlySet<string>,
): Promise<Stage | null> {
  const key = stageKey(group, gone);
  const known = state.known.get(key);
  if (known !== undefined) return known;
  const { budget } = state;
  const plan = planned(state, group, gone);
  if (plan === null) return null;
  const targets = group.objects.filter(({ uid }) => !gone.has(uid));
  const left = Math.max(0, budget.deadline - Date.now());
  const tried = await execute(plan, targets, { ...budget, deadline: Date.now() + left / 4 });
  const words = [...tried.hanging].map(({ object }) => tried.fates.get(object.uid));
  const hangs = words.some((fate) => fate?.fate === 'hangs' || fate?.fate === 'stays');
  const open = words.flatMap((fate) => fate?.on ?? []);
  const depends =
    words.every((fate) => fate?.fate === 'depends') &&
    open.every(({ kind }) => kind === 'finalizer');
  const expected = depends && !tried.works ? ['goes', 'depends'] : ['goes'];
  const going = plan.setup.objects.filter(({ uid }) =>
    expected.includes(tried.fates.get(uid)?.fate ?? ''),
  );
  const [first] = tried.hanging;
  const fate = first && tried.fates.get(first.object.uid);
  const because =
    first?.waits[0]?.text ?? fate?.on[0]?.text ?? 'it is not known what becomes of it';
  const stage: Stage = {
    group,
    verdict: tried.works ? 'clean' : depends ? 'depends' : hangs ? 'stuck' : 'unknown',
    why: first === undefined ? '' : whyOf(displayName(first.object), because),
    gone: new Set([...gone, ...going.map(({ uid }) => uid)]),
    along: going.filter(({ uid }) => !targets.some((target) => target.uid === uid)),
    plan,
    basis: tried.basis,
    on: [...tried.on, ...(depends && !tried.works ? distinctConditions(open) : [])],
    checks: tried.checks,
  };
  state.known.set(key, stage);
  return stage;
}

function distinctConditions(all: readonly Condition[]): readonly Condition[] {
  return [...new Map(all.map((one) => [one.text, one])).values()];
}

function whyOf(name: string, because: string): string {
  return because.startsWith(name) ? because : `${name}: ${because}`;
}

import { displayName } from '../../input/manifests/names.ts';
import { objectWords } from '../../input/manifests/object-words.ts';
import type { Group, Release } from '../../input/manifests/release.ts';
import type { Plan } from '../../input/plan.ts';
import type { ApiObject, KindTable } from '../../model/index.ts';
import type { Answer, Basis, Condition } from '../../report/document/answer.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { groupedBy, plural, shellQuoted } from '../../text/layout.ts';
import { type Answered, nothingAsked } from './answer.ts';
import { type Budget, isLate, plannedInTime } from './deciding/decision.ts';
import { execute } from './remedies/remedies.ts';

/** The deletion of one group after others are gone. */
interface Stage {
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

interface Search {
  readonly release: Release;
  readonly budget: Budget;
  readonly known: Map<string, Stage>;
}

/** Searches an order of groups in which each is gone before the next one is deleted. */
export async function uninstallOrder(
  release: Release,
  seconds: number,
  given: Omit<Budget, 'deadline' | 'known'>,
): Promise<Answered> {
  const budget = { ...given, deadline: Date.now() + seconds * 1000, known: new Map() };
  const state: Search = { release, budget, known: new Map() };
  const order = await bestOrder(state, release.groups);
  const isFound = order.verdict === 'clean' || order.verdict === 'depends';
  const orders: NonNullable<Answer['stuckOrders']>[number][] = [];
  for (const group of release.groups) {
    if (order.stages[0]?.group === group && isFound) continue;
    const found = await beginningWith(state, group);
    if (found.verdict === 'clean') continue;
    const verdict = found.verdict === 'depends' ? 'unknown' : found.verdict;
    orders.push({ first: group.name, verdict, text: found.why });
  }
  // The last group is the widest: a namespace, if there is one.
  const some = release.groups.at(-1);
  const plan = some === undefined ? null : planOf(state, some);
  if (plan === null) throw new Error('a release has objects');
  const stages = isFound ? order.stages : [];
  const proved = stages.every(({ basis }) => basis.kind === 'search');
  // Where no order was found, each that was tried may lack something.
  const tried = isFound ? stages : [...state.known.values()];
  const gapsOf = (each: Plan) => nothingAsked('uninstall', each).answer.missing;
  // In an order that was found, what would refuse the last group at first may be gone by then.
  const refused = new Set(isFound ? plan.cluster?.refused.map(({ why }) => why) : []);
  const widest = gapsOf(plan).filter(({ text }) => !refused.has(text));
  const conditions = stages.flatMap(({ on }) => on);
  const doubtful = conditions.find(({ kind }) => kind !== 'finalizer');
  const owners = new Set(
    conditions.flatMap(({ kind, text }) => (kind === 'finalizer' ? [text] : [])),
  );
  const missing = distinctGaps([...widest, ...tried.flatMap((stage) => gapsOf(stage.plan))]);
  const besides = release.whole.cluster?.besides ?? [];
  const isStranded = ({ strands, loses }: (typeof besides)[number]): boolean =>
    strands === true && loses === undefined;
  const strands = release.stranded.length > 0 || besides.some(isStranded);
  const losses = besides.flatMap(({ loses = [] }) => loses);
  const asked = besides.flatMap(({ asks = [] }) => asks);
  const code: ExitCode = worst([
    isFound ? EXIT.asExpected : order.verdict === 'stuck' ? EXIT.violated : EXIT.inconclusive,
    ...(proved && missing.length === 0 && conditions.length === 0 && !strands && losses.length === 0
      ? []
      : [EXIT.inconclusive]),
  ]);
  const { answer } = nothingAsked('uninstall', plan);
  const [outcome] = answer.outcomes;
  if (outcome === undefined) throw new Error('an answer has an outcome');
  const names = stages.map(({ group }) => wordsOf(group));
  const sentence = isFound
    ? `delete ${names.join(', then ')}: everything ${missing.length === 0 ? '' : 'that the dump shows '}goes${owners.size === 0 ? ', and nothing' : `, but some of it ${[...owners].join(', or ')}; nothing else`} hangs${strands || losses.length > 0 ? ' of it' : ''}${strands ? '; what stays can hang later, as nobody is left to remove its finalizer (see below)' : ''}${lossWords(losses)}${doubtfulWords(doubtful)}.`
    : `no order of deletions was found that ends clean: ${order.why}.`;
  const weakest = stages.find(({ basis }) => basis.kind !== 'search')?.basis;
  const text =
    'every order of events was tried within each step; each begins when the last is done';
  return {
    checks: [...state.known.values()].flatMap(({ checks }) => checks),
    answer: {
      ...answer,
      title: release.title,
      targets: release.objects.map(displayName),
      missing: distinctGaps([...missing, ...asked]),
      besides: [
        ...release.kept.map(
          (one) => `${displayName(one)} stays: helm.sh/resource-policy says keep`,
        ),
        ...strandedWords(release.stranded),
        ...besides.map(({ what }) => what),
      ],
      outcomes: [
        {
          ...outcome,
          sentence,
          basis: weakest ?? { kind: isFound ? 'search' : 'none', text: isFound ? text : order.why },
          exitCode: code,
        },
      ],
      steps: stages.map(({ group, along, on, plan: { setup } }) => ({
        text: `delete ${wordsOf(group)} (${group.objects.length})`,
        commands: [...commandsOf(group, along, setup.kinds)],
        along: along.map(displayName),
        ...(on.length === 0 ? {} : { on: [...on] }),
      })),
      stuckOrders: orders,
    } satisfies Answer,
  };
}

/** The first of each, as the others are below. */
function lossWords(losses: readonly string[]): string {
  const [first, ...others] = losses;
  if (first === undefined) return '';
  const more = others.length === 0 ? '' : `, and ${others.length} more of that kind`;
  return `; but ${first}${more} (see below)`;
}

function strandedWords(stranded: readonly ApiObject[]): readonly string[] {
  const [first] = stranded;
  if (first === undefined) return [];
  const one = stranded.length === 1;
  const who = `${displayName(first)}${one ? '' : ` and ${plural(stranded.length - 1, 'other object')}`}`;
  return [
    `${who} ${one ? 'stays with its definition and has' : 'stay with their definitions and have'} ${first.finalizers.join(' and ')}, which the workloads of the release may remove: delete what is to go first, while they run`,
  ];
}

function doubtfulWords(doubtful: Condition | undefined): string {
  if (doubtful === undefined) return '';
  return doubtful.kind === 'admission'
    ? `, if admission does not refuse a step: ${doubtful.text}`
    : `; this is not certain: ${doubtful.text}`;
}

/** Each gap of the dump once. */
function distinctGaps(gaps: Answer['missing']): Answer['missing'] {
  return [...new Map(gaps.map((gap) => [gap.text, gap])).values()];
}

export const WORDS: Readonly<Record<Group['name'], string>> = {
  instances: 'the instances',
  definitions: 'the definitions',
  webhooks: 'the configurations of webhooks',
  operator: 'the workloads',
  rest: 'roles, configuration and the rest',
  namespace: 'the namespace',
};

function wordsOf({ name, kind }: Group): string {
  return kind === undefined ? WORDS[name] : `${WORDS[name]} of ${kind}`;
}

/** With more kinds than this, there are too many orders of them. */
const MOST_KINDS = 6;

/**
 * The instances of one kind may need those of another one until they are gone: topics of Strimzi
 * need their cluster, whose deletion ends their operator.
 */
function byKind(groups: readonly Group[]): readonly Group[] | null {
  const instances = groups.find(({ name }) => name === 'instances');
  const kinds = groupedBy(instances?.objects ?? [], ({ kind }) => kind);
  if (instances === undefined || kinds.size < 2 || kinds.size > MOST_KINDS) return null;
  const parts = [...kinds].map(([kind, objects]): Group => ({ name: 'instances', kind, objects }));
  return groups.flatMap((group) => (group === instances ? parts : [group]));
}

/** One that is certain, if there is any. */
async function bestOrder(state: Search, groups: readonly Group[]): Promise<Order> {
  const none: ReadonlySet<string> = new Set();
  const clean = await cleanOrder(state, groups, none, ['clean']);
  if (clean.verdict === 'clean') return clean;
  const parts = byKind(groups);
  const apart = parts && (await cleanOrder(state, parts, none, ['clean']));
  if (apart?.verdict === 'clean') return apart;
  return cleanOrder(state, groups, none, ['clean', 'depends']);
}

interface Order {
  readonly verdict: Stage['verdict'];
  readonly stages: readonly Stage[];
  readonly why: string;
}

/** @param passes the verdicts of stages after which the next group can be deleted. */
async function cleanOrder(
  state: Search,
  groups: readonly Group[],
  gone: ReadonlySet<string>,
  passes: readonly Stage['verdict'][],
): Promise<Order> {
  const left = groups.filter(({ objects }) => objects.some(({ uid }) => !gone.has(uid)));
  if (left.length === 0) return { verdict: 'clean', stages: [], why: '' };
  let failed: Order | null = null;
  for (const group of left) {
    const order = await beginWith(state, group, left, gone, passes);
    if (passes.includes(order.verdict)) return order;
    if (failed === null || (failed.verdict === 'stuck' && order.verdict !== 'stuck')) {
      failed = order;
    }
  }
  return failed ?? { verdict: 'unknown', stages: [], why: 'nothing was tried' };
}

function beginningWith(state: Search, group: Group): Promise<Order> {
  return beginWith(state, group, state.release.groups, new Set(), ['clean']);
}

async function beginWith(
  state: Search,
  group: Group,
  groups: readonly Group[],
  gone: ReadonlySet<string>,
  passes: readonly Stage['verdict'][],
): Promise<Order> {
  if (isLate(state.budget)) return { verdict: 'unknown', stages: [], why: 'the time was up' };
  const stage = await stageOf(state, group, gone);
  if (stage === null) return { verdict: 'unknown', stages: [], why: 'the time was up' };
  const { verdict, why } = stage;
  if (!passes.includes(verdict)) return { verdict, stages: [stage], why };
  const rest = groups.filter((other) => other !== group);
  const order = await cleanOrder(state, rest, stage.gone, passes);
  const together = order.verdict === 'clean' ? verdict : order.verdict;
  return { verdict: together, stages: [stage, ...order.stages], why: order.why || why };
}

/** The plan of its deletion before all others, or of all of it if the time is up. */
function planOf(state: Search, group: Group): Plan {
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
async function stageOf(
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

/**
 * The DELETEs of a group are sent together. What has a finalizer may wait for what a later command
 * deletes, and kubectl waits with it.
 */
function commandsOf(
  { objects }: Group,
  along: readonly ApiObject[],
  kinds: KindTable,
): readonly string[] {
  const later =
    objects.length === 1 ? [] : objects.filter(({ finalizers }) => finalizers.length > 0);
  const deletion = (object: ApiObject): string =>
    `kubectl delete ${objectWords(object, kinds)}${later.includes(object) ? ' --wait=false' : ''}`;
  return [...objects.map(deletion), ...[...later, ...along].map((one) => waitFor(one, kinds))];
}

function waitFor(object: ApiObject, kinds: KindTable): string {
  const [resource = '', name = '', ...scope] = objectWords(object, kinds).split(' ');
  return [
    'kubectl wait --for=delete',
    `${resource}/${name}`,
    ...scope,
    shellQuoted('--timeout=5m'),
  ].join(' ');
}

import { displayName } from '../../input/manifests/names.ts';
import { objectWords } from '../../input/manifests/object-words.ts';
import type { Group, Release } from '../../input/manifests/release.ts';
import type { Plan } from '../../input/plan.ts';
import type { ApiObject, KindTable } from '../../model/index.ts';
import type { Answer, Condition } from '../../report/document/answer.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { plural, shellQuoted } from '../../text/layout.ts';
import { type Answered, nothingAsked } from './answer.ts';
import type { Budget } from './deciding/decision.ts';
import { lossWords } from './sentence.ts';
import { beginningWith, bestOrder } from './uninstalling/orders.ts';
import { planOf, type Search } from './uninstalling/stages.ts';

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
  const strands = release.stranded.length > 0 || besides.some((one) => one.strands !== undefined);
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
    ? `delete ${names.join(', then ')}: everything ${missing.length === 0 ? '' : 'that the dump shows '}goes${owners.size === 0 ? ', and nothing' : `, but some of it ${[...owners].join(', or ')}; nothing else`} hangs${strands || losses.length > 0 ? ' of it' : ''}${strands ? '; what stays can hang later, as nobody is left to remove its finalizer (see below)' : ''}${losses.length === 0 ? '' : `; but ${lossWords(losses)}`}${doubtfulWords(doubtful)}.`
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
        ...release.hooks,
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

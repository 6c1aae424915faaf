import type { ClusterAround } from '../../input/cluster/around.ts';
import { byUidIn, dependentsIn, remembered, storedIn } from '../../input/cluster/lookups.ts';
import { containersOf } from '../../input/cluster/parts.ts';
import { blocks } from '../../input/cluster/pieces.ts';
import type { Refused } from '../../input/cluster/webhooks/refusals.ts';
import { worldsOf } from '../../input/cluster/worlds.ts';
import { displayName } from '../../input/manifests/names.ts';
import type { Plan } from '../../input/plan.ts';
import {
  ALIKE,
  type ApiObject,
  type Cluster,
  FOREGROUND,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
} from '../../model/index.ts';
import type {
  Basis,
  Condition,
  ObjectFate,
  OutcomeWord,
  Wait,
} from '../../report/document/answer.ts';
import type { Fate } from '../../report/document/result-document.ts';
import { greatestOf, groupedBy, plural } from '../../text/layout.ts';
import { decide } from './deciding/decide.ts';
import { type Budget, type Decision, leastAlike, wasFull } from './deciding/decision.ts';
import { finalizerConditions } from './doubted.ts';
import { doubtfulWords } from './missing.ts';
import { newUsersFor } from './new-users.ts';
import { isRefusedWithTargets, lockedBy, refusalsFor } from './refusals.ts';
import { waitsOf } from './waits.ts';

/** The part of the time for the first of several worlds. The others mostly have the same parts. */
const FIRST_WORLD = 0.85;

/** Decides each world that the dump leaves open. */
export async function decideWorlds(plan: Plan, budget: Budget): Promise<readonly Decision[]> {
  const worlds = worldsOf(aroundOf(plan));
  const decisions: Decision[] = [];
  for (const [index, world] of worlds.entries()) {
    const left = Math.max(0, budget.deadline - Date.now());
    const share = index === 0 && worlds.length > 1 ? FIRST_WORLD : 1 / (worlds.length - index);
    const deadline = Date.now() + share * left;
    decisions.push(await decide(plan, world, { ...budget, deadline }));
  }
  return decisions;
}

function aroundOf({ cluster, title }: Plan): ClusterAround {
  if (cluster === null) throw new Error(`${title} is not a question about a dump`);
  return cluster;
}

/** What becomes of an object, all worlds taken together. */
export function fateOf(object: ApiObject, plan: Plan, decisions: readonly Decision[]): ObjectFate {
  const around = aroundOf(plan);
  const there = inOneWorld(object, plan, decisions, 'there');
  const gone = inOneWorld(object, plan, decisions, 'gone') ?? there;
  if (there === null || gone === null) return unknown([limit(undecidedWords(decisions))]);
  const found = there.fate === gone.fate ? there : unknown(ownerConditions(object, plan));
  const isUnmade = found.replaced && unmadeIn(around).has(keyOf(object));
  const known = isUnmade ? { ...found, replaced: false, unmade: true as const } : found;
  const contents = unknownContentsIn(around).get(keyOf(object)) ?? [];
  if (known.fate === 'stays') return known;
  // Whatever else is in it, what is known to hold it does so.
  const isHeld = known.fate === 'hangs';
  const lacking = (isHeld ? [] : contents).map(({ kind, settle, reported }): Condition => {
    const text = reported ?? `the dump lacks ${kind}, which goes first`;
    return { kind: 'dump', settle, text };
  });
  const refused = isHeld ? [] : refusalsFor(object, plan);
  if (isRefusedWithTargets(object, plan, refused)) return refusedFate(object, refused);
  const locking = lockedBy(object, refused);
  if (locking.length > 0) return { fate: 'hangs', replaced: false, on: [], waits: locking };
  const open = refused.map(({ by, why, settle }): Condition => {
    return { kind: by === 'policy' ? 'admission' : 'dump', settle, text: why };
  });
  if (lacking.length + open.length > 0) return unknown([...lacking, ...open]);
  if (known.fate !== 'goes' && known.fate !== 'depends') return known;
  const used = newUsersFor(object, plan);
  return used.length === 0 ? known : { ...known, fate: 'depends', on: [...known.on, ...used] };
}

function undecidedWords(decisions: readonly Decision[]): string {
  const isFull = decisions.some(wasFull);
  if (decisions.some(({ by }) => by === 'some')) {
    return `no search that decides it has ended in the ${isFull ? 'memory' : 'time'}`;
  }
  return `${limitWords(isFull)} before any search`;
}

function limitWords(isFull: boolean): string {
  return isFull ? 'the memory was full' : 'the time was up';
}

const unmadeIn = remembered(
  ({ besides }: ClusterAround) => new Set<string>(besides.flatMap(({ unmade = [] }) => unmade)),
);

const unknownContentsIn = remembered(({ unknownContents }: ClusterAround) =>
  groupedBy(unknownContents, ({ object }) => object as string),
);

/** What a request that is refused leaves: the object as it is. */
function refusedFate(object: ApiObject, refused: readonly Refused[]): ObjectFate {
  const name = displayName(object);
  const waits = refused.map(({ why }): Wait => {
    return { for: 'nothing', what: '', text: `nothing deletes ${name}: ${why}` };
  });
  return { fate: 'stays', replaced: false, on: [], waits };
}

function unknown(on: readonly Condition[]): ObjectFate {
  return { fate: 'unknown', replaced: false, on, waits: [] };
}

function limit(text: string): Condition {
  return { kind: 'limit', text };
}

/** The unknown owners above an object, or all of them if it has none of its own. */
function ownerConditions(object: ApiObject, { cluster, setup }: Plan): readonly Condition[] {
  const above = new Set<string>();
  const open = [object];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { uid } of next.ownerReferences) {
      if (above.has(uid)) continue;
      above.add(uid);
      const owner = byUidIn(setup.objects).get(uid);
      if (owner !== undefined) open.push(owner);
    }
  }
  const all = [
    ...(cluster?.unknownOwners ?? []).map(({ reference: { kind, name, uid }, settle }) => ({
      ...{ uid, settle },
      text: `the dump has no ${kind}, so whether its owner ${kind}/${name} exists is unknown`,
    })),
    ...(cluster?.doubtfulOwners ?? []).map((owner) => ({
      ...{ uid: owner.reference.uid, settle: owner.settle },
      text: doubtfulWords(owner),
    })),
  ];
  const own = all.filter(({ uid }) => above.has(uid));
  return (own.length > 0 ? own : all).map(({ settle, text }) => ({ kind: 'dump', settle, text }));
}

/** The fate in the worlds in which the unknown owners are there or gone; null: none was decided. */
function inOneWorld(
  object: ApiObject,
  plan: Plan,
  decisions: readonly Decision[],
  owners: 'there' | 'gone',
): ObjectFate | null {
  const of = (finalizers: 'act' | 'may'): Decision | undefined =>
    decisions.find(({ world }) => world.owners === owners && world.finalizers === finalizers);
  const act = of('act');
  const fate = act?.fates.get(object.uid);
  if (act === undefined || fate === undefined) return null;
  const may = of('may') ?? act;
  const doubted = may.fates.get(object.uid);
  if (doubted === undefined) return unknown([limit(`${limitWords(wasFull(may))} ${UNDOUBTED}`)]);
  const open = [act, may].find((decision) => decision.fates.get(object.uid)?.fate === 'open');
  if (open !== undefined) return unknown([limit(seenIn(open, object))]);
  const isBeside = replacedBesideIn(aroundOf(plan)).has(keyOf(object));
  // What goes on every run is made anew, also where the search leaves the controller out.
  const replaced = fate.replaced || (isBeside && fate.fate === 'goes');
  const waits =
    doubted.fate === 'goes'
      ? waitsIn(object, plan, fate, act)
      : waitsIn(object, plan, doubted, may);
  if (fate.fate === doubted.fate) {
    const word = wordOf(fate, plan);
    const may = word === 'hangs' && !isDeletedAtTheEnd(fate, plan);
    return { fate: word, replaced, on: may ? [MAY_BEGIN] : orderOf(fate), waits };
  }
  // The possible runs of an owner that acts are among those of one that may act.
  return {
    fate: 'depends',
    replaced,
    on: finalizerConditions(object, plan, Object.values(endOf(doubted)?.store ?? {})),
    waits,
  };
}

const replacedBesideIn = remembered(
  ({ replacedBeside }: ClusterAround) =>
    new Set<string>(replacedBeside.map(({ object }) => object)),
);

const UNDOUBTED = 'before a search in which the owners of finalizers may leave them';

const MAY_BEGIN: Condition = {
  kind: 'order',
  text: 'the order of events decides whether its deletion begins',
};

function orderOf({ fate }: Fate): readonly Condition[] {
  return fate === 'either' ? [{ kind: 'order', text: 'the order of events decides' }] : [];
}

function wordOf(fate: Fate, plan: Plan): OutcomeWord {
  switch (fate.fate) {
    case 'goes':
      return 'goes';
    case 'either':
      return 'depends';
    case 'stays':
      // The run at hand may be one on which the deletion never begins.
      return fate.begins || isDeletedAtTheEnd(fate, plan) ? 'hangs' : 'stays';
    case 'open':
      return 'unknown';
    default:
      throw new Error(`unknown fate ${fate.fate satisfies never}`);
  }
}

/** The last state of the run on which the object stays. */
function endOf({ goes }: Fate): Cluster | null {
  const last = goes.trace?.steps.at(-1);
  if (last !== undefined) return last.state as Cluster;
  return (goes.trace?.initial as Cluster | undefined) ?? null;
}

/** The object that was searched: the object itself, or the one that it is like. */
function searchedKey({ uid }: Fate, plan: Plan): ObjectKey {
  return keyWith(uid, plan);
}

function keyWith(uid: string | undefined, { setup }: Plan): ObjectKey {
  const object = byUidIn(setup.objects).get(uid ?? '');
  return object === undefined ? '' : keyOf(object);
}

function isDeletedAtTheEnd(fate: Fate, plan: Plan): boolean {
  const stored = endOf(fate)?.store[searchedKey(fate, plan)];
  return stored !== undefined && isBeingDeleted(stored);
}

function waitsIn(
  object: ApiObject,
  plan: Plan,
  fate: Fate,
  decision: Decision,
): ObjectFate['waits'] {
  const end = endOf(fate);
  if (end === null) return [];
  const key = keyOf(object);
  const isPiece = decision.apart?.division === 'pieces';
  if (!isPiece && searchedKey(fate, plan) === key) {
    return waitsOf(end, plan.setup, plan.cluster, key);
  }
  const left = leftBy(decision, plan);
  if (!isPiece) return waitsOf({ store: left }, plan.setup, plan.cluster, key);
  const own = left[key];
  if (own === undefined) return [];
  const known = unblocked(own, storedIn(left));
  return waitsOf({ store: left }, plan.setup, plan.cluster, key, known);
}

/**
 * The run of a piece may show that dependents block the object that go in the whole. Where pieces
 * are searched, the collector removes its finalizer once they are gone.
 */
function unblocked(object: ApiObject, left: readonly ApiObject[]): ApiObject {
  const others = object.finalizers.filter((name) => name !== FOREGROUND);
  const dependents = dependentsIn(left).get(object.uid) ?? [];
  const isBlocked = dependents.some((dependent) => blocks(dependent, object.uid));
  return isBlocked || others.length === 0 ? object : { ...object, finalizers: others };
}

/** What stays of all objects, as the runs on which each of them stays show it. */
function leftBy(decision: Decision, plan: Plan): Readonly<Record<ObjectKey, ApiObject>> {
  const known = LEFT.get(decision);
  if (known !== undefined) return known;
  const { fates } = decision;
  const left = plan.setup.objects.flatMap((object): [ObjectKey, ApiObject][] => {
    const fate = fates.get(object.uid);
    if (fate === undefined || fate.fate === 'goes') return [];
    const stored = endOf(fate)?.store[searchedKey(fate, plan)];
    if (stored === undefined) return [];
    const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = stored;
    return [
      [keyOf(object), { ...object, deletionTimestamp, deletionGracePeriodSeconds, finalizers }],
    ];
  });
  const found = Object.fromEntries(left);
  LEFT.set(decision, found);
  return found;
}

/** What stays, by decision: it is asked for each object. */
const LEFT = new WeakMap<Decision, Readonly<Record<ObjectKey, ApiObject>>>();

const reportsByFate = remembered(
  (reports: Decision['reports']) =>
    new Map(reports.flatMap((report) => report.fates.map((fate) => [fate, report]))),
);

function seenIn({ fates, reports }: Decision, object: ApiObject): string {
  const fate = fates.get(object.uid);
  const report = fate === undefined ? undefined : reportsByFate(reports).get(fate);
  const within = report?.result.limit?.kind === 'memory' ? 'memory' : 'time';
  const ended = `the search did not end in the ${within}`;
  if (fate === undefined) return ended;
  const goes = fate.mayGo.verdict === 'holds';
  const stays = fate.goes.verdict === 'violated';
  const walks = report?.result.simulation?.walks ?? 0;
  if (walks === 0) return goes ? `it can go, as one run shows; ${ended}` : ended;
  const runs = plural(walks, 'random run');
  if (goes && stays)
    return `it can go and it can stay: of ${runs}, some show the one, some the other`;
  if (goes)
    return `it can go, as a random run shows; it stays in none of ${walks}, which proves nothing`;
  return stays
    ? `it can stay, as a random run shows; it goes in none of ${walks}, which proves nothing`
    : `${ended}, nor did ${runs}`;
}

/** Why one order of events can represent others, if it does. */
function triedWords(decisions: readonly Decision[]): string {
  const groups = decisions
    .flatMap(({ reports }) => reports)
    .flatMap(({ result }) => result.symmetry?.groups ?? [])
    .filter(({ name, applied }) => applied && name.startsWith(ALIKE));
  const kinds = new Set(
    groups.map(({ name, members }) => {
      const kind = name.slice(ALIKE.length).split('.')[0] ?? 'object';
      return plural(members.length, kind);
    }),
  );
  const all = 'every order of events was tried';
  if (kinds.size === 0) return all;
  return `${all}, once for all that differ only in which of ${[...kinds].join(', and of ')} is which, as these are alike`;
}

/** How the fates of all worlds were found: the weakest way counts. */
export function basisOf(decisions: readonly Decision[], plan: Plan, acceptBounded = false): Basis {
  const walked = decisions.find(({ by }) => by === 'walks');
  const unanswered = decisions.find(({ by }) => by === 'none');
  if (unanswered !== undefined) {
    return { kind: 'none', text: `${limitWords(wasFull(unanswered))} before anything was found` };
  }
  if (walked !== undefined) {
    const { walks } = walked;
    return { kind: 'walks', walks, text: `seen in ${plural(walks, 'random run')}; not proved` };
  }
  if (decisions.some(({ by }) => by === 'parts')) {
    const left = greatestOf(decisions.map(({ unsearched }) => unsearched));
    const which =
      left === 0 ? 'each tree or chain of objects' : 'some trees or chains of objects, each';
    const text = [
      `every order of events was tried for ${which} by itself, with one of each group of alike objects`,
      ...(left === 0 ? [] : [`the time was up for ${left} more`]),
      'for all of them together it is not proved',
    ];
    return { kind: 'parts', text: text.join('; ') };
  }
  if (decisions.some(({ by }) => by === 'some')) {
    const text =
      `${triedWords(decisions)}, for some objects, each with its owner and with all that other ` +
      'objects can do to them; this proves every line above that is not unknown';
    return { kind: 'some', text };
  }
  const bounded = decisions.filter(({ by }) => by === 'bounded');
  if (bounded.length > 0) {
    const most = leastAlike(bounded);
    const groups = bounded.flatMap((decision) => decision.groups);
    const largest = groups.reduce((one, other) => (other.size > one.size ? other : one));
    const sample = plan.setup.objects.find(({ uid }) => uid === largest.kept[0]);
    const kind = sample?.kind.split('.')[0] ?? 'object';
    const nothingNew = bounded.every((decision) => decision.nothingNew);
    const text = [
      `decided for up to ${most} of ${largest.size} alike ${kind}s${groups.length === 1 ? '' : ', and of each other group'}`,
      nothingNew
        ? `nothing new appears from ${most - 1} to ${most} (each reaches the same local views)`
        : 'for more it is not proved',
    ].join('; ');
    const whole = `${text}${apartWords(decisions, plan)}`;
    const told = acceptBounded ? `${whole}; accepted by --accept-bounded` : whole;
    return {
      ...{ kind: 'bounded', most, of: largest.size, nothingNew },
      ...{ accepted: acceptBounded, text: told },
    };
  }
  return { kind: 'search', text: `${triedWords(decisions)}${apartWords(decisions, plan)}` };
}

/** That parts of the objects were searched one by one, and what they have in common. */
function apartWords(decisions: readonly Decision[], { setup }: Plan): string {
  if (decisions.some(({ apart }) => apart?.division === 'pieces')) {
    return ', for each object with its owner and with all that other objects can do to them; together this proves every line above';
  }
  const trees = decisions.map(({ apart }) => (apart?.division === 'trees' ? apart.count : 1));
  const most = greatestOf(trees, 1);
  if (most < 2) return '';
  const shared = containersOf(setup).map(displayName).join(', ');
  return `, in each of ${most} groups of objects that meet only in ${shared}`;
}

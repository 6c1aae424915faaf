import { type Component, components } from '../../input/cluster/components.ts';
import { byUidIn, dependentsIn } from '../../input/cluster/lookups.ts';
import { displayName } from '../../input/manifests/names.ts';
import type { Plan } from '../../input/plan.ts';
import type { ApiObject, Setup, Uid } from '../../model/index.ts';
import type {
  AnswerObject,
  Basis,
  ObjectFate,
  Outcome,
  Risk,
} from '../../report/document/answer.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { groupedBy, leastOf, plural } from '../../text/layout.ts';
import { inPostOrder } from '../../text/orders.ts';
import { type Answered, answered, headOf, invariantsOf } from './answer.ts';
import { type Cause, causesOf } from './because.ts';
import { type Collected, collectionSentence } from './collection-sentence.ts';
import type { Budget } from './deciding/decision.ts';
import { unreadCode, withUnread } from './missing.ts';
import { contentsOf } from './refusals.ts';

/** One component, or several that differ only in names, with the answer for the first of them. */
interface Family {
  readonly members: readonly Component[];
  readonly found: Answered | null;
}

/** What becomes of one object, and why. */
interface Row {
  readonly shown: AnswerObject;
  readonly fate: ObjectFate;
  readonly cause: Cause;
}

/**
 * Answers what the collector does to the objects of a dump without any deletion. Searches each
 * component by itself (`components` says why that is enough), and one of those that are alike.
 *
 * @param total number of objects in the dump.
 * @param seconds for all of it.
 */
export async function collected(
  plan: Plan,
  total: number,
  seconds: number,
  given: Omit<Budget, 'deadline' | 'known'>,
): Promise<Answered> {
  const families = await decidedFamilies(plan, seconds, given);
  const checks: CheckReport[] = [];
  const risks: Risk[] = [];
  const fates = new Map<Uid, { readonly shown: AnswerObject; readonly fate: ObjectFate }[]>();
  for (const { members, found } of families) {
    for (const risk of found?.answer.outcomes.flatMap((outcome) => outcome.risks) ?? []) {
      const more = members.length - 1;
      const text = more === 0 ? risk.text : `${risk.text}, as in ${plural(more, 'alike group')}`;
      risks.push({ ...risk, text, check: risk.check + checks.length });
    }
    for (const check of found?.checks ?? []) checks.push(check);
    for (const member of members) {
      fates.set(member.setup.objects[0]?.uid ?? '', fatesIn(member, members[0], found));
    }
  }
  const all = [...fates.values()].flat();
  const moves = new Set(
    all.filter(({ fate }) => fate.fate !== 'stays').map(({ shown }) => shown.uid),
  );
  const causes = causesOf(plan, (uid) => moves.has(uid));
  const later = seenLaterIn(
    all.filter(({ fate }) => fate.fate === 'stays').map(({ shown }) => shown.uid),
    causes,
    plan,
  );
  const trees = [...fates.values()].map((rows) => withCauses(rows, causes, later));
  const told = trees.filter(isTold).sort((one, other) => rankOf(one) - rankOf(other));
  let before = 0;
  const rows = told.flatMap((tree) => {
    const offset = before;
    before += tree.length;
    return tree.map((row) => shifted(row, offset));
  });
  const basis = basisOf(families);
  const isProved = basis.kind === 'search';
  const besides = plan.cluster?.besides ?? [];
  const unasked = besides.filter((one) => one.unasked === true).length;
  const expected = besides.reduce((sum, one) => sum + (one.expected ?? 0), 0);
  const judged = rows.map(({ shown, fate, cause }): Collected => ({ shown, fate, cause }));
  const outcome: Outcome = {
    name: 'none',
    sentence: withUnread(collectionSentence(judged, total, isProved, { unasked, expected }), plan),
    basis,
    fates: rows.map(({ fate }) => fate),
    risks,
    invariants:
      families.length === 0 ? NOTHING_CHECKED : invariantsOf({ reports: checks, isComplete: true }),
    exitCode: worst([
      unreadCode(plan),
      exitCodeOf(judged, isProved, checks),
      ...(unasked > 0 ? [EXIT.violated] : []),
    ]),
  };
  const objects = rows.map(({ shown }) => shown);
  const head = headOf('collect', plan, []);
  // The unknown owners come first, each by itself.
  const contents = head.missing.slice(plan.cluster?.unknownOwners.length ?? 0);
  const missing = [...unknownOwnersIn(plan), ...contents];
  return { answer: { ...head, objects, missing, outcomes: [outcome] }, checks };
}

async function decidedFamilies(
  plan: Plan,
  seconds: number,
  given: Omit<Budget, 'deadline' | 'known'>,
): Promise<readonly Family[]> {
  if (plan.cluster === null) throw new Error(`${plan.title} is not a question about a dump`);
  const end = Date.now() + seconds * 1000;
  const alike = groupedBy(
    components(ownersFirst(plan.setup), plan.cluster),
    ({ signature, setup }) => signature ?? `alone ${setup.objects[0]?.uid}`,
  );
  // Small ones first: what they leave of their time is for the large ones.
  const open = [...alike.values()].sort((one, other) => sizeOf(one) - sizeOf(other));
  const families: Family[] = [];
  for (const [index, members] of open.entries()) {
    const [first] = members;
    const left = (end - Date.now()) / 1000 / (open.length - index);
    const isLate = left <= 0 || given.interrupted();
    const found = first === undefined || isLate ? null : await answerFor(plan, first, left, given);
    families.push({ members, found });
  }
  return families;
}

/**
 * The model lists the objects of a kind in their order. Before v1.20 an object stays if the collector
 * sees its owner first: `seenLaterIn` adds the other orders, whatever the order of the dump is.
 */
function ownersFirst(setup: Setup): Setup {
  if (setup.rules?.ownerMismatch !== 'ignored') return setup;
  const byUid = byUidIn(setup.objects);
  const objects = inPostOrder(setup.objects, ({ ownerReferences }) =>
    ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? []),
  );
  return { ...setup, objects };
}

function sizeOf([first]: readonly Component[]): number {
  return first?.setup.objects.length ?? 0;
}

function answerFor(
  plan: Plan,
  { setup, cluster }: Component,
  seconds: number,
  given: Omit<Budget, 'deadline' | 'known'>,
): Promise<Answered> {
  const [first] = setup.objects;
  const title = first === undefined ? plan.title : `${plan.title}, ${displayName(first)}`;
  const part = { ...plan, title, setup: { ...setup, name: title }, cluster };
  return answered('collect', [{ name: 'none', plan: part }], seconds, given);
}

const LATE: ObjectFate = {
  fate: 'unknown',
  replaced: false,
  on: [{ kind: 'limit', text: 'the time was up before any search' }],
  waits: [],
};

/** The fates of a component, from the answer for the one that it is like. */
function fatesIn(
  { setup, cluster }: Component,
  like: Component | undefined,
  found: Answered | null,
): { readonly shown: AnswerObject; readonly fate: ObjectFate }[] {
  const unknown = new Set(cluster.unknownOwners.map(({ reference }) => reference.uid));
  if (like === undefined || found === null) {
    return setup.objects
      .filter(({ uid }) => !unknown.has(uid))
      .map((object) => ({ shown: shownAlone(object), fate: LATE }));
  }
  const twins = new Map(
    like.setup.objects.flatMap((object, index): [Uid, ApiObject][] => {
      const twin = setup.objects[index];
      return twin === undefined ? [] : [[object.uid, twin]];
    }),
  );
  const names = like.setup.objects.map((object): readonly [string, string] => {
    const twin = twins.get(object.uid) ?? object;
    return [displayName(object), displayName(twin)];
  });
  const renamed = (text: string): string => (like.setup === setup ? text : withNames(text, names));
  const { objects, outcomes } = found.answer;
  return objects.map((shown, index) => {
    const twin = twins.get(shown.uid);
    const fate = outcomes[0]?.fates[index] ?? LATE;
    return {
      shown:
        twin === undefined
          ? shown
          : { ...shown, name: displayName(twin), namespace: twin.namespace, uid: twin.uid },
      fate: JSON.parse(JSON.stringify(fate), (_key, value: unknown) =>
        typeof value === 'string' ? renamed(value) : value,
      ) as ObjectFate,
    };
  });
}

/**
 * Each name of one component replaced by that of its twin. No name is found in a part of another.
 */
function withNames(text: string, names: readonly (readonly [string, string])[]): string {
  const to = new Map(names);
  const words = text.split(/([\s,:;()]+)/);
  return words.map((word) => to.get(word) ?? word).join('');
}

function shownAlone(object: ApiObject): AnswerObject {
  const { uid, namespace, deletionTimestamp } = object;
  const deleting = deletionTimestamp !== null;
  return { name: displayName(object), namespace, uid, parent: null, asked: false, deleting };
}

const NOTHING_CHECKED: Outcome['invariants'] = {
  held: 0,
  notExercised: 0,
  undecided: 0,
  violated: [],
  text: 'not checked: nothing happens that could break one',
};

const NO_CAUSE: Cause = { kind: 'none', text: null };

const SEEN_FIRST =
  'before v1.20, a collector that has restarted deletes it if it sees it before its owner';

const BENEATH = 'goes with what a restarted collector may delete above it, before v1.20';

/**
 * Why objects that stay in the model may go. It lists the objects of a kind in one order only, and a
 * watch cache has them in any order. What goes takes its dependents and contents along.
 */
function seenLaterIn(
  stay: readonly Uid[],
  causes: ReadonlyMap<Uid, Cause>,
  plan: Plan,
): ReadonlyMap<Uid, string> {
  const { rules, objects } = plan.setup;
  const found = new Map<Uid, string>();
  if (rules?.ownerMismatch !== 'ignored') return found;
  for (const uid of stay) if (causes.get(uid)?.lost) found.set(uid, SEEN_FIRST);
  const staying = new Set(stay);
  for (const uid of found.keys()) {
    const object = byUidIn(objects).get(uid);
    const contents = object === undefined ? [] : contentsOf(object, plan);
    for (const one of [...(dependentsIn(objects).get(uid) ?? []), ...contents]) {
      if (staying.has(one.uid) && !found.has(one.uid)) found.set(one.uid, BENEATH);
    }
  }
  return found;
}

function withCauses(
  rows: readonly { readonly shown: AnswerObject; readonly fate: ObjectFate }[],
  causes: ReadonlyMap<Uid, Cause>,
  later: ReadonlyMap<Uid, string>,
): readonly Row[] {
  return rows.map(({ shown, fate: found }) => {
    const cause = causes.get(shown.uid) ?? NO_CAUSE;
    const text = later.get(shown.uid);
    const fate: ObjectFate =
      text === undefined ? found : { ...found, fate: 'depends', on: [{ kind: 'order', text }] };
    const isSaid = cause.text !== null && fate.fate !== 'unknown' && !shown.deleting;
    const because = isSaid ? { because: cause.text } : {};
    return { shown, fate: { ...fate, ...because }, cause };
  });
}

/** Whether something happens in a tree, or its owners are not as they should be. */
function isTold(tree: readonly Row[]): boolean {
  return tree.some(({ fate, cause }) => fate.fate !== 'stays' || cause.text !== null);
}

/** What hangs comes first, then what goes although nobody asked for it. */
function rankOf(tree: readonly Row[]): number {
  const ranks = tree.map(({ fate, cause }) => {
    if (fate.fate === 'hangs') return 0;
    if (fate.fate === 'stays') return 5;
    if (fate.fate === 'unknown') return 3;
    if (fate.fate === 'depends') return 1;
    return cause.kind === 'owner' ? 2 : 4;
  });
  return leastOf(ranks);
}

function shifted({ shown, ...row }: Row, offset: number): Row {
  const parent = shown.parent === null ? null : shown.parent + offset;
  return { ...row, shown: { ...shown, parent } };
}

const NOTHING = 'every owner exists, and nothing is being deleted';

const WEAKEST: readonly Basis['kind'][] = ['none', 'walks', 'parts', 'some', 'bounded', 'search'];

function basisOf(families: readonly Family[]): Basis {
  const found = families.map(({ members, found: answer }) => ({
    name: displayName(members[0]?.setup.objects[0] ?? { kind: '', namespace: '', name: '' }),
    basis: answer?.answer.outcomes[0]?.basis ?? null,
  }));
  const kind = WEAKEST.find((known) =>
    found.some(({ basis }) => (basis?.kind ?? 'none') === known),
  );
  const weakest = found.find(({ basis }) => (basis?.kind ?? 'none') === kind);
  if (weakest === undefined) return { kind: 'search', text: NOTHING };
  if (weakest.basis === null)
    return { kind: 'none', text: `the time was up before ${weakest.name}` };
  const count = families.reduce((sum, { members }) => sum + members.length, 0);
  if (weakest.basis.kind !== 'search') {
    return {
      ...weakest.basis,
      text: `${weakest.name} and what belongs to it: ${weakest.basis.text}`,
    };
  }
  const apart =
    count === 1 ? '' : `, in each of ${count} groups of objects that do not affect each other`;
  return { kind: 'search', text: `every order of events was tried${apart}` };
}

/**
 * Whatever goes, hangs or may do so although nobody asked for it is a violation. A deletion that
 * goes on and ends is none.
 */
function exitCodeOf(
  rows: readonly Collected[],
  isProved: boolean,
  checks: readonly CheckReport[],
): ExitCode {
  const codes = rows.map(({ fate, cause }): ExitCode => {
    if (fate.fate === 'hangs') return EXIT.violated;
    if (fate.fate === 'unknown') return EXIT.inconclusive;
    if (fate.fate === 'stays') return EXIT.asExpected;
    if (cause.kind === 'owner') return EXIT.violated;
    return fate.fate === 'depends' ? EXIT.inconclusive : EXIT.asExpected;
  });
  const defects = checks.map(({ exitCode }) => exitCode).filter((code) => code === EXIT.defect);
  return worst([
    ...codes,
    ...(defects.length > 0 ? [EXIT.defect] : []),
    ...(isProved ? [] : [EXIT.inconclusive]),
  ]);
}

/** The owners that the dump says nothing about: each kind once. */
function unknownOwnersIn({ cluster }: Plan): Answered['answer']['missing'] {
  const kinds = new Map<string, { owners: Set<string>; dependents: number; settle: string }>();
  for (const { reference, dependents, settle } of cluster?.unknownOwners ?? []) {
    const { apiVersion, kind, uid } = reference;
    const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
    const found = kinds.get(`${kind}${group}`) ?? { owners: new Set(), dependents: 0, settle };
    found.owners.add(uid);
    found.dependents += dependents.length;
    kinds.set(`${kind}${group}`, found);
  }
  return [...kinds].map(([kind, { owners, dependents, settle }]) => {
    const owned = plural(dependents, 'object');
    const text = `${plural(owners.size, 'owner')} of kind ${kind.split('.')[0]}, which ${owners.size === 1 ? 'owns' : 'own'} ${owned} here: the dump has none`;
    const command = `kubectl get ${kind.toLowerCase()} --all-namespaces -o yaml  # and give it with --dump`;
    return { text, settle: owners.size === 1 ? settle : command };
  });
}

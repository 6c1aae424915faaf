import { byUidIn, remembered } from '../../input/cluster/lookups.ts';
import type { Explanation } from '../../input/manifests/explanation.ts';
import { displayName } from '../../input/manifests/names.ts';
import { type ApiObject, isBeingDeleted, keyOf } from '../../model/index.ts';
import { isWaiting, lastWait } from '../../report/answer/reasons.ts';
import type {
  Answer,
  Condition,
  Look,
  ObjectFate,
  Outcome,
  Remedy,
  Stuck,
} from '../../report/document/answer.ts';
import { EXIT, worst } from '../../text/exit-codes.ts';
import { groupedBy, leastOf, plural, someNames } from '../../text/layout.ts';
import { type Answered, answered, nothingAsked } from './answer.ts';
import { blockersOf } from './blockers.ts';
import { type Budget, isLate } from './deciding/decision.ts';
import { pauses } from './deciding/pauses.ts';
import { byItself, doubted, type Leaving, overdueWords } from './explaining/by-itself.ts';
import { kubectl } from './kubectl.ts';
import { unreadCode, withUnread } from './missing.ts';
import { groupsOf, withDependents } from './remedies/groups.ts';
import { HARM, type Hanging } from './remedies/option.ts';
import { type FoundRemedy, remediesFor } from './remedies/remedies.ts';
import { reportedBy, silencesOf, troublesReported } from './reported.ts';
import { exitCodeOf } from './sentence.ts';
import { chainsOf } from './stuck.ts';
import { waitsOf } from './waits.ts';

/** The part of the time for what happens by itself; the rest is for remedies. */
const BY_ITSELF = 0.6;

export interface Explained extends Answered {
  readonly remedies: readonly FoundRemedy[];
}

/**
 * Answers why objects are not gone: what becomes of them by themselves, what they wait for, and
 * what helps.
 *
 * @param seconds for all of it.
 */
export async function explained(
  explanation: Explanation,
  seconds: number,
  given: Omit<Budget, 'deadline' | 'known'>,
): Promise<Explained> {
  const { plan } = explanation;
  const end = Date.now() + seconds * 1000;
  const columns = [{ name: 'none', plan }];
  // A remedy changes what happens to few objects.
  const decided: Budget['known'] = new Map();
  // Without a target there is nothing to search.
  const { answer, checks } =
    explanation.targets.length === 0
      ? nothingAsked('explain', plan)
      : await answered('explain', columns, seconds * BY_ITSELF, given, decided);
  const [outcome] = answer.outcomes;
  if (outcome === undefined) throw new Error('an explanation has one outcome');
  const all = toldOf(explanation, answer, outcome);
  const told = all.filter(({ isAbout }) => isAbout);
  const byIndex = new Map(told.map((one) => [one.index, one]));
  const hanging = told.filter(({ fate }) => fate.fate !== 'goes');
  const lacking = new Set(hanging.filter(({ lacks }) => lacks).map(({ object }) => object.uid));
  const groups = groupsOf(hanging, explanation.plan)
    .map((group) => group.filter(({ object }) => !lacking.has(object.uid)))
    .filter(({ length }) => length > 0);
  const remedies: FoundRemedy[] = [];
  // What is not known to hang, or why, has no remedies yet.
  let isCut = hanging.some(({ fate }) => fate.on.some(({ kind }) => kind === 'limit'));
  const pause = pauses();
  for (const [index, group] of groups.entries()) {
    await pause();
    const left = Math.max(0, end - Date.now()) / (groups.length - index);
    const budget: Budget = { ...given, deadline: Date.now() + left, known: decided };
    if (isLate(budget)) {
      isCut = true;
      break;
    }
    const found = await remediesFor(
      explanation,
      group.map(({ object }) => object),
      withDependents(group, explanation.plan),
      budget,
      lacking,
    );
    for (const remedy of found.found) remedies.push(remedy);
    isCut ||= found.isCut;
  }
  const stuck = stuckOf(told, all, explanation);
  const indices = new Map(answer.objects.map(({ uid }, index) => [uid, index]));
  // What goes without the remedy does not go for its sake.
  const targets = new Set(explanation.targets.map(({ uid }) => uid));
  const goes = new Set(
    answer.objects.flatMap(({ name }, index) =>
      outcome.fates[index]?.fate === 'goes' ? [name] : [],
    ),
  );
  const printed = remedies.map((remedy): Remedy => {
    const { steps, harm, basis, objects, on } = remedy;
    const along = remedy.along.filter((name) => !goes.has(name));
    const places = objects.flatMap(({ uid }) => indices.get(uid) ?? []);
    const what = { objects: places, steps: [...steps], harm, along: [...along], basis };
    return on.length === 0 ? what : { ...what, on: [...on] };
  });
  const look = looksOf(told, explanation, groups.length, remedies, isCut);
  const exitCode = worst([
    ...told.map(({ fate, object }) => exitCodeOf(fate, !isBeingDeleted(object))),
    unreadCode(plan),
    ...(outcome.basis.kind === 'search' ? [] : [EXIT.inconclusive]),
  ]);
  return {
    checks,
    remedies,
    answer: {
      ...answer,
      targets: explanation.targets.map(displayName),
      objects: answer.objects.map((object) => ({
        ...object,
        asked: !object.deleting && targets.has(object.uid),
      })),
      outcomes: [
        {
          ...outcome,
          sentence: withUnread(sentenceOf(all, stuck, remedies, explanation, isCut), plan),
          fates: outcome.fates.map((fate, index) => byIndex.get(index)?.fate ?? fate),
          exitCode: outcome.exitCode === EXIT.defect ? EXIT.defect : exitCode,
        },
      ],
      stuck,
      reported: [...reportedBy(explanation), ...troublesReported(told)],
      remedies: printed,
      look,
    },
  };
}

/** An object of the answer, with what becomes of it by itself. */
interface Told extends Hanging, Leaving {
  /** Whether the question is about it: it is asked for, is being deleted, or hangs along. */
  readonly isAbout: boolean;
  readonly index: number;
  readonly fate: ObjectFate;
  /** Whether the dump lacks what may hold it as well. */
  readonly lacks: boolean;
  /** Nothing in the dump holds it, and it should have gone. */
  readonly isOverdue: boolean;
  readonly since: string | null;
  readonly seconds: number | null;
}

function toldOf(
  explanation: Explanation,
  { objects }: Answer,
  { fates, basis }: Outcome,
): readonly Told[] {
  const { plan, dump, targets, kinds } = explanation;
  const asked = new Set(targets.map(({ uid }) => uid));
  const byUid = byUidIn(plan.setup.objects);
  const unknown = new Set<string>(plan.cluster?.unknownContents.map(({ object }) => object));
  const doubtful = new Set(
    plan.cluster?.finalizers.flatMap(({ finalizer, judgement }) =>
      judgement === 'cooperative' ? [] : [finalizer],
    ),
  );
  const going = new Map(objects.map(({ name }, index) => [name, fates[index]?.fate]));
  const store = Object.fromEntries(plan.setup.objects.map((object) => [keyOf(object), object]));
  return objects.flatMap(({ uid }, index): readonly Told[] => {
    const object = byUid.get(uid);
    const fate = fates[index];
    if (object === undefined || fate === undefined) return [];
    // What goes along hangs as well if something holds it.
    const isAbout = asked.has(uid) || fate.fate === 'hangs' || isBeingDeleted(object);
    const { since = null, due = '' } = dump.times.deletions.get(keyOf(object)) ?? {};
    const { newest } = dump.times;
    const secondsFrom = (time: string): number =>
      (Date.parse(newest ?? time) - Date.parse(time)) / 1000;
    const seconds = since === null || newest === null ? null : secondsFrom(since);
    const late = due === '' ? 0 : secondsFrom(due);
    const troubles = dump.troubles.get(keyOf(object)) ?? [];
    const times = { since, seconds, late, due };
    const overdue = fate.fate === 'goes' ? overdueWords({ object, troubles, ...times }) : null;
    const isOverdue = overdue !== null;
    const look = isOverdue ? [{ text: overdue, command: kubectl('describe', object, kinds) }] : [];
    const found = doubted(fate, look);
    // The end of a run with fewer objects lacks those that were left out: the dump has them all.
    const now = waitsOf({ store }, plan.setup, plan.cluster, keyOf(object)).filter(
      ({ what }) => going.get(what) !== 'goes',
    );
    const waits =
      found.fate === 'goes'
        ? []
        : found.on.some(isOfDump)
          ? // Whatever the dump lacks, these hold it.
            now.filter((wait) => wait.for === 'api' || doubtful.has(wait.what))
          : fate.waits.length > 0 && basis.kind === 'search'
            ? // A short run ends after some objects are gone that need not go.
              eachOnce([...fate.waits, ...now.filter(({ what }) => going.has(what))])
            : now;
    const lacks = found.on.some(isOfDump) || unknown.has(keyOf(object));
    return [{ object, isAbout, index, fate: found, waits, lacks, isOverdue, ...times, troubles }];
  });
}

function eachOnce<T extends { readonly text: string }>(all: readonly T[]): readonly T[] {
  return [...new Map(all.map((one) => [one.text, one])).values()];
}

function isOfDump(condition: Condition): condition is Extract<Condition, { kind: 'dump' }> {
  return condition.kind === 'dump';
}

/** What is not gone, with all that this waits for. */
const waitingOf = remembered((all: readonly Told[]): readonly Told[] => {
  const open = all.filter(({ fate }) => isWaiting(fate));
  const byName = groupedBy(open, ({ object }) => displayName(object));
  const found = new Set(open.filter(({ isAbout }) => isAbout));
  for (const { waits } of found) {
    for (const one of waits.flatMap(({ what }) => byName.get(what) ?? [])) found.add(one);
  }
  return all.filter((one) => found.has(one) || (one.isAbout && one.fate.fate !== 'goes'));
});

const FIRST: readonly string[] = ['api', 'kubelet', 'finalizer', 'users', 'dependent'];

function stuckOf(told: readonly Told[], all: readonly Told[], explanation: Explanation): Stuck[] {
  const chains = chainsOf(waitingOf(all), explanation);
  const rank = ({ waits }: Stuck): number => {
    const ranks = waits.map((wait) => FIRST.indexOf(wait.for)).filter((place) => place >= 0);
    return leastOf(ranks, FIRST.length);
  };
  return told
    .filter(({ object }) => isBeingDeleted(object))
    .map(({ object, index, fate, waits, since, seconds }): Stuck => {
      const chain = chains.get(displayName(object));
      return {
        object: index,
        since,
        seconds,
        fate: fate.fate,
        waits: fate.fate === 'goes' ? [] : [...waits],
        chain: [...(chain?.texts ?? [])],
        cycle: chain?.cycle ?? false,
      };
    })
    .sort((a, b) => rank(a) - rank(b));
}

const NAMED = 3;

function sentenceOf(
  all: readonly Told[],
  stuck: readonly Stuck[],
  remedies: readonly FoundRemedy[],
  explanation: Explanation,
  isCut: boolean,
): string {
  const { targets } = explanation;
  if (targets.length === 0) return 'nothing in the dump is being deleted.';
  const told = all.filter(({ isAbout }) => isAbout);
  const deleting = told.filter(({ object }) => isBeingDeleted(object));
  const idle = targets.filter((object) => !isBeingDeleted(object));
  const going = new Set(
    all.flatMap(({ object, fate }) => (fate.fate === 'goes' ? object.uid : [])),
  );
  const namesWhere = (goes: boolean): readonly string[] =>
    idle.filter(({ uid }) => going.has(uid) === goes).map(displayName);
  const [unasked, safe] = [namesWhere(true), namesWhere(false)];
  const undeleted = [
    ...(unasked.length === 0
      ? []
      : [
          `${someNames(unasked)} ${unasked.length === 1 ? 'goes' : 'go'} although nobody asks for that: reapcheck collect says why`,
        ]),
    ...(safe.length === 0 ? [] : [`nothing deletes ${someNames(safe)}`]),
  ];
  const held = deleting.filter(({ fate }) => fate.fate !== 'goes');
  if (held.length === 0) {
    if (deleting.length === 0) return `${undeleted.join('; ')}.`;
    const names = someNames(deleting.map(({ object }) => displayName(object)));
    return `${[byItself(names, deleting), ...undeleted].join('; ')}.`;
  }
  const chained = stuck.filter(({ chain }) => chain.length > 0);
  const byIndex = new Map(told.map((one) => [one.index, one]));
  const roots = chained.flatMap(({ object }) => byIndex.get(object) ?? []);
  const shown = roots.length > 0 ? roots : held;
  const first = stuck.find(({ waits }) => waits.length > 0);
  const waits = new Map(waitingOf(all).map((one) => [displayName(one.object), one.waits]));
  const start = first && byIndex.get(first.object);
  const leaf = start && lastWait(displayName(start.object), waits);
  const unknown = held.find(({ fate }) => fate.fate === 'unknown')?.fate.on[0];
  const open = (unknown ?? held.flatMap(({ fate }) => fate.on.filter(isOfDump))[0])?.text;
  const reason = leaf?.text ?? open ?? 'the dump does not say what holds it';
  const others = held.length - shown.length;
  const also = others > 0 ? `, with ${plural(others, 'other object')}` : '';
  const verb = shown.length === 1 ? 'is' : 'are';
  const surely = held.some(({ fate }) => fate.fate === 'hangs') ? 'stuck' : 'not gone';
  const names = someNames(shown.map(({ object }) => displayName(object)));
  const lacks = held.some((one) => one.lacks);
  const remedy =
    remedies.length === 0
      ? lacks
        ? leaf === undefined
          ? 'no remedy can be tried before that is known'
          : 'no remedy can be tried before it is known what else holds it'
        : isCut
          ? 'a limit was hit before a remedy was found'
          : silencesOf(held, explanation).length > 0
            ? 'make the webhook answer, or delete its configuration'
            : 'no remedy was found'
      : `${plural(remedies.length, 'remedy').replace('remedys', 'remedies')} found below`;
  return `${[`${names} ${verb} ${surely}${also}: ${reason}`, remedy, ...undeleted].join('; ')}.`;
}

/** What to look at where the dump does not say it, and where no remedy works. */
function looksOf(
  told: readonly Told[],
  explanation: Explanation,
  groups: number,
  remedies: readonly FoundRemedy[],
  isCut: boolean,
): Look[] {
  const { kinds } = explanation;
  const helped = new Set(remedies.flatMap(({ objects }) => objects.map(({ uid }) => uid)));
  const describe = (object: ApiObject, why: string): Look => ({
    text: `${why} ${displayName(object)}: its conditions and events may say more`,
    command: kubectl('describe', object, kinds),
  });
  const silences = silencesOf(told, explanation);
  return [
    ...told
      .filter(({ fate, lacks }) => lacks && fate.fate !== 'goes')
      .flatMap((one) =>
        blockersOf([one], explanation.plan, explanation).flatMap(({ name, options }) =>
          // Often nobody needs the API any more.
          (name.startsWith('api ') ? options : options.slice(0, 1))
            .filter(({ harm }) => harm <= HARM.deletes)
            .flatMap(({ steps }) => steps)
            .map(({ text, command }): Look => {
              return { text: `${text}; this helps whatever else holds it`, command };
            }),
        ),
      ),
    ...silences,
    ...eachOnce(
      told
        .filter(({ object, fate }) => isBeingDeleted(object) && fate.fate === 'depends')
        .flatMap(({ fate }) => fate.on.filter(isOfDump)),
    ).map(({ text, settle }): Look => ({ text, command: settle })),
    ...told
      .filter(({ object, fate }) => isBeingDeleted(object) && fate.fate !== 'goes')
      .filter(({ object }) => groups > 0 && !helped.has(object.uid))
      .filter(({ lacks }) => !lacks && silences.length === 0)
      .slice(0, isCut ? 0 : NAMED)
      .map(({ object }) => describe(object, 'none of the remedies tried works for')),
    ...told
      .filter(({ isOverdue }) => isOverdue)
      .slice(0, NAMED)
      .map(({ object }) => describe(object, 'nothing in the dump holds')),
    ...(isCut
      ? [
          {
            text: 'a limit was hit before every remedy was tried: more time or memory may find more',
            command: 'reapcheck explain DUMP --timeout 120',
          },
        ]
      : []),
  ];
}

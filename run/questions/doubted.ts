import type { Doubt } from '../../input/cluster/beside/doubts.ts';
import { rowOf } from '../../input/cluster/doubts/apart.ts';
import type { JudgedFinalizer, JudgedRow } from '../../input/cluster/finalizers.ts';
import { byKeyIn, remembered } from '../../input/cluster/lookups.ts';
import { isToBeDeleted } from '../../input/cluster/requests.ts';
import { displayName } from '../../input/manifests/names.ts';
import { dryRunOf } from '../../input/manifests/object-words.ts';
import type { Plan } from '../../input/plan.ts';
import { type ApiObject, allFinalizers, isBeingDeleted, keyOf } from '../../model/index.ts';
import type { Condition, ObjectFate } from '../../report/document/answer.ts';
import { groupedBy } from '../../text/layout.ts';
import { goingBefore, relatedTo } from './refusals.ts';

/**
 * The fate of an object with what the model leaves out: what goes depends on admission, as does
 * what only goes with it or after it; what a controller may keep or delete depends on it; and what
 * hangs may go if nothing protects it.
 */
export function doubted(object: ApiObject, plan: Plan, known: ObjectFate): ObjectFate {
  const doubts = plan.cluster?.doubts ?? [];
  if (doubts.length === 0) return known;
  switch (known.fate) {
    case 'goes':
    case 'depends':
      return depending(known, doubtsOn(object, plan));
    case 'stays':
      return depending(known, controllersOn('controller', object, plan));
    case 'hangs':
      return depending(
        known,
        relatedDoubts(object, plan, 'protection').map(
          ({ why }): Condition => ({ kind: 'order', text: why }),
        ),
      );
    case 'unknown':
      return known;
    default:
      throw new Error(`unknown fate ${known.fate satisfies never}`);
  }
}

/** What may keep an object that goes in the model. */
export function doubtsOn(object: ApiObject, plan: Plan): readonly Condition[] {
  return [
    ...admissionOn(object, plan),
    ...controllersOn('release', object, plan),
    ...operatorsFor(object, plan),
    ...kubeletsFor(object, plan),
  ];
}

function controllersOn(
  by: 'controller' | 'release',
  object: ApiObject,
  { cluster }: Plan,
): readonly Condition[] {
  return doubtsAbout([keyOf(object)], by, cluster?.doubts ?? []).map(
    ({ why }): Condition => ({ kind: 'controller', text: why }),
  );
}

/** Operators of the object, or of what goes before it, that may wait for ever. */
function operatorsFor(object: ApiObject, plan: Plan): readonly Condition[] {
  const doubts = plan.cluster?.doubts ?? [];
  if (!reasonsIn(doubts).has('operator')) return [];
  return doubtsAbout(goingBefore(object, plan), 'operator', doubts).map(
    ({ why }): Condition => ({ kind: 'controller', text: why }),
  );
}

/** What pods have to end before the object goes. */
function kubeletsFor(object: ApiObject, plan: Plan): readonly Condition[] {
  const doubts = plan.cluster?.doubts ?? [];
  if (!reasonsIn(doubts).has('kubelet')) return [];
  const found = relatedDoubts(object, plan, 'kubelet');
  const byWhy = new Map(found.map(({ why, settle = '' }) => [why, settle]));
  return [...byWhy].map(([why, settle]) => ({ kind: 'dump', settle, text: `goes ${why}` }));
}

function depending(known: ObjectFate, more: readonly Condition[]): ObjectFate {
  return more.length === 0 ? known : { ...known, fate: 'depends', on: [...known.on, ...more] };
}

/** What may refuse a DELETE without which the object does not go. */
function admissionOn(object: ApiObject, plan: Plan): readonly Condition[] {
  return [...refusalFor(object, plan), ...admissionFor(object, plan)];
}

/**
 * What refuses a DELETE that a controller sends, for this object or one that it goes with or after.
 */
function refusalFor(object: ApiObject, plan: Plan): readonly Condition[] {
  const { setup, cluster } = plan;
  const doubts = cluster?.doubts ?? [];
  if (!reasonsIn(doubts).has('refusal')) return [];
  const byKey = byKeyIn(setup.objects);
  return relatedDoubts(object, plan, 'refusal').flatMap((doubt): readonly Condition[] => {
    const about = byKey.get(doubt.object);
    if (about === undefined) return [];
    const settle = doubt.settle ?? dryRunOf(about, setup.kinds);
    return [{ kind: 'admission', settle, text: `stays unless admission changes: ${doubt.why}` }];
  });
}

/** About the object, what goes before it, and what has to go first. */
function relatedDoubts(object: ApiObject, plan: Plan, by: Doubt['by']): readonly Doubt[] {
  const doubts = plan.cluster?.doubts ?? [];
  const found = doubtsAbout(relatedTo(object, plan), by, doubts);
  if (!found.some(({ atEnd }) => atEnd)) return found;
  const before = goingBefore(object, plan);
  return found.filter((doubt) => doubt.atEnd !== true || before.has(doubt.object));
}

/** In the order of all doubts. */
function doubtsAbout(
  keys: Iterable<string>,
  by: Doubt['by'],
  doubts: readonly Doubt[],
): readonly Doubt[] {
  const known = byObject(doubts);
  return [...keys]
    .flatMap((key) => known.get(key) ?? [])
    .filter((doubt) => doubt.by === by)
    .sort((one, other) => one.place - other.place);
}

const reasonsIn = remembered((doubts: readonly Doubt[]) => new Set(doubts.map(({ by }) => by)));

const byObject = remembered((doubts: readonly Doubt[]) =>
  groupedBy(
    doubts.map((doubt, place) => ({ ...doubt, place })),
    ({ object }) => object,
  ),
);

/** Each webhook and policy once, with a command that asks it and deletes nothing. */
function admissionFor(object: ApiObject, plan: Plan): readonly Condition[] {
  const { setup } = plan;
  const doubts = relatedDoubts(object, plan, 'admission');
  const byKey = byKeyIn(setup.objects);
  const byWhy = new Map<string, { readonly about: ApiObject; readonly settle?: string }>();
  for (const doubt of doubts) {
    const about = byKey.get(doubt.object);
    if (about === undefined) continue;
    // A person sends that DELETE; the others come from controllers.
    if (byWhy.has(doubt.why) && !isToBeDeleted(setup, about)) continue;
    const { settle } = doubt;
    byWhy.set(doubt.why, { about, ...(settle === undefined ? {} : { settle }) });
  }
  return [...byWhy].map(([why, { about, settle = dryRunOf(about, setup.kinds) }]): Condition => {
    return { kind: 'admission', settle, text: `goes if admission lets it through (${why})` };
  });
}

/**
 * The finalizers of unknown owners that are left where the object stays.
 *
 * @param end what is stored then.
 */
export function finalizerConditions(
  object: ApiObject,
  { cluster }: Plan,
  end: readonly ApiObject[],
): readonly Condition[] {
  const doubtful = (cluster?.finalizers ?? []).filter(({ judgement }) => judgement === 'unknown');
  const stored = end.filter(isBeingDeleted);
  const there = new Set(stored.flatMap(allFinalizers));
  const left = doubtful.filter(({ finalizer }) => there.has(finalizer));
  const isOwn = (judged: JudgedFinalizer): boolean =>
    allFinalizers(object).includes(judged.finalizer) &&
    rowOf(judged, keyOf(object)).judgement !== 'cooperative';
  const own = left.filter(isOwn);
  const named = own.length > 0 ? own : left.length > 0 ? left : doubtful;
  // What only goes after it need not be asked to go by then.
  const verb = stored.some(({ uid }) => uid === object.uid) ? 'may hang' : 'may stay';
  return named.map((judged) => {
    const { finalizer } = judged;
    if (isOwn(judged)) {
      const text = `may hang${heldWords(finalizer, rowOf(judged, keyOf(object)))}`;
      return { kind: 'finalizer', finalizer, text };
    }
    const [first] = stored
      .filter((one) => allFinalizers(one).includes(finalizer))
      .map((one) => ({ one, row: rowOf(judged, keyOf(one)) }))
      .filter(({ row }) => row.judgement !== 'cooperative');
    const on = first === undefined ? '' : ` with ${displayName(first.one)}`;
    const text = `${verb}${on}${heldWords(finalizer, first?.row ?? judged)}`;
    return { kind: 'finalizer', finalizer, text };
  });
}

/**
 * What keeps the owner of the finalizer, where that runs; otherwise, what is known of the owner.
 */
function heldWords(finalizer: string, { evidence, runs }: JudgedRow): string {
  return runs
    ? `: ${evidence} (finalizer ${finalizer})`
    : ` on the finalizer ${finalizer}: ${evidence}`;
}

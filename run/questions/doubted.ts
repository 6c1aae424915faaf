import type { Doubt } from '../../input/cluster/beside/doubts.ts';
import { byKeyIn, remembered } from '../../input/cluster/lookups.ts';
import type { Plan } from '../../input/plan.ts';
import { type ApiObject, keyOf } from '../../model/index.ts';
import type { Condition, ObjectFate } from '../../report/document/answer.ts';
import { groupedBy } from '../../text/layout.ts';
import { kubectl } from './kubectl.ts';
import { isAsked, relatedTo } from './refusals.ts';

/**
 * The fate of an object with what the model leaves out: what goes depends on admission, as does what
 * only goes with it or after it; what stays may be deleted by a controller; and what hangs may go if
 * nothing protects it.
 */
export function doubted(object: ApiObject, plan: Plan, known: ObjectFate): ObjectFate {
  const doubts = plan.cluster?.doubts ?? [];
  if (doubts.length === 0) return known;
  switch (known.fate) {
    case 'goes':
    case 'depends':
      return depending(known, admissionFor(object, plan));
    case 'stays':
      return depending(
        known,
        doubtsAbout([keyOf(object)], 'controller', doubts).map(
          ({ why }): Condition => ({ kind: 'controller', text: why }),
        ),
      );
    case 'hangs':
      return depending(
        known,
        doubtsAbout(relatedTo(object, plan), 'protection', doubts).map(
          ({ why }): Condition => ({ kind: 'order', text: why }),
        ),
      );
    case 'unknown':
      return known;
    default:
      throw new Error(`unknown fate ${known.fate satisfies never}`);
  }
}

function depending(known: ObjectFate, more: readonly Condition[]): ObjectFate {
  return more.length === 0 ? known : { ...known, fate: 'depends', on: [...known.on, ...more] };
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

const byObject = remembered((doubts: readonly Doubt[]) =>
  groupedBy(
    doubts.map((doubt, place) => ({ ...doubt, place })),
    ({ object }) => object,
  ),
);

/** Each webhook and policy once, with a command that asks it and deletes nothing. */
function admissionFor(object: ApiObject, plan: Plan): readonly Condition[] {
  const { setup, cluster } = plan;
  const doubts = doubtsAbout(relatedTo(object, plan), 'admission', cluster?.doubts ?? []);
  const byKey = byKeyIn(setup.objects);
  const byWhy = new Map<string, ApiObject>();
  for (const doubt of doubts) {
    const about = byKey.get(doubt.object);
    if (about === undefined) continue;
    // A person sends that DELETE; the others come from controllers.
    if (!byWhy.has(doubt.why) || isAsked(about, plan)) byWhy.set(doubt.why, about);
  }
  return [...byWhy].map(([why, about]): Condition => {
    const settle = kubectl('delete', about, setup.kinds, '--dry-run=server');
    return { kind: 'admission', settle, text: `goes if admission lets it through (${why})` };
  });
}

import { isToBeDeleted } from '../../input/cluster/requests.ts';
import { dryRunOf } from '../../input/manifests/object-words.ts';
import type { Plan } from '../../input/plan.ts';
import { type ApiObject, keyOf } from '../../model/index.ts';
import type { Condition, ObjectFate } from '../../report/document/answer.ts';
import { relatedTo } from './refusals.ts';

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
      return depending(known, admissionOn(object, plan));
    case 'stays':
      return depending(
        known,
        doubts
          .filter((doubt) => doubt.by === 'controller' && doubt.object === keyOf(object))
          .map(({ why }): Condition => ({ kind: 'controller', text: why })),
      );
    case 'hangs': {
      const related = relatedTo(object, plan);
      return depending(
        known,
        doubts
          .filter((doubt) => doubt.by === 'protection' && related.has(doubt.object))
          .map(({ why }): Condition => ({ kind: 'order', text: why })),
      );
    }
    case 'unknown':
      return known;
    default:
      throw new Error(`unknown fate ${known.fate satisfies never}`);
  }
}

function depending(known: ObjectFate, more: readonly Condition[]): ObjectFate {
  return more.length === 0 ? known : { ...known, fate: 'depends', on: [...known.on, ...more] };
}

/** What may refuse a DELETE without which the object does not go. */
export function admissionOn(object: ApiObject, plan: Plan): readonly Condition[] {
  return [...refusalFor(object, plan), ...admissionFor(object, plan)];
}

/** What refuses a DELETE that a controller sends, for this object or one that it goes with or after. */
function refusalFor(object: ApiObject, plan: Plan): readonly Condition[] {
  const doubts = (plan.cluster?.doubts ?? []).filter(({ by }) => by === 'refusal');
  if (doubts.length === 0) return [];
  const related = relatedTo(object, plan);
  const byKey = new Map(plan.setup.objects.map((one) => [keyOf(one), one]));
  return doubts.flatMap((doubt): readonly Condition[] => {
    const about = byKey.get(doubt.object);
    if (!related.has(doubt.object) || about === undefined) return [];
    const settle = dryRunOf(about, plan.setup.kinds);
    return [{ kind: 'admission', settle, text: `stays unless admission changes: ${doubt.why}` }];
  });
}

/** Each webhook and policy once, with a command that asks it and deletes nothing. */
function admissionFor(object: ApiObject, plan: Plan): readonly Condition[] {
  const { setup, cluster } = plan;
  const doubts = (cluster?.doubts ?? []).filter(({ by }) => by === 'admission');
  if (doubts.length === 0) return [];
  const related = relatedTo(object, plan);
  const byKey = new Map(setup.objects.map((one) => [keyOf(one), one]));
  const byWhy = new Map<string, ApiObject>();
  for (const doubt of doubts) {
    if (!related.has(doubt.object)) continue;
    const about = byKey.get(doubt.object);
    if (about === undefined) continue;
    // A person sends that DELETE; the others come from controllers.
    if (!byWhy.has(doubt.why) || isToBeDeleted(setup, about)) byWhy.set(doubt.why, about);
  }
  return [...byWhy].map(([why, about]): Condition => {
    const settle = dryRunOf(about, setup.kinds);
    return { kind: 'admission', settle, text: `goes if admission lets it through (${why})` };
  });
}

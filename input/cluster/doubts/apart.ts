import {
  type ApiObject,
  allFinalizers,
  CLAIM_FINALIZER,
  FOREGROUND,
  keyOf,
  ORPHAN,
  plainFinalizer,
  type Setup,
  STANDING_IN,
  VOLUME_FINALIZER,
} from '../../../model/index.ts';
import type { JudgedFinalizer, JudgedRow } from '../finalizers.ts';
import { remembered } from '../lookups.ts';

/**
 * In the model, the owner of a finalizer acts for all objects or for none. Where a dump says that
 * it acts for some only, or never for some, these get a finalizer that stands in for it (`STANDING_IN`).
 */

/** Actors of the model remove these, for all objects. */
const BY_ACTORS: readonly string[] = [
  ...[FOREGROUND, ORPHAN, CLAIM_FINALIZER, VOLUME_FINALIZER],
  'customresourcecleanup.apiextensions.k8s.io',
];

/** Whether objects can be set apart from others that have this finalizer. */
export function canBeApart(finalizer: string): boolean {
  return !BY_ACTORS.includes(finalizer) && plainFinalizer(finalizer) === finalizer;
}

/** All names that the cluster knows. */
export const namesIn = remembered(
  (objects: Setup['objects']) => new Set(objects.flatMap(allFinalizers)),
);

/** The row that speaks of this object; the finalizer as a whole, if none does. */
export function rowOf(judged: JudgedFinalizer, key: string): JudgedRow {
  return rowsByKey(judged.rows).get(key) ?? judged;
}

const rowsByKey = remembered(
  (rows: readonly JudgedRow[]) =>
    new Map<string, JudgedRow>(
      rows.flatMap((row) => row.objects.map((key) => [key, row] as const)),
    ),
);

/**
 * The setup in which the owners of these finalizers act for the objects for which they do, and never
 * for those for which they never do.
 *
 * @param unknownAct what is unknown acts for all others, so that these need no other name.
 */
export function withActing(
  setup: Setup,
  judged: readonly JudgedFinalizer[],
  unknownAct = false,
): Setup {
  const names = new Map<string, string>();
  const owners = new Map<string, 'cooperative' | 'stuck'>();
  /** What no operator takes off. */
  const left = new Set<string>();
  const isInSpec = new Set(setup.objects.flatMap(({ specFinalizers = [] }) => specFinalizers));
  for (const { finalizer, judgement, rows } of judged) {
    if (judgement === 'cooperative' || !canBeApart(finalizer) || isInSpec.has(finalizer)) continue;
    const isOther = (row: JudgedRow): boolean =>
      row.judgement === 'cooperative'
        ? judgement === 'stuck' || !unknownAct
        : row.judgement === 'stuck' && judgement === 'unknown';
    for (const row of rows.filter(isOther)) {
      const isStuck = row.judgement === 'stuck';
      const suffix = STANDING_IN[isStuck ? 2 : row.byHand === true ? 1 : 0];
      // Objects have a finalizer of that name, of which something else may be true.
      if (namesIn(setup.objects).has(`${finalizer}${suffix}`)) continue;
      for (const key of row.objects) {
        const id = `${key} ${finalizer}`;
        names.set(id, `${finalizer}${suffix}`);
        owners.set(`${finalizer}${suffix}`, isStuck ? 'stuck' : 'cooperative');
        if (isStuck || row.byHand === true) left.add(id);
      }
    }
  }
  if (names.size === 0) return setup;
  const { operators } = setup;
  const nameOn = (key: string, finalizer: string): string =>
    names.get(`${key} ${finalizer}`) ?? finalizer;
  return {
    ...setup,
    objects: setup.objects.map((object): ApiObject => {
      const finalizers = object.finalizers.map((name) => nameOn(keyOf(object), name));
      return finalizers.some((name, index) => name !== object.finalizers[index])
        ? { ...object, finalizers }
        : object;
    }),
    ...(operators === undefined
      ? {}
      : {
          operators: operators.flatMap((given) => {
            const { finalizer, parent, after } = given;
            if (finalizer === undefined) return [given];
            const operator =
              after === undefined
                ? given
                : { ...given, after: after.map((name) => nameOn(parent.key, name)) };
            // Without its finalizer, the operator of the object tears nothing down.
            if (left.has(`${parent.key} ${finalizer}`)) return [];
            const name = nameOn(parent.key, finalizer);
            return name === finalizer
              ? [operator]
              : [{ ...operator, finalizer: name, fairness: 'weak' as const }];
          }),
        }),
    finalizers: {
      ...setup.finalizers,
      ...Object.fromEntries(owners),
    },
  };
}

/**
 * The same judgement where the owner of the finalizer acts for these objects, or a person takes it
 * off them.
 */
export function actingFor(
  judged: JudgedFinalizer,
  keys: ReadonlySet<string>,
  byHand: boolean,
): JudgedFinalizer {
  const acting = {
    ...{ judgement: 'cooperative' as const, evidence: judged.evidence, settle: null, held: null },
    ...{ runs: true, known: judged.known, reached: judged.reached, byHand, runner: null },
  };
  const left = judged.rows.flatMap((row): readonly JudgedRow[] => {
    const objects = row.objects.filter((key) => !keys.has(key));
    return objects.length === 0 ? [] : [{ ...row, objects }];
  });
  const objects = judged.objects.filter((key) => keys.has(key));
  const isWhole = left.every(({ judgement }) => judgement === 'cooperative');
  return {
    ...judged,
    ...(isWhole ? { judgement: 'cooperative' as const } : {}),
    rows: [...left, ...(objects.length === 0 ? [] : [{ ...acting, objects }])],
  };
}

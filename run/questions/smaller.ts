import { byUidIn } from '../../input/cluster/lookups.ts';
import { deletesOf, isToBeDeleted } from '../../input/cluster/requests.ts';
import { displayName } from '../../input/manifests/names.ts';
import type { Plan } from '../../input/plan.ts';
import { type ApiObject, kindOf, type Setup } from '../../model/index.ts';
import type { Basis, ObjectFate } from '../../report/document/answer.ts';
import { groupedBy, plural, secondsWords, someNames } from '../../text/layout.ts';
import { inPostOrder } from '../../text/orders.ts';
import { type Budget, type Decision, wasFull } from './deciding/decision.ts';

/** Fewer objects, owners or DELETEs are not what makes a question large. */
const MANY = 8;

/** What was found out before a limit was hit. */
interface Found {
  readonly basis: Basis;
  readonly fates: readonly ObjectFate[];
  readonly decisions: readonly Decision[];
  /** Whether the question is about all policies. */
  readonly isCompared: boolean;
}

/**
 * Where a limit was hit: what of the input makes the question large, and what to ask instead.
 * Empty: none was.
 */
export function smallerQuestions(
  plan: Plan,
  { basis, fates, decisions, isCompared }: Found,
  limits: Budget['limits'],
): readonly string[] {
  const isLimited = fates.some(({ on }) => on.some(({ kind }) => kind === 'limit'));
  if (!isLimited && !CUT.includes(basis.kind)) return [];
  const { setup, cluster } = plan;
  const open = (cluster?.finalizers ?? []).filter(({ judgement }) => judgement === 'unknown');
  const siblings = largestFamily(setup);
  const large = [
    ...(siblings === null ? [] : [familyWords(siblings, setup)]),
    ...chainWords(setup),
    ...(open.length < 2
      ? []
      : [
          `${plural(open.length, 'finalizer')} whose owner may act or not (${someNames(open.map(({ finalizer }) => finalizer))})`,
        ]),
    ...manyDeletes(setup),
  ];
  const what = large.length === 0 ? [plural(setup.objects.length, 'object')] : large;
  const [sample] = siblings ?? [];
  const [finalizer] = open;
  const policies = new Set(deletesOf(setup).map(({ options }) => options.propagationPolicy));
  const isFull = decisions.some(wasFull);
  const cheaper = [
    ...(deletesOf(setup).length > 1 ? ['about one object at a time'] : []),
    ...(sample === undefined || isToBeDeleted(setup, sample)
      ? []
      : [`about one of them first, such as ${displayName(sample)}`]),
    ...(policies.has('Foreground') || policies.has('Orphan')
      ? [isCompared ? 'reapcheck delete about one policy' : 'with --cascade background']
      : []),
    ...(finalizer === undefined
      ? []
      : [
          `with --cooperative-finalizer or --stuck-finalizer ${finalizer.finalizer}, if you know what its owner does`,
        ]),
  ];
  const asked = cheaper.length === 0 ? [] : [`ask ${cheaper.join(', or ')}`];
  // A search of all of them together hardly ends, and nothing else needs more time.
  const cut = decisions.filter(({ by }) => by !== 'search');
  const isHopeless = asked.length > 0 && cut.every(({ isExhausted }) => isExhausted === true);
  return [
    `what makes this question large: ${what.join('; ')}`,
    [...asked, ...(isHopeless ? [] : [more(limits, isFull)])].join('; or '),
  ];
}

const CUT: readonly Basis['kind'][] = ['none', 'walks', 'parts', 'some'];

function more({ seconds, megabytes }: Budget['limits'], isFull: boolean): string {
  if (isFull) {
    const than = megabytes === undefined ? 'more memory' : `more than ${megabytes} MB`;
    return `give it ${than} (--memory)`;
  }
  return `give it ${seconds === undefined ? 'more time' : `more than ${secondsWords(seconds)}`} (--timeout)`;
}

/** The most objects of one kind that have the same owners; null: few have. */
function largestFamily({ objects }: Setup): readonly ApiObject[] | null {
  const families = groupedBy(objects, ({ kind, namespace, ownerReferences }) =>
    JSON.stringify([kind, namespace, ownerReferences.map(({ uid }) => uid).sort()]),
  );
  let largest: readonly ApiObject[] = [];
  for (const family of families.values()) if (family.length > largest.length) largest = family;
  return largest.length < MANY ? null : largest;
}

function familyWords(family: readonly ApiObject[], { objects }: Setup): string {
  const [first, last] = [family[0], family.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a family has members');
  const byUid = byUidIn(objects);
  const owners = first.ownerReferences.map(({ uid, kind, name }) => {
    const owner = byUid.get(uid);
    return owner === undefined ? `${kind}/${name}` : displayName(owner);
  });
  const of = owners.length === 0 ? '' : ` of ${someNames(owners)}`;
  const kind = first.kind.split('.')[0] ?? '';
  return `${plural(family.length, `${kind} object`)}${of}, ${displayName(first)} to ${displayName(last)}`;
}

/** The object with the longest way up through its owners. */
function chainWords({ objects }: Setup): readonly string[] {
  const byUid = byUidIn(objects);
  const ownersOf = ({ ownerReferences }: ApiObject): readonly ApiObject[] =>
    ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? []);
  const depths = new Map<ApiObject, number>();
  let [deepest, most]: [ApiObject | null, number] = [null, 0];
  for (const object of inPostOrder(objects, ownersOf)) {
    let depth = 0;
    // An owner in a cycle may come later.
    for (const owner of ownersOf(object)) depth = Math.max(depth, 1 + (depths.get(owner) ?? 0));
    depths.set(object, depth);
    if (depth > most) [deepest, most] = [object, depth];
  }
  if (deepest === null || most < MANY) return [];
  return [`the chain of ${most} owners above ${displayName(deepest)}`];
}

function manyDeletes(setup: Setup): readonly string[] {
  const deletes = deletesOf(setup);
  if (deletes.length < MANY) return [];
  const kinds = new Set(deletes.map(({ key }) => kindOf(key)));
  return [`DELETEs of ${plural(deletes.length, 'object')} of ${plural(kinds.size, 'kind')}`];
}

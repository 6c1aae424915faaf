import type { ClusterAround } from '../../input/cluster/around.ts';
import { remembered } from '../../input/cluster/lookups.ts';
import { workloadsOf } from '../../input/cluster/observed/finalizer-owners.ts';
import type { Explanation } from '../../input/manifests/explanation.ts';
import { displayName } from '../../input/manifests/names.ts';
import type { ApiObject } from '../../model/index.ts';
import type { Wait } from '../../report/document/answer.ts';
import { plural } from '../../text/layout.ts';
import type { Hanging } from './remedies/option.ts';

/** The ways from an object that hangs to the last reasons, in words. */
export interface Chains {
  readonly texts: readonly string[];
  readonly cycle: boolean;
}

/** More chains than this say nothing new. */
const MOST = 4;

/** What each object that hangs waits for in the end. Chains begin where nothing else waits. */
export function chainsOf(
  hanging: readonly Hanging[],
  explanation: Explanation,
): ReadonlyMap<string, Chains> {
  const byName = new Map(hanging.map((one) => [displayName(one.object), one]));
  const next = (wait: Wait): Hanging | null => followed(wait, byName, explanation);
  const waitedFor = new Set(
    hanging.flatMap(({ object, waits }) =>
      waits.flatMap((wait) => {
        const other = next(wait);
        return other === null || other.object === object ? [] : [displayName(other.object)];
      }),
    ),
  );
  const found = new Map<string, Chains>();
  const told = new Set<string>();
  const tell = (name: string, one: Hanging): void => {
    const chains = walk(one, next, told);
    found.set(name, chains);
  };
  for (const [name, one] of byName) if (!waitedFor.has(name)) tell(name, one);
  // Those that nobody reached wait for each other.
  for (const [name, one] of byName) if (!told.has(name)) tell(name, one);
  return found;
}

/** The object that this wait leads to: what it names, or what runs the owner of the finalizer. */
function followed(
  wait: Wait,
  byName: ReadonlyMap<string, Hanging>,
  { plan, dump }: Explanation,
): Hanging | null {
  if (wait.for !== 'finalizer') return byName.get(wait.what) ?? null;
  if (plan.cluster === null) return null;
  for (const workload of ownersIn(plan.cluster)(wait.what, dump)) {
    const found = byName.get(displayName(workload));
    if (found !== undefined) return found;
  }
  return null;
}

/** The workloads that run the owner of a finalizer: many objects wait for the same ones. */
const ownersIn = remembered(({ finalizers }: ClusterAround) => {
  const known = new Map(finalizers.map((judged) => [judged.finalizer, judged.known]));
  const found = new Map<string, readonly ApiObject[]>();
  return (finalizer: string, { objects }: Explanation['dump']): readonly ApiObject[] => {
    const owner = known.get(finalizer);
    if (!owner) return [];
    const workloads =
      found.get(finalizer) ??
      workloadsOf(
        owner,
        objects.map(({ object }) => object),
      );
    found.set(finalizer, workloads);
    return workloads;
  };
});

/** What nothing else explains comes first. */
const RANKS: readonly Wait['for'][] = ['api', 'kubelet', 'removal', 'finalizer'];

function rankOf(wait: Wait): number {
  const place = RANKS.indexOf(wait.for);
  return place < 0 ? RANKS.length : place;
}

/** So many objects of a chain are named; what is between them and the last one is only counted. */
const NAMED = 20;

/** An object on the way, with its waits that are left, and the words that lead to it. */
interface Link {
  readonly one: Hanging;
  readonly words: string;
  readonly waits: Iterator<Wait>;
}

/** A chain can be as long as a dump, so no function calls itself for it. */
function walk(start: Hanging, next: (wait: Wait) => Hanging | null, told: Set<string>): Chains {
  const texts = new Map<string, { readonly text: string; readonly wait: Wait }>();
  let cycle = false;
  const path: Link[] = [];
  const above = new Set<ApiObject>();
  const visit = (one: Hanging, words: string): void => {
    const name = displayName(one.object);
    const isFirst = !told.has(name) || path.length === 0;
    told.add(name);
    if (!isFirst && path.length > 1) return;
    const last = path.at(-1);
    if (last !== undefined) above.add(last.one.object);
    path.push({ one, words, waits: one.waits[Symbol.iterator]() });
  };
  visit(start, '');
  for (let link = path.at(-1); link !== undefined; link = path.at(-1)) {
    const { one, words, waits } = link;
    const { value: wait } = waits.next();
    if (wait === undefined) {
      path.pop();
      const last = path.at(-1);
      if (last !== undefined) above.delete(last.one.object);
      continue;
    }
    const name = displayName(one.object);
    const other = next(wait);
    const text = textOf(words, path[NAMED]?.words, path.length - NAMED, name, wait.text);
    if (other === null) {
      const key = `${wait.for} ${wait.what}`;
      if (!texts.has(key)) texts.set(key, { text, wait });
    } else if (other.object === start.object || above.has(other.object)) {
      cycle = true;
      texts.set(`cycle ${name}`, { text: `${text}: they wait for each other`, wait });
    } else visit(other, operatorWords(wait, other, text));
  }
  const sorted = [...texts.values()].sort((a, b) => rankOf(a.wait) - rankOf(b.wait));
  return { texts: sorted.map(({ text }) => text).slice(0, MOST), cycle };
}

/**
 * The words about an object and its reason.
 *
 * @param begin the words that lead to the last object that is named, if the chain is longer.
 * @param reason a sentence, mostly with the object as its subject.
 */
function textOf(
  words: string,
  begin: string | undefined,
  more: number,
  name: string,
  reason: string,
): string {
  if (words === '') return reason;
  const before =
    begin === undefined || more < 2
      ? words
      : `${begin}, which waits in turn for ${plural(more - 1, 'more object')}, up to ${name}`;
  if (!reason.startsWith(`${name} `)) return `${before}; ${reason}`;
  const isRelative = /, which [^,;]+$/.test(before) && !before.endsWith(name);
  return `${before}${isRelative ? ' and' : ','} which ${reason.slice(name.length + 1)}`;
}

function operatorWords(wait: Wait, { object }: Hanging, text: string): string {
  if (wait.for !== 'finalizer') return text;
  const upTo = text.slice(0, text.lastIndexOf(' waits for '));
  return `${upTo} waits for the removal of ${wait.what} by ${displayName(object)}`;
}

import { workloadsOf } from '../../input/cluster/observed/finalizer-owners.ts';
import type { Explanation } from '../../input/manifests/explanation.ts';
import { displayName } from '../../input/manifests/names.ts';
import type { ApiObject } from '../../model/index.ts';
import type { Wait } from '../../report/document/answer.ts';
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
  const known = plan.cluster?.finalizers.find(({ finalizer }) => finalizer === wait.what)?.known;
  if (!known) return null;
  const objects = dump.objects.map(({ object }) => object);
  for (const workload of workloadsOf(known, objects)) {
    const found = byName.get(displayName(workload));
    if (found !== undefined) return found;
  }
  return null;
}

/** What nothing else explains comes first. */
const RANKS: readonly Wait['for'][] = ['api', 'kubelet', 'removal', 'finalizer'];

function rankOf(wait: Wait): number {
  const place = RANKS.indexOf(wait.for);
  return place < 0 ? RANKS.length : place;
}

function walk(start: Hanging, next: (wait: Wait) => Hanging | null, told: Set<string>): Chains {
  const texts = new Map<string, { readonly text: string; readonly wait: Wait }>();
  let cycle = false;
  const visit = (one: Hanging, words: string, path: readonly ApiObject[]): void => {
    const name = displayName(one.object);
    const isFirst = !told.has(name) || path.length === 0;
    told.add(name);
    if (!isFirst && path.length > 1) return;
    for (const wait of one.waits) {
      const other = next(wait);
      const reason = clause(wait, name);
      const text = words === '' ? `${name} ${reason}` : `${words}, which ${reason}`;
      if (other === null) {
        const key = `${wait.for} ${wait.what}`;
        if (!texts.has(key)) texts.set(key, { text, wait });
      } else if (other.object === start.object || path.includes(other.object)) {
        cycle = true;
        texts.set(`cycle ${name}`, { text: `${text}: they wait for each other`, wait });
      } else visit(other, operatorWords(wait, other, text), [...path, one.object]);
    }
  };
  visit(start, '', []);
  const sorted = [...texts.values()].sort((a, b) => rankOf(a.wait) - rankOf(b.wait));
  return { texts: sorted.map(({ text }) => text).slice(0, MOST), cycle };
}

/** The text of a wait without its subject. */
function clause({ text }: Wait, name: string): string {
  return text.startsWith(`${name} `) ? text.slice(name.length + 1) : text;
}

function operatorWords(wait: Wait, { object }: Hanging, text: string): string {
  if (wait.for !== 'finalizer') return text;
  const upTo = text.slice(0, text.lastIndexOf(' waits for '));
  return `${upTo} waits for the removal of ${wait.what} by ${displayName(object)}`;
}

import { groupedBy, leastOf, plural, someNames } from '../../text/layout.ts';
import type { Answer, ObjectFate, Outcome, Wait } from '../document/answer.ts';

/** Why objects do not simply go: each reason once, what no other reason explains first. */

/** A reason, with the objects that it is the reason for; none if the text names them. */
export interface Reason {
  readonly text: string;
  readonly names: readonly string[];
}

/** A reason of one object. Reasons with the same key are told as one. */
interface Told {
  readonly key: string;
  readonly rank: Rank;
  /** The object; empty: the text names it. */
  readonly name: string;
  /** Without the name of the object. */
  readonly text: string;
  readonly wait: Wait | null;
}

/**
 * 0: nothing else explains it. 1: it is over by itself once other things are. 2: it only leads on.
 */
type Rank = 0 | 1 | 2;

export function reasonsOf({ fates }: Outcome, answer: Answer): readonly Reason[] {
  const { objects } = answer;
  const waiting = new Set(
    objects.flatMap(({ name }, index) => (isWaiting(fates[index]) ? [name] : [])),
  );
  const told = fates.flatMap((fate, index): readonly Told[] => {
    const object = objects[index];
    if (object === undefined) return [];
    const { name } = object;
    const owner = objects[object.parent ?? -1]?.name;
    const { because } = fate;
    const plain = (text: string, named: string): Told => {
      return { key: text, rank: 0, name: named, text, wait: null };
    };
    return [
      // The tree shows that already.
      ...(because === undefined || because === `its owner ${owner} goes`
        ? []
        : [plain(because, name)]),
      ...conditionsOf(fate).map((text) => plain(text, name)),
      ...waitsOf(fate, object.asked).map((wait) => toldOf(wait, name, waiting, answer)),
    ];
  });
  const groups = [...groupedBy(told, ({ key }) => key).values()].map((group) => ({
    rank: leastOf(group.map(({ rank }) => rank)),
    reason: reasonOf(group),
  }));
  return groups.sort((a, b) => a.rank - b.rank).map(({ reason }) => reason);
}

/** Why one object does not simply go. */
export function reasonsFor(fate: ObjectFate, asked: boolean): readonly string[] {
  return [...conditionsOf(fate), ...waitsOf(fate, asked).map(({ text }) => text)];
}

function conditionsOf({ fate, on }: ObjectFate): readonly string[] {
  return fate === 'depends' || fate === 'unknown' ? on.map(({ text }) => text) : [];
}

function waitsOf({ fate, waits }: ObjectFate, asked: boolean): readonly Wait[] {
  return fate === 'hangs' || (fate === 'stays' && asked) ? waits : [];
}

/** Whether the answer gives reasons why the object does not go. */
export function isWaiting(fate: ObjectFate | undefined): boolean {
  return fate?.fate === 'hangs' || fate?.fate === 'depends' || fate?.fate === 'unknown';
}

function toldOf(wait: Wait, name: string, waiting: ReadonlySet<string>, answer: Answer): Told {
  const isOwn = wait.text.startsWith(`${name} waits for `);
  const text = isOwn ? wait.text.slice(name.length + 1) : wait.text;
  const told = { name: isOwn ? name : '', text, wait };
  if (leadsOn(wait, waiting)) {
    return { ...told, rank: 2, key: `${wait.for} ${name.slice(0, name.indexOf('/'))}` };
  }
  if (SEVERAL[wait.for] === undefined) {
    const judged = answer.finalizers.find(({ finalizer }) => finalizer === wait.what);
    const isLast = wait.for !== 'finalizer' || judged?.judgement !== 'cooperative';
    return { ...told, rank: isLast ? 0 : 1, key: text };
  }
  return { ...told, rank: 0, key: wait.for === 'kubelet' ? wait.for : `${wait.for} ${name}` };
}

/** Whether a wait only leads on to an object that waits itself. */
function leadsOn(wait: Wait, waiting: ReadonlySet<string>): boolean {
  return wait.for !== 'kubelet' && SEVERAL[wait.for] !== undefined && waiting.has(wait.what);
}

/**
 * What is waited for where that is several objects or nodes: of one object, and of each of several.
 */
const SEVERAL: Partial<
  Record<Wait['for'], { readonly one: (count: number) => string; readonly each: string }>
> = {
  dependent: { one: (count) => plural(count, 'dependent'), each: 'its dependents' },
  contents: { one: (count) => `${plural(count, 'object')} in it`, each: 'what is in it' },
  instances: { one: (count) => plural(count, 'instance'), each: 'its instances' },
  users: { one: (count) => `${plural(count, 'object')} that use it`, each: 'what uses it' },
  tracked: {
    one: (count) => `${plural(count, 'object')} that it tracks`,
    each: 'what it tracks',
  },
  kubelet: {
    one: (count) => plural(count, 'kubelet'),
    each: 'the kubelet of its node to end its grace period',
  },
};

function reasonOf(group: readonly Told[]): Reason {
  const names = [...new Set(group.flatMap(({ name }) => (name === '' ? [] : [name])))];
  const texts = [...new Set(group.map(({ text }) => text))];
  const [name = ''] = names;
  const [text = ''] = texts;
  const { wait = null } = group[0] ?? {};
  const several = wait === null ? undefined : SEVERAL[wait.for];
  if (texts.length === 1 || several === undefined) {
    const isOwn = names.length === 1 && text.startsWith('waits for ');
    return isOwn ? { text: `${name} ${text}`, names: [] } : { text, names };
  }
  const whats = [...new Set(group.flatMap((one) => one.wait?.what ?? []))];
  if (names.length > 1) return { text: `waits for ${several.each}`, names };
  return {
    text: `${name} waits for ${several.one(whats.length)}: ${someNames(whats)}`,
    names: [],
  };
}

export function reasonWords({ text, names }: Reason): string {
  return names.length === 0 ? text : `${someNames(names)}: ${text}`;
}

/**
 * What an object waits for in the end: the first wait that does not only lead on to an object that
 * waits itself. Undefined: it waits for nothing.
 *
 * @param waits by name of the object, of all that do not simply go.
 */
export function lastWait(
  name: string,
  waits: ReadonlyMap<string, readonly Wait[]>,
): Wait | undefined {
  const waiting = new Set(waits.keys());
  const seen = new Set([name]);
  for (const one of seen) {
    const own = waits.get(one) ?? [];
    const last = own.find((wait) => !leadsOn(wait, waiting));
    if (last !== undefined) return last;
    for (const { what } of own) seen.add(what);
  }
  return waits.get(name)?.[0];
}

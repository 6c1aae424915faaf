import { beliefDifferences } from '../view/belief.ts';
import type { ObjectView } from '../view/objects.ts';
import type { OwnerView } from '../view/owners.ts';
import type { Snapshot } from '../view/snapshot.ts';
import type { Card, Half, Line } from './browser/run-data.ts';

/** One state in the words and marks that the picture shows. */
export interface Scene {
  readonly cards: Readonly<Record<string, Card>>;
  readonly lines: Readonly<Record<string, Line>>;
  readonly waiting: Snapshot['waiting'];
  readonly work: Snapshot['work'];
}

export function sceneOf(snapshot: Snapshot): Scene {
  const differing = new Set(beliefDifferences(snapshot).map(({ uid }) => uid));
  return {
    cards: mapped(snapshot.objects, (view, uid) => cardOf(view, differing.has(uid))),
    lines: mapped(snapshot.owners, (view) => lineOf(view, snapshot)),
    waiting: snapshot.waiting,
    work: snapshot.work,
  };
}

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, change(value, key)]),
  );
}

function cardOf(view: ObjectView, differs: boolean): Card {
  return {
    name: view.name,
    stored: storedHalf(view),
    believed: believedHalf(view),
    differs,
    rows: [
      ...(view.stored?.finalizers ?? []).map((text) => ({ kind: 'finalizer', text }) as const),
      ...(view.stored?.notes ?? []).map((text) => ({ kind: 'note', text }) as const),
      ...(view.believed?.otherName === undefined
        ? []
        : [{ kind: 'note', text: `graph: ${view.believed.otherName}` } as const]),
    ],
  };
}

function storedHalf({ stored }: ObjectView): Half {
  if (stored === null) return { word: 'not stored', tone: 'absent' };
  return stored.beingDeleted
    ? { word: 'being deleted', tone: 'leaving' }
    : { word: 'stored', tone: 'there' };
}

function believedHalf({ believed, unwatched }: ObjectView): Half {
  if (believed === null) {
    return { word: unwatched === true ? 'not watched' : 'not in graph', tone: 'absent' };
  }
  if (believed.virtual) return { word: 'virtual', tone: 'absent' };
  if (believed.deletingDependents) return { word: 'deletingDependents', tone: 'leaving' };
  return believed.beingDeleted
    ? { word: 'being deleted', tone: 'leaving' }
    : { word: 'in graph', tone: 'there' };
}

function lineOf({ dependent, owner, stored, believed }: OwnerView, { objects }: Snapshot): Line {
  const where = WHERE[`${stored !== null}-${believed !== null}`];
  const blocking = (stored ?? believed) === 'blocking';
  const name = (uid: string): string => objects[uid]?.name ?? `uid ${uid}`;
  const how = blocking ? ' (blocking)' : '';
  const place = { both: '', stored: ', not in the graph', believed: ', in the graph only' }[where];
  return { where, blocking, about: `${name(dependent)} has owner ${name(owner)}${how}${place}` };
}

const WHERE = {
  'true-true': 'both',
  'true-false': 'stored',
  'false-true': 'believed',
  'false-false': 'both',
} as const;

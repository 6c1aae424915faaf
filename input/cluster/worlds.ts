import type { FinalizerOwner, Setup, Uid } from '../../model/index.ts';
import type { ClusterAround } from './around.ts';
import { withActing } from './doubts/apart.ts';
import { served, unserved } from './doubts/owners.ts';
import { type AlikeSetup, complete, thinned } from './likeness/alike.ts';
import { remembered } from './lookups.ts';
import { type Ending, withEnding } from './operating/ending.ts';
import { withOwners } from './operators.ts';
import { type Division, divided } from './parts.ts';
import { pieceIn, piecesOf, type Shown } from './pieces.ts';

/**
 * One assumption about what a dump does not say. A fate that is the same in every world is known;
 * one that differs depends on what the worlds differ in.
 */
export interface World {
  /**
   * `act`: unknown owners of finalizers remove them. `never`: none of them acts. `may`: each may
   * act or not, so the runs of the other two are among the runs of this one.
   */
  readonly finalizers: 'act' | 'may' | 'never';
  /** Whether the owners of kinds that the dump lacks are there, and whether what is doubtful may be. */
  readonly owners: 'there' | 'gone';
  /** How many of the objects that are alike are kept; null: all. */
  readonly alike: number | null;
  /** The only part that is kept, by its number; null: all. */
  readonly part: Part | null;
}

/** A part of a setup. */
export type Part =
  /** One of `divided`, with nothing but these others beside it. */
  | { readonly division: Division; readonly number: number; readonly beside?: readonly number[] }
  /** One of `piecesOf`, beside everything that is around it. */
  | {
      readonly division: 'pieces';
      readonly number: number;
      readonly shown: Shown;
      /** The places of the pods that `piecesOf` was given. Absent: none. */
      readonly holders?: readonly number[];
      /** Absent: operators are as they are. */
      readonly operators?: Ending;
    };

export const PLAIN_WORLD: World = { finalizers: 'act', owners: 'there', alike: null, part: null };

/** The worlds that a dump leaves open, the plain one first. */
export function worldsOf({
  finalizers,
  unknownOwners,
  doubtfulOwners,
}: ClusterAround): readonly World[] {
  const doubtful = finalizers.some(({ judgement }) => judgement === 'unknown');
  const owners: readonly World['owners'][] =
    unknownOwners.length + doubtfulOwners.length === 0 ? ['there'] : ['there', 'gone'];
  return owners.flatMap((owner): readonly World[] => [
    { ...PLAIN_WORLD, owners: owner },
    ...(doubtful ? [{ ...PLAIN_WORLD, owners: owner, finalizers: 'may' as const }] : []),
  ]);
}

/** The setup in a world, and what was left out of it as alike. */
export function setupIn(setup: Setup, cluster: ClusterAround, world: World): AlikeSetup {
  const changed = wholeIn(setup, cluster, world);
  const one = world.part === null ? changed : partOf(changed, world.part);
  const thin = world.alike === null ? null : thinned(one, world.alike);
  return thin ?? complete(one);
}

/** All objects in a world. It is made once, so that its parts are found once. */
function wholeIn(setup: Setup, cluster: ClusterAround, world: World): Setup {
  const known = wholesOf(setup);
  const of = known.get(cluster) ?? new Map<string, Setup>();
  known.set(cluster, of);
  const name = `${world.finalizers} ${world.owners}`;
  const made = of.get(name) ?? makeWhole(setup, cluster, world);
  of.set(name, made);
  return made;
}

const wholesOf = remembered((_setup: Setup) => new WeakMap<ClusterAround, Map<string, Setup>>());

function makeWhole(setup: Setup, cluster: ClusterAround, world: World): Setup {
  const unknown = cluster.finalizers.filter(({ judgement }) => judgement === 'unknown');
  const absent = new Set<Uid>(cluster.unknownOwners.map(({ reference }) => reference.uid));
  const names = unknown.map(({ finalizer }) => finalizer);
  const apart = withActing(setup, cluster.finalizers, world.finalizers === 'act');
  const owned = ownedIn(world, apart, names);
  // The operators of unknown finalizers may stop at any time, unless a world says that they act.
  return {
    ...owned,
    ...(world.finalizers !== 'may'
      ? {}
      : {
          finalizers: {
            ...owned.finalizers,
            ...Object.fromEntries(
              unknown.map(({ finalizer }): [string, FinalizerOwner] => [finalizer, 'unknown']),
            ),
          },
        }),
    ...(world.owners === 'there'
      ? { objects: unserved(owned.objects, cluster.doubtfulOwners) }
      : {
          objects: served(
            owned.objects.filter(({ uid }) => !absent.has(uid)),
            cluster.doubtfulOwners,
          ),
        }),
  };
}

function ownedIn({ finalizers }: World, setup: Setup, unknown: readonly string[]): Setup {
  switch (finalizers) {
    case 'act':
      return withOwners(setup, unknown, 'cooperative');
    case 'never':
      return withOwners(setup, unknown, 'stuck');
    case 'may':
      return setup;
    default:
      throw new Error(`unknown world ${finalizers satisfies never}`);
  }
}

function partOf(setup: Setup, part: Part): Setup {
  if (part.division !== 'pieces') {
    const parts = divided(setup, part.division);
    const one = parts[part.number];
    if (one === undefined) return setup;
    const { beside = [] } = part;
    const others = beside.flatMap((number) => parts[number] ?? []);
    return others.length === 0 ? one.setup : one.beside(others);
  }
  const holders = (part.holders ?? []).flatMap((place) => setup.objects[place]?.uid ?? []);
  const given = part.operators === undefined ? setup : withEnding(setup, part.operators);
  const piece = piecesOf(given, holders)?.[part.number];
  return piece === undefined ? setup : pieceIn(given, piece, part.shown);
}

/** What a world assumes, in words; empty for the plain one. */
export function worldWords({ finalizers, owners, alike, part }: World): readonly string[] {
  return [
    ...FINALIZER_WORDS[finalizers],
    ...(owners === 'gone' ? ['owners that the dump lacks are gone'] : []),
    ...(part === null ? [] : [PART_WORDS[part.division]]),
    ...(alike === null ? [] : [`at most ${alike} of each group of alike objects`]),
  ];
}

const FINALIZER_WORDS: Readonly<Record<World['finalizers'], readonly string[]>> = {
  act: [],
  may: ['unknown owners of finalizers may never act'],
  never: ['unknown owners of finalizers never act'],
};

const PART_WORDS: Readonly<Record<Part['division'], string>> = {
  trees: 'one tree of objects by itself',
  chains: 'one chain of owners by itself',
  pieces: 'one object with its owners, beside everything around them',
};

import type { FinalizerOwner, Setup, Uid } from '../../model/index.ts';
import { type AlikeSetup, thinned } from './alike.ts';
import type { ClusterAround } from './around.ts';
import { besideOthers } from './chains.ts';
import { withOwners } from './operators.ts';
import { type Division, divided } from './parts.ts';

/**
 * One assumption about what a dump does not say. A fate that is the same in every world is known; one
 * that differs depends on what the worlds differ in.
 */
export interface World {
  /** `act`: unknown owners of finalizers remove them. `may`: they may, or may never act. */
  readonly finalizers: 'act' | 'may';
  /** Whether the owners of kinds that the dump lacks are there. */
  readonly owners: 'there' | 'gone';
  /** How many of the objects that are alike are kept; null: all. */
  readonly alike: number | null;
  /** The only part that is kept, by its number; null: all. */
  readonly part: Part | null;
}

/** A part of a setup (`divided`). */
export interface Part {
  readonly division: Division;
  readonly number: number;
  /**
   * Null: there is nothing besides the part. Otherwise the part is beside all other dependents of
   * its owners (`besideOthers`); those of the owners at these places all leave in the end.
   */
  readonly leaving: readonly number[] | null;
}

export const PLAIN_WORLD: World = { finalizers: 'act', owners: 'there', alike: null, part: null };

/** The worlds that a dump leaves open, the plain one first. */
export function worldsOf({ finalizers, unknownOwners }: ClusterAround): readonly World[] {
  const doubtful = finalizers.some(({ judgement }) => judgement === 'unknown');
  const owners: readonly World['owners'][] =
    unknownOwners.length === 0 ? ['there'] : ['there', 'gone'];
  return owners.flatMap((owner): readonly World[] => [
    { ...PLAIN_WORLD, owners: owner },
    ...(doubtful ? [{ ...PLAIN_WORLD, owners: owner, finalizers: 'may' as const }] : []),
  ]);
}

/** The setup in a world, and what was left out of it as alike. */
export function setupIn(setup: Setup, cluster: ClusterAround, world: World): AlikeSetup {
  const unknown = cluster.finalizers.filter(({ judgement }) => judgement === 'unknown');
  const absent = new Set<Uid>(cluster.unknownOwners.map(({ reference }) => reference.uid));
  const names = unknown.map(({ finalizer }) => finalizer);
  // The operators of unknown finalizers may stop at any time, unless a world says that they act.
  const owned = world.finalizers === 'act' ? withOwners(setup, names, 'cooperative') : setup;
  const changed: Setup = {
    ...owned,
    ...(world.finalizers === 'act'
      ? {}
      : {
          finalizers: {
            ...setup.finalizers,
            ...Object.fromEntries(
              unknown.map(({ finalizer }): [string, FinalizerOwner] => [finalizer, 'unknown']),
            ),
          },
        }),
    ...(world.owners === 'there'
      ? {}
      : { objects: setup.objects.filter(({ uid }) => !absent.has(uid)) }),
  };
  const one = world.part === null ? changed : partOf(changed, world.part);
  const whole: AlikeSetup = { setup: one, likeness: new Map(), groups: [], classes: new Map() };
  return world.alike === null ? whole : (thinned(one, world.alike) ?? whole);
}

function partOf(setup: Setup, { division, number, leaving }: Part): Setup {
  const part = divided(setup, division)[number] ?? setup;
  return leaving === null ? part : besideOthers(setup, part, leaving);
}

/** What a world assumes, in words; empty for the plain one. */
export function worldWords({ finalizers, owners, alike, part }: World): readonly string[] {
  return [
    ...(finalizers === 'may' ? ['unknown owners of finalizers may never act'] : []),
    ...(owners === 'gone' ? ['owners that the dump lacks are gone'] : []),
    ...(part === null
      ? []
      : [
          part.division === 'trees'
            ? 'one tree of objects by itself'
            : `one chain of owners ${part.leaving === null ? 'by itself' : 'beside other dependents'}`,
        ]),
    ...(alike === null ? [] : [`at most ${alike} of each group of alike objects`]),
  ];
}

import type { Setup } from '../model/index.ts';
import type { CheckPlace } from './scenarios/check-place.ts';
import type { Variant } from './scenarios/museum.ts';
import type { Expectation } from './scenarios/scenario.ts';

/** Something to check, with all of the input read and found to be right. */
export interface Plan {
  readonly title: string;
  readonly about: string | null;
  readonly source: string | null;
  readonly protocol: string;
  readonly setup: Setup;
  /** Names of the properties to judge. */
  readonly properties: readonly string[];
  /** Those of them that were asked for by name. */
  readonly asked: readonly string[];
  /** Null: the plain verdicts count. */
  readonly expectation: Expectation | null;
  /** Whether to find out what becomes of each object. */
  readonly fates: boolean;
  readonly cut: readonly string[];
  readonly warnings: readonly string[];
  /** What was given on the command line for this plan alone; null: all that was given. */
  readonly given: string | null;
  /** What a token of a run names; null: no tokens can be made. */
  readonly subject: Subject | null;
  /** Which entry of the museum this is, and which side of it; null for anything else. */
  readonly museum: MuseumPlace | null;
  /** Where the input stands; null for stdin. */
  readonly place: CheckPlace | null;
}

export interface MuseumPlace {
  readonly entry: string;
  readonly variant: Variant;
  /** The property whose counterexample shows the entry. */
  readonly property: string;
}

/** Propagation policies by the words of `--cascade`. */
export const CASCADES = ['background', 'foreground', 'orphan'] as const;
export type Cascade = (typeof CASCADES)[number];

/** What a token is about: the input, and the options that change the model. */
export interface Subject {
  /** Names of scenarios or museum entries, or files, as they were given. */
  readonly inputs: readonly string[];
  /** Whether the name is that of an entry of the museum. */
  readonly museum: boolean;
  /** Which side of an entry of the museum; null for anything else. */
  readonly variant: Variant | null;
  /** Of a dump; none for a scenario. */
  readonly deletions: readonly string[];
  readonly cascade: Cascade;
  readonly namespace: string | null;
  readonly overrides: Overrides;
}

/** Options that change the model; each of them voids the expectations of a scenario. */
export interface Overrides {
  readonly protocol?: string;
  readonly rules: readonly { readonly name: string; readonly value: string }[];
  readonly stuckFinalizers: readonly string[];
  readonly deleteWorkers?: number;
  /** For each kind that is there. */
  readonly relists?: number;
}

export function overridesAnything(overrides: Overrides): boolean {
  return (
    overrides.protocol !== undefined ||
    overrides.rules.length > 0 ||
    overrides.stuckFinalizers.length > 0 ||
    overrides.deleteWorkers !== undefined ||
    overrides.relists !== undefined
  );
}

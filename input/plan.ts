import type { Setup } from '../model/index.ts';
import type { AroundOptions, ClusterAround } from './cluster/around.ts';
import type { World } from './cluster/worlds.ts';
import type { CheckPlace } from './scenarios/check-place.ts';
import type { Expectation } from './scenarios/scenario.ts';
import type { Variant } from './scenarios/terms.ts';

/** Something to check. All of its input has been read and validated. */
export interface Plan {
  readonly title: string;
  readonly about: string | null;
  readonly source: string | null;
  readonly protocol: string;
  readonly setup: Setup;
  /** Names of the properties to judge. */
  readonly properties: readonly string[];
  /** Of a question about a dump: the names of properties that must hold (`--expect`). */
  readonly expected?: readonly string[];
  /** Those of them that were requested by name. */
  readonly asked: readonly string[];
  /** Null: every violation counts. */
  readonly expectation: Expectation | null;
  /** Whether to determine the fate of each object. */
  readonly fates: boolean;
  readonly cut: readonly string[];
  /** The fields of a dump on which deletion does not depend, as a sentence; absent: none. */
  readonly unread?: string;
  readonly warnings: readonly string[];
  /** The input on the command line that this plan came from; null: all inputs. */
  readonly given: string | null;
  /** What tokens of runs refer to; null: tokens cannot be made. */
  readonly subject: Subject | null;
  /** The actors around the objects of a dump, and what the dump lacks; null for a scenario. */
  readonly cluster: ClusterAround | null;
  /** The entry and variant of the museum; null for other plans. */
  readonly museum: MuseumPlace | null;
  /** Where the check is in the input; null for stdin. */
  readonly place: CheckPlace | null;
}

export interface MuseumPlace {
  readonly entry: string;
  /** What goes wrong, as a sentence. */
  readonly title: string;
  readonly variant: Variant;
  /** The property whose counterexample shows the entry. */
  readonly property: string;
}

/**
 * The protocol of a dump, a live cluster or a served one, unless an option names another one:
 * people run new releases. A scenario without a protocol has `DEFAULT_PROTOCOL`, whose source the
 * model follows step by step.
 */
export const CLUSTER_PROTOCOL = 'newest';

/** The values of `--cascade`, as in kubectl. */
export const CASCADES = ['background', 'foreground', 'orphan'] as const;
export type Cascade = (typeof CASCADES)[number];

/** What a token refers to: the input, and the options that change the model. */
export interface Subject {
  /** Names of scenarios or museum entries, or files, as given on the command line. */
  readonly inputs: readonly string[];
  /** Index of the initial state, of a model that has several [0]. */
  readonly initial?: number;
  /** Whether the names are entries of the museum. */
  readonly museum: boolean;
  /** The variant of a museum entry; null for other inputs. */
  readonly variant: Variant | null;
  /** `KIND/NAME[.NAMESPACE]` in a dump; none for a scenario. */
  readonly deletions: readonly string[];
  readonly cascade: Cascade;
  /** Seconds of grace that the DELETEs ask for. Absent: those of each pod. */
  readonly grace?: number;
  readonly namespace: string | null;
  /** A file with properties that must hold, about the objects of a dump. Absent: none. */
  readonly expected?: string;
  readonly overrides: Overrides;
}

/** Options that change the model. With any of them, the expectations of a scenario do not apply. */
export interface Overrides {
  readonly protocol?: string;
  readonly rules: readonly { readonly name: string; readonly value: string }[];
  readonly stuckFinalizers: readonly string[];
  /** A file with further rows for the table of well-known finalizers. */
  readonly finalizerTable?: string;
  readonly deleteWorkers?: number;
  /** For each kind in the setup. */
  readonly relists?: number;
  /** Of a dump: what a person says of the cluster around it. */
  readonly around?: Omit<AroundOptions, 'stuck' | 'finalizers' | 'admitted' | 'uninstalls'> & {
    /** Objects, and names of webhooks and policies. */
    readonly admitted: readonly string[];
  };
  /** Of a dump: what is assumed of what the dump does not say. */
  readonly world?: World;
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

/**
 * Values that options and schemas of scenarios share. The command line needs them for `--help`, so
 * they are in a file that loads no schema.
 */

/** What an entry of the museum shows. */
export const MUSEUM_KINDS = ['defect', 'limitation', 'control'] as const;
export type MuseumKind = (typeof MUSEUM_KINDS)[number];

/** Each entry of the museum has both: with the historic defect, and with its fix. */
export const VARIANTS = ['before', 'after'] as const;
export type Variant = (typeof VARIANTS)[number];

/**
 * The highest number of delete workers, and of orphan workers. Each worker adds an actor and an
 * instance of each of its actions to the search.
 */
export const WORKERS_HIGHEST = 8;

/** The suite that `reapcheck gate` looks for in the working directory if none is named. */
export const SUITE_DEFAULT = 'reapcheck.suite.yaml';

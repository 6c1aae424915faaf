import fc from 'fast-check';

/**
 * Random tests try the same cases in each run, unless RANDOM_SEED names others: a change is to be
 * judged by what it does, and not by chance. Long runs with seeds of their own find what these
 * miss.
 */
fc.configureGlobal({ seed: Number(process.env.RANDOM_SEED ?? 20261126) });

/**
 * How many random models a test takes: RANDOM_MODELS of the environment, for long runs by hand, or
 * the number given, which CI has time for.
 */
export function randomRuns(usual: number): number {
  const asked = Number(process.env.RANDOM_MODELS);
  return Number.isSafeInteger(asked) && asked > 0 ? asked : usual;
}

/*
 * A long run: RANDOM_MODELS=40000 RANDOM_SEED=20261123 npx vitest run --project long
 * test/checker/random-models.long.test.ts test/checker/reductions
 */

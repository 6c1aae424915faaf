import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const TESTS = 'test/**/*.test.ts';
const LONG = 'test/**/*.long.test.ts';
const BROWSER = 'test/**/*.browser.test.ts';

/**
 * Three projects, chosen by the ending of a test file:
 *
 * - `unit`: `npm test`, about three minutes on two cores.
 * - `long`: `*.long.test.ts`; every scenario and recording, long random runs, the package itself.
 * - `browser`: `*.browser.test.ts`; needs Chromium, and is skipped without it.
 *
 * With `REAPCHECK_TESTS=all`, as `.ci/run` sets it, `unit` has all files: each project loads all
 * modules for itself. No test measures time: the limits below only end a test that hangs.
 */
const isAll = process.env.REAPCHECK_TESTS === 'all';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** So that both cores have work until the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) =>
      /\.(long|browser)\.test\.ts$/.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  // The examples import the package by its name, as their readers do.
  resolve: {
    alias: {
      'reapcheck/checker': source('checker/index.ts'),
      'reapcheck/model': source('input/library/index.ts'),
      'reapcheck/properties': source('properties/index.ts'),
      'reapcheck/fast-check': source('run/library/fast-check.ts'),
    },
  },
  test: {
    globalSetup: ['test/compiled.ts'],
    setupFiles: ['test/random.ts'],
    // One more than cores: a test that waits for another process leaves its core to the others.
    maxWorkers: availableParallelism() + 1,
    // Loading the modules anew for each file takes longer than the tests; none changes a module.
    isolate: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: [TESTS], exclude: isAll ? [] : [LONG, BROWSER] },
      },
      { extends: true, test: { name: 'long', include: [LONG] } },
      { extends: true, test: { name: 'browser', include: [BROWSER] } },
    ],
  },
});

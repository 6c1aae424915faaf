import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
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

const ROOT = dirname(fileURLToPath(import.meta.url));
const DIST = join(ROOT, 'dist');

/**
 * Where a test imports a source, it gets what `test/compiled.ts` has compiled of it: the code that
 * users run. Node loads it by itself, which takes a tenth of the time, and calls between modules
 * are faster than where the test runner links them.
 */
const compiled: Plugin = {
  name: 'compiled',
  enforce: 'pre',
  resolveId(name, importer) {
    if (importer === undefined || !/^\..*\.ts$/.test(name)) return null;
    const source = resolve(dirname(importer), name);
    const made = join(DIST, relative(ROOT, source).replace(/\.ts$/, '.js'));
    // There may be leftovers of a source that is gone.
    return existsSync(source) && existsSync(made) ? { id: made, external: true } : null;
  },
};

/** As `run/compiler.ts` does: an option of the V8 of Node 20, which later ones refuse. */
const OPTIMISE_LATER = process.versions.v8.startsWith('11.') ? ['--interrupt-budget=400000'] : [];

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
      'reapcheck/checker': join(DIST, 'checker/index.js'),
      'reapcheck/model': join(DIST, 'input/library/index.js'),
      'reapcheck/properties': join(DIST, 'properties/index.js'),
      'reapcheck/fast-check': join(DIST, 'run/library/fast-check.js'),
    },
  },
  plugins: [compiled],
  test: {
    server: { deps: { external: [/\/dist\//] } },
    globalSetup: ['test/compiled.ts'],
    setupFiles: ['test/random.ts'],
    // One more than cores: a test that waits for another process leaves its core to the others. Two
    // more made no difference.
    maxWorkers: availableParallelism() + 1,
    // Tests make much garbage that does not live long: with V8's own 16 MB for it, they take a fifth
    // more CPU. Threads that help to collect it take cores from other tests. And little code runs
    // long enough to be worth optimising: see run/compiler.ts.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc', ...OPTIMISE_LATER],
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

import type { CheckResult } from '../../checker/index.ts';
import { packageVersion } from '../../input/package-files.ts';
import { exitCodeOf } from './judge.ts';
import type { ResultDocument } from './result-document.ts';

/**
 * What a program got from `check` and stored, as the document of a check: so `render` and `replay`
 * show the results of the library as those of the command line. Every property was asked for.
 */
export function libraryDocument(result: CheckResult, file: string): ResultDocument {
  const judged = { expectation: null, asked: result.properties.map(({ name }) => name) };
  const exitCode = exitCodeOf(judged, result, []);
  return {
    schema: 'reapcheck.result/v1',
    command: `check of the library, in ${file}`,
    version: packageVersion(),
    answer: null,
    notRun: [],
    exitCode,
    checks: [
      {
        title: result.model,
        ...{ about: null, source: null, protocol: null, setup: null, museum: null, place: null },
        ...{ rules: {}, assumptions: [], cut: [], warnings: [], unmet: [], fates: [], tokens: [] },
        ...judged,
        met: exitCode === 0,
        exitCode,
        // A program has checked it, so there is no command line.
        again: '',
        result,
      },
    ],
  };
}

import {
  CheckerError,
  type CheckOptions,
  type CheckResult,
  DefectError,
  type Describer,
  type Limits,
} from '../../checker/index.ts';
import { exitCodeOf } from '../../report/document/judge.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { lateAfter, tokensOf } from '../assemble.ts';
import { adviceOnModel } from '../limit-advice.ts';
import { fileSubject } from '../tokens/subject.ts';
import { initialDigest, tokenWriter } from '../tokens/token.ts';
import { assumedIn } from './assumed.ts';
import type { AuthoredModel } from './authored.ts';
import { AUTHORED_ERRORS } from './errors.ts';

/** The question of a module, in the form that the checker takes. */
export type AuthoredQuestion = Pick<
  CheckOptions<unknown>,
  'model' | 'properties' | 'within' | 'advice'
> & {
  readonly describe: Describer<unknown>;
  readonly since: number;
};

/** How the properties are judged, and how to name it. */
export interface Answering {
  readonly title: string;
  readonly again: string;
  readonly limits: Limits;
  readonly how: 'search' | 'walks';
  /** Throws `CheckerError` if model or properties make no sense. */
  readonly answer: (question: AuthoredQuestion) => Promise<CheckResult>;
}

/** Reports the result that `answer` gives for the model of a module. Throws `InputError`. */
export async function reportOnModel(
  authored: AuthoredModel,
  { title, again, limits, how, answer }: Answering,
): Promise<CheckReport> {
  const since = performance.now();
  const { file, model, properties, words, within, place } = authored;
  const refused = (error: unknown): unknown =>
    error instanceof CheckerError || error instanceof DefectError
      ? AUTHORED_ERRORS.refused(file, error.message)
      : error;
  const result = await answer({
    model,
    properties,
    describe: words,
    since,
    advice: adviceOnModel(how),
    ...(within === null ? {} : { within }),
  }).catch((error: unknown) => {
    throw refused(error);
  });
  // The author has written every property, so each must be exercised.
  const judged = { expectation: null, asked: properties.map(({ name }) => name) };
  const exitCode = exitCodeOf(judged, result, []);
  const isLate = lateAfter(since, limits);
  const tokens = () => {
    // To digest a million initial states takes a second.
    const isTraced = result.properties.some(({ trace }) => trace !== null);
    if (!isTraced || isLate()) return [];
    const subject = fileSubject(authored.file);
    const write = tokenWriter(model, initialDigest(model), subject, isLate);
    try {
      return tokensOf(write, properties, result.properties);
    } catch (error) {
      throw refused(error);
    }
  };
  return {
    title,
    about: null,
    source: file,
    protocol: null,
    rules: {},
    assumptions: assumedIn(model),
    cut: [],
    warnings:
      how === 'walks' && within !== null
        ? ['The walks also leave the part of the model that the export "within" names.']
        : [],
    setup: null,
    ...judged,
    met: exitCode === 0,
    unmet: [],
    fates: [],
    museum: null,
    place,
    exitCode,
    again,
    tokens: tokens(),
    result,
  };
}

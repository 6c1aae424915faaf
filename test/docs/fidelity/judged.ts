import { Session } from 'node:inspector/promises';
import { judge as judgeCase } from '../../../conformance/facts/judge.ts';
import { coverageOf, STEPS } from '../../../conformance/recordings/coverage.ts';
import type { Judged } from '../../../conformance/recordings/judge.ts';
import type { Recording } from '../../../conformance/recordings/logs/recording-schema.ts';
import { deletionModel } from '../../../model/system.ts';
import { type Case, JUDGED, LARGE } from '../../conformance/fact-files.ts';
import { decideOutcomes, SIZES } from '../../conformance/outcomes/decide.ts';
import { NOT_SEARCHED, outcomeSetup } from '../../conformance/outcomes/setup.ts';
import { recordings } from '../../conformance/recordings.ts';

/** The evidence for each transition: found by running the cases and recordings, not by hand. */

/**
 * By `action/step`: names of the recordings with a run whose explanation takes that step.
 *
 * @param judged all runs of all recordings.
 */
export function recordingsBySteps(
  judged: readonly Judged[],
): ReadonlyMap<string, readonly string[]> {
  const { steps } = coverageOf(judged, JUDGED.rules);
  return new Map(
    steps.map(({ action, step, traces }) => [
      `${action}/${step}`,
      [...new Set(traces.map((trace) => trace.replace(/ run \d+$/, '')))],
    ]),
  );
}

/**
 * By action: names of the recordings whose final states are found by searches in which it fires.
 */
export async function recordingsByActions(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const recording of recordings()) {
    if (!hasControllers(recording)) continue;
    const { actions } = await decideOutcomes(recording, { states: 20_000 }, 1);
    for (const action of actions) {
      found.set(action, [...(found.get(action) ?? []), recording.name]);
    }
  }
  return found;
}

/** Whether actors take part that the validation of traces takes as given. */
function hasControllers(recording: Recording): boolean {
  const [size] = SIZES;
  if (size === undefined || NOT_SEARCHED.includes(recording.name)) return false;
  const { actions } = deletionModel(outcomeSetup(recording, size).setup);
  return Object.entries(actions).some(
    ([name, { parameters }]) => parameters.length > 0 && !Object.hasOwn(STEPS, name),
  );
}

/**
 * By `file#function` of the model: ids of the cases that run the function, as counted by the
 * engine. Without the large cases: to count calls, it gives up its optimisations.
 */
export async function casesByFunction(
  cases: readonly Case[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  // The compiled modules: see vitest.config.ts.
  const model = new URL('../../../dist/model/', import.meta.url).href;
  const found = new Map<string, string[]>();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    await session.post('Profiler.takePreciseCoverage');
    for (const one of cases.filter(({ id }) => !LARGE.includes(id))) {
      const { outcome } = await judgeCase(one, JUDGED);
      const { result } = await session.post('Profiler.takePreciseCoverage');
      if (outcome.verdict !== 'passed') throw new Error(`${one.id} does not pass`);
      for (const { url, functions } of result) {
        const at = url.indexOf(model);
        if (at < 0) continue;
        const file = url.slice(at + model.length).replace(/\.js$/, '.ts');
        const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
        for (const name of new Set(ran.map(({ functionName }) => functionName))) {
          const key = `${file}#${name}`;
          found.set(key, [...(found.get(key) ?? []), one.id]);
        }
      }
    }
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
  return found;
}

import type { PropertyResult, Trace, TraceStep } from '../../checker/index.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import type { CheckReport, ResultDocument } from '../../report/document/result-document.ts';
import { documentOf } from '../cli/run-cli.ts';
import { clusterOf, configMap, graphOf, ownedBy, setupOf } from '../properties/clusters.ts';

/** Documents for the page: small real ones, and some that no check would ever make. */

/** Of the command line, with what differs from machine to machine made the same. */
export async function checked(...words: readonly string[]): Promise<ResultDocument> {
  const document = await documentOf(words);
  return {
    ...document,
    version: '1.2.3',
    checks: document.checks.map((report) => ({
      ...report,
      result: {
        ...report.result,
        statistics: { ...report.result.statistics, wallSeconds: 0.1, cpuSeconds: 0.1 },
      },
    })),
  };
}

export function stepTo(
  state: Cluster,
  told: Partial<TraceStep> & Pick<TraceStep, 'sentence'>,
): TraceStep {
  return {
    action: 'serve',
    parameters: {},
    fairness: 'weak',
    actor: told.sentence.slice(0, told.sentence.indexOf(':')),
    changes: [],
    beliefs: [],
    status: 'idle',
    ...told,
    state,
  };
}

export function withTraces(
  real: ResultDocument,
  objects: readonly ApiObject[],
  properties: readonly PropertyResult[],
  more: Partial<CheckReport> = {},
): ResultDocument {
  const checks = real.checks.map((report) => ({
    ...report,
    expectation: null,
    setup: setupOf(objects),
    tokens: [],
    ...more,
    result: { ...report.result, properties },
  }));
  return { ...real, checks };
}

export function violated(
  name: string,
  trace: Trace,
  more: Partial<PropertyResult> = {},
): PropertyResult {
  return {
    name,
    kind: 'invariant',
    verdict: 'violated',
    triggered: 1,
    parameters: null,
    trace,
    broken: ['a clause'],
    reason: null,
    ...more,
  };
}

export function path(initial: Cluster, steps: readonly TraceStep[]): Trace {
  return {
    shape: 'path',
    loopStart: null,
    initialIndex: 0,
    initial,
    initialLines: [],
    initialStatus: 'idle',
    steps,
    fairness: [],
  };
}

const OBJECTS = 24;

/** A trace of so many steps: in turn, an object gets a finalizer and the collector hears of it. */
export function longTrace(length: number): { objects: readonly ApiObject[]; trace: Trace } {
  const objects = Array.from({ length: OBJECTS }, (_, index) =>
    configMap(`c${index}`, index === 0 ? {} : { ownerReferences: [ownedBy('c0')] }),
  );
  const stateAfter = (steps: number): Cluster => {
    const now = objects.map((object, index) => {
      const times = Math.floor((steps - index + OBJECTS - 1) / OBJECTS);
      return times % 2 === 1 ? { ...object, finalizers: ['example.com/hold'] } : object;
    });
    return clusterOf(now, graphOf(objects));
  };
  const steps = Array.from({ length }, (_, index) =>
    stepTo(stateAfter(index + 1), {
      sentence: `alice: PATCH ConfigMap/c${index % OBJECTS}, step ${index + 1}`,
      changes: [`ConfigMap/c${index % OBJECTS} + finalizer example.com/hold`],
    }),
  );
  return { objects, trace: path(stateAfter(0), steps) };
}

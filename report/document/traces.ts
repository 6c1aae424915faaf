import type { PropertyResult, Trace } from '../../checker/index.ts';
import type { Setup } from '../../model/index.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { ReportDocument } from './documents.ts';
import type { GateDocument } from './gate-document.ts';
import type { CheckReport } from './result-document.ts';

/** A trace of a document, with what a renderer needs to show it. */
export interface ShownTrace {
  /** Title of the check. */
  readonly check: string;
  /** Null: the states are not those of a cluster. */
  readonly setup: Setup | null;
  readonly property: PropertyResult;
  readonly trace: Trace;
  /** The token that replays it; only for traces of cases. */
  readonly token?: string | null;
}

/** Which trace to show; null: any. */
export interface TraceChoice {
  readonly check: string | null;
  readonly property: string | null;
}

export const ANY_TRACE: TraceChoice = { check: null, property: null };

/** All traces of a document, in its order. */
export function tracesIn(document: ReportDocument): readonly ShownTrace[] {
  switch (document.schema) {
    case 'reapcheck.result/v1':
      return tracesOf(document.checks);
    case 'reapcheck.gate/v1':
      return gateTraces(document);
    // Recordings of real systems have no run of the model.
    case 'reapcheck.facts/v1':
    case 'reapcheck.traces/v1':
      return [];
    default:
      throw new Error(`unknown document ${JSON.stringify(document satisfies never)}`);
  }
}

function tracesOf(checks: readonly CheckReport[]): readonly ShownTrace[] {
  return checks.flatMap(({ title, setup, result, fates }) =>
    [...result.properties, ...fates.flatMap(({ goes, mayGo }) => [goes, mayGo])]
      .flatMap((property) => [property, ...otherCounterexamples(property)])
      .flatMap((property) =>
        property.trace === null ? [] : [{ check: title, setup, property, trace: property.trace }],
      ),
  );
}

/** The further counterexamples, each as a result of its own. */
function otherCounterexamples({ alternatives, ...property }: PropertyResult): PropertyResult[] {
  const { counterexamples = [] } = alternatives ?? {};
  return counterexamples.map(({ parameters, trace, broken }) => {
    return { ...property, parameters, trace, broken };
  });
}

/** Traces of new violations first. */
function gateTraces({ reports, drifts }: GateDocument): readonly ShownTrace[] {
  const all = tracesOf(reports);
  const isNew = ({ check, property }: ShownTrace): boolean =>
    drifts.some(
      ({ cell, kind, subject }) =>
        kind === 'newViolation' && cell === check && subject === property.name,
    );
  return [...all.filter(isNew), ...all.filter((trace) => !isNew(trace))];
}

/**
 * The trace that a format for one trace shows: the first counterexample, or else the first example
 * of
 * a witness. Throws `InputError` without any trace.
 */
export function chosenTrace(
  document: ReportDocument,
  choice: TraceChoice,
): { readonly shown: ShownTrace; readonly others: readonly ShownTrace[] } {
  const all = tracesIn(document);
  const { check, property } = choice;
  const checks = [...new Set(all.map((trace) => trace.check))];
  if (check !== null && !checks.includes(check)) throw MESSAGES.noTrace(check, checks);
  const ofCheck = all.filter((trace) => check === null || trace.check === check);
  const names = [...new Set(ofCheck.map((trace) => trace.property.name))];
  if (property !== null && !names.includes(property)) {
    const ids = new Set(ofCheck.flatMap((trace) => trace.property.id ?? []));
    throw MESSAGES.noTrace(property, [...ids, ...names]);
  }
  const fitting = ofCheck.filter((trace) => property === null || trace.property.name === property);
  const shown = fitting.find((trace) => trace.property.verdict === 'violated') ?? fitting[0];
  if (shown === undefined) throw MESSAGES.noTracesAtAll();
  return { shown, others: all.filter((trace) => trace !== shown) };
}

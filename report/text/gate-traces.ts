import type { PropertyResult } from '../../checker/index.ts';
import { escaped } from '../../text/escape.ts';
import { type Colors, wrapped } from '../../text/layout.ts';
import type { GateDocument, ToldDrift } from '../document/gate-document.ts';
import type { CheckReport } from '../document/result-document.ts';
import { stepsKey } from './run-words.ts';
import { traceLines } from './trace.ts';

export interface GateTextOptions {
  readonly colors: Colors;
  readonly full?: boolean;
}

interface Violation {
  readonly report: CheckReport;
  readonly property: PropertyResult;
}

function violationOf(
  { kind, cell, subject }: ToldDrift,
  { reports }: GateDocument,
): Violation | null {
  if (kind !== 'newViolation') return null;
  const report = reports.find(({ title }) => title === cell);
  const property = report?.result.properties.find(({ name }) => name === subject);
  return report === undefined || property === undefined || property.trace === null
    ? null
    : { report, property };
}

/**
 * The traces of new violations, by cell. A violation in several cells is shown with its shortest
 * trace only. Properties of a cell that break on the same run share the trace.
 */
export function newTraces(
  drifts: readonly ToldDrift[],
  document: GateDocument,
  { colors, full = false }: GateTextOptions,
): ReadonlyMap<string, readonly string[]> {
  const violations = drifts.flatMap((drift) => violationOf(drift, document) ?? []);
  const shortest = new Map<string, Violation>();
  for (const violation of violations) {
    const best = shortest.get(violation.property.name);
    if (best === undefined || lengthOf(violation) < lengthOf(best)) {
      shortest.set(violation.property.name, violation);
    }
  }
  const lines = new Map<string, readonly string[]>();
  const shown = new Map<string, string>();
  for (const violation of violations) {
    const { report, property } = violation;
    const best = shortest.get(property.name) ?? violation;
    const run = JSON.stringify([
      report.title,
      property.trace === null ? '' : stepsKey(property.trace),
    ]);
    const sameAs = shown.get(run) ?? null;
    if (best === violation) shown.set(run, property.name);
    const token = report.tokens.find((one) => one.property === property.name)?.token ?? null;
    const told =
      best === violation
        ? ['', ...traceLines(property, { colors, full, token, sameAs })]
        : elsewhere(property, best.report).map(colors.dim);
    lines.set(report.title, [...(lines.get(report.title) ?? []), ...told]);
  }
  return lines;
}

function lengthOf({ property }: Violation): number {
  return property.trace?.steps.length ?? 0;
}

function elsewhere({ name }: PropertyResult, { title }: CheckReport): string[] {
  return wrapped(escaped(`of "${name}": see ${title}, where it is no longer`), '  trace    ');
}

import type { PropertyResult, Trace } from '../checker/index.ts';
import type { CellFacts, TraceFact } from '../report/document/gate-document.ts';
import type { CheckReport } from '../report/document/result-document.ts';
import { digestOf } from './run/digest.ts';

/** The first 64 bits of a digest: enough for texts that were not forged. */
export function short(digest: string): string {
  return digest.slice(0, 16);
}

/** A limit on time or memory ends the search at another state on another machine. */
export function isOfMachine(outcome: CellFacts['outcome']): boolean {
  return outcome === 'time' || outcome === 'memory';
}

/** The facts of a report that a lock can pin; null after a defect or an interruption. */
export function factsOf({ result, fates }: CheckReport): CellFacts | null {
  const outcome = outcomeOf(result);
  if (outcome === null) return null;
  const isRepeatable = !isOfMachine(outcome);
  const { statistics, properties, actions } = result;
  return {
    outcome,
    size: isRepeatable
      ? {
          states: statistics.states,
          transitions: statistics.transitions,
          depth: statistics.layers - 1,
        }
      : null,
    verdicts: Object.fromEntries(properties.map(({ name, verdict }) => [name, verdict])),
    triggered: isRepeatable
      ? counted(properties.map(({ name, triggered }) => [name, triggered]))
      : {},
    traces: isRepeatable ? Object.fromEntries(properties.flatMap(traceFacts)) : {},
    actions: isRepeatable
      ? counted(actions.map(({ action, transitions }) => [action, transitions]))
      : {},
    fates: Object.fromEntries(
      fates.flatMap((found) =>
        (found.members ?? [found]).map(({ object, uid }) => [`${object} (${uid})`, found.fate]),
      ),
    ),
  };
}

function outcomeOf({ outcome, limit }: CheckReport['result']): CellFacts['outcome'] | null {
  if (outcome === 'defect') return null;
  if (limit === null) return 'complete';
  return limit.kind === 'interrupted' || limit.kind === 'walks' ? null : limit.kind;
}

function counted(
  entries: readonly (readonly [string, number])[],
): Readonly<Record<string, number>> {
  return Object.fromEntries(entries.filter(([, count]) => count > 0));
}

function traceFacts({ name, trace }: PropertyResult): readonly (readonly [string, TraceFact])[] {
  return trace === null ? [] : [[name, traceFact(trace)]];
}

/** Equal for equal actions in the same order. The sentences of the steps do not count. */
function traceFact({ shape, loopStart, initialIndex, steps }: Trace): TraceFact {
  const actions = steps.map(({ action, parameters }) => [action, parameters]);
  return {
    shape,
    length: steps.length,
    digest: short(digestOf([initialIndex, shape, loopStart, actions])),
  };
}

import type { PropertyResult, Trace } from '../checker/index.ts';
import type { CellFacts, TraceFact } from '../report/document/gate-document.ts';
import type { CheckReport } from '../report/document/result-document.ts';
import { digestOf } from './run/digest.ts';

/** Enough of a digest to tell texts apart that nobody has made to look alike. */
export function short(digest: string): string {
  return digest.slice(0, 16);
}

/** On another machine, such a limit ends the search elsewhere. */
export function isOfMachine(outcome: CellFacts['outcome']): boolean {
  return outcome === 'time' || outcome === 'memory';
}

/** What a lock can pin of a report; null for a defect and for what an interruption cut short. */
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
    fates: Object.fromEntries(fates.map(({ object, uid, fate }) => [`${object} (${uid})`, fate])),
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

/** The same for the same actions in the same order, whatever the words in which they are told. */
function traceFact({ shape, loopStart, initialIndex, steps }: Trace): TraceFact {
  const actions = steps.map(({ action, parameters }) => [action, parameters]);
  return {
    shape,
    length: steps.length,
    digest: short(digestOf([initialIndex, shape, loopStart, actions])),
  };
}

import type { ExplainedStep, Explainer, HiddenStep } from '../../../checker/index.ts';
import { formatKey, type ObjectKey } from '../../../model/index.ts';
import { keyOfChange, keyOfWarning } from '../logs/keys.ts';
import type { Instant } from '../logs/timeline.ts';
import { difference, writtenDifference } from '../matching/differences.ts';
import { collectorSteps, sendings } from './collector.ts';
import { requestAt, type TraceContext } from './context.ts';
import { isDeadEnd } from './dead-ends.ts';
import { listingSteps } from './deliveries.ts';
import { forcedTake } from './early-takes.ts';
import { withoutForgotten } from './forgotten.ts';
import { lacksGets } from './gets/lonely.ts';
import { lacksSenders } from './gets/sender-shortage.ts';
import { completed, received, servingSteps, withReads } from './requests.ts';
import { scopeOf } from './scope.ts';
import { StateKeys } from './state-keys.ts';
import type { TraceState } from './trace-state.ts';
import { unloggedGets } from './unlogged-gets.ts';
import { unloggedChange, unloggedSteps } from './unlogged-requests.ts';

/** A log and the model in the form that the search for explanations takes. */
export function explainerOf(
  context: TraceContext,
  initial: readonly TraceState[],
): Explainer<TraceState> {
  const keys = new StateKeys();
  const { instants } = context.timeline;
  const instantAt = (index: number): Instant => instants[index] ?? { at: 'end' };
  return {
    initial,
    observations: instants.length,
    key: (state) => keys.key(state),
    match(state, index) {
      return matches(state, index)
        .map((step) => ({ ...step, state: withoutForgotten(context, step.state, index + 1) }))
        .filter((step) => !isHopeless(context, step.state, index + 1));
    },
    hidden(state, index) {
      return hiddenSteps(context, state, instantAt(index), index).map(({ label, take }) => ({
        label,
        take: (from) => {
          const next = take(from);
          if (next === null || isHopeless(context, next, index)) return null;
          return withoutForgotten(context, next, index);
        },
      }));
    },
  };

  function matches(state: TraceState, index: number): readonly ExplainedStep<TraceState>[] {
    const instant = instantAt(index);
    switch (instant.at) {
      case 'received':
        if (isUnsent(context, state, instant.request, index)) return [];
        return requestAt(context, instant.request).collector
          ? sendings(context, state, instant.request, index).map((step) => read(context, step))
          : received(context, state, instant.request);
      case 'completed':
        return completed(context, state, instant.request, index);
      case 'change':
        return unloggedChange(context, state, index).map((next) => ({
          label: 'a change',
          state: next,
        }));
      case 'end':
        return atEnd(context, state, index) ? [{ label: 'end', state }] : [];
      default:
        throw new Error(`unknown instant ${JSON.stringify(instant satisfies never)}`);
    }
  }
}

/** Whether the GETs of the log show already that nothing explains it from this state on. */
function isHopeless(context: TraceContext, state: TraceState, index: number): boolean {
  return lacksGets(context, state, index) || lacksSenders(context, state, index);
}

function isUnsent(
  { unsent, reportMisfit }: TraceContext,
  { changes }: TraceState,
  request: number,
  index: number,
): boolean {
  if (unsent?.request !== request) return false;
  reportMisfit(index, { ...unsent, changes, what: 'collector' });
  return true;
}

function read(context: TraceContext, step: ExplainedStep<TraceState>): ExplainedStep<TraceState> {
  return { ...step, state: withReads(context, step.state) };
}

/**
 * Hidden steps by the kind of the next observation. An answer can only wait for the API server,
 * and a request of a user waits for nothing. So steps of the collector are tried only before its
 * own requests, and at the end because of its warnings. A restart reads the store, so it may have
 * to come before a write.
 */
function hiddenSteps(
  context: TraceContext,
  state: TraceState,
  instant: Instant,
  index: number,
): readonly HiddenStep<TraceState>[] {
  switch (instant.at) {
    case 'received': {
      const due = instant.request;
      if (!requestAt(context, due).collector) return [];
      const forced = forcedTake(context, state, index);
      if (forced !== null) return [forced, ...listingSteps(context, state)];
      const scope = context.reduced ? scopeOf(context, state, index, due) : null;
      const futile = context.reduced && isDeadEnd(context, state, index, due);
      return [
        ...(futile
          ? []
          : collectorSteps(context, state, index, context.reduced ? due : null, scope)),
        ...servingSteps(context, state, index, null, scope),
        ...unloggedSteps(context, state, index, null),
        ...unloggedGets(context, state, due),
      ];
    }
    case 'completed':
      if (state.open[instant.request]?.done !== null) return [];
      return [
        ...listingSteps(context, state),
        ...servingSteps(context, state, index, instant.request),
        ...unloggedSteps(context, state, index, instant.request),
      ];
    case 'change':
      return [];
    case 'end':
      return missingWarnings(context, state).length > 0
        ? collectorSteps(context, state, index, null, null)
        : [];
    default:
      throw new Error(`unknown instant ${JSON.stringify(instant satisfies never)}`);
  }
}

/**
 * At the end every change is explained, the remaining objects agree, and every warning was given.
 */
function atEnd(context: TraceContext, state: TraceState, index: number): boolean {
  const left = context.timeline.changes[state.changes];
  const wrong = (sentence: string, found: ReturnType<typeof difference> = null): false => {
    const { changes } = state;
    context.reportMisfit(index, {
      changes,
      request: null,
      what: 'change',
      sentence,
      difference: found,
    });
    return false;
  };
  if (left !== undefined) {
    return wrong(`no request of the log explains ${left.seen.type} ${formatKey(left.key)}`);
  }
  for (const final of context.trace.final ?? []) {
    const key = keyOfChange(final);
    const object = state.cluster.store[key];
    if (object === undefined)
      return wrong(`${formatKey(key)} remains in the log, but not in the model`);
    const found =
      difference(final.kind, final.object, object) ??
      writtenDifference(final.object, state.stored[key]);
    if (found !== null)
      return wrong(`${formatKey(key)} remains with another ${found.field}`, found);
  }
  const more = unlistedAtEnd(context, state);
  if (more !== null) return wrong(`${formatKey(more)} remains in the model, but not in the log`);
  if (missingWarnings(context, state).length > 0) {
    return wrong(
      `the collector warns of ${missingWarnings(context, state).map(formatKey).join(', ')}`,
    );
  }
  return true;
}

/** An object that the log shows, and that is stored at the end, but is not among what remains. */
function unlistedAtEnd({ trace, timeline }: TraceContext, state: TraceState): ObjectKey | null {
  if (trace.final === null) return null;
  const listed = new Set(trace.final.map(keyOfChange));
  const shown = timeline.changes.find(
    ({ key }) => !listed.has(key) && state.cluster.store[key] !== undefined,
  );
  return shown?.key ?? null;
}

function missingWarnings(context: TraceContext, state: TraceState): readonly string[] {
  return context.trace.warnings
    .map(keyOfWarning)
    .filter((key) => state.warnings[key] === undefined);
}

import {
  finished,
  type Paused,
  type Validation,
  type ValidationLimits,
  validatingTrace,
} from '../../../checker/index.ts';
import type { Rules } from '../../../model/index.ts';
import type { Failure, OpenParts } from '../../../report/document/conformance-documents.ts';
import { describePlace, describeSeen } from '../describe.ts';
import { lacksBody, openPartsOf } from '../logs/gaps.ts';
import type { Trace } from '../logs/observations.ts';
import { timelineOf } from '../logs/timeline.ts';
import type { Misfit } from '../matching/differences.ts';
import { collectorMisfit } from './collector-demands.ts';
import { type ObjectInstant, objectExplainer } from './object-explainer.ts';
import { type ObjectPart, objectLog, objectsOf } from './object-parts.ts';
import type { ObjectState } from './object-state.ts';

/**
 * Judges a log whose bodies are missing. Without bodies a log does not show owners and finalizers,
 * so the collector's graph is unknown, and each object is judged by itself: its requests must be a
 * behaviour of the model's API server, for some values of what is not shown. What the collector's
 * requests demand of each other is judged for the log as a whole. This accepts more than the model
 * does, and everything that the model does.
 */

export interface OpenJudged {
  readonly trace: Trace;
  readonly verdict: Validation<ObjectState>['verdict'];
  readonly observations: number;
  readonly explained: number;
  readonly states: number;
  readonly milliseconds: number;
  readonly failure: Failure | null;
  readonly open: OpenParts;
}

/** Why a part of the log has no explanation, and the instant of the log at which that shows. */
interface Obstacle {
  /**
   * `dryRun`: there is one if a DELETE without a body was a dry run. `limit`: not all were tried.
   */
  readonly why: 'impossible' | 'dryRun' | 'limit';
  readonly position: number;
  readonly failure: Failure;
}

export function judgeOpen(trace: Trace, rules: Rules, limits: ValidationLimits): OpenJudged {
  return finished(judgingOpen(trace, rules, limits));
}

/** The same, with pauses. */
export function* judgingOpen(
  trace: Trace,
  rules: Rules,
  limits: ValidationLimits,
): Paused<OpenJudged> {
  const started = performance.now();
  const { instants } = timelineOf({ ...trace, changes: null });
  const logged = instants.flatMap((instant) => ('request' in instant ? [instant] : []));
  const positionOf = positionsIn(logged);
  const obstacles: Obstacle[] = [];
  const demand = collectorMisfit(trace, rules);
  if (demand !== null) {
    const at: ObjectInstant = { at: 'received', request: demand.request };
    const misfit: Misfit = { ...demand, changes: 0, what: 'collector' };
    const failure = failureAt(trace, at, [misfit], 0);
    obstacles.push({ why: 'impossible', position: positionOf(at), failure });
  }
  let states = 0;
  for (const part of objectsOf(trace, logged)) {
    const left = (): ValidationLimits => ({
      ...limits,
      states: limits.states - states,
      milliseconds: limits.milliseconds - (performance.now() - started),
    });
    const misfits: Misfit[] = [];
    const found = yield* validatingTrace(objectExplainer(objectLog(part, rules, misfits)), left());
    states += found.statistics.states;
    if (found.verdict === 'accepted') continue;
    const at = part.instants[found.explained] ?? part.instants.at(-1);
    if (at === undefined) continue;
    const failure = failureAt(trace, at, misfits, found.prefixes.length);
    const obstacle = { position: positionOf(at), failure };
    if (found.verdict === 'inconclusive') {
      obstacles.push({ ...obstacle, why: 'limit' });
      continue;
    }
    const again = mayBeDryRun(part)
      ? yield* validatingTrace(
          objectExplainer({ ...objectLog(part, rules, []), dryRuns: true }),
          left(),
        )
      : found;
    if (again !== found) states += again.statistics.states;
    obstacles.push({ ...obstacle, why: WHY[again.verdict] });
  }
  obstacles.sort((a, b) => RANK[a.why] - RANK[b.why] || a.position - b.position);
  const [worst] = obstacles;
  const observations = logged.length + 1;
  return {
    trace,
    verdict: worst === undefined ? 'accepted' : VERDICTS[worst.why],
    observations,
    explained: worst === undefined ? observations : worst.position,
    states,
    milliseconds: performance.now() - started,
    failure: worst?.failure ?? null,
    open: {
      ...openPartsOf(trace),
      dryRuns: worst?.why === 'dryRun' ? obstacles.length : 0,
    },
  };
}

/** What it means for a part without an explanation that the search with dry runs ended so. */
const WHY = {
  accepted: 'dryRun',
  rejected: 'impossible',
  inconclusive: 'limit',
} as const satisfies Record<Validation<ObjectState>['verdict'], Obstacle['why']>;

const RANK = { impossible: 0, limit: 1, dryRun: 2 } as const satisfies Record<
  Obstacle['why'],
  number
>;

const VERDICTS = {
  impossible: 'rejected',
  limit: 'inconclusive',
  dryRun: 'inconclusive',
} as const satisfies Record<Obstacle['why'], Validation<ObjectState>['verdict']>;

function positionsIn(instants: readonly ObjectInstant[]): (instant: ObjectInstant) => number {
  const name = ({ at, request }: ObjectInstant): string => `${at} ${request}`;
  const positions = new Map(instants.map((instant, index) => [name(instant), index]));
  return (instant) => positions.get(name(instant)) ?? 0;
}

/** The collector names its options in the body too, but never asks for a dry run. */
function mayBeDryRun({ requests }: ObjectPart): boolean {
  return [...requests.values()].some(
    (request) =>
      (request.verb === 'delete' || request.verb === 'deletecollection') &&
      !request.collector &&
      lacksBody(request),
  );
}

function failureAt(
  trace: Trace,
  { at, request }: ObjectInstant,
  misfits: readonly Misfit[],
  prefixes: number,
): Failure {
  const seen = trace.requests[request];
  if (seen === undefined) throw new Error(`there is no request ${request}`);
  const when = at === 'received' ? 'sends' : 'is answered';
  return {
    event: `${describeSeen(seen)} (as it ${when})`,
    place: describePlace(seen.place),
    line: seen.place.line ?? null,
    change: null,
    misfits: misfits.map(({ sentence, difference }) => ({
      sentence,
      field: difference?.field ?? null,
      seen: difference?.seen ?? null,
      model: difference?.model ?? null,
    })),
    instead: null,
    prefixes,
    ends: [],
  };
}

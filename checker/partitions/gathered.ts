import { check } from '../check.ts';
import { TrackedEngine } from '../engine/tracked.ts';
import { LimitHitError, limitOf } from '../errors.ts';
import { obligationsIn } from '../fair-groups.ts';
import { Judge } from '../judge.ts';
import { undecidedResult } from '../limit-report.ts';
import type { TransitionBuffer } from '../liveness/graph.ts';
import { judgeLeadsTo } from '../liveness/leads-to.ts';
import { LivenessPhase } from '../liveness/phase.ts';
import { livenessQuestions } from '../liveness/questions.ts';
import type { CheckOptions } from '../options.ts';
import type { Clock, SearchProgress } from '../progress.ts';
import { prepareQuestion } from '../question.ts';
import { Undecided } from '../reductions/second-search.ts';
import type { LimitKind, PropertyResult } from '../result.ts';
import { verdictOn } from '../verdicts.ts';
import { BlockError } from './errors.ts';
import { type FoundRows, rowsIn } from './found-rows.ts';
import { eachRow, RowCursor } from './merge.ts';
import { Spelling } from './spelling.ts';
import type { PartitionTeam } from './team.ts';

/** A search of partitions that has found all states. */
export interface Gathering<State> {
  /** With the leads-tos alone. */
  readonly options: CheckOptions<State>;
  readonly team: PartitionTeam<State>;
  /** How many states there were after each layer. */
  readonly counts: readonly number[];
  /** States outside of the constraint. */
  readonly outside: number;
  readonly clock: Clock;
  readonly progress: SearchProgress;
  /** Why a property is inconclusive after this limit. */
  readonly reason: (limit: LimitKind) => string;
}

/**
 * Judges leads-tos: all states are gathered in this process from what the partitions have sent to each other,
 * and nothing is searched anew. In the order of keys, states get the numbers and the predecessors that they
 * have in a search of one process. If a limit is hit, the properties are inconclusive.
 *
 * Throws `BlockError` if states are missing, `DefectError`, and what the team throws.
 */
export async function judgeGathered<State>(
  gathering: Gathering<State>,
): Promise<{ readonly results: readonly PropertyResult[]; readonly limit: LimitKind | null }> {
  const { options, clock, outside, reason } = gathering;
  const gathered = await gather(gathering);
  if (typeof gathered === 'string') {
    const why = reason(gathered);
    return {
      results: options.properties.map((property) => undecidedResult(property, why)),
      limit: gathered,
    };
  }
  const { engine, compiled, question, within } = gathered;
  const obligations = obligationsIn(question.model, question.instances);
  const { graph, questions } = livenessQuestions({
    ...{ engine, compiled, instances: question.instances, within },
    hasRoom: (bytes) => clock.hasRoom(bytes),
  });
  const liveness = new LivenessPhase<State>({
    ...{ graph, obligations, questions, clock },
    judge: () => judgeLeadsTo(graph, obligations, [...questions.values()]),
    progress: (done) => progressAt(gathering, done),
  });
  const judged = {
    ...{ engine, question, judge: new Judge(engine, compiled, null), liveness, outside, clock },
    ...{ describe: options.describe, exhausted: true, staysInGraph: false },
    ...{ undecided: new Undecided(), leftOpen: new Undecided(), check: check<State> },
    reason: () => reason(liveness.limit ?? 'memory'),
  };
  const results: PropertyResult[] = [];
  for (const property of compiled.properties) results.push(await verdictOn(judged, property));
  return { results, limit: liveness.limit };
}

/** An engine that has all states of a search. */
class WholeEngine<State> extends TrackedEngine<State> {
  /** Throws `BlockError` if it lacks one of them. */
  override successors(state: number, into: TransitionBuffer): number {
    const count = super.successors(state, into);
    for (let index = 0; index < count; index++) {
      if (into.targets[index]! < 0) throw new BlockError('is missing: a state has no number');
    }
    return count;
  }
}

async function gather<State>(gathering: Gathering<State>) {
  const { options, team, counts, clock } = gathering;
  clock.arm();
  try {
    const prepared = prepareQuestion({ ...options, reductions: [] }, clock);
    const engine = new WholeEngine(prepared.question);
    const exchange = engine.exchange();
    const spelling = new Spelling(exchange.slots);
    for (let layer = 1; layer < counts.length; layer++) {
      const before = engine.stateCount;
      const enter = (_: number, block: FoundRows, row: number): void => {
        const source = block.numbers[row]!;
        if (source >= before) throw new BlockError('names a later state');
        block.enter(row, source);
      };
      await eachRow(
        cursorsOf(team, layer, (blocks) => rowsIn(blocks, spelling, exchange)),
        enter,
        async () => {
          const progress = () => progressAt(gathering, engine.stateCount);
          const hit = clock.pauseIsDue ? await clock.pause(progress) : null;
          if (hit !== null) throw new LimitHitError(hit);
        },
      );
      if (engine.stateCount !== counts[layer]) {
        throw new BlockError(
          `is missing: of ${counts[layer]} states, ${engine.stateCount} are there`,
        );
      }
    }
    return { ...prepared, engine };
  } catch (error) {
    return limitOf(error);
  } finally {
    clock.disarm();
  }
}

/** One for each way between two partitions. */
function cursorsOf<State>(
  team: PartitionTeam<State>,
  layer: number,
  rowsOf: (blocks: AsyncIterable<Uint8Array>) => AsyncIterable<FoundRows>,
): readonly RowCursor[] {
  const all = Array.from({ length: team.count }, (_, partition) => partition);
  return all.flatMap((from) =>
    all.map((to) => new RowCursor(rowsOf(team.read({ from, to }, layer)))),
  );
}

function progressAt<State>({ progress }: Gathering<State>, done: number): SearchProgress {
  return { ...progress, phase: 'liveness', frontier: done, previousFrontier: done };
}

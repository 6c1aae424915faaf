import { check } from '../check.ts';
import type { EngineExchange } from '../engine/exchange/exchange.ts';
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
import { Undecided } from '../reductions/second-search.ts';
import type { LimitKind, PropertyResult } from '../result.ts';
import { verdictOn } from '../verdicts.ts';
import { BlockError } from './errors.ts';
import { prepareForPartitions } from './question.ts';
import { eachKeyOfLayer } from './runs.ts';
import type { PartitionTeam } from './team.ts';

/** A search of partitions that has found all states. */
export interface Gathering<State> {
  /** With all properties: they decide which symmetry there is. */
  readonly options: CheckOptions<State>;
  readonly team: PartitionTeam;
  /** How many states there were after each layer. */
  readonly counts: readonly number[];
  /** States outside of the constraint. */
  readonly outside: number;
  readonly clock: Clock;
  readonly progress: SearchProgress;
  /** Why a property is inconclusive after this limit. */
  readonly reason: (limit: LimitKind) => string;
}

export interface GatheredResults {
  readonly results: readonly PropertyResult[];
  readonly limit: LimitKind | null;
  /** What a graph of representatives does not decide. */
  readonly undecided: Undecided;
}

/**
 * Judges leads-tos: all states are gathered in this process. Their keys say which step leads to
 * each of them, so only these steps are done again. States get the numbers and the predecessors
 * that they have in a search of one process. If a limit is hit, the properties are inconclusive.
 *
 * Throws `BlockError` if states are missing, `DefectError`, and what the team throws.
 */
export async function judgeGathered<State>(gathering: Gathering<State>): Promise<GatheredResults> {
  const { options, clock, outside, reason } = gathering;
  gathering.team.gathers(gathering.counts.at(-1)!);
  const gathered = await gather(gathering);
  const undecided = new Undecided();
  if (typeof gathered === 'string') {
    const why = reason(gathered);
    return {
      results: options.properties
        .filter(({ kind }) => kind === 'eventually')
        .map((property) => undecidedResult(property, why)),
      limit: gathered,
      undecided,
    };
  }
  const { engine, compiled, question, within } = gathered;
  const { orbits } = question.reductions;
  // Edges are stored with their renamings.
  orbits?.numberRenamings();
  const obligations = obligationsIn(question.model, question.instances);
  const { graph, questions } = livenessQuestions({
    ...{ engine, compiled, instances: question.instances, within },
    hasRoom: (bytes) => clock.hasRoom(bytes),
  });
  const liveness = new LivenessPhase<State>({
    ...{ graph, obligations, questions, clock },
    judge: () =>
      orbits === null
        ? judgeLeadsTo(graph, obligations, [...questions.values()])
        : orbits.judgeLeadsTo({
            ...{ graph, obligations, questions },
            // A divided search has no ample sets.
            restingFirst: true,
            renamings: () => graph.renamings,
          }),
    progress: (done) => progressAt(gathering, done),
  });
  const judged = {
    ...{ engine, question, judge: new Judge(engine, compiled, orbits), liveness, outside, clock },
    ...{ describe: options.describe, exhausted: true, staysInGraph: false },
    ...{ undecided, leftOpen: new Undecided(), check: check<State> },
    reason: () => reason(liveness.limit ?? 'memory'),
  };
  const results: PropertyResult[] = [];
  for (const property of compiled.properties) {
    if (property.property.kind === 'eventually') results.push(await verdictOn(judged, property));
  }
  return { results, limit: liveness.limit, undecided };
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

async function gather<State>(gathered: Gathering<State>) {
  const { options, team, counts, clock } = gathered;
  clock.arm();
  try {
    const prepared = prepareForPartitions(options, clock);
    const engine = new WholeEngine(prepared.question);
    const gathering = new GatheredLayers(engine);
    for (let layer = 1; layer < counts.length; layer++) {
      await eachKeyOfLayer(
        team,
        layer,
        (number, instance) => gathering.add(number, instance),
        async () => {
          const progress = () => progressAt(gathered, engine.stateCount);
          const hit = clock.pauseIsDue ? await clock.pause(progress) : null;
          if (hit !== null) throw new LimitHitError(hit);
        },
      );
      gathering.end();
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

/** Does the steps that have led to states, in the order of keys. */
class GatheredLayers<State> {
  private readonly engine: WholeEngine<State>;
  private readonly exchange: EngineExchange<State>;
  /** Steps of one state that wait to be done. */
  private source = 0;
  private instances: number[] = [];
  /** States of earlier layers. */
  private known: number;

  constructor(engine: WholeEngine<State>) {
    this.engine = engine;
    this.exchange = engine.exchange();
    this.known = engine.stateCount;
  }

  add(number: number, instance: number): void {
    if (number >= this.known) throw new BlockError('names a later state');
    if (number !== this.source) this.flush();
    this.source = number;
    this.instances.push(instance);
  }

  /** The layer has no more states. */
  end(): void {
    this.flush();
    this.known = this.engine.stateCount;
  }

  private flush(): void {
    const { exchange, source, instances } = this;
    if (instances.length === 0) return;
    const isThere = exchange.take(source, instances, 0, instances.length, source);
    if (!isThere) throw new BlockError('names a step that does not exist');
    this.instances = [];
  }
}

function progressAt<State>({ progress }: Gathering<State>, done: number): SearchProgress {
  return { ...progress, phase: 'liveness', frontier: done, previousFrontier: done };
}

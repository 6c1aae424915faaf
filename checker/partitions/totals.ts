import type { Judge } from '../judge.ts';
import type { CompiledProperties } from '../judgements.ts';
import type { LimitKind } from '../result.ts';
import type { ExpandTally, FoundAt } from './tallies.ts';

/** What all partitions have counted and found so far. */
export class Totals {
  readonly transitions: Float64Array;
  readonly reducerRuns: Float64Array;
  /** By property. */
  readonly findings: (FoundAt | null)[];
  private readonly triggered: Float64Array;
  private readonly reached: readonly Set<number>[];
  private judged = 0;
  private terminal = 0;
  outside = 0;
  /** Of the last layer. */
  bytes = 0;

  constructor(actionCount: number, propertyCount: number) {
    this.transitions = new Float64Array(actionCount);
    this.reducerRuns = new Float64Array(actionCount);
    this.findings = Array.from({ length: propertyCount }, () => null);
    this.triggered = new Float64Array(propertyCount);
    this.reached = Array.from({ length: propertyCount }, () => new Set());
  }

  /** Adds a layer. Returns the limit that ended it; null: all its states were expanded. */
  add(tallies: readonly ExpandTally[]): LimitKind | null {
    this.bytes = 0;
    const firsts: (FoundAt | null)[] = this.findings.map(() => null);
    for (const tally of tallies) {
      addTo(this.transitions, tally.transitions);
      addTo(this.reducerRuns, tally.reducerRuns);
      addTo(this.triggered, tally.triggered);
      this.judged += tally.judged;
      this.terminal += tally.terminal;
      this.outside += tally.outside;
      this.bytes += tally.bytes;
      tally.reached.forEach((places, property) => {
        for (const place of places) this.reached[property]!.add(place);
      });
      tally.findings.forEach((found, property) => {
        const known = firsts[property] ?? null;
        if (found === null || (known !== null && known.number < found.number)) return;
        firsts[property] = found;
      });
    }
    // What was found in an earlier layer is the first.
    firsts.forEach((found, property) => {
      this.findings[property] ??= found;
    });
    return tallies.find(({ limit }) => limit !== null)?.limit ?? null;
  }

  /** Adds a layer that all partitions have searched as a whole. */
  addCommon(tallies: readonly ExpandTally[], found: ExpandTally): LimitKind | null {
    const runs = this.reducerRuns.slice();
    const limit = this.add([found]);
    this.reducerRuns.set(runs);
    this.bytes = 0;
    for (const { reducerRuns, bytes } of tallies) {
      addTo(this.reducerRuns, reducerRuns);
      this.bytes += bytes;
    }
    return limit;
  }

  get transitionCount(): number {
    return this.transitions.reduce((sum, count) => sum + count, 0);
  }

  /** Tells a judge that has judged nothing what was judged, but for the findings. */
  tell<State>(judge: Judge<State>, { properties }: CompiledProperties<State>): void {
    judge.judgedStates = this.judged;
    judge.terminalStates = this.terminal;
    judge.triggered.set(this.triggered);
    properties.forEach(({ judgements }, property) => {
      for (const place of this.reached[property]!) {
        judge.unreached[property]!.delete(judgements[place]!);
      }
    });
  }
}

function addTo(totals: Float64Array, counts: readonly number[]): void {
  counts.forEach((count, index) => {
    totals[index] = totals[index]! + count;
  });
}

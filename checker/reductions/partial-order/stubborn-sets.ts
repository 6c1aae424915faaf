import type { EngineView } from '../reduction.ts';
import type { Dependence } from './dependence.ts';
import type { Footprints } from './footprints.ts';
import { add, emptySet, has, type InstanceSet, intersects, unite } from './instance-set.ts';
import type { Visibility } from './visibility.ts';

/** What follows from the membership of an instance, in one view of the state. */
interface Demands {
  /** If it is enabled: the instances that depend on its step. */
  readonly dependent: InstanceSet;
  /** If it is disabled: the instances of which one must act before it is enabled. */
  readonly necessary: InstanceSet;
  /** Whether the step changes the state for sure. */
  readonly isCertain: boolean;
}

interface Known {
  /** The slots that the step writes. */
  readonly written: readonly number[];
  /** By their values before it. */
  readonly byValues: Map<string, Demands>;
}

/**
 * Computes strong stubborn sets of the loaded state (A. Valmari, *Stubborn sets for reduced state
 * space generation*, 1990). Such a set has, with each enabled member, all instances that depend on
 * it, and with each disabled one, all instances that can enable it. So what others do first leaves
 * its members as they are, and they can be taken before.
 */
export class StubbornSets {
  /** The set that was found last. */
  readonly found: InstanceSet;
  private readonly engine: EngineView;
  private readonly footprints: Footprints;
  private readonly dependence: Dependence;
  private readonly visibility: Visibility;
  /** Enabled in the loaded state, if only by an effect that may change nothing there. */
  private readonly enabled: InstanceSet;
  private readonly candidate: InstanceSet;
  private readonly hopeless: InstanceSet;
  /**
   * By place in the decisions of an instance (see `EngineView.place`), and the values it
   * overwrites.
   */
  private readonly demands = new Map<number, Known>();
  private version = -1;

  constructor(
    parts: {
      readonly engine: EngineView;
      readonly footprints: Footprints;
      readonly dependence: Dependence;
      readonly visibility: Visibility;
    },
    instanceCount: number,
  ) {
    this.engine = parts.engine;
    this.footprints = parts.footprints;
    this.dependence = parts.dependence;
    this.visibility = parts.visibility;
    this.found = emptySet(instanceCount);
    this.enabled = emptySet(instanceCount);
    this.candidate = emptySet(instanceCount);
    this.hopeless = emptySet(instanceCount);
  }

  /**
   * Finds a stubborn set with the fewest enabled members, from the first `count` enabled instances.
   * Returns their number, or -1 if there is none but with all of them.
   *
   * @param isUseful whether a set with the instance is one that the caller can use.
   * @param within the enabled members must be in this set.
   */
  find(
    instances: Int32Array,
    count: number,
    isUseful: (instance: number) => boolean,
    within: InstanceSet | null = null,
  ): number {
    const { enabled, hopeless, candidate, found } = this;
    if (this.engine.readings + this.footprints.version !== this.version) {
      this.version = this.engine.readings + this.footprints.version;
      this.demands.clear();
    }
    enabled.fill(0);
    hopeless.fill(0);
    for (let index = 0; index < count; index++) add(enabled, instances[index]!);
    let best = count;
    for (let index = 0; index < count && best > 1; index++) {
      const seed = instances[index]!;
      if (!isUseful(seed) || (within !== null && !has(within, seed))) continue;
      if (this.demandsOf(seed)?.isCertain !== true) continue;
      const size = this.close(seed, best, within);
      if (size < 0) {
        add(hopeless, seed);
        continue;
      }
      best = size;
      found.set(candidate);
    }
    return best < count ? best : -1;
  }

  /** How many enabled members the smallest set with the seed has; -1: not fewer than `most`. */
  private close(seed: number, most: number, within: InstanceSet | null): number {
    const { candidate, enabled, hopeless } = this;
    candidate.fill(0);
    add(candidate, seed);
    const done = new Int32Array(candidate.length);
    let size = 0;
    for (let word = 0; word < candidate.length; ) {
      const open = candidate[word]! & ~done[word]!;
      if (open === 0) {
        word++;
        continue;
      }
      const bit = open & -open;
      done[word]! |= bit;
      const instance = 32 * word + 31 - Math.clz32(bit);
      const own = this.demandsOf(instance);
      if (own === null) return -1;
      if (has(enabled, instance)) {
        size++;
        if (size >= most || (within !== null && !has(within, instance))) return -1;
        unite(candidate, own.dependent);
      } else unite(candidate, own.necessary);
      if (intersects(candidate, hopeless)) return -1;
      word = 0;
    }
    return size;
  }

  private demandsOf(instance: number): Demands | null {
    const { engine } = this;
    const place = engine.place(instance);
    if (place === 0) return null;
    const known = this.demands.get(place) ?? {
      written: engine.view(instance).writes.map(([slot]) => slot),
      byValues: new Map(),
    };
    this.demands.set(place, known);
    const values = known.written.map(engine.local).join();
    const remembered = known.byValues.get(values);
    if (remembered !== undefined) return remembered;
    const view = engine.view(instance);
    const { dependence, footprints, visibility } = this;
    const necessary = dependence.changersOf(instance, view);
    const isIdle = view.writes.length + view.operations.length === 0;
    const dependent = isIdle ? necessary : dependence.dependentOn(instance, view, engine.local);
    for (const slot of footprints.changed(view)) visibility.addVisible(dependent, slot);
    const demands = { dependent, necessary, isCertain: footprints.isCertain(view) };
    known.byValues.set(values, demands);
    return demands;
  }
}

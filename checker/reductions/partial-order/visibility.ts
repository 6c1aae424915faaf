import type { CompiledProperty } from '../../judgements.ts';
import { NO_PREDICATE } from '../../judgements.ts';
import type { Slot } from '../../values/slots.ts';
import type { EngineView } from '../reduction.ts';
import type { Footprints } from './footprints.ts';
import { emptySet, type InstanceSet, unite } from './instance-set.ts';

/**
 * The instances that are visible to the judged state predicates: those that may change a slot that
 * the predicates of a property have read. Step rules are no predicates on states, so they are not
 * here: what they read counts as read by the steps that they judge.
 */
export class Visibility {
  /** Predicates that the search itself may not evaluate, as liveness comes after it. */
  readonly unasked: readonly number[];
  private readonly groups: readonly (readonly number[])[];
  private readonly engine: EngineView;
  private readonly footprints: Footprints;
  private readonly instanceCount: number;
  /** By slot: the instances that are visible to properties that read it. */
  private readonly bySlot = new Map<Slot, InstanceSet | null>();
  private version = -1;
  /** By group: what it reads, and who changes that. */
  private current: readonly { readonly slots: ReadonlySet<Slot>; readonly by: InstanceSet }[] = [];

  constructor(
    properties: readonly CompiledProperty<never>[],
    engine: EngineView,
    footprints: Footprints,
    instanceCount: number,
  ) {
    this.engine = engine;
    this.footprints = footprints;
    this.instanceCount = instanceCount;
    const onStates = properties.filter(({ property }) => isOnStates(property.kind));
    this.groups = onStates.flatMap(({ judgements }) =>
      judgements.map(({ trigger, check }) =>
        [trigger, check].filter((one) => one !== NO_PREDICATE),
      ),
    );
    this.unasked = onStates
      .filter(({ property }) => property.kind === 'eventually')
      .flatMap(({ judgements }) => judgements.flatMap(({ trigger, check }) => [trigger, check]))
      .filter((one) => one !== NO_PREDICATE);
  }

  /** Adds what must be in a stubborn set with a step that changes the slot. */
  addVisible(found: InstanceSet, slot: Slot): void {
    this.refresh();
    let known = this.bySlot.get(slot);
    if (known === undefined) {
      known = null;
      for (const { slots, by } of this.current) {
        if (!slots.has(slot)) continue;
        known ??= emptySet(this.instanceCount);
        unite(known, by);
      }
      this.bySlot.set(slot, known);
    }
    if (known !== null) unite(found, known);
  }

  private refresh(): void {
    const { engine, footprints } = this;
    const version = engine.readings + footprints.version;
    if (version === this.version) return;
    this.version = version;
    this.bySlot.clear();
    this.current = this.groups.map((predicates) => {
      const slots = new Set(predicates.flatMap((predicate) => [...engine.reads(predicate)]));
      const by = emptySet(this.instanceCount);
      for (const slot of slots) unite(by, footprints.use(slot).changers);
      return { slots, by };
    });
  }
}

function isOnStates(kind: CompiledProperty<never>['property']['kind']): boolean {
  switch (kind) {
    case 'invariant':
    case 'witness':
    case 'eventually':
      return true;
    case 'settled':
    case 'step':
      return false;
    default: {
      const never: never = kind;
      throw new Error(`unknown property kind ${String(never)}`);
    }
  }
}

import type { EngineExchange } from '../../engine/exchange/exchange.ts';
import type { Slot } from '../../values/slots.ts';
import type { Spelling } from '../spelling.ts';
import { mixed, RowHash } from './row-hash.ts';

/** A slot by its names, which mean the same in every process. */
export interface SlotName {
  readonly section: string;
  readonly key: string;
}

/** What decides which partition owns a state. Data that all processes of a search have. */
export interface OwnerRule {
  /** The slots on whose values it depends; none: on all. */
  readonly slots: readonly SlotName[];
  /** 32 bits. Rules that differ in it share states out in other ways. */
  readonly salt: number;
}

/** Slots of a rule, at most. */
export const OWNER_SLOTS_MOST = 64;

export const BY_ALL_SLOTS: OwnerRule = { slots: [], salt: 0 };

/** The owner of a state with this sum of prints: see `RowHash`. */
export function ownerOf(sum: number, salt: number, partitions: number): number {
  return (mixed(sum ^ salt) >>> 0) % partitions;
}

const UNKNOWN = 0;
const STAYS = 1;
const MOVES = 2;

/**
 * Which partition owns a state. All processes must agree, so it is a hash of names and values, as
 * text. Any function of the state would be right. A good one gives each partition as many states as
 * the others, and few states a successor with another owner.
 */
export class Owners<State> {
  private readonly exchange: EngineExchange<State>;
  private readonly partitions: number;
  private readonly salt: number;
  private readonly hash: RowHash;
  private readonly decides: (slot: Slot) => boolean;
  /** By effect: whether it writes a slot that decides. */
  private effects = new Uint8Array(256);

  constructor(
    exchange: EngineExchange<State>,
    spelling: Spelling,
    partitions: number,
    { slots, salt }: OwnerRule,
  ) {
    this.salt = salt;
    this.exchange = exchange;
    this.partitions = partitions;
    const names = new Set(slots.map(({ section, key }) => JSON.stringify([section, key])));
    this.decides = ({ section, key }) =>
      names.size === 0 || names.has(JSON.stringify([section.key, key]));
    this.hash = new RowHash(spelling, this.decides);
  }

  /** The owner of the state with this packed row. */
  of(rows: Int32Array, start: number): number {
    const sum = this.hash.sum(rows, start, this.exchange.layout);
    return ownerOf(sum, this.salt, this.partitions);
  }

  /** Whether a state to which this effect leads may have another owner than the state before. */
  mayMove(effect: number): boolean {
    const known = this.effects[effect] ?? UNKNOWN;
    return known === UNKNOWN ? this.learn(effect) : known === MOVES;
  }

  private learn(effect: number): boolean {
    if (effect >= this.effects.length) {
      const longer = new Uint8Array(2 * effect);
      longer.set(this.effects);
      this.effects = longer;
    }
    const moves = this.exchange.isRenamed || this.exchange.writes(effect).some(this.decides);
    this.effects[effect] = moves ? MOVES : STAYS;
    return moves;
  }
}

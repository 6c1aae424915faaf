import { Layout } from './layout.ts';

const WORD_BITS = 32;
const MOST_BITS = 30;

interface Word {
  free: number;
  readonly slots: number[];
}

/**
 * A layout with the fewest words for slots with these numbers of values. Spare bits go to the
 * fullest slots, which are likely to outgrow their fields first.
 */
export function planLayout(valueCounts: readonly number[]): Layout {
  const bits = neededBits(valueCounts);
  const slotsOf = new Int32Array(MOST_BITS + 1);
  for (const size of bits) slotsOf[size]!++;
  const width = packedWidth(slotsOf);
  const slots = [...bits.keys()];
  const unspendable = new Set<number>();
  let spare = WORD_BITS * width - bits.reduce((sum, size) => sum + size, 0);
  while (spare > 0) {
    const fullest = fullestOf(slots, bits, valueCounts, unspendable);
    if (fullest === undefined) break;
    const size = bits[fullest]!;
    slotsOf[size]!--;
    slotsOf[size + 1]!++;
    if (packedWidth(slotsOf) <= width) {
      bits[fullest] = size + 1;
      spare--;
    } else {
      slotsOf[size]!++;
      slotsOf[size + 1]!--;
      unspendable.add(fullest);
    }
  }
  return new Layout(
    bits,
    pack(bits).map(({ slots }) => slots),
  );
}

/**
 * A layout for more values that moves as few slots as possible, so that re-encoding rows is fast.
 * It has no more words than `planLayout` would use.
 */
export function reviseLayout(former: Layout, valueCounts: readonly number[]): Layout {
  const bits = neededBits(valueCounts);
  const words = former.slots.map((slots): Word => {
    const used = slots.reduce((sum, slot) => sum + bits[slot]!, 0);
    return { free: WORD_BITS - used, slots: [...slots] };
  });
  // A slot without bits may lie in a full word: it stays there.
  const housed = new Set(former.slots.flat());
  const homeless = [...bits.keys()].filter((slot) => bits[slot]! > 0 && !housed.has(slot));
  for (const word of words) {
    while (word.free < 0) {
      const leaving = smallestOf(word.slots, bits, -word.free);
      word.slots.splice(word.slots.indexOf(leaving), 1);
      word.free += bits[leaving]!;
      homeless.push(leaving);
    }
  }
  place(homeless, bits, words);
  if (words.length > pack(bits).length) return planLayout(valueCounts);
  for (const word of words) {
    for (; word.free > 0; word.free--) {
      const fullest = fullestOf(word.slots, bits, valueCounts, new Set());
      if (fullest === undefined) break;
      bits[fullest]!++;
    }
  }
  return new Layout(
    bits,
    words.map(({ slots }) => slots),
  );
}

function neededBits(valueCounts: readonly number[]): number[] {
  const bits = valueCounts.map((count) => (count <= 1 ? 0 : WORD_BITS - Math.clz32(count - 1)));
  if (bits.some((size) => size > MOST_BITS)) throw new Error('a slot has more than 2^30 values');
  return bits;
}

/** First fit, largest first. */
function pack(bits: readonly number[]): readonly Word[] {
  const words: Word[] = [];
  place(
    [...bits.keys()].filter((slot) => bits[slot]! > 0),
    bits,
    words,
  );
  return words;
}

/** How many words `pack` takes for so many slots of each size. It is asked for each spare bit. */
function packedWidth(slotsOf: Int32Array): number {
  const free: number[] = [];
  for (let size = MOST_BITS; size > 0; size--) {
    let rest = slotsOf[size]!;
    for (let word = 0; rest > 0; word++) {
      free[word] ??= WORD_BITS;
      const taken = Math.min(rest, Math.floor(free[word]! / size));
      free[word]! -= taken * size;
      rest -= taken;
    }
  }
  return free.length;
}

function place(slots: readonly number[], bits: readonly number[], words: Word[]): void {
  const bySize = [...slots].sort((one, other) => bits[other]! - bits[one]! || one - other);
  for (const slot of bySize) {
    let word = words.find(({ free }) => free >= bits[slot]!);
    if (word === undefined) {
      word = { free: WORD_BITS, slots: [] };
      words.push(word);
    }
    word.free -= bits[slot]!;
    word.slots.push(slot);
  }
}

/** The smallest slot with at least this many bits, or else the largest slot. */
function smallestOf(slots: readonly number[], bits: readonly number[], least: number): number {
  const bySize = [...slots].sort((one, other) => bits[one]! - bits[other]!);
  return bySize.find((slot) => bits[slot]! >= least) ?? bySize.at(-1)!;
}

function fullestOf(
  slots: readonly number[],
  bits: readonly number[],
  valueCounts: readonly number[],
  excluded: ReadonlySet<number>,
): number | undefined {
  let fullest: number | undefined;
  let most = 0;
  for (const slot of slots) {
    if (excluded.has(slot) || bits[slot]! >= MOST_BITS) continue;
    const fullness = valueCounts[slot]! / 2 ** bits[slot]!;
    if (fullness > most) {
      most = fullness;
      fullest = slot;
    }
  }
  return fullest;
}

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import type { IncomingRows } from '../engine/exchange/incoming.ts';
import { LimitHitError } from '../errors.ts';
import { planLayout } from '../values/layout-plan.ts';
import type { Slot, SlotTable } from '../values/slots.ts';
import { BlockError } from './errors.ts';
import type { PackedRows } from './packed-rows.ts';
import type { Spelling } from './spelling.ts';

/**
 * A block: states that the expansion of one layer of one partition has found for another, in the order of
 * their transitions. It means the same to every process: values are written out, once in a block. The
 * bytes depend on nothing but the states and their order, so an expansion that is repeated anywhere gives
 * the same blocks.
 *
 * - 4 bytes: the length of the header;
 * - the header, JSON: see `headerSchema`;
 * - words of 32 bits, little-endian: of the packed rows, word by word; then, by row, what is to be added to
 *   get the local number of the source state, and its number, and the action instance.
 *
 * All of it is deflated.
 */
const headerSchema = z.strictObject({
  /** The number of the source of the first row. */
  first: z.int().nonnegative(),
  rows: z
    .int()
    .positive()
    .max(1 << 16),
  /** Section and key of each slot that is present in some row, and its values as JSON; null: it is absent. */
  slots: z.array(z.tuple([z.string(), z.string(), z.array(z.string().nullable()).min(1)])),
});

/** Rows of a block, at most. */
export const BLOCK_ROWS = 4096;
/** No honest block comes near: it has few rows. */
const MOST_BYTES = 1 << 28;
const WORD = 4;

/** By row. Sources and numbers ascend. */
export interface RowOrigins {
  /** Local numbers of the source states, in the partition that found them. */
  readonly sources: Int32Array;
  /** The numbers of the source states in the whole search. */
  readonly numbers: Float64Array;
  readonly instances: Int32Array;
}

/** A slot of a block: its names, its values as texts, and by row the places of these. */
interface Column {
  readonly section: string;
  readonly key: string;
  readonly texts: readonly (string | null)[];
  /** Null: there is one value. */
  readonly places: Int32Array | null;
}

export function packBlock(
  spelling: Spelling,
  rows: PackedRows,
  { sources, numbers, instances }: RowOrigins,
): Uint8Array {
  const { count } = rows;
  const columns = spelling.table.slots
    .flatMap((slot) => columnOf(spelling, rows, slot) ?? [])
    // Numbers of slots are those of one process.
    .sort(compare);
  const layout = planLayout(columns.map(({ texts }) => texts.length));
  const { width } = layout;
  const words = new Int32Array(count * (width + 3));
  columns.forEach(({ places }, place) => {
    if (places === null) return;
    const start = layout.word[place]! * count;
    const shift = layout.shift[place]!;
    for (let row = 0; row < count; row++) {
      words[start + row] = words[start + row]! | (places[row]! << shift);
    }
  });
  const at = width * count;
  for (let row = 0; row < count; row++) {
    words[at + row] = sources[row]! - (row === 0 ? 0 : sources[row - 1]!);
    words[at + count + row] = row === 0 ? 0 : numbers[row]! - numbers[row - 1]!;
    words[at + 2 * count + row] = instances[row]!;
  }
  const slots = columns.map(({ section, key, texts }) => [section, key, texts]);
  const header = Buffer.from(JSON.stringify({ first: numbers[0]!, rows: count, slots }));
  const length = Buffer.alloc(WORD);
  length.writeUInt32LE(header.length);
  return deflateRawSync(Buffer.concat([length, header, bytesOf(words)]), { level: 1 });
}

/** Places are numbered as they occur. Null: the slot is absent in all rows. */
function columnOf(
  spelling: Spelling,
  { words, layout, count }: PackedRows,
  slot: Slot,
): Column | null {
  const { section, key, number } = slot;
  const first = layout.read(words, 0, number);
  const texts = [spelling.text(slot, first)];
  const names = { section: section.key, key };
  const mask = layout.mask[number]!;
  const { width } = layout;
  let at = layout.word[number]!;
  const shift = layout.shift[number]!;
  const bits = mask << shift;
  const same = words[at]! & bits;
  let row = 1;
  if (mask !== 0) for (at += width; row < count && (words[at]! & bits) === same; at += width) row++;
  if (mask === 0 || row === count) {
    return texts[0] === null ? null : { ...names, texts, places: null };
  }
  const places = new Int32Array(count);
  const known = new Int32Array(slot.values.length);
  known[first] = 1;
  for (; row < count; row++, at += width) {
    const local = (words[at]! >>> shift) & mask;
    let place = known[local]!;
    if (place === 0) {
      place = texts.push(spelling.text(slot, local));
      known[local] = place;
    }
    places[row] = place - 1;
  }
  return { ...names, texts, places };
}

function compare(one: Column, other: Column): number {
  if (one.section !== other.section) return one.section < other.section ? -1 : 1;
  return one.key < other.key ? -1 : 1;
}

/** A block in the numbers of an engine. */
export interface ReadBlock extends RowOrigins {
  readonly count: number;
  readonly rows: IncomingRows;
}

/**
 * Reads a block that anybody may have written. Slots and values that occur in it get numbers: the caller
 * must adapt the engine. Throws `BlockError`, and `LimitHitError` if there is no memory for it.
 */
export function readBlock(spelling: Spelling, bytes: Uint8Array): ReadBlock {
  const { table } = spelling;
  const unpacked = inflated(bytes);
  const raw = Buffer.from(unpacked.buffer, unpacked.byteOffset, unpacked.byteLength);
  const length = raw.length < WORD ? 0 : raw.readUInt32LE();
  const { first, rows: count, slots } = headerOf(raw.subarray(WORD, WORD + length));
  const layout = planLayout(slots.map(([, , values]) => values.length));
  const body = raw.subarray(WORD + length);
  if (body.length !== WORD * count * (layout.width + 3)) throw new BlockError('has another length');
  const given = wordsIn(body);
  const at = layout.width * count;
  const sources = new Int32Array(count);
  const numbers = new Float64Array(count);
  const instances = given.slice(at + 2 * count);
  let source = 0;
  let number = first;
  for (let row = 0; row < count; row++) {
    const step = given[at + row]!;
    const more = given[at + count + row]!;
    if (step < 0 || more < 0 || instances[row]! < 0) throw new BlockError('is not in order');
    source += step;
    number += more;
    sources[row] = source;
    numbers[row] = number;
  }
  const numbersOf = slots.map(([section, key]) => slotNumber(table, section, key));
  if (new Set(numbersOf).size !== slots.length) throw new BlockError('has a slot twice');
  const locals = slots.map(([, , values], place) => {
    const slot = table.slots[numbersOf[place]!]!;
    return values.map((value) => spelling.local(slot, value));
  });
  // In these rows, all others are absent.
  for (const slot of table.slots) table.absentLocal(slot);
  slots.forEach(([section, key, values], place) => {
    const mask = layout.mask[place]!;
    // Each number that fits is that of a value.
    if (mask < values.length) return;
    const shift = layout.shift[place]!;
    const start = layout.word[place]! * count;
    for (let row = 0; row < count; row++) {
      if (((given[start + row]! >>> shift) & mask) < values.length) continue;
      throw new BlockError(`has no such value of ${section}.${key}`);
    }
  });
  return {
    ...{ count, sources, numbers, instances },
    rows: { words: given, count, layout, slots: numbersOf, locals },
  };
}

function headerOf(bytes: Buffer): z.output<typeof headerSchema> {
  try {
    const read = headerSchema.safeParse(JSON.parse(bytes.toString('utf8')));
    if (read.success) return read.data;
  } catch {
    // It is no JSON.
  }
  throw new BlockError('has a header that does not fit its schema');
}

function slotNumber(table: SlotTable, key: string, entry: string): number {
  const section = table.section(key);
  if (section === undefined) throw new BlockError(`has a section ${key}, which the model lacks`);
  if (section.kind === 'value' && entry !== '') {
    throw new BlockError(`has an entry of ${key}, which has none`);
  }
  return table.slotOrAbsent(section, entry).number;
}

export function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw new LimitHitError('memory');
    throw new BlockError('cannot be unpacked');
  }
}

/** All machines that Node.js runs on are little-endian, but for one that nobody uses. */
export function bytesOf(words: Int32Array): Uint8Array {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength);
}

/** A copy: the bytes need not lie where words may. */
export function wordsIn(bytes: Uint8Array): Int32Array {
  return new Int32Array(new Uint8Array(bytes).buffer);
}

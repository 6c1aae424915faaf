import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import type { IncomingRows } from '../engine/exchange/exchange.ts';
import { LimitHitError } from '../errors.ts';
import { planLayout } from '../values/layout-plan.ts';
import type { SlotTable } from '../values/slots.ts';
import { BlockError } from './errors.ts';

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
  /** Section and key of each slot that is present in some row, and its values; `[]`: it is absent. */
  slots: z.array(
    z.tuple([
      z.string(),
      z.string(),
      z.array(z.union([z.tuple([]), z.tuple([z.unknown()])])).min(1),
    ]),
  ),
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

/** @param locals by row and slot, `stride` apart. */
export function packBlock(
  table: SlotTable,
  count: number,
  { locals, stride }: { readonly locals: Int32Array; readonly stride: number },
  { sources, numbers, instances }: RowOrigins,
): Uint8Array {
  const slots: [string, string, ([] | [unknown])[]][] = [];
  const columns: Int32Array[] = [];
  for (const slot of table.slots) {
    const column = new Int32Array(count);
    const places = new Map<number, number>();
    const values: ([] | [unknown])[] = [];
    let isPresent = false;
    let last = -1;
    let lastPlace = 0;
    for (let row = 0; row < count; row++) {
      const local = slot.number < stride ? locals[row * stride + slot.number]! : 0;
      if (local !== last) {
        last = local;
        const known = places.get(local);
        if (known === undefined) {
          lastPlace = values.length;
          places.set(local, lastPlace);
          const isAbsent = table.isAbsent(slot, local);
          if (!isAbsent) isPresent = true;
          values.push(isAbsent ? [] : [table.value(slot, local)]);
        } else lastPlace = known;
      }
      column[row] = lastPlace;
    }
    if (!isPresent) continue;
    slots.push([slot.section.key, slot.key, values]);
    columns.push(column);
  }
  // Numbers of slots are those of one process.
  const order = [...slots.keys()].sort((one, other) => compare(slots[one]!, slots[other]!));
  const sorted = order.map((place) => slots[place]!);
  const layout = planLayout(sorted.map(([, , values]) => values.length));
  const { width } = layout;
  const words = new Int32Array(count * (width + 3));
  order.forEach((from, place) => {
    if (layout.mask[place] === 0) return;
    const column = columns[from]!;
    const start = layout.word[place]! * count;
    const shift = layout.shift[place]!;
    for (let row = 0; row < count; row++) {
      words[start + row] = words[start + row]! | (column[row]! << shift);
    }
  });
  const at = width * count;
  for (let row = 0; row < count; row++) {
    words[at + row] = sources[row]! - (row === 0 ? 0 : sources[row - 1]!);
    words[at + count + row] = row === 0 ? 0 : numbers[row]! - numbers[row - 1]!;
    words[at + 2 * count + row] = instances[row]!;
  }
  const header = Buffer.from(JSON.stringify({ first: numbers[0]!, rows: count, slots: sorted }));
  const length = Buffer.alloc(WORD);
  length.writeUInt32LE(header.length);
  return deflateRawSync(Buffer.concat([length, header, bytesOf(words)]), { level: 1 });
}

function compare(one: readonly [string, string, unknown], other: typeof one): number {
  for (const place of [0, 1] as const) {
    if (one[place] !== other[place]) return one[place] < other[place] ? -1 : 1;
  }
  return 0;
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
export function readBlock(table: SlotTable, bytes: Uint8Array): ReadBlock {
  const unpacked = inflated(bytes);
  const raw = Buffer.from(unpacked.buffer, unpacked.byteOffset, unpacked.byteLength);
  const length = raw.length < WORD ? 0 : raw.readUInt32LE();
  const { first, rows: count, slots } = headerOf(raw.subarray(WORD, WORD + length));
  const layout = planLayout(slots.map(([, , values]) => values.length));
  const body = raw.subarray(WORD + length);
  if (body.length !== WORD * count * (layout.width + 3)) throw new BlockError('has another length');
  const given = wordsIn(body);
  const words = transposed(given, count, layout.width);
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
    return values.map((value) =>
      value.length === 0 ? table.absentLocal(slot) : table.intern(slot, value[0]),
    );
  });
  // In these rows, all others are absent.
  for (const slot of table.slots) table.absentLocal(slot);
  slots.forEach(([section, key, values], place) => {
    if (values.length < 2) return;
    for (let row = 0; row < count; row++) {
      if (layout.read(words, row * layout.width, place) < values.length) continue;
      throw new BlockError(`has no such value of ${section}.${key}`);
    }
  });
  return {
    ...{ count, sources, numbers, instances },
    rows: { words, layout, slots: numbersOf, locals },
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

function transposed(words: Int32Array, count: number, width: number): Int32Array {
  const rows = new Int32Array(count * width);
  for (let word = 0; word < width; word++) {
    for (let row = 0; row < count; row++) rows[row * width + word] = words[word * count + row]!;
  }
  return rows;
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

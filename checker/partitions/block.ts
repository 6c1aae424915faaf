import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import type { IncomingColumn, IncomingRows } from '../engine/exchange/incoming.ts';
import { LimitHitError } from '../errors.ts';
import type { SlotTable } from '../values/slots.ts';
import { DistinctWords } from './distinct-words.ts';
import { BlockError } from './errors.ts';
import { type Keyed, numbersFrom, stepsOf } from './keys.ts';
import { ByteReader, bytesOf, DIGEST_BYTES, Digest, packNumbers } from './numbers.ts';
import type { PackedRows } from './packed-rows.ts';
import type { Spelling } from './spelling.ts';

/**
 * A block: states that the expansion of one layer of one partition has found for another, in the
 * order of their keys. It means the same to every process: names and values are written out, once
 * in a block. An expansion that is repeated anywhere gives blocks that say the same.
 *
 * - 8 bytes: a digest of the rows and their keys (`Digest`);
 * - a word, the length of the header; the header, as deflated JSON: see `headerSchema`;
 * - for each word of a packed row: how many different ones there are, these, and by row which one
 *   it is;
 * - by row, what is to be added to get the number of the source state, and the action instance.
 */
const whole = z.int().nonnegative();
const headerSchema = z.strictObject({
  /** The number of the source of the first row. */
  first: whole,
  rows: z
    .int()
    .positive()
    .max(1 << 16),
  /** Words of a packed row. */
  width: whole.max(1 << 12),
  /** Slots that are present in some row. */
  slots: z.array(
    z.strictObject({
      section: z.string(),
      key: z.string(),
      /** Its bits in a packed row; null: it has one value in all rows. */
      bits: z
        .strictObject({ word: whole, shift: whole.max(31), mask: whole.max(2 ** 30 - 1) })
        .nullable(),
      /** What its bits may be, and the values as JSON that these mean; null: it is absent. */
      locals: z.array(whole),
      texts: z.array(z.string().nullable()).min(1),
    }),
  ),
});

type Header = z.output<typeof headerSchema>;
type SlotHeader = Header['slots'][number];

/** No honest header comes near: it spells out the values of few rows. */
const MOST_BYTES = 1 << 28;

/** Rows, with the hash of each that is the same in every process: see `RowHash`. */
export interface HashedRows extends PackedRows, Keyed {
  readonly instances: Int32Array;
  readonly hashes: Int32Array;
}

const finder = new DistinctWords();

export function packBlock(spelling: Spelling, rows: HashedRows): Uint8Array {
  const { words, layout, count, numbers, instances, hashes } = rows;
  const { width } = layout;
  const columns = Array.from({ length: width }, (_, word) => {
    const { distinct, places } = finder.of(words, word, width, count);
    return { distinct, places: packNumbers(places) };
  });
  const slots = spelling.table.slots.flatMap(({ section, key, number }): readonly SlotHeader[] => {
    // The rows are older than a slot without a place: it had one value.
    const mask = layout.mask[number] ?? 0;
    const slot = spelling.table.slots[number]!;
    if (slot.values.length === 0) return [];
    const word = layout.word[number]!;
    const shift = layout.shift[number]!;
    const locals = mask === 0 ? [0] : localsIn(columns[word]!.distinct, shift, mask);
    const texts = locals.map((local) => spelling.text(slot, local));
    const names = { section: section.key, key };
    if (locals.length > 1) return [{ ...names, bits: { word, shift, mask }, locals, texts }];
    return texts[0] === null ? [] : [{ ...names, bits: null, locals: [], texts }];
  });
  const header: Header = { first: numbers[0]!, rows: count, width, slots };
  const text = deflateRawSync(JSON.stringify(header), { level: 1 });
  const steps = stepsOf(numbers, 0, count);
  const digest = new Digest();
  for (let row = 0; row < count; row++) {
    digest.add(hashes[row]!);
    digest.add(steps[row]!);
    digest.add(instances[row]!);
  }
  return Buffer.concat([
    ...[digest.bytes, bytesOf(Int32Array.of(text.length)), text],
    ...columns.flatMap(({ distinct, places }) => [
      bytesOf(Int32Array.of(distinct.length)),
      bytesOf(distinct),
      places,
    ]),
    ...[packNumbers(steps), packNumbers(instances)],
  ]);
}

/** The different values of some bits. A closure in its place would be compiled for each slot. */
function localsIn(words: Int32Array, shift: number, mask: number): number[] {
  const locals = new Set<number>();
  for (let at = 0; at < words.length; at++) locals.add((words[at]! >>> shift) & mask);
  return [...locals];
}

/** A block in the numbers of an engine. */
export interface ReadBlock extends Keyed {
  readonly rows: IncomingRows;
}

/**
 * Reads a block that anybody may have written. Slots and values that occur in it get numbers: the
 * caller must adapt the engine. Throws `BlockError`, `BadValueError`, and `LimitHitError` if there
 * is no memory.
 */
export function readBlock(spelling: Spelling, bytes: Uint8Array): ReadBlock {
  const { table } = spelling;
  const reader = new ByteReader(bytes);
  reader.take(DIGEST_BYTES);
  const { first, rows: count, width, slots } = headerOf(reader.take(reader.word()));
  const columns = Array.from({ length: width }, () => {
    const distinct = reader.words(reader.word());
    return { distinct, cases: reader.numbers(count) };
  });
  const numbers = numbersFrom(first, reader.numbers(count));
  const instances = reader.numbers(count);
  reader.end();
  const known = slots.map((slot) => ({ ...slot, number: slotIn(table, slot.section, slot.key) }));
  if (new Set(known.map(({ number }) => number)).size !== slots.length) {
    throw new BlockError('has a slot twice');
  }
  const spelled = known.map((slot) => ({
    ...slot,
    own: slot.texts.map((text) => spelling.local(table.slots[slot.number]!, text)),
  }));
  // In these rows, all others are absent.
  for (const slot of table.slots) table.absentLocal(slot);
  const common = spelled.flatMap(({ bits, number, own }) =>
    bits === null ? [[number, own[0]!] as const] : [],
  );
  const varying = columns.map(({ distinct, cases }, word): IncomingColumn => {
    if (!isBelow(cases, distinct.length)) throw new BlockError('has no such word');
    const inWord = spelled.flatMap(({ bits, ...slot }) =>
      bits?.word === word ? [{ ...slot, ...bits }] : [],
    );
    const locals = new Int32Array(distinct.length * inWord.length);
    inWord.forEach(({ shift, mask, locals: given, own, section, key }, place) => {
      if (given.length !== own.length) throw new BlockError('has another number of values');
      const owns = new Map(given.map((local, index) => [local, own[index]!]));
      for (let index = 0; index < distinct.length; index++) {
        const local = owns.get((distinct[index]! >>> shift) & mask);
        if (local === undefined) throw new BlockError(`has no such value of ${section}.${key}`);
        locals[index * inWord.length + place] = local;
      }
    });
    return { slots: inWord.map(({ number }) => number), locals, cases };
  });
  if (spelled.some(({ bits }) => bits !== null && bits.word >= width)) {
    throw new BlockError('has a slot outside of its rows');
  }
  const used = varying.filter((column) => column.slots.length > 0);
  return { count, numbers, instances, rows: { count, columns: used, common } };
}

function isBelow(numbers: ArrayLike<number>, end: number): boolean {
  for (let index = 0; index < numbers.length; index++) if (numbers[index]! >= end) return false;
  return true;
}

function headerOf(bytes: Uint8Array): Header {
  const text = inflated(bytes);
  try {
    const read = headerSchema.safeParse(JSON.parse(Buffer.from(text).toString('utf8')));
    if (read.success) return read.data;
  } catch {
    // It is no JSON.
  }
  throw new BlockError('has a header that does not fit its schema');
}

function slotIn(table: SlotTable, key: string, entry: string): number {
  const section = table.section(key);
  if (section === undefined) throw new BlockError(`has a section ${key}, which the model lacks`);
  if (section.kind === 'value' && entry !== '') {
    throw new BlockError(`has an entry of ${key}, which has none`);
  }
  return table.slotOrAbsent(section, entry).number;
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw new LimitHitError('memory');
    throw new BlockError('cannot be unpacked');
  }
}

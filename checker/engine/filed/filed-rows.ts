import { allocateWords, type Guard } from '../../guard.ts';
import type { RowFile, RowSizes } from './row-storage.ts';

const WORD = Int32Array.BYTES_PER_ELEMENT;
const NO_PAGE = -1;
/** Bytes that are read or written at a time where all rows are passed through. */
const CHUNK_BYTES = 1 << 22;

/**
 * Rows in a file, which only grows, by whole pages. Pages that were read stay in memory until
 * another one takes their place; each page has one place.
 */
export class FiledRows {
  /** Rows in the file. */
  count = 0;
  /** Words of a row. */
  readonly width: number;
  /** The pages in memory. */
  readonly words: Int32Array;
  private readonly file: RowFile;
  private readonly pageRows: number;
  private readonly pageShift: number;
  /** By place: the page that is there. */
  private readonly present: Int32Array;
  private readonly places: number;

  constructor(file: RowFile, width: number, { pageRows, pages }: RowSizes, guard: Guard) {
    this.file = file;
    this.width = width;
    this.pageRows = pageRows;
    this.pageShift = Math.log2(pageRows);
    this.places = pages - 1;
    this.present = new Int32Array(pages).fill(NO_PAGE);
    this.words = allocateWords(pages * pageRows * width, guard);
  }

  /** Where a row begins in `words`, until the next call. */
  place(row: number): number {
    const page = row >>> this.pageShift;
    const at = page & this.places;
    const size = this.pageRows * this.width;
    if (this.present[at] !== page) {
      this.present[at] = NO_PAGE;
      this.file.read(bytesOf(this.words, at * size, size), page * size * WORD);
      this.present[at] = page;
    }
    return at * size + (row & (this.pageRows - 1)) * this.width;
  }

  /** Adds whole pages of rows, all of them or none. */
  append(words: Int32Array, start: number, rows: number): void {
    this.file.write(bytesOf(words, start, rows * this.width), this.count * this.width * WORD);
    this.count += rows;
  }

  /** All rows in order, some at a time: the words, the number of the first row, and of how many. */
  forEachChunk(take: (words: Int32Array, first: number, rows: number) => void): void {
    const { width, count } = this;
    const most = Math.max(1, Math.floor(CHUNK_BYTES / (WORD * width)));
    const words = new Int32Array(Math.min(most, count) * width);
    for (let first = 0; first < count; first += most) {
      const rows = Math.min(most, count - first);
      this.file.read(bytesOf(words, 0, rows * width), first * width * WORD);
      take(words, first, rows);
    }
  }

  close(): void {
    this.file.close();
  }
}

function bytesOf(words: Int32Array, start: number, length: number): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset + start * WORD, length * WORD);
}

/**
 * A file of bytes that a search uses while it runs. Each function does all of it or throws; what it
 * throws ends the check.
 */
export interface RowFile {
  /** Writes these bytes from this place on. They may change after it returns. */
  write(bytes: Uint8Array, at: number): void;
  /** Fills these bytes with those from this place on, which were written before. */
  read(bytes: Uint8Array, at: number): void;
  /** The file is not needed any more. */
  close(): void;
}

/**
 * Where a search puts the rows and predecessors of old states. The checker knows no files: a
 * storage may be a folder, or arrays in memory. After the check, its maker closes the files that
 * are still open.
 */
export interface RowStorage {
  /** A new file without content. */
  open(): RowFile;
  /** About so many bytes of rows and predecessors stay in memory (default 64 MB). */
  readonly bytesInMemory?: number;
}

const BYTES_IN_MEMORY = 1 << 26;
/**
 * This part of the memory is for pages that were read from files; the rest is for the newest
 * states.
 */
const CACHED = 1 / 8;
const PAGE_ROWS = { least: 2, most: 256 } as const;
const WORD = Int32Array.BYTES_PER_ELEMENT;

/** How the memory is divided. All are powers of two. */
export interface RowSizes {
  /** The newest states that are in memory: at least four pages. */
  readonly window: number;
  /** Rows that are read from a file at a time. It does not depend on the width of rows. */
  readonly pageRows: number;
  /** Pages in memory. */
  readonly pages: number;
}

/** @param width words of a row. */
export function rowSizes({ bytesInMemory = BYTES_IN_MEMORY }: RowStorage, width: number): RowSizes {
  const { least, most } = PAGE_ROWS;
  const pageRows = Math.min(most, Math.max(least, powerBelow(bytesInMemory / 1024)));
  const rows = (bytesInMemory * (1 - CACHED)) / (WORD * (width + 1));
  const pages = (bytesInMemory * CACHED) / (WORD * width * pageRows);
  return {
    pageRows,
    window: Math.max(4 * pageRows, powerBelow(rows)),
    pages: Math.max(2, powerBelow(pages)),
  };
}

function powerBelow(number: number): number {
  return number < 1 ? 1 : 2 ** Math.floor(Math.log2(number));
}

import type { EngineHead, EnginePart } from '../engine/saved.ts';
import { MisfitError } from '../engine/saved.ts';
import type { Decisions } from '../judge.ts';
import type { SearchPosition } from '../search.ts';

/** What one block says besides the rows. */
export interface BlockHead {
  /** Digest of the question that is searched. */
  readonly question: string;
  readonly position: SearchPosition;
  readonly engine: EngineHead;
  readonly judge: {
    readonly judgedStates: number;
    readonly terminalStates: number;
    /** By property. */
    readonly triggered: readonly number[];
    readonly decisions: Decisions;
  };
  readonly auditor: { readonly next: number | null; readonly audited: number };
}

export interface Block {
  readonly head: BlockHead;
  readonly part: EnginePart;
}

const WORD = Int32Array.BYTES_PER_ELEMENT;
/** Bytes of the head, rows, predecessors, words of the log. */
const LENGTHS = 4;

/** The bytes of a block, in parts. They are views: they change with the engine. */
export function encodedBlock({ head, part: { rows, parents, learnt } }: Block): Uint8Array[] {
  const text = JSON.stringify(head);
  // What follows begins at a whole word.
  const padded = new TextEncoder().encode(text.padEnd(text.length + WORD));
  const json = padded.subarray(0, padded.length - (padded.length % WORD));
  const lengths = Int32Array.of(json.length, rows.length, parents.length, learnt.length);
  return [bytesOf(lengths), json, bytesOf(rows), bytesOf(parents), bytesOf(learnt)];
}

/** Throws `MisfitError` if these are not the bytes of a block. */
export function decodedBlock(bytes: Uint8Array): Block {
  // A copy begins at a whole word.
  const aligned = bytes.byteOffset % WORD === 0 ? bytes : bytes.slice();
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (length < 0 || at + length > aligned.length) throw new MisfitError('a block is too short');
    at += length;
    return aligned.subarray(at - length, at);
  };
  const words = (count: number): Int32Array => {
    const part = take(count * WORD);
    return new Int32Array(part.buffer, part.byteOffset, count);
  };
  const [json = 0, rows = 0, parents = 0, learnt = 0] = words(LENGTHS);
  const head = headIn(new TextDecoder().decode(take(json)));
  const part = { rows: words(rows), parents: words(parents), learnt: words(learnt) };
  return { head, part: { ...part, head: head.engine } };
}

function headIn(text: string): BlockHead {
  try {
    return JSON.parse(text) as BlockHead;
  } catch {
    throw new MisfitError('the head of a block is no JSON');
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

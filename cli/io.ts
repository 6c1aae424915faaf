import type { Bytes } from '../input/documents/source.ts';
import type { OpenTerminal } from './line-source.ts';

/** A stream for text; `isTerminal` decides about colours and the progress line. */
export interface Out {
  write(text: string): void;
  readonly isTerminal: boolean;
}

/** All that a command touches besides files, so that tests run it in process. */
export interface Io {
  readonly stdin: Bytes;
  readonly stdout: Out;
  readonly stderr: Out;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls back at the first Ctrl-C; returns how to stop listening. */
  onInterrupt(callback: () => void): () => void;
  /** Where somebody types; absent where commands come from a pipe or a file. */
  readonly openTerminal?: OpenTerminal;
}

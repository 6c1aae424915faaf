import type { OpenTerminal } from '../explore/line-source.ts';
import type { Bytes } from '../input/documents/source.ts';

/** A text stream. `isTerminal` controls colours and the progress line. */
export interface Out {
  write(text: string): void;
  readonly isTerminal: boolean;
}

/** Everything that a command uses besides files, so that tests can run it in process. */
export interface Io {
  readonly stdin: Bytes;
  readonly stdout: Out;
  readonly stderr: Out;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls back at the first Ctrl-C. Returns a function that stops listening. */
  onInterrupt(callback: () => void): () => void;
  /** Calls back when the process is asked to end (SIGTERM). Absent: nothing asks. */
  onTerminate?(callback: () => void): void;
  /** Absent if stdin or stdout is not a terminal. */
  readonly openTerminal?: OpenTerminal;
}

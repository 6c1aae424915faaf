import { setFlagsFromString } from 'node:v8';

/**
 * How many bytes of bytecode a function runs before V8 optimises it. With the default, a third of
 * this, most of what is optimised in a check of a second or two does not run long enough to gain by
 * it.
 */
const BYTECODE_BEFORE_OPTIMISING = 400_000;

/**
 * The version of V8, that of Node 20, in which this was measured. Later ones have one compiler
 * more.
 */
const MEASURED = '11.';

/**
 * Lets V8 optimise later, and collect young objects by one thread. Call it once, in a process that
 * is a command: the library leaves the flags of its process alone. Nothing but time depends on it:
 * all built-in scenarios take a sixth less, and long searches take the same (bench/README.md).
 */
export function optimiseLater(version = process.versions.v8): void {
  if (!version.startsWith(MEASURED)) return;
  setFlagsFromString(`--interrupt-budget=${BYTECODE_BEFORE_OPTIMISING}`);
  // Threads that help to collect young objects cost a small check more than they give.
  setFlagsFromString('--no-parallel-scavenge');
}

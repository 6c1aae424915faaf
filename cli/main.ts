#!/usr/bin/env node
import { terminalOn } from './explore/terminal.ts';
import type { Io, Out } from './io.ts';
import { run } from './run.ts';

function out(stream: NodeJS.WriteStream): Out {
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY === true };
}

/** The first Ctrl-C asks for the partial result; without a listener left, the second one kills. */
function onInterrupt(callback: () => void): () => void {
  process.once('SIGINT', callback);
  return () => void process.off('SIGINT', callback);
}

// A reader that has seen enough (`| head`) closes the pipe; there is nobody left to tell.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

const io: Io = {
  stdin: process.stdin,
  stdout: out(process.stdout),
  stderr: out(process.stderr),
  env: process.env,
  onInterrupt,
  ...(process.stdin.isTTY && process.stdout.isTTY
    ? { openTerminal: terminalOn(process.stdin, process.stdout) }
    : {}),
};

// Not process.exit(): what is still in the pipe has to get out.
process.exitCode = await run(process.argv.slice(2), io);

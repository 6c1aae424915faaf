#!/usr/bin/env node
import { EXIT } from '../text/exit-codes.ts';
import { errorLines } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';
import type { Io, Out } from './io.ts';
import { run } from './run.ts';
import { terminalOn } from './terminal.ts';

function out(stream: NodeJS.WriteStream): Out {
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY === true };
}

/** The first Ctrl-C asks for the partial result; without a listener left, the second one kills. */
function onInterrupt(callback: () => void): () => void {
  process.once('SIGINT', callback);
  return () => void process.off('SIGINT', callback);
}

/**
 * A reader that has seen enough (`| head`) closes the pipe. The work goes on: its reports have to be
 * written, and its exit code has to be that of the verdicts.
 */
function failsAs(stream: NodeJS.WriteStream, name: string): void {
  let isTold = false;
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isTold) return;
    isTold = true;
    process.on('exit', () => {
      process.exitCode = EXIT.usage;
    });
    const lines = errorLines(MESSAGES.outputNotWritable(name, code ?? 'EIO').text);
    if (stream !== process.stderr) process.stderr.write(`${lines.join('\n')}\n`);
  });
}

failsAs(process.stdout, '<stdout>');
failsAs(process.stderr, '<stderr>');

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

#!/usr/bin/env node
import module from 'node:module';
import { compiledAhead, compiledFor } from '../run/compiled.ts';
import { optimiseLater } from '../run/compiler.ts';
import { onInterrupt } from '../run/interrupts.ts';
import { EXIT } from '../text/exit-codes.ts';
import { errorLines } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';
import type { Io, Out } from './io.ts';
import { terminalOn } from './terminal.ts';

function out(stream: NodeJS.WriteStream): Out {
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY === true };
}

/**
 * If the reader closes the pipe (`| head`), the command continues: it must still write its reports and
 * exit with the code of the verdicts. Any other failure to write makes the exit code 2.
 */
function failsAs(stream: NodeJS.WriteStream, name: string): void {
  let isReported = false;
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isReported) return;
    isReported = true;
    process.on('exit', () => {
      process.exitCode = EXIT.usage;
    });
    const lines = errorLines(MESSAGES.outputNotWritable(name, code ?? 'EIO').text);
    if (stream !== process.stderr) process.stderr.write(`${lines.join('\n')}\n`);
  });
}

/** Node 22 keeps compiled code between runs. Everything that is imported after the call is kept. */
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();

optimiseLater();

failsAs(process.stdout, '<stdout>');
failsAs(process.stderr, '<stderr>');

const io: Io = {
  stdin: process.stdin,
  stdout: out(process.stdout),
  stderr: out(process.stderr),
  env: process.env,
  onInterrupt,
  onTerminate: (callback) => void process.once('SIGTERM', callback),
  ...(process.stdin.isTTY && process.stdout.isTTY
    ? { openTerminal: terminalOn(process.stdin, process.stdout) }
    : {}),
};

/** A module of the user's runs in this process. Whatever it does, no code may say more than is known. */
let isDone = false;
process.on('exit', (code) => {
  if (isDone || code === EXIT.interrupted) return;
  process.exitCode = EXIT.defect;
  process.stderr.write(`${errorLines(MESSAGES.endedEarly().text).join('\n')}\n`);
});
process.on('uncaughtException', (error) => {
  isDone = true;
  process.stderr.write(`${errorLines(MESSAGES.thrownLater(error).text).join('\n')}\n`);
  process.exit(EXIT.defect);
});

const words = process.argv.slice(2);
const asked = compiledFor(words[0]);
const folder = new URL('./compiled/', import.meta.url);
const compiled = asked && compiledAhead<typeof import('./run.ts')>(folder, asked);
const { run } = compiled ?? (await import('./run.ts'));
const code = await run(words, io);
isDone = true;
// Not process.exit(), which would drop output that is still buffered.
process.exitCode = code;

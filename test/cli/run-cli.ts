import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import type { Io, Out } from '../../cli/io.ts';
import { run } from '../../cli/run.ts';
import {
  type ResultDocument,
  resultDocumentSchema,
} from '../../report/document/result-document.ts';
import '../typescript.ts';
import { withPatience } from './patience.ts';

/** Runs the command line in process, with streams of our own. */

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly stdin?: string | readonly Uint8Array[];
  readonly env?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  /** Called with a function that does what Ctrl-C does. */
  readonly onListen?: (interrupt: () => void) => void;
  /** Whether questions have only the time that they have by default. */
  readonly isImpatient?: boolean;
}

export async function runCli(
  words: readonly string[],
  surroundings: Surroundings = {},
): Promise<Outcome> {
  const { stdin = '', env = {}, isTerminal = false, onListen, isImpatient = false } = surroundings;
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written): Out => ({
    isTerminal,
    write: (text) => {
      written[name] += text;
    },
  });
  const io: Io = {
    stdin: bytes(stdin),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env,
    onInterrupt: (callback) => {
      onListen?.(callback);
      return () => undefined;
    },
  };
  return { code: await run(isImpatient ? words : withPatience(words), io), ...written };
}

/** Runs `check` and returns its document, which has to fit the schema. */
export async function documentOf(words: readonly string[]): Promise<ResultDocument> {
  const { stdout } = await runCli(['check', ...words, '--format', 'json']);
  const value: unknown = JSON.parse(stdout);
  expect(resultDocumentSchema.safeParse(value).error).toBeUndefined();
  return value as ResultDocument;
}

/** One clear error, exit code 2, nothing on stdout. */
export function expectError(outcome: Outcome, ...parts: readonly (string | RegExp)[]): void {
  expect(outcome.stdout).toBe('');
  expect(outcome.stderr.match(/^error: /gm)).toHaveLength(1);
  for (const part of parts) expect(outcome.stderr).toMatch(part);
  expect(outcome.code).toBe(2);
}

async function* bytes(input: string | readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  if (typeof input === 'string') yield Buffer.from(input);
  else yield* input;
}

const here = dirname(fileURLToPath(import.meta.url));

export function dump(name: string): string {
  return join(here, '..', 'dumps', name);
}

export function golden(name: string): string {
  return join(here, '..', 'golden', name);
}

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reapcheck-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file with this content in a folder of its own. */
export function temporaryFile(name: string, content: string | Uint8Array): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Plan } from '../../input/plan.ts';
import { InputError } from '../../text/input-error.ts';
import { canonical } from '../execution.ts';
import { CHECKPOINT_ERRORS } from './errors.ts';

const MANIFEST = 'manifest.json';

const manifestSchema = z.strictObject({
  schema: z.literal('reapcheck.checkpoint/v1'),
  version: z.string(),
  endianness: z.enum(['LE', 'BE']),
  /** Digest of the code, and of what it runs on. */
  code: z.string(),
  /** The words after `reapcheck`, without those about checkpoints. */
  words: z.array(z.string()),
  /** How often to save, as it was given. */
  every: z.string().nullable(),
  /** Digest of all that was read from the inputs. */
  plan: z.string(),
  /** The digest of each input that is a file. */
  inputs: z.array(z.strictObject({ file: z.string(), sha256: z.string() })),
});

/** What is searched in a folder, and with which code. */
export type Manifest = z.infer<typeof manifestSchema>;

export function manifestOf(
  plan: Plan,
  files: readonly string[],
  given: Pick<Manifest, 'version' | 'code' | 'words' | 'every'>,
): Manifest {
  return {
    schema: 'reapcheck.checkpoint/v1',
    ...given,
    endianness: endianness(),
    plan: sha256(canonical(plan)),
    inputs: files.flatMap((file) => {
      const digest = digestOfFile(file);
      return digest === null ? [] : [{ file, sha256: digest }];
    }),
  };
}

/** Writes the manifest of a new search. Throws `InputError` if the folder has something already. */
export function createFolder(folder: string, manifest: Manifest): void {
  try {
    mkdirSync(folder, { recursive: true });
    const present = readdirSync(folder);
    if (present.length > 0) {
      throw CHECKPOINT_ERRORS.notEmpty(folder, present.includes(MANIFEST));
    }
    const file = join(folder, MANIFEST);
    const handle = openSync(`${file}.part`, 'wx', 0o600);
    try {
      writeFileSync(handle, `${JSON.stringify(manifest, null, 2)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    // So that a manifest that is there is complete.
    renameSync(`${file}.part`, file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw CHECKPOINT_ERRORS.unwritable(folder, codeOf(error));
  }
}

/** Throws `InputError` if there is none, or one of another format. */
export function readManifest(folder: string): Manifest {
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) throw CHECKPOINT_ERRORS.noCheckpoint(folder);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw CHECKPOINT_ERRORS.badManifest(file, error instanceof Error ? error.message : 'no JSON');
  }
  const read = manifestSchema.safeParse(content);
  if (!read.success) {
    const [issue] = read.error.issues;
    const at = issue?.path.length === 0 ? '' : `${issue?.path.join('.')}: `;
    throw CHECKPOINT_ERRORS.badManifest(file, `${at}${issue?.message}`);
  }
  const own = endianness();
  const { endianness: saved } = read.data;
  if (saved !== own) throw CHECKPOINT_ERRORS.otherMachine(file, saved, own);
  return read.data;
}

/** Throws `InputError` if the question of now is not the one that was saved. */
export function demandSame(saved: Manifest, now: Manifest): void {
  if (saved.code !== now.code) throw CHECKPOINT_ERRORS.codeChanged(saved.version);
  for (const { file, sha256 } of saved.inputs) {
    const digest = now.inputs.find((input) => input.file === file)?.sha256;
    if (digest !== sha256) throw CHECKPOINT_ERRORS.inputChanged(file);
  }
  if (saved.plan !== now.plan) throw CHECKPOINT_ERRORS.inputChanged('the input');
}

function digestOfFile(file: string): string | null {
  try {
    return statSync(file).isFile() ? sha256(readFileSync(file)) : null;
  } catch {
    // A word that names no file, such as a built-in scenario: the plan has its content.
    return null;
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

import { access, appendFile, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from '../../input/documents/source.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { ReportDocument } from '../document/documents.ts';
import { limitedMarkdown } from './markdown.ts';

/** The job summary of GitHub Actions: a Markdown file that each step may append to. */
export interface JobSummary {
  add(document: ReportDocument): Promise<void>;
}

/** Bytes per step. GitHub rejects a longer summary as a whole. */
const LONGEST_SUMMARY = 1_048_576;

/** Null outside of GitHub Actions. Throws `InputError` if the file cannot be written. */
export async function openJobSummary(
  env: Readonly<Record<string, string | undefined>>,
): Promise<JobSummary | null> {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '') return null;
  return writing(file, async () => {
    const size = await sizeOf(file);
    await access(size === null ? dirname(file) : file, constants.W_OK);
    return {
      add: (document) =>
        writing(file, async () => {
          // Output of earlier commands of the step counts as well.
          const room = LONGEST_SUMMARY - ((await sizeOf(file)) ?? 0) - 1;
          if (room > 0) await appendFile(file, `${limitedMarkdown(document, room)}\n`);
        }),
    };
  });
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw MESSAGES.outputNotWritable(file, 'EISDIR');
    return found.size;
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function writing<Value>(file: string, write: () => Promise<Value>): Promise<Value> {
  try {
    return await write();
  } catch (error) {
    throw isSystemError(error)
      ? MESSAGES.outputNotWritable(`${file} ($GITHUB_STEP_SUMMARY)`, error.code)
      : error;
  }
}

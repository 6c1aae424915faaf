import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeDigests } from '../gate/cell.ts';
import { type CodePlace, checkCode, codeDigests, GATE_CODE } from '../gate/run/code-digest.ts';
import { digestOf } from '../gate/run/digest.ts';

/**
 * The code that answers depend on. Its digest is a part of the name of a queue: a worker never sees
 * the jobs of another version.
 */
const CODE: CodePlace = {
  ...GATE_CODE,
  mains: [
    ...GATE_CODE.mains,
    'run/questions/survey-rows.js',
    'run/walks.js',
    'fleet/search/steps.js',
  ],
};

/**
 * `models` are in every installation, `mutants` need a checkout. `search`: the partitions of
 * searches, which take a slot as long as the search lasts.
 */
export type QueueKind = 'models' | 'mutants' | 'search';

export const QUEUES = 'reapcheck';
/** So many characters of a digest tell versions apart, and fit in a line. */
const SHORT = 16;

/** To read all modules takes a while, and what this process has loaded stays. */
let loaded: CodeDigests | null = null;

/** Null: this installation cannot answer jobs of this kind. Throws `InputError` for stale code. */
export function queueName(kind: QueueKind): string | null {
  const code = kind === 'mutants' ? mutantCode() : fleetCode();
  if (code === null) return null;
  // Sorting and rounding might differ between major versions of Node.
  const digest = digestOf([code, process.versions.node.split('.', 1)]);
  return `${QUEUES}-${kind}-${digest.slice(0, SHORT)}`;
}

/** As it was when this process first asked. Throws `InputError` for stale code. */
export function fleetCode(): CodeDigests {
  loaded ??= codeDigests(CODE);
  return loaded;
}

/** Throws `InputError` if the code has changed since. */
export function checkFleetCode(before: CodeDigests): void {
  checkCode(before, CODE);
}

/** All compiled modules of the model and of the tool that changes it. */
function mutantCode(): unknown {
  const { folder } = CODE;
  if (!existsSync(join(folder, 'tools', 'mutate', 'worker.js'))) return null;
  const texts = ['model', 'tools/mutate'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .sort()
      .map((file) => [part, file, readFileSync(join(folder, part, file), 'utf8')]),
  );
  return [fleetCode(), texts];
}

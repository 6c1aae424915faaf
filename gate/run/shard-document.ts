import * as z from 'zod';
import type { Source } from '../../input/documents/source.ts';
import { readOf } from '../../report/document/documents.ts';
import { type CheckReport, checkReportSchema } from '../../report/document/result-document.ts';
import { type Cell, type CellOutcome, type CodeDigests, codeDigestsSchema } from '../cell.ts';
import { GATE_ERRORS } from '../errors.ts';
import { cellInputs, digestOf } from './digest.ts';
import { cellsOfShard, type Shard, shardText } from './shards.ts';

/** The results of one of several machines. `reapcheck gate merge` joins and judges them. */

export const SHARD_SCHEMA = 'reapcheck.gate-shard/v1';

const outcome = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done'), report: checkReportSchema, cached: z.boolean() }),
  z.strictObject({ kind: z.literal('failed'), message: z.string() }),
]);

const shardSchema = z.strictObject({
  schema: z.literal(SHARD_SCHEMA),
  version: z.string(),
  suite: z.string(),
  lock: z.string(),
  code: codeDigestsSchema,
  shard: z.strictObject({ index: z.int().min(1), of: z.int().min(1) }),
  cells: z.array(z.strictObject({ name: z.string(), outcome })),
});

export type ShardDocument = z.output<typeof shardSchema>;

/** What all parts of a run and the merge have in common. */
export interface ShardedRun {
  readonly version: string;
  /** All cells of the suite. */
  readonly cells: readonly Cell[];
  /** The text of the lock; null where there is none. */
  readonly lockText: string | null;
  readonly code: CodeDigests;
  readonly pinnedStates: ReadonlyMap<string, number>;
}

/** @param outcomes of the cells of the shard, in their order; each of them was run. */
export function shardDocument(
  run: ShardedRun,
  shard: Shard,
  outcomes: readonly CellOutcome[],
): object {
  return {
    schema: SHARD_SCHEMA,
    ...common(run),
    shard,
    cells: cellsOfShard(run.cells, shard, run.pinnedStates).map(({ name }, index) => {
      return { name, outcome: outcomes[index] };
    }),
  };
}

/** The suite counts as it was read, so that changed files are noticed. */
function common({ version, cells, lockText, code }: ShardedRun) {
  const suite = cells.map((cell) => [cell.name, cellInputs(cell), cell.plan?.setup ?? null]);
  return { version, suite: digestOf(suite), lock: digestOf(lockText), code };
}

/**
 * The outcomes of all cells, in order. Throws `InputError` if the parts are not those of one run.
 */
export function joined(run: ShardedRun, sources: readonly Source[]): readonly CellOutcome[] {
  const here = common(run);
  const parts = new Map<number, { readonly file: string; readonly document: ShardDocument }>();
  let of: number | null = null;
  for (const source of sources) {
    const { file } = source;
    const document = readOf(source, SHARD_SCHEMA, shardSchema);
    const { shard } = document;
    for (const part of ['version', 'suite', 'lock', 'code'] as const) {
      if (digestOf(document[part]) !== digestOf(here[part])) throw GATE_ERRORS.otherRun(file, part);
    }
    of ??= shard.of;
    if (of !== shard.of) throw GATE_ERRORS.otherCount(file, shardText(shard), of);
    const other = parts.get(shard.index);
    if (other !== undefined) throw GATE_ERRORS.shardTwice(shardText(shard), [other.file, file]);
    parts.set(shard.index, { file, document });
  }
  const count = of ?? 0;
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter(
    (index) => !parts.has(index),
  );
  if (count === 0 || missing.length > 0) {
    throw GATE_ERRORS.shardMissing(missing.map((index) => shardText({ index, of: count })));
  }
  const outcomes = new Map<string, CellOutcome>();
  for (const [index, { file, document }] of parts) {
    const expected = cellsOfShard(run.cells, { index, of: count }, run.pinnedStates);
    const names = document.cells.map(({ name }) => name);
    if (digestOf(names) !== digestOf(expected.map(({ name }) => name))) {
      throw GATE_ERRORS.otherCells(file);
    }
    for (const { name, outcome: found } of document.cells) outcomes.set(name, outcomeOf(found));
  }
  return run.cells.map(({ name }) => outcomes.get(name) ?? { kind: 'notRun' });
}

function outcomeOf(found: ShardDocument['cells'][number]['outcome']): CellOutcome {
  if (found.kind === 'failed') return found;
  // The schema does not describe the setup. The model that is built from it checks it.
  return { ...found, report: found.report as unknown as CheckReport };
}

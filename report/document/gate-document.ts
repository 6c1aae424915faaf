import type { Immutable } from 'immer';
import * as z from 'zod';
import { verdictSchema } from '../../checker/index.ts';
import { DRIFT_KINDS, SEVERITIES } from './drift.ts';
import { checkReportSchema, fateWordSchema, placeSchema } from './result-document.ts';

/** What `reapcheck gate` finds, as one JSON document. */

export const GATE_SCHEMA = 'reapcheck.gate/v1';

const lines = z.array(z.string());
const counts = z.record(z.string(), z.int());

const traceFactSchema = z
  .object({
    shape: z
      .enum(['path', 'stutter', 'lasso'])
      .describe('path: finite. stutter: nothing changes after it. lasso: it ends in a loop.'),
    length: z.int().describe('Number of steps.'),
    digest: z.string().describe('Digest of the actions in order.'),
  })
  .meta({ id: 'TraceFact', description: 'What the lock pins of a trace.' });

const cellSizeSchema = z
  .object({
    states: z.int().describe('Number of states.'),
    transitions: z.int().describe('Number of transitions.'),
    depth: z.int().describe('Layers beyond the initial states.'),
  })
  .meta({ id: 'CellSize', description: 'Size of the state space of a cell.' });

const cellFactsSchema = z
  .object({
    outcome: z
      .enum(['complete', 'states', 'depth', 'time', 'memory'])
      .describe('complete, or the limit that ended the search.'),
    size: cellSizeSchema
      .nullable()
      .describe('Null where a limit on time or memory makes it differ from run to run.'),
    verdicts: z
      .record(z.string(), verdictSchema)
      .describe('The verdict on each property that was judged, by name.'),
    triggered: counts.describe('In how many states or steps a property was triggered, by name.'),
    traces: z
      .record(z.string(), traceFactSchema)
      .describe('The trace of each violated property and of each witness that holds, by name.'),
    actions: counts.describe('Transitions of each action that happened, by name.'),
    fates: z
      .record(z.string(), fateWordSchema)
      .describe('What becomes of each object of a dump, by object.'),
  })
  .meta({ id: 'CellFacts', description: 'The facts of a cell that the lock pins.' });

const driftSchema = z
  .object({
    cell: z.string().describe('Name of the cell.'),
    kind: z.enum(DRIFT_KINDS).describe('What kind of difference it is.'),
    severity: z.enum(SEVERITIES).describe('worse: `--update` needs `--accept-worse` to pin it.'),
    subject: z
      .string()
      .nullable()
      .describe('Property, action or object of the cell; null: the cell as a whole.'),
    before: z.string().nullable().describe('What the lock pins; null if it pins nothing.'),
    after: z.string().nullable().describe('What was found; null if nothing was.'),
    details: lines.describe('Further figures, one a line.'),
    sentence: z.string().describe('The drift as a sentence.'),
  })
  .meta({ id: 'Drift', description: 'One difference between a cell and the lock.' });

const cellSchema = z
  .object({
    name: z.string().describe('Name of the cell: the scenario with its parameters.'),
    scenario: z.string().describe('Name of the scenario.'),
    parameters: z
      .array(
        z.object({
          name: z.string().describe('Name of the parameter.'),
          value: z.string().describe('Value of the parameter.'),
        }),
      )
      .describe('The parameters of the cell, in the order of its name.'),
    protocol: z
      .string()
      .nullable()
      .describe('Name of the protocol; null for a model that a module exports.'),
    place: placeSchema
      .nullable()
      .describe('Where the scenario is; null for a cell that the suite no longer has.'),
    status: z
      .enum(['asPinned', 'drifted', 'new', 'gone', 'failed', 'notRun'])
      .describe(
        'asPinned: as the lock has it. drifted: something differs. new: the lock does not have it. ' +
          'gone: the suite does not have it. failed: it could not be run. notRun: an interruption ' +
          'left it out.',
      ),
    cached: z
      .boolean()
      .describe('Whether an earlier report was used, because nothing that it depends on changed.'),
    seconds: z
      .number()
      .nullable()
      .describe('Duration of the search in seconds, also of an earlier one; null without one.'),
    facts: cellFactsSchema.nullable().describe('What was found; null if the cell did not run.'),
    unmet: lines.describe(
      'What is not as the scenario itself expects, or not as with other reductions; one sentence each.',
    ),
    error: z.string().nullable().describe('Why there are no facts; null if there are.'),
    because: lines.describe(
      'What changed since the lock was written; empty for a cell without drift.',
    ),
    again: z.string().describe('The command line that checks this cell alone.'),
  })
  .meta({ id: 'GateCell', description: 'One scenario with one choice of parameters.' });

export const gateDocumentSchema = z
  .object({
    schema: z.literal(GATE_SCHEMA).describe('Kind and version of this document.'),
    command: z.string().describe('The command line that wrote the document.'),
    version: z.string().describe('The version of reapcheck.'),
    suite: z.string().describe('The suite file.'),
    lock: z
      .object({
        file: z.string().describe('The lock file.'),
        found: z.boolean().describe('Whether there was a lock to compare with.'),
        update: z
          .enum(['notAsked', 'written', 'unchanged', 'refused'])
          .describe('What `--update` did.'),
        why: z.string().nullable().describe('Why the update was refused; null if it was not.'),
      })
      .describe('The lock that the cells were compared with.'),
    cells: z
      .array(cellSchema)
      .describe('The cells of the suite, and those that only the lock has.'),
    drifts: z.array(driftSchema).describe('The differences from the lock, worst first.'),
    warnings: lines.describe('Cells that are as pinned and still need work, as sentences.'),
    reports: z
      .array(checkReportSchema)
      .describe('The cells with a verdict that got worse, with all traces.'),
    exitCode: z.int().describe('The exit code of the command.'),
  })
  .describe('What `reapcheck gate` finds.');

/** What the lock pins of a trace. */
export type TraceFact = Immutable<z.output<typeof traceFactSchema>>;

/** Size of the state space of a cell. */
export type CellSize = Immutable<z.output<typeof cellSizeSchema>>;

/** The facts of a cell that the lock pins. What has not happened has no entry. */
export type CellFacts = Immutable<z.output<typeof cellFactsSchema>>;

/** One scenario with one choice of parameters, and how it compares with the lock. */
export type GateCell = Immutable<z.output<typeof cellSchema>>;

/** One difference between a cell and the lock, with its sentence. */
export type ToldDrift = Immutable<z.output<typeof driftSchema>>;

/** What `reapcheck gate` writes. */
export type GateDocument = Immutable<z.output<typeof gateDocumentSchema>>;

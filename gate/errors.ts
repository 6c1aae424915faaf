import { InputError, type Place, placeText } from '../text/input-error.ts';
import { hint } from '../text/messages.ts';

/** Input errors about suites and locks. */
export const GATE_ERRORS = {
  noSuite: (file: string, lock: string | null): InputError =>
    new InputError({
      what:
        lock === null
          ? `there is no suite ${file}`
          : `there is a lock ${lock}, but no suite ${file} that it belongs to`,
      next: 'docs/gate.md shows how to write a suite; reapcheck gate SUITE takes another file',
    }),

  suiteFromStdin: (): InputError =>
    new InputError({ what: 'a suite has to be a file: its lock is kept beside it' }),

  emptySuite: (where: Place): InputError =>
    new InputError({
      what: 'this suite has no scenarios, so it would judge nothing',
      where,
      expected: 'groups with scenarios, museum or deletions',
    }),

  noMatch: (pattern: string, where: Place, known: readonly string[]): InputError =>
    new InputError({
      what: `nothing matches "${pattern}"`,
      where,
      next: hint(pattern, known) ?? 'files are relative to the suite; reapcheck list has the names',
    }),

  unknownName: (
    name: string,
    what: 'scenario' | 'entry of the museum',
    known: readonly string[],
    where: Place,
  ): InputError =>
    new InputError({
      what: `there is no built-in ${what} "${name}"`,
      where,
      next: [
        hint(name, known) ?? `reapcheck list ${what === 'scenario' ? 'scenarios' : 'museum'}`,
        'name a file with its ending or its folder: ./NAME.yaml',
      ],
    }),

  cellTwice: (name: string, first: Place, second: Place): InputError =>
    new InputError({
      what: `there are two cells "${name}"`,
      where: second,
      expected: 'every cell once',
      next: `the other one comes from ${placeText(first)}`,
    }),

  /** An error of the scenario that shows in one cell only. */
  inCell: (error: InputError, cell: string, group: Place): InputError => {
    const { next = [], where = group, ...text } = error.text;
    return new InputError({
      ...text,
      where,
      next: [
        ...(typeof next === 'string' ? [next] : next),
        `in the cell ${cell} of ${placeText(group)}`,
      ],
    });
  },

  gridOfModule: (module: string, where: Place): InputError =>
    new InputError({
      what: `the group of the module ${module} has a grid, which is of Kubernetes`,
      where,
      next: 'give modules a group without a grid',
    }),

  nameIsAnId: (module: string, name: string, where: Place): InputError =>
    new InputError({
      what: `${module} has a property with the name "${name}", which is the id of another property`,
      where,
      next: 'give it another name',
    }),

  notALock: (file: string, detail: string, where?: Place): InputError =>
    new InputError({
      what: `${file} is not a lock of reapcheck: ${detail}`,
      where,
      next: [
        'restore the lock, or delete it and accept all results again:',
        'reapcheck gate --update --accept-worse',
      ],
    }),

  otherLock: (file: string, schema: string, expected: string): InputError =>
    new InputError({
      what: `${file} was written by another version: its schema is ${schema}`,
      expected,
      next: [
        'run the version of reapcheck that wrote it, or delete it and accept all results again:',
        'reapcheck gate --update --accept-worse',
      ],
    }),

  lockOfOther: (file: string, named: string, suite: string): InputError =>
    new InputError({
      what: `${file} is the lock of the suite ${named}, not of ${suite}`,
      next: 'each suite has its own lock beside it; delete it and run reapcheck gate --update',
    }),

  /** Parts of different runs. */
  otherRun: (file: string, what: 'version' | 'suite' | 'lock' | 'code'): InputError =>
    new InputError({
      what: `${file} comes from a run with another ${OTHER_RUN[what]} than here`,
      expected: 'all shards and the merge of one commit, with the same reapcheck',
    }),

  otherCount: (file: string, shard: string, of: number): InputError =>
    new InputError({
      what: `${file} is shard ${shard}, but the suite was split into ${of}`,
      expected: 'shards of one run',
    }),

  shardTwice: (shard: string, files: readonly string[]): InputError =>
    new InputError({
      what: `shard ${shard} is given twice`,
      next: [`in ${files.join(' and ')}`, 'Give each shard once'],
    }),

  shardMissing: (shards: readonly string[]): InputError =>
    new InputError({
      what:
        shards.length === 0
          ? 'there is no shard to merge'
          : `the suite is not complete: without shard ${shards.join(', ')}`,
      next: 'reapcheck gate --shard N/COUNT --output FILE writes each of them',
    }),

  otherCells: (file: string): InputError =>
    new InputError({
      what: `${file} does not have the cells of its shard`,
      next: 'another version wrote the document, or it was changed since',
    }),
} as const;

const OTHER_RUN = {
  version: 'version of reapcheck',
  suite: 'suite',
  lock: 'lock',
  code: 'code of reapcheck',
} as const;

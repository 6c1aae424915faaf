import { InputError } from '../../text/input-error.ts';

const ANEW = 'reapcheck check ... --checkpoint OTHER-DIR searches from the beginning';

/** The errors of saved searches. */
export const CHECKPOINT_ERRORS = {
  noCheckpoint: (folder: string): InputError =>
    new InputError({
      what: `${folder} has no saved search`,
      expected: 'a folder that reapcheck check ... --checkpoint DIR has written',
    }),

  notEmpty: (folder: string, isSearch: boolean): InputError =>
    new InputError({
      what: `${folder} ${isSearch ? 'already has a saved search' : 'is not empty'}`,
      expected: 'a folder that is empty or does not exist',
      next: isSearch
        ? [`reapcheck resume ${folder} continues it`, 'or remove the folder, or give another one']
        : 'give another folder',
    }),

  notUsable: (folder: string, why: string): InputError =>
    new InputError({
      what: `${folder} cannot be used for checkpoints (${why})`,
      expected: 'a folder that can be written to, on a disk with room',
    }),

  full: (folder: string, why: string): InputError =>
    new InputError({
      what: `the disk of ${folder} is full (${why})`,
      next: `make room, then reapcheck resume ${folder} continues the search`,
    }),

  /** Of a file that is larger than `ulimit -f` or the file system allows, room does not help. */
  unwritable: (folder: string, code: string): InputError =>
    ['ENOSPC', 'EDQUOT'].includes(code)
      ? CHECKPOINT_ERRORS.full(folder, code)
      : CHECKPOINT_ERRORS.notUsable(folder, code),

  badManifest: (file: string, why: string): InputError =>
    new InputError({
      what: `this is not the manifest of a saved search: ${why}`,
      where: { file },
      next: ANEW,
    }),

  otherMachine: (file: string, found: string, expected: string): InputError =>
    new InputError({
      what: `the search was saved on a machine with other byte order (${found})`,
      where: { file },
      expected,
      next: 'resume it on such a machine',
    }),

  codeChanged: (version: string): InputError =>
    new InputError({
      what: `the search was saved by other code (${version})`,
      expected: 'the same code and major version of Node.js: others might count other states',
      next: ['resume it with that version', ANEW],
    }),

  inputChanged: (input: string): InputError =>
    new InputError({
      what: `${input} has changed since the search was saved`,
      next: ['bring the old content back', ANEW],
    }),

  damaged: (file: string, at: number, why: string): InputError =>
    new InputError({
      what: `the saved search is damaged at byte ${at}: ${why}`,
      where: { file },
      next: ANEW,
    }),

  notContinued: (folder: string, why: string): InputError =>
    new InputError({ what: `${folder}: ${why}`, next: ANEW }),

  inUse: (folder: string, by: string): InputError =>
    new InputError({
      what: `${folder} is in use by ${by}`,
      next: 'wait until it has ended; if it does not exist any more, remove the file "lock"',
    }),

  otherWriter: (file: string): InputError =>
    new InputError({
      what: 'another process has written to the saved search',
      where: { file },
      next: 'end it, then resume the search once',
    }),
} as const;

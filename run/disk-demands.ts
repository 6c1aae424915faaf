import { MESSAGES } from '../text/messages.ts';

/** What decides whether old states can go to a disk. */
interface Searched {
  readonly engine: 'tracked' | 'naive';
  readonly checkpoint: object | null;
  readonly disk: string | null;
  /** Whether it takes several searches to answer. */
  readonly isQuestion: boolean;
}

/** Throws `InputError` for what cannot be searched on disk. */
export function demandForDisk({ disk, engine, checkpoint, isQuestion }: Searched): void {
  const [other] = [
    ...(engine === 'naive' ? ['--engine naive'] : []),
    ...(checkpoint === null ? [] : ['--checkpoint']),
    ...(isQuestion ? ['--delete alone: add --property'] : []),
  ];
  if (disk === null || other === undefined) return;
  throw MESSAGES.usage(`--disk does not go with ${other}`);
}

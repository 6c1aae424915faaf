import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_FOLDER } from '../input/package-files.ts';

/** What came of a question to another process. */
export type Reply<Answer> =
  | { readonly reply: 'answer'; readonly answer: Answer }
  /** No answer in time; the process is ended. */
  | { readonly reply: 'late' }
  /** The process ended before it answered; why, as far as it is known. */
  | { readonly reply: 'died'; readonly why: string };

/** Compiled modules, by their path below `dist` without its ending. */
export interface WorkerModule {
  readonly main: string;
  /** Loaded before it. */
  readonly first?: string;
}

/** Of what a process says before it dies. */
const LAST_WORDS = 4_000;

/** Another process that answers one question at a time; started anew after one that it left open. */
export class WorkerProcess<Question extends object, Answer> {
  readonly #module: WorkerModule;
  #child: ChildProcess | null = null;

  constructor(module: WorkerModule) {
    this.#module = module;
  }

  /** @param seconds after which the process is ended; null: it may take as long as it needs. */
  async ask(question: Question, seconds: number | null): Promise<Reply<Answer>> {
    const child = this.#started();
    return new Promise((resolve, reject) => {
      let lastWords = '';
      const onWords = (words: string): void => {
        lastWords = (lastWords + words).slice(-LAST_WORDS);
      };
      const onLate = (): void => {
        this.stop();
        finish(() => resolve({ reply: 'late' }));
      };
      const timer = seconds === null ? null : setTimeout(onLate, seconds * 1000);
      const onMessage = (answer: Answer): void =>
        finish(() => resolve({ reply: 'answer', answer }));
      const onClose = (code: number | null, signal: NodeJS.Signals | null): void => {
        if (this.#child === child) this.#child = null;
        finish(() => resolve({ reply: 'died', why: causeOfDeath(code, signal, lastWords) }));
      };
      const onError = (error: Error): void => finish(() => reject(error));
      const finish = (settle: () => void): void => {
        if (timer !== null) clearTimeout(timer);
        child.off('message', onMessage).off('close', onClose).off('error', onError);
        child.stderr?.off('data', onWords);
        settle();
      };
      child.once('message', onMessage).once('close', onClose).once('error', onError);
      child.stderr?.setEncoding('utf8').on('data', onWords);
      // A process that is already gone is told by its end, not by the question that it did not get.
      child.send(question, () => undefined);
    });
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  #started(): ChildProcess {
    if (this.#child !== null) return this.#child;
    const { main, first } = this.#module;
    const child = fork(compiled(main), {
      execArgv: first === undefined ? [] : ['--import', pathToFileURL(compiled(first)).href],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.#child = child;
    return child;
  }
}

function compiled(module: string): string {
  return join(PACKAGE_FOLDER, 'dist', `${module}.js`);
}

function causeOfDeath(
  code: number | null,
  signal: NodeJS.Signals | null,
  lastWords: string,
): string {
  if (/heap out of memory/i.test(lastWords)) return 'its process ran out of memory';
  // What the kernel ends for want of memory is ended so, too.
  if (signal === 'SIGKILL') return 'its process was killed (SIGKILL), perhaps for want of memory';
  const how = signal === null ? `exit code ${code}` : signal;
  const error = lastWords.split('\n').find((line) => /^\w*(Error|Exception)\b.*:/.test(line));
  return `its process ended (${how})${error === undefined ? '' : `: ${error}`}`;
}

/**
 * The other side of `WorkerProcess`: answers the questions of the process that started this one, and
 * ends with it. Ctrl-C reaches all processes of a terminal; what it means is decided by that one.
 */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
): void {
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit());
  process.on('message', async (question: Question) => {
    process.send?.(await answer(question));
  });
}

/** Every item is given to the next worker that is free, in the order of the items. */
export async function shareOut<Worker, Item>(
  workers: readonly Worker[],
  items: readonly Item[],
  work: (worker: Worker, item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  await Promise.all(
    workers.map(async (worker) => {
      for (const [index, item] of queue) await work(worker, item, index);
    }),
  );
}

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_FOLDER } from '../input/package-files.ts';
import { optimiseLater } from './compiler.ts';

/** The reply of another process to a question. */
export type Reply<Answer> =
  | { readonly reply: 'answer'; readonly answer: Answer }
  /** No answer in time; the process was killed. */
  | { readonly reply: 'late' }
  /** The process ended before it answered, for this reason. */
  | { readonly reply: 'died'; readonly why: string };

/** Compiled modules, by their path below `dist` without its ending. */
export interface WorkerModule {
  readonly main: string;
  /** Loaded before `main`. */
  readonly first?: string;
  /** Options of Node.js. */
  readonly options?: readonly string[];
}

/** How many characters of stderr to keep, to explain why a process ended. */
const LAST_WORDS = 4_000;

/**
 * A process that answers one question at a time. It is restarted after a question without an
 * answer.
 */
export class WorkerProcess<Question extends object, Answer> {
  readonly #module: WorkerModule;
  #child: ChildProcess | null = null;

  constructor(module: WorkerModule) {
    this.#module = module;
  }

  /** @param seconds after which the process is killed; null: no limit. */
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
        const isStopped = this.#child !== child;
        if (!isStopped) this.#child = null;
        // It had not begun to ignore Ctrl-C, nor to work: another process does.
        if (signal === 'SIGINT' && !isStopped) finish(() => resolve(this.ask(question, seconds)));
        else finish(() => resolve({ reply: 'died', why: causeOfDeath(code, signal, lastWords) }));
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
      // A process that is gone may have closed before anything listened.
      child.send(question, (error) => {
        if (error !== null && child.exitCode === null && child.signalCode === null) return;
        if (error !== null) onClose(child.exitCode, child.signalCode);
      });
    });
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  #started(): ChildProcess {
    // It may have been killed since its last answer. Then nothing listened to its end.
    const known = this.#child;
    if (known?.connected === true && known.exitCode === null && known.signalCode === null) {
      return known;
    }
    const { main, first, options = [] } = this.#module;
    const imports = first === undefined ? [] : ['--import', pathToFileURL(compiled(first)).href];
    const child = fork(compiled(main), {
      execArgv: [...options, ...imports],
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

/** Where a compiled module is, by its path below `dist` without its ending. */
export function compiledModule(module: string): URL {
  return pathToFileURL(compiled(module));
}

function causeOfDeath(
  code: number | null,
  signal: NodeJS.Signals | null,
  lastWords: string,
): string {
  if (/heap out of memory/i.test(lastWords)) return 'its process ran out of memory';
  // The kernel's out-of-memory killer sends this signal, too.
  if (signal === 'SIGKILL')
    return 'its process was killed (SIGKILL), perhaps because memory ran out';
  const how = signal === null ? `exit code ${code}` : signal;
  const error = lastWords.split('\n').find((line) => /^\w*(Error|Exception)\b.*:/.test(line));
  return `its process ended (${how})${error === undefined ? '' : `: ${error}`}`;
}

/**
 * The other side of `WorkerProcess`: answers the questions of the parent process, and ends with it.
 * It ignores Ctrl-C, which reaches all processes of a terminal: the parent handles it.
 */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
): void {
  optimiseLater();
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit());
  process.on('message', async (question: Question) => {
    process.send?.(await answer(question));
  });
}

/** Gives each item, in order, to the next free worker. */
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

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_FOLDER } from '../package-files.ts';
import type { Answer, Question } from './messages.ts';

const FOLDER = join(PACKAGE_FOLDER, 'dist', 'cli', 'mutate');

/** A process with the instrumented model in it; started anew after a question without an answer. */
export class MutantProcess {
  #child: ChildProcess | null = null;

  /** @returns null where there was no answer in time: a change may lead to a loop without end. */
  async ask(question: Question, seconds: number): Promise<Answer | null> {
    const child = this.#started();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.stop();
        finish(() => resolve(null));
      }, seconds * 1000);
      const onMessage = (answer: Answer): void => finish(() => resolve(answer));
      const onExit = (): void => {
        this.#child = null;
        finish(() => resolve(null));
      };
      const onError = (error: Error): void => finish(() => reject(error));
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
        settle();
      };
      child.once('message', onMessage).once('exit', onExit).once('error', onError);
      child.send(question);
    });
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  #started(): ChildProcess {
    this.#child ??= fork(join(FOLDER, 'worker.js'), {
      execArgv: ['--import', pathToFileURL(join(FOLDER, 'register.js')).href],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    return this.#child;
  }
}

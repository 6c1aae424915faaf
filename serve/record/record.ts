import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { isQuiet } from '../../model/index.ts';
import { escaped } from '../../text/escape.ts';
import { InputError } from '../../text/input-error.ts';
import { shellQuoted } from '../../text/layout.ts';
import type { ServedCluster } from '../cluster/cluster.ts';
import { Recorder } from './recorder.ts';
import { replayed, setupOf, tokenOf } from './run.ts';
import { type RecordStart, scenarioOf } from './scenario.ts';

/** Milliseconds between the first step that is not in the file and the next writing. */
const PAUSE = 1_000;
/** The file is written so seldom that the server has this many times as long for its clients. */
const SHARE = 10;
/** Milliseconds for the token while clients wait. */
const TOKEN_WHILE_SERVING = 200;
/** Milliseconds for the token at the end. */
const TOKEN_AT_END = 60_000;

/**
 * Keeps a run of the server as a scenario with a token, in one file. It writes the file again and
 * again while the server runs, each time as a whole, so a reader never sees half of it.
 */
export class Recording {
  readonly recorder = new Recorder(() => this.#later());
  readonly #file: string;
  readonly #start: RecordStart;
  #cluster: ServedCluster | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pause = PAUSE;
  #ended = false;

  /** @param file path of the file, which is replaced. */
  constructor(file: string, start: RecordStart) {
    this.#file = file;
    this.#start = start;
  }

  /** The server has its objects; what comes now is the run. */
  begin(cluster: ServedCluster): void {
    this.#cluster = cluster;
    this.recorder.begin();
    this.#write(TOKEN_WHILE_SERVING);
  }

  /** Writes the file for the last time. @returns sentences on it for the person at the terminal. */
  end(): readonly string[] {
    this.#ended = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    return this.#write(TOKEN_AT_END);
  }

  #later(): void {
    if (this.#timer !== null || this.#ended || this.#cluster === null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const begun = Date.now();
      this.#write(TOKEN_WHILE_SERVING);
      this.#pause = Math.max(PAUSE, SHARE * (Date.now() - begun));
    }, this.#pause);
    this.#timer.unref();
  }

  #write(milliseconds: number): readonly string[] {
    const { head, said, body } = this.#text(milliseconds);
    const lines = head.map((line) => `# ${escaped(line)}`.trimEnd());
    const text = `${lines.join('\n')}\n${body}`;
    const temporary = `${this.#file}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, text);
      renameSync(temporary, this.#file);
    } catch (error) {
      rmSync(temporary, { force: true });
      if (!this.#ended) throw error;
      return [`warning: the record cannot be written: ${(error as Error).message}`];
    }
    return said;
  }

  #text(milliseconds: number) {
    const cluster = this.#cluster;
    if (cluster === null) throw new Error('the record has not begun');
    const { recorder } = this;
    const quiet = isQuiet(cluster.setup, cluster.state);
    const { value, program } = scenarioOf(recorder, cluster.setup, this.#start, quiet);
    const body = stringify(value, { lineWidth: 110, aliasDuplicateObjects: false });
    const { token, faults } = this.#replayable(body, program, milliseconds);
    const notes = [...faults, ...program.notes, ...this.#limits()];
    const file = shellQuoted(this.#file);
    const commands = [
      ...(token === null ? [] : [`Repeat this run: reapcheck replay ${token}`]),
      `Try other orders: reapcheck check ${file}`,
    ];
    const head = [
      'A run of reapcheck serve. Each user stands for a program that has sent requests.',
      'Reads, watches and requests that were wrong in themselves change nothing and are not in it.',
      '"after" keeps the order in which requests were answered. Take it out, and reapcheck check tries all.',
      ...commands,
      ...notes.map((note) => `Note: ${note}`),
    ];
    const said = [
      `record: ${this.#file}`,
      ...(token === null ? [] : [`repeat it: reapcheck replay ${token}`]),
      ...notes.map((note) => `note: the record: ${note}`),
    ];
    return { head, said, body };
  }

  #limits(): readonly string[] {
    const { isFull, refusals, happenings } = this.recorder;
    return [
      ...(isFull ? [`it ends after ${happenings.length} steps, but the run went on`] : []),
      ...(refusals === 0
        ? []
        : [`${refusals} updates are not in it, which the server refused as wrong in themselves`]),
    ];
  }

  #replayable(
    body: string,
    program: ReturnType<typeof scenarioOf>['program'],
    milliseconds: number,
  ): { readonly token: string | null; readonly faults: readonly string[] } {
    try {
      const run = replayed(setupOf(this.#file, body), program, this.recorder);
      const token = tokenOf(this.#file, run, milliseconds);
      const faults = [
        ...(run.differs === null ? [] : [`the token ends early: ${run.differs}`]),
        ...(token === null ? ['the run is too long for a token in the time there is'] : []),
      ];
      return { token, faults };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { token: null, faults: [`there is no token: ${error.message}`] };
    }
  }
}

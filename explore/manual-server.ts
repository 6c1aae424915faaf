import * as z from 'zod';
import { InputError } from '../text/input-error.ts';
import type { Command } from './commands.ts';
import type { Explorer } from './explorer.ts';
import { changeLines, sentenceLines, textLines } from './lines.ts';

/**
 * A server that waits for its steps (`reapcheck serve --schedule manual`): shows the steps that are
 * possible there, and takes those that are chosen. It knows the commands of the explorer that a
 * server, which has no way back, can carry out.
 */

/** A server that does not answer within this time is not there. */
const PATIENCE_MILLISECONDS = 60_000;

const chosenSchema = z.object({
  name: z.string(),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  words: z.string(),
});
const stepsSchema = z.object({ kind: z.literal('ReapcheckSteps'), steps: z.array(chosenSchema) });
const takenSchema = z.object({
  kind: z.literal('ReapcheckStep'),
  taken: z.object({ words: z.string(), changes: z.array(z.string()) }),
});
const stateSchema = z.object({ kind: z.literal('ReapcheckState'), lines: z.array(z.string()) });
const statusSchema = z.object({ kind: z.literal('Status'), message: z.string() });

export type Choice = z.output<typeof chosenSchema>;

/** What a command brings. */
export interface Answer {
  readonly lines: readonly string[];
  /** The steps that `lines` shows, which numbers refer to from now on. */
  readonly shown?: readonly Choice[];
  readonly failed?: true;
  readonly quit?: true;
}

const HELP = [
  'N, step ACTION ...    take the step with this number, or the one that the words select',
  'actions               list the steps that are possible now, after what clients have done, too',
  'state                 objects, differences in the graph of the collector, queues, workers',
  'quit                  leave; the server goes on',
];

export class ManualServer {
  readonly #url: string;
  readonly #colors: Explorer['colors'];

  constructor(url: string, colors: Explorer['colors']) {
    this.#url = url;
    this.#colors = colors;
  }

  async execute(command: Command, shown: readonly Choice[]): Promise<Answer> {
    switch (command.do) {
      case 'nothing':
      case 'actions':
        return this.possible();
      case 'take': {
        const chosen = shown[command.number - 1];
        if (chosen !== undefined) return this.#take(chosen);
        return failed(`there is no step ${command.number}: actions lists the steps`);
      }
      case 'step':
        return this.#step(command.words);
      case 'state': {
        const { lines } = await this.#ask(stateSchema, 'state');
        return { lines: lines.flatMap((line) => textLines(line, '  ')) };
      }
      case 'help':
        return { lines: HELP.map((line) => `  ${line}`) };
      case 'quit':
        return { lines: [], quit: true };
      case 'wrong':
        return failed(command.message);
      case 'why':
      case 'back':
      case 'undo':
      case 'trace':
      case 'until':
      case 'jump':
      case 'properties':
      case 'save':
        return failed(
          `${command.do} is for models: a server only goes on. With serve --record, the run becomes a scenario for reapcheck explore`,
        );
      default:
        throw new Error(`unknown command ${JSON.stringify(command satisfies never)}`);
    }
  }

  async possible(): Promise<Answer> {
    const { steps } = await this.#ask(stepsSchema, 'steps');
    const width = String(steps.length).length;
    const lines = steps.flatMap(({ words }, index) =>
      sentenceLines({ colors: this.#colors }, `${String(index + 1).padStart(width)})`, words),
    );
    const none = this.#colors.yellow(
      '  No controller has anything to do. Requests come from clients.',
    );
    return { lines: steps.length === 0 ? [none] : lines, shown: steps };
  }

  async #step(words: readonly string[]): Promise<Answer> {
    const { steps } = await this.#ask(stepsSchema, 'steps');
    const [action = '', ...more] = words;
    const meant = steps.filter(
      ({ name, parameters }) =>
        name === action &&
        more.every((word) => Object.values(parameters).some((value) => String(value) === word)),
    );
    const [only] = meant;
    if (only !== undefined && meant.length === 1) return this.#take(only);
    return failed(
      only === undefined
        ? `${words.join(' ')} is not possible now: actions lists the steps`
        : `${words.join(' ')} selects ${meant.length} steps: ${meant.map((one) => one.words).join('; ')}`,
    );
  }

  /** By its name: what clients do meanwhile changes the numbers. */
  async #take({ name, parameters }: Choice): Promise<Answer> {
    const body = JSON.stringify({ name, parameters });
    const answer = await this.#answer('steps', { method: 'POST', body });
    const status = statusSchema.safeParse(answer);
    if (status.success) return failed(status.data.message);
    const { taken } = this.#read(takenSchema, answer);
    const colors = { colors: this.#colors };
    const next = await this.possible();
    return {
      ...next,
      lines: [
        ...sentenceLines(colors, '  ', taken.words),
        ...taken.changes.flatMap((change) => changeLines(colors, change)),
        '',
        ...next.lines,
      ],
    };
  }

  async #ask<Shape extends z.ZodType>(shape: Shape, path: string): Promise<z.output<Shape>> {
    return this.#read(shape, await this.#answer(path, {}));
  }

  #read<Shape extends z.ZodType>(shape: Shape, answer: unknown): z.output<Shape> {
    const read = shape.safeParse(answer);
    if (read.success) return read.data;
    throw new InputError({
      what: `${this.#url} is not a server of reapcheck`,
      expected: 'the address that reapcheck serve --schedule manual prints',
    });
  }

  async #answer(path: string, request: RequestInit): Promise<unknown> {
    const { origin } = new URL(this.#url);
    let text: string;
    try {
      const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${origin}/reapcheck/${path}`, { ...request, headers, signal });
      text = await response.text();
    } catch (error) {
      const cause = (error as { readonly cause?: unknown }).cause ?? error;
      throw new InputError({
        what: `${origin} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`,
        next: 'reapcheck serve --schedule manual prints the address at which it serves',
      });
    }
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
}

function failed(message: string): Answer {
  return { lines: textLines(message, ''), failed: true };
}

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { type Decision, instrument, type Switches } from './decisions.ts';

/** The modules of the model that decide about transitions, and their decisions. */

export interface DecisionModule {
  /** `file:` URL of the compiled module. */
  readonly url: string;
  /** Path below `model/`, without its ending. */
  readonly name: string;
  /** Number of its first decision. */
  readonly first: number;
  readonly decisions: readonly Decision[];
  /** The module with a switch at each decision. */
  readonly text: string;
}

/**
 * The modules that decide about transitions. The others describe, prepare a setup or inspect a
 * state. No scenario has a controller in TypeScript (`actors/programs`).
 */
const REDUCERS = /^(apiserver|collector|actors(?!\/programs)|users)\//;
const WORDS = /(describe|words|beliefs)$/;

/** Parts of an actor and of its actions that decide nothing about transitions. */
const QUESTIONS: ReadonlySet<string> = new Set([
  'beliefs',
  'budget',
  'clause',
  'clients',
  'continued',
  'creates',
  'describe',
  'initialStates',
  'isIdle',
  'next',
  'obstacle',
  'parameters',
  'request',
]);

/** The key of the functions on the global object that the modules call at their decisions. */
export const SWITCHES = 'reapcheck.mutants';

export interface DecisionSwitches {
  isChanged(decision: number): boolean;
  noted<Value>(decision: number, value: Value): Value;
}

const NAMES: Switches = { isOn: '$isChanged', noted: '$noted' };

/** Sorted by name, so that the numbers are the same in every process. */
export function decisionModules(): readonly DecisionModule[] {
  const folder = join(PACKAGE_FOLDER, 'dist', 'model');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const names = files
    .filter((file) => file.endsWith('.js'))
    .map((file) => relative('.', file).replaceAll('\\', '/').slice(0, -'.js'.length))
    .filter((name) => REDUCERS.test(name) && !WORDS.test(name))
    .sort();
  let first = 0;
  return names.map((name) => {
    const file = join(folder, `${name}.js`);
    const { decisions, text } = instrument(readFileSync(file, 'utf8'), first, QUESTIONS, NAMES);
    const prelude = `const { isChanged: ${NAMES.isOn}, noted: ${NAMES.noted} } = globalThis[Symbol.for('${SWITCHES}')]; `;
    const url = pathToFileURL(file).href;
    const module = { url, name, first, decisions, text: prelude + text };
    first += decisions.length;
    return module;
  });
}

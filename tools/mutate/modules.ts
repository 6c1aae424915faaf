import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { type Decision, instrument, type Switches } from './decisions.ts';

/** Which modules of the model decide about transitions, and where their decisions are. */

export interface DecisionModule {
  /** Of the compiled module, `file:`. */
  readonly url: string;
  /** Path below `model/`, without its ending. */
  readonly name: string;
  /** Number of its first decision. */
  readonly first: number;
  readonly decisions: readonly Decision[];
  /** The module with a switch at each decision. */
  readonly text: string;
}

/** Where transitions are decided; the rest describes, prepares a setup or asks questions of a state. */

const REDUCERS = /^(apiserver|collector|actors|users|definition)\//;
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

/** Under this symbol the global object has the functions that the modules call at their decisions. */
export const SWITCHES = 'reapcheck.mutants';

export interface DecisionSwitches {
  isChanged(decision: number): boolean;
  noted<Value>(decision: number, value: Value): Value;
}

const NAMES: Switches = { isOn: '$isChanged', noted: '$noted' };

/** In the order of their names, so that numbers mean the same in every process. */
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

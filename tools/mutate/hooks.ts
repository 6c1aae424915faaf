import type { LoadHook } from 'node:module';
import { decisionModules } from './modules.ts';

/** Loads the modules of the model with a switch at each of their decisions. */

const texts = new Map(decisionModules().map(({ url, text }) => [url, text]));

export const load: LoadHook = (url, context, nextLoad) => {
  const source = texts.get(url);
  return source === undefined
    ? nextLoad(url, context)
    : { format: 'module', source, shortCircuit: true };
};

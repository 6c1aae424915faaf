import type { Limits } from '../checker/index.ts';
import type { Start } from '../explore/begin.ts';
import { type InputOptions, inputOptions, isModule } from '../input/options/input-options.ts';
import { text, texts, type Values } from '../input/options/values.ts';
import { overridesAnything } from '../input/plan.ts';
import { VARIANTS } from '../input/scenarios/terms.ts';
import { decodeToken, isToken, type Token } from '../run/tokens/token.ts';
import { MESSAGES } from '../text/messages.ts';
import { demandForModules } from './check-arguments.ts';
import { COMMANDS } from './command-options.ts';
import { SEARCH_SECONDS_DEFAULT, SEARCH_STATES_DEFAULT } from './option-tables.ts';

/** The command line of `explore`, validated without reading any input. */
export interface ExploreArguments extends Start {
  /** Of each search. */
  readonly limits: Limits;
  /** A file with commands; null: they come from stdin. */
  readonly commands: string | null;
}

/** The command line of `explore` for a server that runs. */
export interface ServerToExplore {
  readonly url: string;
  /** A file with commands; null: they come from stdin. */
  readonly commands: string | null;
}

/** Null: the input is no address of a server. Throws `InputError` for options that say nothing. */
export function serverToExplore(values: Values): ServerToExplore | null {
  const inputs = [...texts(values, 'input'), ...texts(values, 'afterDashes')];
  const url = inputs.find((input) => /^https?:\/\//.test(input));
  if (url === undefined) return null;
  if (inputs.length > 1) throw MESSAGES.usage('the address of a server takes no other input');
  const other = Object.keys(COMMANDS.explore).find(
    (name) => name !== 'commands' && values[name] !== undefined,
  );
  if (other !== undefined) {
    throw MESSAGES.usage(
      `--${other} has no effect on ${url}: the server has a model already`,
      'give it to reapcheck serve, or leave it out',
    );
  }
  const given = text(values, 'commands');
  return { url, commands: given === '-' ? null : given };
}

/** Throws `InputError` for invalid values and invalid combinations. */
export function exploreArguments(values: Values): ExploreArguments {
  const options = inputOptions(values);
  if (options.inputs.some(isModule)) demandForModules(values, options.inputs);
  const variant = text(values, 'variant');
  const given = text(values, 'commands');
  const commands = given === '-' ? null : given;
  const token = tokenIn(options);
  if (variant !== null && !options.museum) {
    throw MESSAGES.usage('--variant has no effect without --museum');
  }
  const inputs = token === null ? options.inputs : token.subject.inputs;
  if (commands === null && inputs.includes('-')) {
    throw MESSAGES.usage(
      'stdin cannot be both the input and the commands',
      'give the commands in a file: --commands FILE',
    );
  }
  return {
    options,
    token,
    variant: VARIANTS.find((known) => known === variant) ?? 'before',
    limits: { states: SEARCH_STATES_DEFAULT, seconds: SEARCH_SECONDS_DEFAULT, ...options.limits },
    commands,
  };
}

function tokenIn({ inputs, museum, deletions, overrides }: InputOptions): Token | null {
  const word = inputs.find(isToken);
  if (word === undefined) return null;
  if (inputs.length > 1) throw MESSAGES.usage('a token takes no other input');
  if (museum || deletions.length > 0 || overridesAnything(overrides)) {
    throw MESSAGES.usage(
      'a token already determines the model',
      'remove --museum, --delete and the options that change the model',
    );
  }
  return decodeToken(word);
}

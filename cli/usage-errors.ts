import { withoutMeaning, withoutObjects, withoutScope } from '../input/options/kubectl-options.ts';
import type { InputError } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';
import { closest } from '../text/suggest.ts';
import { COMMANDS, type CommandName } from './command-options.ts';
import { CONFORMS, LISTS } from './option-tables.ts';

/** The error for words that the parser refuses, with a suggestion if one is close enough. */
export function usageError(message: string, words: readonly string[]): InputError {
  const unknown = message.match(/^Unknown arguments?: ([^,]+)/)?.[1];
  if (unknown === undefined) return withoutObjects(message, words) ?? reworded(message);
  const commands = Object.keys(COMMANDS);
  const isFirst = words.find((word) => !word.startsWith('-')) === unknown;
  // `check --check`: the command exists, the option does not.
  if (isFirst && !commands.includes(unknown)) {
    return MESSAGES.usage(
      `there is no command "${unknown}"`,
      suggestion(unknown, commands, '') ?? `available: ${commands.join(', ')}`,
    );
  }
  const isOption = words.some((word) => word.startsWith('-') && word.includes(unknown));
  if (!isOption) return MESSAGES.usage(`"${unknown}" is one word too many`);
  const command = words.find((word): word is CommandName => commands.includes(word));
  const refused = command === 'delete' || command === 'compare' ? withoutMeaning(unknown) : null;
  if (refused !== null) return refused;
  if (command === 'uninstall' && /^n(amespace)?$/.test(unknown)) return withoutScope();
  const known = command === undefined ? [] : Object.keys(COMMANDS[command]);
  return MESSAGES.usage(`there is no option --${unknown}`, suggestion(unknown, known, '--'));
}

function suggestion(given: string, known: readonly string[], prefix: string): string | undefined {
  const near = closest(given, known);
  return near === null ? undefined : `did you mean ${prefix}${near}?`;
}

/** Translates an error of yargs. */
function reworded(message: string): InputError {
  const choice = message.match(/Argument: (\S+), Given: "(.*)", Choices: (.*)/);
  if (choice) {
    const [, name = '', given = '', choices = ''] = choice;
    const known = choices.replaceAll('"', '').split(', ');
    const command = { what: 'list', mode: 'conform', role: 'fleet' }[name];
    const what =
      command === undefined ? `--${name} does not take` : `reapcheck ${command} does not know`;
    return MESSAGES.usage(
      `${what} "${given}"`,
      suggestion(given, known, '') ?? `available: ${known.join(', ')}`,
    );
  }
  const missing = message.match(/following: (\S+)/);
  if (missing) return MESSAGES.usage(`--${missing[1]} needs a value`);
  if (/non-option arguments/.test(message)) {
    return MESSAGES.usage('a word is missing after the command', [
      `reapcheck list ${LISTS.join('|')}`,
      'reapcheck replay TOKEN|RESULT.json',
      'reapcheck render RESULT.json',
      'reapcheck explore SCENARIO',
      'reapcheck simulate SCENARIO',
      `reapcheck conform ${CONFORMS.join('|')} PATH`,
      'reapcheck fleet worker --redis URL',
    ]);
  }
  return MESSAGES.usage(message.replaceAll(/\s+/g, ' '));
}

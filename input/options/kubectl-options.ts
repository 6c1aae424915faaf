import { MESSAGES } from '../../text/messages.ts';
import { readFieldSelector } from '../manifests/selection/field-selector.ts';
import type { Selection } from '../manifests/selection/selected-targets.ts';
import type { InputOptions } from './input-options.ts';
import { text, texts, type Values, whole } from './values.ts';

/**
 * What `kubectl delete` takes, and `delete` and `compare` as well: words for objects, and its
 * flags.
 */

/** For yargs. A flag that changes nothing here says so. */
export const KUBECTL_OPTIONS = {
  'all-namespaces': {
    type: 'boolean',
    alias: 'A',
    describe: 'With --all or --selector: of all namespaces',
  },
  selector: {
    type: 'string',
    requiresArg: true,
    alias: 'l',
    describe: 'The objects of a kind with these labels',
  },
  'field-selector': {
    type: 'string',
    requiresArg: true,
    describe: 'As kubectl takes it: status.phase=Failed',
  },
  all: { type: 'boolean', describe: 'All objects of a kind' },
  force: { type: 'boolean', describe: 'Pods go at once, whatever their kubelet does' },
  now: { type: 'boolean', describe: 'As --grace-period 1' },
  'grace-period': { requiresArg: true, describe: 'Seconds of grace for the pods that are named' },
  wait: { type: 'boolean', describe: 'Changes nothing: the answer is about the end' },
} as const;

/** A value right after its flag, as in `-nshop`: letters after one dash are flags for yargs. */
const ATTACHED = /^-([nl])([^=].*)$/;
const LONG: Readonly<Record<string, string>> = { n: 'namespace', l: 'selector' };

/**
 * A word of the command line as newer ones say it: kubectl takes `--cascade` without a value, and
 * took true and false before 1.20.
 */
export function currentWord(word: string, next: string | undefined): string {
  const [, flag = '', value] = ATTACHED.exec(word) ?? [];
  if (value !== undefined) return `--${LONG[flag]}=${value}`;
  if (word === '--cascade=true') return '--cascade=background';
  if (word === '--cascade=false') return '--cascade=orphan';
  const isBare = word === '--cascade' && (next === undefined || /^-|\//.test(next));
  return isBare ? '--cascade=background' : word;
}

/** What is to be deleted, and with which grace. */
type Deleted = Pick<InputOptions, 'deletions' | 'selection' | 'grace'>;

/** Throws `InputError` where kubectl refuses the words as well. */
export function kubectlArguments(values: Values): Deleted {
  const words = texts(values, 'object');
  const grace = graceOf(values);
  const wanted = grace === null ? {} : { grace };
  const selection = selectionOf(values, words);
  if (selection !== null) return { deletions: words, selection, ...wanted };
  return { deletions: namedObjects(words), ...wanted };
}

/** The same for a question that can be about one object, or about none in particular. */
export function explainedObjects(words: readonly string[]): readonly string[] {
  return words.length < 2 ? words : namedObjects(words);
}

/** `KIND/NAME KIND/NAME`, or `KIND[,KIND] NAME NAME`. */
function namedObjects(words: readonly string[]): readonly string[] {
  const [kinds = '', ...names] = words;
  const slashed = words.find((word) => word.includes('/'));
  if (slashed !== undefined) {
    const plain = words.find((word) => !word.includes('/'));
    if (plain === undefined) return words;
    throw MESSAGES.usage(
      `"${plain}" beside ${slashed} is neither a kind nor an object`,
      'KIND/NAME KIND/NAME, or KIND NAME NAME',
    );
  }
  if (names.length === 0) {
    throw MESSAGES.usage(
      `"${kinds}" does not name an object`,
      `KIND/NAME, KIND NAME, or a kind with --all or -l: reapcheck delete ... ${kinds} --all`,
    );
  }
  return kinds.split(',').flatMap((kind) => names.map((name) => `${kind}/${name}`));
}

function selectionOf(values: Values, words: readonly string[]): Selection | null {
  const selector = text(values, 'selector');
  const fieldSelector = text(values, 'field-selector');
  const all = values.all === true;
  const allNamespaces = values['all-namespaces'] === true;
  const namespace = text(values, 'namespace');
  if (allNamespaces && namespace !== null) {
    throw MESSAGES.usage('--namespace and --all-namespaces contradict each other');
  }
  if (selector === null && fieldSelector === null && !all) {
    if (!allNamespaces) return null;
    throw MESSAGES.usage(
      '--all-namespaces goes with --all or --selector',
      'a name without -n is looked for in all namespaces anyway',
    );
  }
  if (all && (selector ?? fieldSelector) !== null) {
    const other = selector === null ? '--field-selector' : '--selector';
    throw MESSAGES.usage(`--all and ${other} contradict each other`);
  }
  const [kinds = '', other] = words;
  if (other !== undefined || kinds.includes('/')) {
    throw MESSAGES.usage(
      `${all ? '--all' : selector === null ? '--field-selector' : '--selector'} takes kinds, and "${other ?? kinds}" names an object`,
      'kinds with commas between, such as pods,services',
    );
  }
  const fields = fieldSelector === null ? null : readFieldSelector(fieldSelector);
  return { kinds: kinds.split(','), selector, fields, namespace, allNamespaces };
}

/** `DeleteOptions.Complete` of kubectl: without force, no grace becomes one second. */
function graceOf(values: Values): number | null {
  const force = values.force === true;
  // Below 0 is the default of kubectl: that of each pod.
  const isDefault = /^-\d+$/.test(text(values, 'grace-period') ?? '');
  const given = isDefault ? null : whole(values, 'grace-period', 0);
  if (values.now === true && given !== null) {
    throw MESSAGES.usage('--now and --grace-period contradict each other');
  }
  const grace = values.now === true ? 1 : given;
  if (force && grace !== null && grace > 0) {
    throw MESSAGES.usage('--force and a grace period above 0 contradict each other');
  }
  return force ? 0 : grace === 0 ? 1 : grace;
}

/**
 * Options of `kubectl delete` that say nothing of what becomes of objects, each with the reason.
 */
const ALONE: Readonly<Record<string, string>> = {
  'dry-run': 'nothing is ever deleted here',
  'ignore-not-found': 'a name that the dump lacks is a mistake here',
  ...Object.fromEntries(
    ['as', 'as-group', 'as-uid'].map((flag) => [
      flag,
      'authorization is not judged: kubectl auth can-i delete KIND/NAME says whether a user may',
    ]),
  ),
  ...Object.fromEntries(['interactive', 'i'].map((flag) => [flag, 'nothing is ever deleted here'])),
  ...Object.fromEntries(
    ['filename', 'f', 'kustomize', 'k', 'recursive', 'R', 'raw'].map((flag) => [
      flag,
      'name the objects; uninstall takes --manifests',
    ]),
  ),
};

/**
 * Why an option of `kubectl delete` is refused, as an error; null: kubectl has none of that name.
 */
export function withoutMeaning(option: string): ReturnType<typeof MESSAGES.usage> | null {
  // As the API calls it.
  if (/^propagation-?policy$/i.test(option)) {
    return MESSAGES.usage(`there is no option --${option}`, 'did you mean --cascade?');
  }
  if (!Object.hasOwn(ALONE, option)) return null;
  const flag = option.length === 1 ? `-${option}` : `--${option}`;
  return MESSAGES.usage(`${flag} of kubectl delete has no meaning here`, ALONE[option]);
}

/** The error for `uninstall` with a namespace, which Helm takes beside the name of a release. */
export function withoutScope(): ReturnType<typeof MESSAGES.usage> {
  return MESSAGES.usage(
    'uninstall takes no namespace beside the release',
    '--release NAMESPACE/NAME',
  );
}

/**
 * The error for `delete` or `compare` without an object, by the words after `reapcheck`; null: the
 * words are those of another command, or something else is wrong with them.
 *
 * @param message that of the parser.
 */
export function withoutObjects(
  message: string,
  words: readonly string[],
): ReturnType<typeof MESSAGES.usage> | null {
  const [command = '', ...others] = words;
  if (!['delete', 'compare'].includes(command) || !/non-option arguments/.test(message))
    return null;
  const flags = others.filter((word) => word.startsWith('-') && word !== '-');
  const refused = flags.map((flag) => withoutMeaning(flag.replace(/^-+/, '').replace(/=.*/, '')));
  return (
    refused.find((error) => error !== null) ??
    MESSAGES.usage(
      `${command} needs a dump and an object`,
      `reapcheck ${command} dump.yaml deploy/web, or with --context C in the place of the dump`,
    )
  );
}

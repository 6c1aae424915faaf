import {
  NAMESPACE_FLAGS,
  POLICY_FLAGS,
  SCRIPT_FLAGS,
  SHELLS,
} from '../../collections/kept-containers.ts';
import { listAt, valueAt } from '../../documents/shape.ts';
import type { SourceOfVariable, SourceOfVariables } from './variables.ts';

/** Which namespaces a controller watches, by its variables and arguments. */
export interface Watched {
  /** Empty: its own. Null: those of something that the pod does not show. */
  readonly namespaces: readonly string[] | null;
  /** The variable or argument; of what only may say it, words for what the pod does not show. */
  readonly by: string;
  /** The object that has them; absent: none that is known. */
  readonly source?: SourceOfVariable;
  /** Nothing says that it watches some namespaces only, and each of these may. */
  readonly perhaps?: readonly Unseen[];
  /** All that is said, where only some of it is known, or where each of `perhaps` may count. */
  readonly said?: readonly Said[];
}

/** What a pod does not show. */
interface Unseen {
  readonly by: string;
  /** Null: no object of a cluster has it. */
  readonly source: SourceOfVariables | null;
}

const VARIABLE = /^(\w+_)?(WATCH|WATCHED|TARGET|SCOPE)_NAMESPACES?$|^STRIMZI_NAMESPACE$/;
/** OLM writes what the OperatorGroup selects to this annotation of the pods. */
const OF_OLM = /^metadata\.annotations\['(olm\.targetNamespaces)'\]$/;
/** A variable of the same container. */
const EXPANDED = /^\$\((\w+)\)$/;
/** As shells write it. */
const IN_SHELL = /^\$\{?(\w+)\}?$/;

/** How a controller is told something. */
interface Setting {
  /** Variables that it reads itself; null: none. */
  readonly variable: RegExp | null;
  readonly flags: readonly string[];
}

const NAMESPACES: Setting = { variable: VARIABLE, flags: NAMESPACE_FLAGS };

/**
 * The `--deletion-policy` of a controller, by a pod or the template of one; null: none, or several.
 */
export function policyOf(template: unknown): string | null {
  const said = listAt(template, ['spec', 'containers']).flatMap((container) =>
    saidIn(container, template, { variable: null, flags: POLICY_FLAGS }),
  );
  const [value = null, ...others] = new Set(said.map((one) => one.value));
  return others.length === 0 && typeof value === 'string' ? value : null;
}

/** By a pod, or the template of one; null: all, or not said. */
export function watchedOf(template: unknown): Watched | null {
  const containers = listAt(template, ['spec', 'containers']);
  // No pod is without containers.
  const isEmptied = Array.isArray(valueAt(template, ['spec', 'containers']));
  const shown = containers.length === 0 && isEmptied ? [{}] : containers;
  const told = shown.map((container) => {
    const said = saidIn(container, template, NAMESPACES);
    return { said, unseen: said.length > 0 ? [] : unseenIn(container) };
  });
  return ofAll(
    told.flatMap(({ said }) => said),
    told.flatMap(({ unseen }) => unseen),
  );
}

/** Nothing says which container is the controller, so what one of them does not show counts. */
function ofAll(said: readonly Said[], unseen: readonly Unseen[]): Watched | null {
  const perhaps = perhapsOf(unseen);
  if (perhaps === null) return narrowestOf(said);
  return said.length === 0 ? perhaps : { ...perhaps, said };
}

/** With what the objects say from which it has its variables; null: it watches all namespaces. */
export function withVariables(
  watched: Watched,
  variablesOf: (source: SourceOfVariables) => Readonly<Record<string, string | null>> | null,
): Watched | null {
  const { by, source, perhaps = [], said: own = [] } = watched;
  if (source !== undefined) {
    const value = variablesOf(source)?.[source.key];
    return value === undefined ? watched : watchedBy(by, value);
  }
  if (perhaps.length + own.length === 0) return watched;
  const known = perhaps.map((one) => ({
    one,
    found: one.source === null ? null : variablesOf(one.source),
  }));
  const saidBy = ({ found }: (typeof known)[number]): readonly Said[] =>
    Object.entries(found ?? {}).flatMap(([by, value]) =>
      VARIABLE.test(by) ? [{ by, value }] : [],
    );
  const last = known.findLastIndex((one) => saidBy(one).length > 0);
  // A later source overrides what an earlier one says.
  const unseen = known.slice(last + 1).flatMap(({ one, found }) => (found === null ? [one] : []));
  const said = own.map(({ by, value }): Said => {
    if (value === null || typeof value === 'string') return { by, value };
    const found = variablesOf(value)?.[value.key];
    return { by, value: found === undefined ? value : found };
  });
  return ofAll([...said, ...known.flatMap(saidBy)], unseen);
}

/** Null: all, or nothing is said. Where several values differ, nothing says which of them counts. */
function narrowestOf(said: readonly Said[]): Watched | null {
  const some = said.flatMap(({ by, value }) => watchedBy(by, value) ?? []);
  const known = some.filter((one) => one.namespaces !== null);
  const unknown = some.find((one) => one.namespaces === null);
  if (unknown !== undefined && known.length > 0) {
    return { namespaces: null, by: unknown.by, perhaps: [], said };
  }
  const [found = some[0]] = known;
  const values = new Set(known.map(({ namespaces }) => [...(namespaces ?? [])].sort().join()));
  if (found === undefined || values.size < 2) return found ?? null;
  const names = [...new Set(known.map((one) => one.by))];
  const which = names.length > 1 ? `which of ${names.join(' and ')}` : `which ${found.by}`;
  return perhapsOf([{ by: `${which} counts`, source: null }]);
}

function perhapsOf(unseen: readonly Unseen[]): Watched | null {
  const [first] = unseen;
  return first === undefined ? null : { namespaces: null, by: first.by, perhaps: unseen };
}

/** Empty: all. Null: the dump does not show it. */
type Value = string | SourceOfVariable | null;

interface Said {
  /** The variable or argument. */
  readonly by: string;
  readonly value: Value;
}

function saidIn(container: unknown, template: unknown, setting: Setting): readonly Said[] {
  const variables = listAt(container, ['env']);
  const named = variables.flatMap((variable): readonly Said[] => {
    const by = valueAt(variable, ['name']);
    return typeof by === 'string' && setting.variable?.test(by) === true
      ? [{ by, value: valueIn(variable, variables, template) }]
      : [];
  });
  const words = wordsOf(container);
  const written = [
    ...flagsIn(words, setting),
    ...flagsIn(scriptIn(words) ?? [], setting).map(({ by, value }) => ({
      by,
      value: ofShell(value),
    })),
  ];
  return [
    ...named,
    ...written.map(({ by, value }) => ({ by, value: expanded(value, variables, template) })),
  ];
}

/** What a container does not show, and in which the namespaces may be. */
function unseenIn(container: unknown): readonly Unseen[] {
  // Each container of a cluster has both.
  const isShortened = ['name', 'image'].every((field) => valueAt(container, [field]) === undefined);
  if (isShortened) return [{ by: SHORTENED, source: null }];
  const script = { by: 'the script that starts it', source: null };
  const variables = listAt(container, ['envFrom']).flatMap((source) =>
    Object.entries(SOURCES).flatMap(([field, kind]): readonly Unseen[] => {
      const name = valueAt(source, [field, 'name']);
      const prefix = valueAt(source, ['prefix']);
      if (typeof name !== 'string') return [];
      const isPlain = prefix === undefined || prefix === '';
      const by = `the variables of ${kind}/${name}`;
      return [{ by, source: isPlain ? { kind, name } : null }];
    }),
  );
  return [...(scriptIn(wordsOf(container))?.length === 0 ? [script] : []), ...variables];
}

const SHORTENED = 'its variables and arguments (shortened, or of an older dump-command)';

const SOURCES = { configMapRef: 'ConfigMap', secretRef: 'Secret' } as const;

/** What the container runs. */
function wordsOf(container: unknown): readonly string[] {
  return ['command', 'args'].flatMap((field) => listAt(container, [field])).map(String);
}

/** The words of the script that a shell runs; empty: the dump does not show it. Null: none. */
function scriptIn(words: readonly string[]): readonly string[] | null {
  const shell = words.findIndex((word) => SHELLS.includes(word));
  const flag = words.findIndex((word, index) => index > shell && SCRIPT_FLAGS.includes(word));
  if (shell < 0 || flag < 0) return null;
  const script = words[flag + 1] ?? '';
  return script
    .replace(/["'\\]/g, '')
    .split(/[\s;|&]+/)
    .filter((word) => word !== '');
}

/** As `FLAG=VALUE`, and as two words. */
function flagsIn(
  words: readonly string[],
  { variable, flags }: Setting,
): readonly { by: string; value: string }[] {
  return words.flatMap((word, index) => {
    const [by = '', ...value] = word.split('=');
    if (variable?.test(by) === true && value.length > 0) return [{ by, value: value.join('=') }];
    if (!flags.includes(by)) return [];
    const next = words[index + 1] ?? '';
    return [{ by, value: value.length > 0 ? value.join('=') : next.startsWith('-') ? '' : next }];
  });
}

/** With a variable as Kubernetes writes it. */
function ofShell(value: string): string {
  return value.replace(IN_SHELL, '$$($1)');
}

function valueIn(variable: unknown, variables: readonly unknown[], template: unknown): Value {
  const value = valueAt(variable, ['value']);
  if (typeof value === 'string') return expanded(value, variables, template);
  const from = valueAt(variable, ['valueFrom']);
  // The API server leaves an empty value out.
  if (from === undefined || from === null) return '';
  const path = valueAt(from, ['fieldRef', 'fieldPath']);
  if (path === 'metadata.namespace') return OWN;
  const [, annotation] = OF_OLM.exec(String(path)) ?? [];
  if (annotation === undefined) return sourceOf(from);
  const found = valueAt(template, ['metadata', 'annotations', annotation]);
  return typeof found === 'string' ? found : '';
}

const KEYS = { configMapKeyRef: 'ConfigMap', secretKeyRef: 'Secret' } as const;

function sourceOf(from: unknown): SourceOfVariable | null {
  for (const [field, kind] of Object.entries(KEYS)) {
    const name = valueAt(from, [field, 'name']);
    const key = valueAt(from, [field, 'key']);
    if (typeof name === 'string' && typeof key === 'string') return { kind, name, key };
  }
  return null;
}

function expanded(value: string, variables: readonly unknown[], template: unknown): Value {
  const [, name] = EXPANDED.exec(value) ?? [];
  if (name === undefined) return value.includes('$') ? null : value;
  const place = variables.findIndex((one) => valueAt(one, ['name']) === name);
  // Variables are expanded by those before them.
  return place < 0 ? null : valueIn(variables[place], variables.slice(0, place), template);
}

/** No namespace has this name. */
const OWN = '.';

function watchedBy(by: string, value: Value): Watched | null {
  if (value === null) return { namespaces: null, by };
  if (typeof value !== 'string') return { namespaces: null, by, source: value };
  const names = value.split(',').map((name) => name.trim());
  if (names.includes('') || names.includes('*')) return null;
  return { namespaces: names.map((name) => (name === OWN ? '' : name)), by };
}

import { MESSAGES } from '../../text/messages.ts';

export type Labels = Readonly<Record<string, string>>;

/** Whether an object with these labels is selected. */
export type LabelSelector = (labels: Labels) => boolean;

const KEY = '([A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?)';
const VALUE = '((?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?)';

/** The requirements of a selector; `found` has the groups of the pattern. */
const FORMS: readonly {
  readonly pattern: RegExp;
  readonly test: (found: readonly string[]) => LabelSelector;
}[] = [
  {
    pattern: new RegExp(`^${KEY}$`),
    test:
      ([key = '']) =>
      (labels) =>
        Object.hasOwn(labels, key),
  },
  {
    pattern: new RegExp(`^!\\s*${KEY}$`),
    test:
      ([key = '']) =>
      (labels) =>
        !Object.hasOwn(labels, key),
  },
  {
    pattern: new RegExp(`^${KEY}\\s*==?\\s*${VALUE}$`),
    test:
      ([key = '', value]) =>
      (labels) =>
        labelOf(labels, key) === value,
  },
  {
    pattern: new RegExp(`^${KEY}\\s*!=\\s*${VALUE}$`),
    test:
      ([key = '', value]) =>
      (labels) =>
        labelOf(labels, key) !== value,
  },
  {
    pattern: new RegExp(`^${KEY}\\s+in\\s*\\(([^()]*)\\)$`),
    test: ([key = '', values = '']) => {
      const accepted = valuesIn(values);
      return (labels) => accepted.has(labelOf(labels, key) ?? null);
    },
  },
  {
    pattern: new RegExp(`^${KEY}\\s+notin\\s*\\(([^()]*)\\)$`),
    test: ([key = '', values = '']) => {
      const refused = valuesIn(values);
      return (labels) => !refused.has(labelOf(labels, key) ?? null);
    },
  },
];

function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function valuesIn(list: string): ReadonlySet<string | null> {
  return new Set(list.split(',').map((value) => value.trim()));
}

/**
 * Reads what `kubectl get --selector` takes: `a=b,c!=d,e in (f,g),h notin (i),j,!k`. Mirrors
 * labels.Parse of k8s.io/apimachinery, without its numeric `<` and `>`. Throws `InputError`.
 */
export function readLabelSelector(given: string): LabelSelector {
  const requirements = given.split(/,(?![^(]*\))/).map((part): LabelSelector => {
    for (const { pattern, test } of FORMS) {
      const found = pattern.exec(part.trim());
      if (found !== null) return test(found.slice(1));
    }
    throw MESSAGES.wrongValue('selector', 'label requirements such as app=web,tier!=db', given);
  });
  return (labels) => requirements.every((requirement) => requirement(labels));
}

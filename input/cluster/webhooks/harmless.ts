/** Mutations of MutatingAdmissionPolicies that cannot fail, as far as their text says. */

const TEXT = /"[^"\\]*"|'[^'\\]*'/g;
const APPLIED =
  /^Object\{metadata:Object\.metadata\{(?:(?:labels|annotations):\{(?:\$:\$,?)*\},?)*\}\}$/;
const MAP = /(labels|annotations):\{([^}]*)\}/g;
const PATCHED = /^\[(?:JSONPatch\{op:\$,path:\$,value:\$\},?)*\]$/;
const LABEL = /^\/metadata\/labels\/([^/]+)$/;
/** As `IsQualifiedName` and `IsValidLabelValue` of the API machinery (1.20) take them. */
const NAME = /^[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?$/;
const PREFIX =
  /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Whether a mutation only sets valid labels or annotations to texts that are written out:
 * validation refuses the update with an invalid one. A JSON patch fails where the object has no
 * labels yet: `Apply` of json-patch creates no parents.
 */
export function isHarmless(mutation: string, hasLabels: boolean): boolean {
  const texts: string[] = [];
  const plain = mutation
    .replaceAll(TEXT, (text) => {
      texts.push(text.slice(1, -1));
      return '$';
    })
    .replaceAll(/\s+/g, '');
  if (APPLIED.test(plain)) {
    return [...plain.matchAll(MAP)].every(([, field = '', entries = '']) => {
      const own = texts.splice(0, entries.split('$').length - 1);
      const keys = own.filter((_, place) => place % 2 === 0);
      const values = own.filter((_, place) => place % 2 === 1);
      // A key that comes twice is an error of CEL.
      if (new Set(keys).size < keys.length || !keys.every(isKey)) return false;
      return field === 'annotations' || values.every(isLabelValue);
    });
  }
  if (!hasLabels || !PATCHED.test(plain)) return false;
  while (texts.length > 0) {
    const [op, path = '', value = ''] = texts.splice(0, 3);
    const [, key = ''] = LABEL.exec(path) ?? [];
    const isValid = isKey(key.replaceAll('~1', '/')) && isLabelValue(value);
    if (op !== 'add' || !isValid) return false;
  }
  return true;
}

function isKey(key: string): boolean {
  const [name = '', prefix, ...rest] = key.split('/').reverse();
  return rest.length === 0 && NAME.test(name) && (prefix === undefined || PREFIX.test(prefix));
}

function isLabelValue(value: string): boolean {
  return value === '' || NAME.test(value);
}

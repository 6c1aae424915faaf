/** Mutations of MutatingAdmissionPolicies that cannot fail, as far as their text says. */

const TEXT = /"[^"\\]*"|'[^'\\]*'/g;
const APPLIED =
  /^Object\{metadata:Object\.metadata\{(?:(?:labels|annotations):(?:Object\.metadata\.(?:labels|annotations))?\{[$:,]*\},?)*\}\}$/;
const PATCHED = /^\[(?:JSONPatch\{op:\$,path:\$,value:\$\},?)*\]$/;
const LABEL = /^\/metadata\/labels\/[^/]+$/;
const FIELDS = 3;

/**
 * Whether a mutation only sets labels or annotations to texts that are written out. A JSON patch
 * fails where the object has no labels yet: `Apply` of json-patch creates no parents.
 */
export function isHarmless(mutation: string, hasLabels: boolean): boolean {
  const texts: string[] = [];
  const plain = mutation
    .replaceAll(TEXT, (text) => {
      texts.push(text.slice(1, -1));
      return '$';
    })
    .replaceAll(/\s+/g, '');
  if (APPLIED.test(plain)) return true;
  return (
    hasLabels &&
    PATCHED.test(plain) &&
    texts.every((text, place) => {
      if (place % FIELDS === 0) return text === 'add';
      return place % FIELDS !== 1 || LABEL.test(text);
    })
  );
}

import type { ApiObject } from '../../model/index.ts';
import type { InputError } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import { closest } from '../../text/suggest.ts';
import { namesakesIn, qualifiedIn } from '../cluster/lookups.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import { whyNotRead } from './left-out.ts';
import { displayName } from './names.ts';
import { gapFor } from './selection/selected-targets.ts';

/**
 * The object that `KIND/NAME[.NAMESPACE]` names. Names may contain dots, so an exact name takes
 * precedence over a name with a namespace. Throws `InputError`.
 *
 * @param isDump whether a client has printed the objects, and may have left kinds out.
 */
export function findTarget(
  text: string,
  namespace: string | null,
  objects: readonly ApiObject[],
  kinds: KindCatalogue,
  files: string,
  isDump = true,
): ApiObject {
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) {
    throw MESSAGES.usage(
      `"${text}" does not name an object`,
      'expected KIND/NAME or KIND/NAME.NAMESPACE',
    );
  }
  const meant = kinds.named(text.slice(0, slash));
  const names = meant.map((kind) => kind.name);
  const name = text.slice(slash + 1);
  const isInScope = (object: ApiObject): boolean =>
    namespace === null || object.namespace === '' || object.namespace === namespace;
  const isOfKind = (object: ApiObject): boolean => names.includes(object.kind);
  // A question can name all objects of a dump.
  const exact = namesakesIn(objects).get(name)?.filter(isInScope).filter(isOfKind) ?? [];
  const found =
    exact.length > 0
      ? exact
      : (qualifiedIn(objects).get(name)?.filter(isInScope).filter(isOfKind) ?? []);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) throw MESSAGES.ambiguousTarget(text, found.map(qualifiedName));
  const isShown = objects.some(isOfKind);
  const why = isDump && !isShown ? whyNotRead(text.slice(0, slash)) : null;
  if (why !== null) throw MESSAGES.lackingInDump(text, files, why);
  const gap = isDump ? gapFor(meant, namespace, objects, kinds) : null;
  if (gap !== null) throw MESSAGES.lackingInDump(text, files, gap);
  const inScope = objects.filter(isInScope);
  const ofKind = inScope.filter(isOfKind);
  throw notThere(text, namespace, inScope, ofKind, names.length > 0 ? null : kinds, files);
}

/** Always with the namespace, to tell objects apart that differ only in it. */
function qualifiedName(object: ApiObject): string {
  const namespace = object.namespace === '' ? '' : `.${object.namespace}`;
  return `${object.kind}/${object.name}${namespace}`;
}

const LISTED = 8;

/**
 * The error for a missing object. Suggests an object of that kind with a similar name, or any
 * similar one.
 */
function notThere(
  text: string,
  namespace: string | null,
  inScope: readonly ApiObject[],
  ofKind: readonly ApiObject[],
  unknownKind: KindCatalogue | null,
  files: string,
): InputError {
  const [kindWord = '', name = ''] = text.split('/');
  // A short name of a custom kind is in its definition, which the dump may lack.
  const namesakes = unknownKind === null ? [] : inScope.filter((object) => object.name === name);
  const candidates = [ofKind, namesakes, inScope].find(({ length }) => length > 0) ?? [];
  const shown = candidates.map(displayName);
  const listed = shown.slice(0, LISTED);
  if (shown.length > LISTED) listed.push(`and ${shown.length - LISTED} more`);
  const where = namespace === null ? files : `namespace ${namespace} of ${files}`;
  if (namesakes.length > 0) return MESSAGES.notInDump(text, listed, null, where);
  const written = (object: ApiObject): readonly string[] => [
    object.name,
    `${object.name}.${object.namespace}`,
  ];
  const nearName = closest(name, ofKind.flatMap(written)) ?? '';
  const nearObject = ofKind.find((object) => written(object).includes(nearName));
  const nearKind = unknownKind === null ? null : closest(kindWord, unknownKind.words());
  const near =
    (nearObject === undefined ? null : displayName(nearObject)) ??
    closest(text, inScope.map(displayName)) ??
    (nearKind === null ? null : `${nearKind}/${name}`);
  return MESSAGES.notInDump(text, listed, near, where);
}

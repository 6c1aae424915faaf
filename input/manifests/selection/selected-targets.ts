import { type ApiObject, type Kind, keyOf } from '../../../model/index.ts';
import { MESSAGES } from '../../../text/messages.ts';
import { byKindIn, namesakesIn } from '../../cluster/lookups.ts';
import { resourceOf } from '../../cluster/open-world.ts';
import { valueAt } from '../../documents/shape.ts';
import type { Dump } from '../dump.ts';
import type { KindCatalogue } from '../kind-catalogue.ts';
import { readLabelSelector } from '../label-selector.ts';
import { whyNotRead } from '../left-out.ts';
import type { ReadObject } from '../manifest.ts';
import { displayName, firstFew } from '../names.ts';
import { checkFields, type FieldTerm, meetsFields } from './field-selector.ts';

/** What is to be deleted, by kind: all of it, or what has some labels. */
export interface Selection {
  /** Words for kinds, as kubectl takes them between commas; `all` is a category. */
  readonly kinds: readonly string[];
  /** As `kubectl --selector` takes it; null: everything of these kinds. */
  readonly selector: string | null;
  /** As `kubectl --field-selector` takes them; null: any. */
  readonly fields: readonly FieldTerm[] | null;
  /** Null: the only one in which something is selected. */
  readonly namespace: string | null;
  readonly allNamespaces: boolean;
}

/** The built-in kinds of the category `all`. */
export const IN_ALL: readonly string[] = [
  ...['Pod', 'ReplicationController', 'Service', 'DaemonSet.apps', 'Deployment.apps'],
  ...['ReplicaSet.apps', 'StatefulSet.apps', 'HorizontalPodAutoscaler.autoscaling'],
  ...['CronJob.batch', 'Job.batch'],
];

/** The selected objects as `KIND/NAME[.NAMESPACE]`, kind by kind. Throws `InputError`. */
export function selectedTargets(
  selection: Selection,
  dump: Dump,
  kinds: KindCatalogue,
): readonly string[] {
  const { selector, fields, namespace, allNamespaces } = selection;
  const isMeant = selector === null ? () => true : readLabelSelector(selector);
  const objects = dump.objects.map(({ object }) => object);
  const names = selection.kinds.flatMap((word) => namesOf(word, dump, kinds));
  for (const name of new Set(names)) checkFields(fields ?? [], name);
  const byKind = byKindIn(objects);
  const meets = fields === null ? () => true : fieldsMetIn(dump.objects, fields);
  const found = [...new Set(names)].flatMap((name) =>
    (byKind.get(name) ?? []).filter(
      (object) =>
        (namespace === null || object.namespace === '' || object.namespace === namespace) &&
        isMeant(dump.labels.get(keyOf(object)) ?? {}) &&
        meets(object),
    ),
  );
  const what = [
    selection.kinds.join(','),
    ...(selector === null ? [] : [`-l ${selector}`]),
    ...(fields === null ? [] : ['--field-selector']),
  ].join(' ');
  if (found.length === 0) {
    const where = namespace === null ? '' : ` in namespace ${namespace}`;
    const meant = selection.kinds.flatMap((word) => kinds.named(word));
    throw MESSAGES.usage(
      `"${what}" selects nothing${where} of ${dump.files.join(', ')}`,
      gapFor(meant, namespace, objects, kinds) ?? undefined,
    );
  }
  const places = [...new Set(found.flatMap((object) => object.namespace || []))];
  if (places.length > 1 && !allNamespaces) {
    throw MESSAGES.usage(
      `"${what}" selects objects in ${places.length} namespaces: ${places.sort().join(', ')}`,
      '-n NAMESPACE, or -A for all of them',
    );
  }
  return found.map((object) => named(object, objects));
}

function fieldsMetIn(
  read: readonly ReadObject[],
  fields: readonly FieldTerm[],
): (object: ApiObject) => boolean {
  const byObject = new Map(read.map((one) => [one.object, one]));
  return (object) => {
    const { document, path } = byObject.get(object)!;
    return meetsFields(fields, object.kind, valueAt(document.value, path), displayName(object));
  };
}

/**
 * Why the dump cannot have an object of these kinds in this namespace, and what to do; null: it
 * can.
 */
export function gapFor(
  meant: readonly Kind[],
  namespace: string | null,
  objects: readonly ApiObject[],
  kinds: KindCatalogue,
): string | null {
  const [kind] = meant;
  const isPartial = objects.every((object) => IN_ALL.includes(object.kind));
  if (kind !== undefined && isPartial && !meant.some(({ name }) => IN_ALL.includes(name))) {
    return `the dump has only kinds of "kubectl get all", which leaves out ${kind.name}: ${COLLECTING}`;
  }
  const namespaces = [...new Set(objects.flatMap((object) => object.namespace || []))].sort();
  if (namespace !== null && !namespaces.includes(namespace) && namespaces.length > 0) {
    return `the dump has nothing in namespace ${namespace}; it has the namespaces ${firstFew(namespaces)}`;
  }
  const byKind = byKindIn(objects);
  if (kind === undefined || meant.some(({ name }) => byKind.has(name))) return null;
  const resource = resourceOf(kind.apiVersions[0] ?? '', kind.kind, kinds);
  const scope = kind.namespaced ? ' -A' : '';
  return `the dump has no objects of kind ${kind.name}: ${COLLECTING}, or give what "kubectl get ${resource}${scope} -o yaml" prints as a further file`;
}

const COLLECTING = 'reapcheck dump-command prints the command that collects all kinds';

/**
 * The names of the kinds that a word means: a kind comes before a category of its name, as in
 * kubectl.
 */
function namesOf(word: string, dump: Dump, kinds: KindCatalogue): readonly string[] {
  const category = word.toLowerCase();
  if (category === 'all') return [...IN_ALL, ...customNames(category, dump, kinds)];
  const named = kinds.named(word).map(({ name }) => name);
  const names = named.length > 0 ? named : customNames(category, dump, kinds);
  if (names.length > 0) return names;
  throw MESSAGES.usage(
    `"${word}" is no kind of ${dump.files.join(', ')}`,
    whyNotRead(word) ?? 'kinds such as pods,svc',
  );
}

/** Kinds that their definition puts into a category. */
function customNames(
  category: string,
  { observations }: Dump,
  kinds: KindCatalogue,
): readonly string[] {
  return [...observations.values()].flatMap((observed) => {
    if (observed.of !== 'CustomResourceDefinition') return [];
    return observed.categories.includes(category) ? (kinds.defined(observed)?.name ?? []) : [];
  });
}

/** A name may have dots, and then look like another name with its namespace. */
function named(object: ApiObject, objects: readonly ApiObject[]): string {
  const { kind, name, namespace } = object;
  const text = namespace === '' ? name : `${name}.${namespace}`;
  const isTwofold = namesakesIn(objects)
    .get(text)
    ?.some((other) => other.kind === kind && other !== object);
  if (!isTwofold) return `${kind}/${text}`;
  throw MESSAGES.usage(
    `${displayName(object)} cannot be told apart from another ${kind} of that name`,
    `${kind}/${name} -n ${namespace}`,
  );
}

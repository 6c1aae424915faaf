import { type ApiObject, keyOf } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKeyIn, byKindIn, dependentsIn, remembered } from '../lookups.ts';
import { type Mark, marksOn } from '../marks.ts';
import { meetsAll } from '../webhooks/asked.ts';
import {
  type Evidence,
  firstHeld,
  type Held,
  isReached,
  type Lacking,
  lackedIn,
} from './evidence.ts';

/**
 * Something that the owner of a finalizer reads before it removes that, such as credentials, and
 * that is not there or may go first; null: nothing that the dump shows.
 */
export function needsDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  if (known === null || known.readsNothing === true) return null;
  return firstHeld('lacking', objects, evidence, (object) => {
    const found = lackOf(object, object.namespace, known.project, evidence, new Set());
    if (found === null) return null;
    const { words, ...lacked } = found;
    return {
      why: `${known.owner} reads ${words} to do its work for ${displayName(object)}`,
      ...lacked,
    };
  });
}

/**
 * An owner that first makes something beside the object, whose namespace goes as well: the API
 * server refuses new objects in it (`NamespaceLifecycle`); null: none.
 */
export function makesDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const makes = known?.makes;
  if (known === null || makes === undefined) return null;
  return firstHeld('lacking', objects, evidence, (object) => {
    const around = namespaceOf(object.namespace, evidence);
    if (around === null || isTracked(object, evidence)) return null;
    return `${known.owner} makes ${makes} in its namespace before it lets ${displayName(object)} go, and ${displayName(around)} takes no new ones while it is being deleted`;
  });
}

/**
 * Whether a managed resource of Crossplane needs no new usage: its own does not go before it
 * (`Protect`), or its provider leaves it, and does not connect.
 */
function isTracked(object: ApiObject, { dump, observations }: Evidence): boolean {
  const marks = marksOn(observations, object);
  return (
    marks.some(({ mark }) => mark === 'abandons') ||
    (dependentsIn(dump).get(object.uid) ?? []).some(
      ({ kind, finalizers }) => kind.startsWith('ProviderConfigUsage.') && finalizers.length > 0,
    )
  );
}

/** The namespace, if it goes as well; null: it does not. */
function namespaceOf(namespace: string, evidence: Evidence): ApiObject | null {
  const { dump } = evidence;
  const found = byKeyIn(dump).get(keyOf({ kind: 'Namespace', namespace: '', name: namespace }));
  return found !== undefined && isReached(found, evidence) ? found : null;
}

type Need = Extract<Mark, { readonly mark: 'needs' }>;

/** Of a Machine of Cluster API: the infrastructure of its Cluster has the credentials. */
const OF_CLUSTER = 'cluster.x-k8s.io/cluster-name';
const MACHINE = /^([A-Za-z0-9]+)Machine\.infrastructure\.cluster\.x-k8s\.io$/;

/** What is not there, or may go first. */
interface Lack {
  /** What it is, and since when: words for a clause. */
  readonly words: string;
  /** Absent: it is there, or nobody can make it. */
  readonly lacks?: Lacking;
}

/**
 * What lacks; null: nothing.
 *
 * @param beside the namespace of the object that needs it, for a configuration without one.
 */
function lackOf(
  object: ApiObject,
  beside: string,
  project: string,
  evidence: Evidence,
  seen: Set<string>,
): Lack | null {
  const { dump, observations, labels } = evidence;
  if (seen.has(object.uid)) return null;
  seen.add(object.uid);
  const marks = marksOn(observations, object);
  // Providers of Crossplane do not connect for what they leave.
  if (project === 'Crossplane' && marks.some(({ mark }) => mark === 'abandons')) return null;
  for (const mark of marks) {
    if (mark.mark !== 'needs' || mark.tool !== project) continue;
    const around = object.namespace || beside;
    const each = readBy(mark, foundFor(mark, object, around, evidence));
    const [any] = each;
    if (any === undefined) {
      const lack = mark.ifThere === true ? null : absent(mark, object, around, evidence);
      if (lack !== null) return lack;
      continue;
    }
    for (const found of each) {
      const [first] = found;
      if (first === undefined) continue;
      if (found.every((one) => isReached(one, evidence) && mayGoFirst(one, mark))) {
        return { words: `${displayName(first)}, which may go first,` };
      }
      const beneath = lackOf(first, around, project, evidence, seen);
      if (beneath !== null) return beneath;
    }
  }
  const [, provider] = MACHINE.exec(object.kind) ?? [];
  const cluster = labels.get(keyOf(object))?.[OF_CLUSTER];
  if (provider === undefined || cluster === undefined) return null;
  const kind = `${provider}Cluster.infrastructure.cluster.x-k8s.io`;
  const infrastructure = (byKindIn(dump).get(kind) ?? []).find(
    (one) => one.namespace === object.namespace && labels.get(keyOf(one))?.[OF_CLUSTER] === cluster,
  );
  return infrastructure === undefined
    ? null
    : lackOf(infrastructure, beside, project, evidence, seen);
}

/**
 * What goes and is read by the owner of a finalizer before it lets this object go; null: nothing.
 */
export function goingNeedOf(
  object: ApiObject,
  { project, readsNothing }: KnownFinalizer,
  evidence: Pick<Evidence, 'dump' | 'goes' | 'observations' | 'labels'>,
): ApiObject | null {
  if (readsNothing === true) return null;
  const { goes, observations } = evidence;
  const read = new Map([[object, object.namespace]]);
  for (const [one, beside] of read) {
    for (const mark of marksOn(observations, one)) {
      if (mark.mark !== 'needs' || mark.tool !== project) continue;
      const around = one.namespace || beside;
      for (const found of readBy(mark, foundFor(mark, one, around, evidence))) {
        const [first] = found;
        if (first !== undefined && found.every(goes)) return first;
        for (const other of found) if (!read.has(other)) read.set(other, around);
      }
    }
  }
  return null;
}

/** With a finalizer, it can be read until that is taken off. */
function mayGoFirst({ finalizers, namespace }: ApiObject, { whole }: Need): boolean {
  return finalizers.length === 0 || (whole === true && namespace !== '');
}

/** Groups of which one has to be there: all that a name may mean, or each that labels choose. */
function readBy(need: Need, found: readonly ApiObject[]): readonly (readonly ApiObject[])[] {
  if (need.selects !== undefined) return found.map((one) => [one]);
  return found.length === 0 ? [] : [found];
}

function foundFor(
  need: Need,
  object: ApiObject,
  beside: string,
  { dump, labels }: Pick<Evidence, 'dump' | 'labels'>,
): readonly ApiObject[] {
  const { selects } = need;
  const named =
    selects === undefined
      ? byNameIn(dump).get(need.name)
      : byPlainKindIn(dump)
          .get(need.kind)
          ?.filter((one) => meetsAll(selects, labels.get(keyOf(one)) ?? {}));
  return (named ?? []).filter(
    (one) =>
      isOfKind(one, need, object) &&
      (one.namespace === '' ||
        need.anywhere === true ||
        one.namespace === (need.namespace ?? beside)),
  );
}

/** A configuration is that of the group of the object, or of a wider one. */
function isOfKind(one: ApiObject, { kind }: Need, object: ApiObject): boolean {
  const [name = '', ...group] = one.kind.split('.');
  return name === kind && (group.length === 0 || object.kind.endsWith(`.${group.join('.')}`));
}

/** Why it is surely not there, or will not be; null: not said. */
function absent(need: Need, object: ApiObject, beside: string, evidence: Evidence): Lack | null {
  if (need.anywhere === true || need.selects !== undefined) return null;
  const { dump } = evidence;
  const namespace = need.namespace ?? beside;
  const words = `${need.kind}/${need.name}`;
  const named = byPlainKindIn(dump).get(need.kind) ?? [];
  const others = named.filter((one) => isOfKind(one, need, object));
  const [other] = others.filter((one) => one.namespace === '' || one.namespace === namespace);
  if (other !== undefined) {
    const lacks = { kind: need.kind, name: need.name, namespace: other.namespace };
    return { words: `${words}, which the dump lacks,`, ...lackedIn(evidence, lacks) };
  }
  const around = need.kind === 'Secret' ? namespaceOf(namespace, evidence) : null;
  return around && { words: `${words}, which goes with ${displayName(around)},` };
}

const byPlainKindIn = remembered((dump: readonly ApiObject[]) =>
  groupedBy(dump, ({ kind }) => kind.split('.')[0]),
);

const byNameIn = remembered((dump: readonly ApiObject[]) => groupedBy(dump, ({ name }) => name));

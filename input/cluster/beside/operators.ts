import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  thirdPartyFinalizers,
} from '../../../model/index.ts';
import { groupedBy, plural } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import type { Evidence } from '../doubts/evidence.ts';
import { goingNeedOf } from '../doubts/needs.ts';
import { mayLoseRights, rightsGoing } from '../doubts/rights.ts';
import { faultOf } from '../doubts/runs.ts';
import { type KnownFinalizer, knownFinalizer } from '../known/index.ts';
import { definitionName } from '../links.ts';
import { definitionIn, dependentsIn } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import {
  type OwnerNames,
  RUNNING,
  usedOf,
  WORKLOADS,
  wordsOf,
  workloadsOf,
} from '../observed/finalizer-owners.ts';
import type { Besides, BesidesGiven, Stranded } from './besides.ts';
import { isKeptUp } from './remade.ts';

/**
 * Workloads that go, or lose their rights, and run the owner of a finalizer that objects have which
 * stay: their deletion hangs from then on. Those that go as well are judged with the finalizer.
 */
export function unattendedIn(
  given: BesidesGiven,
  table: readonly KnownFinalizer[],
  evidence: Evidence,
  otherwise: (unattended: Unattended) => readonly Besides[],
): readonly Besides[] {
  const { all, kept, goes, observations } = given;
  const own = { ...evidence, goes };
  const inKept = new Set(kept);
  const running = all.filter(({ kind }) => RUNNING.includes(kind));
  const going = [
    ...running.filter((object) => inKept.has(object) && goes(object)),
    ...running.filter((object) => !goes(object) && mayLoseRights(object, own)),
  ];
  if (going.length === 0) return [];
  const judged = new Set(kept.filter(goes));
  const held = all.flatMap((object) =>
    judged.has(object)
      ? []
      : thirdPartyFinalizers(object).map((finalizer) => ({ object, finalizer })),
  );
  const guesses = new Map<string, OwnerNames>();
  const guessed = (finalizer: string, { kind }: ApiObject): OwnerNames => {
    const key = `${kind} ${finalizer}`;
    const found = guesses.get(key) ?? namedAlike(finalizer, kind);
    guesses.set(key, found);
    return found;
  };
  const groups = groupedBy(
    held,
    ({ object, finalizer }): OwnerNames =>
      knownFinalizer(finalizer, table, object.kind) ?? guessed(finalizer, object),
  );
  // The table says what the others operate.
  const ofTable = new Set(guesses.size > 0 ? table.flatMap((row) => workloadsOf(row, all)) : []);
  const others = going.filter((object) => !ofTable.has(object));
  const guessedNames = new Set(guesses.values());
  return [...groups].flatMap(([known, group]) => {
    const isGuess = guessedNames.has(known);
    const among = isGuess ? others : going;
    const { ownedBy } = known;
    const ofOne = groupedBy(group, ({ object }) =>
      ownedBy === undefined ? '' : usedOf(observations.get(keyOf(object)), ownedBy),
    );
    return [...ofOne].flatMap(([server, one]) => {
      const found = unattendedOf(known, server, one, among, own);
      return found.length > 0 ? found : otherwise({ known, group: one, isGuess, ofTable });
    });
  });
}

/** Objects that stay, with a finalizer whose owner no name of a workload that goes is like. */
export interface Unattended {
  readonly known: OwnerNames;
  readonly group: readonly HeldObject[];
  /** The table has no row of it. */
  readonly isGuess: boolean;
  /** Workloads that run owners of which the table has rows. */
  readonly ofTable: ReadonlySet<ApiObject>;
}

/**
 * What the names of operators end with, after a word for what they operate: kubebuilder puts
 * `controller-manager` after the name of the project, or that in the name of the namespace.
 */
const OPERATING: readonly string[] = [
  ...['operator', 'controller', 'controllers', 'manager', 'controller-manager'],
  ...['operator-controller-manager', 'cluster-operator'],
];
const NAMESPACE_ENDINGS: readonly string[] = ['', '-system', '-operator', '-operator-system'];

/**
 * The owner of a finalizer of which the table has no row, by words that may be in its name: the
 * kind, the labels of its group but the last, and the first word of the finalizer.
 */
function namedAlike(finalizer: string, kind: string): OwnerNames {
  return {
    owner: `the owner of ${finalizer}`,
    workloads: wordsOf(finalizer, kind).flatMap((word) => [
      ...OPERATING.flatMap((ending) => [`${word}-${ending}`, `${word}s-${ending}`]),
      ...NAMESPACE_ENDINGS.flatMap((end) => OPERATING.map((name) => `${word}${end}/${name}`)),
    ]),
  };
}

/**
 * Credentials and configurations that go, and that the owners of finalizers read before they let
 * objects go which stay.
 */
export function unreadableIn(
  { all, kept, goes, observations }: BesidesGiven,
  table: readonly KnownFinalizer[],
  labels: Evidence['labels'],
): readonly Besides[] {
  // The others are judged with the finalizer.
  const judged = new Set(kept.filter(goes));
  const evidence = { dump: all, goes, observations, labels };
  const found = all.flatMap((object) => {
    const marks = judged.has(object) ? [] : marksOn(observations, object);
    if (!marks.some(({ mark }) => mark === 'needs')) return [];
    // Providers do not connect for what they leave.
    if (marks.some(({ mark }) => mark === 'abandons')) return [];
    return thirdPartyFinalizers(object).flatMap((finalizer) => {
      const known = knownFinalizer(finalizer, table, object.kind);
      const need = known && goingNeedOf(object, known, evidence);
      return known && need ? [{ object, finalizer, known, need }] : [];
    });
  });
  return [
    ...groupedBy(found, ({ need, known }) => `${keyOf(need)} ${known.owner}`).values(),
  ].flatMap((group): readonly Besides[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { finalizer, known, need } = first;
    const { who, has, stay, strands } = stranded(group.map((one) => one.object));
    const what = `${known.owner} reads ${displayName(need)} before it lets ${who} go, which ${stay} and ${has} ${finalizer}: without it, that deletion hangs; delete what reads it first`;
    return [{ object: keyOf(need), what, strands }];
  });
}

/** What is left without its owner, in words: those whose deletion has begun come first. */
export function stranded(objects: readonly ApiObject[]) {
  const begun = objects.filter(isBeingDeleted);
  const staying = objects.filter((object) => !isBeingDeleted(object));
  const sorted = [...begun, ...staying];
  const names = sorted.map(displayName);
  const isOne = names.length === 1;
  const [first = ''] = names;
  const states = [
    ...(begun.length === 0 ? [] : [isOne ? 'is being deleted' : 'are being deleted']),
    ...(staying.length === 0 ? [] : [isOne ? 'stays' : 'stay']),
  ];
  const strands: Stranded = { names, begun: begun.length > 0 };
  return {
    who: isOne ? first : `${first} and ${plural(names.length - 1, 'other object')}`,
    has: isOne ? 'has' : 'have',
    stay: states.join(' or '),
    strands,
    of: sorted[0],
  };
}

export interface HeldObject {
  readonly object: ApiObject;
  readonly finalizer: string;
}

/** Whether an orphaning deletion leaves what it has made, which runs on. */
export function runsOn(object: ApiObject, evidence: Pick<Evidence, 'dump' | 'goes'>): boolean {
  const { goes, dump } = evidence;
  if (!goes(object)) return false;
  const dependents = dependentsIn(dump);
  // The set grows while it is read. Owners can be a cycle.
  const above = new Set([object]);
  for (const { uid } of above) {
    for (const one of dependents.get(uid) ?? []) {
      if (!RUNNING.includes(one.kind)) continue;
      if (!goes(one)) return true;
      above.add(one);
    }
  }
  return false;
}

/** @param server the name of the object whose workloads run the owner; empty: any. */
function unattendedOf(
  known: OwnerNames,
  server: string,
  group: readonly HeldObject[],
  going: readonly ApiObject[],
  evidence: Evidence,
): readonly Besides[] {
  const [first] = group;
  if (first === undefined) return [];
  // A pod or ReplicaSet that has a controller is replaced, unless that is what the row names.
  const isMeant = ({ kind, ownerReferences, namespace }: ApiObject): boolean =>
    server === ''
      ? WORKLOADS.includes(kind) || !ownerReferences.some(({ controller }) => controller === true)
      : namespace === first.object.namespace && ownerReferences.some(({ name }) => name === server);
  const held = group.map(({ object }) => object);
  const isNamed = server !== '' || workloadsOf(known, evidence.dump).length > 0;
  const operatorsAmong = (objects: readonly ApiObject[]): readonly ApiObject[] =>
    isNamed ? workloadsOf(known, objects) : released(held, objects, evidence);
  const lost = operatorsAmong(going).flatMap((object) => {
    if (!isMeant(object) || runsOn(object, evidence)) return [];
    if (evidence.goes(object)) return { object, rights: null };
    const rights = rightsGoing(object, held, evidence);
    return rights === null ? [] : { object, rights };
  });
  const [one] = lost;
  if (one === undefined) return [];
  const { object: gone, rights } = one;
  // Of a release, any workload may be the operator, so that another one says nothing.
  const rest = (isNamed ? operatorsAmong(evidence.dump) : [])
    .filter((other) => server === '' || isMeant(other))
    .filter((other) => !isPart(other) && faultOf(other, held, evidence) === null);
  if (rest.length > 0) return [];
  const { who, has, stay, strands } = stranded(held);
  const with_ = lost.length === 1 ? '' : ` and ${lost.length - 1} more`;
  const comesBack = rights === null && lost.every(({ object }) => isKeptUp(object, evidence));
  const loses = comesBack
    ? ': until it is there again'
    : rights === null
      ? ': without it'
      : ` and loses its rights with ${displayName(rights)}: without them`;
  const remedy = comesBack ? '' : '; delete what has it first';
  const what = `${displayName(gone)}${with_} may run ${known.owner.replace(/,$/, '')}${loses}, the deletion of ${who} hangs, which ${stay} and ${has} ${first.finalizer}${remedy}`;
  const until = comesBack ? { until: displayName(gone) } : {};
  return [{ object: keyOf(rights ?? gone), what, strands: { ...strands, ...until } }];
}

/**
 * The workloads of the Helm releases that have the definitions of these objects: where no name fits,
 * one of them may be their operator.
 */
function released(
  held: readonly ApiObject[],
  among: readonly ApiObject[],
  { dump, observations, kinds }: Evidence,
): readonly ApiObject[] {
  const releasesOf = (object: ApiObject): readonly string[] =>
    marksOn(observations, object).flatMap((mark) =>
      mark.mark === 'trackedBy' && (mark.tool === 'Helm' || mark.kind === 'HelmRelease')
        ? [`${mark.kind}/${mark.namespace}/${mark.name}`]
        : [],
    );
  const names = new Set(held.map(({ kind }) => definitionName(kinds[kind])));
  const releases = new Set(
    [...names].flatMap((name) => {
      const definition = definitionIn(dump, name);
      return definition === undefined ? [] : releasesOf(definition);
    }),
  );
  return among.filter(
    (object) =>
      WORKLOADS.includes(object.kind) && releasesOf(object).some((one) => releases.has(one)),
  );
}

/** Whether an object is only kept up by another one. */
function isPart({ ownerReferences }: ApiObject): boolean {
  return ownerReferences.some(({ kind }) => kind === 'ReplicaSet' || kind === 'Deployment');
}

import { type ApiObject, FOREGROUND, type KindTable, keyOf, ORPHAN } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { objectWords } from '../../manifests/object-words.ts';
import type { Doubt } from '../beside/doubts.ts';
import {
  COLLECTOR,
  kubeletOf,
  NAMESPACES,
  type Requested,
  type Requester,
  someone,
} from '../cel/requests.ts';
import { dependentsIn } from '../lookups.ts';

/**
 * The requests that follow the DELETE of an object, and without which it does not go. Each is an
 * UPDATE for admission, also if it is sent as a PATCH. The DELETE itself is none, although a
 * foreground one writes a finalizer and a time: `Store.Delete` stores them without admission of
 * updates (1.20). The PATCH with which the collector takes that finalizer off passes it.
 */

export interface Later {
  /** What is changed: the object, or a dependent that is orphaned. */
  readonly about: ApiObject;
  /** Empty: the object itself. */
  readonly subresource: string;
  /** Someone who is not known, if it is the owner of a finalizer. */
  readonly by: Requester;
}

interface Given {
  readonly kept: readonly ApiObject[];
  readonly table: KindTable;
  readonly requested: Requested;
  /** Names of nodes without a kubelet that acts. */
  readonly lostNodes: readonly string[];
}

/** Finalizers that their owner removes with a PATCH or PUT of a subresource. */
const FREED_THROUGH: Readonly<Record<string, string>> = {
  // `PatchService` of the cloud provider's service helpers (1.20).
  'service.kubernetes.io/load-balancer-cleanup': 'status',
  // `CRDFinalizer.sync` of the API extensions (1.20), as for each definition below.
  'customresourcecleanup.apiextensions.k8s.io': 'status',
};
const OF_COLLECTOR: ReadonlySet<string> = new Set([FOREGROUND, ORPHAN]);

/** By object, each found out once. */
export function laterRequestsIn(given: Given): (object: ApiObject) => readonly Later[] {
  const isForeground = [...given.requested.values()].includes('Foreground');
  const known = new Map<ApiObject, readonly Later[]>();
  return (object) => {
    const found = known.get(object) ?? laterRequestsOf(object, isForeground, given);
    known.set(object, found);
    return found;
  };
}

function laterRequestsOf(object: ApiObject, isForeground: boolean, given: Given): readonly Later[] {
  const { table, lostNodes } = given;
  const { finalizers, pod, kind } = object;
  const own = (subresource: string, by: Requester): Later => ({ about: object, subresource, by });
  const storage = table[kind]?.storage;
  const through = new Set([
    ...finalizers
      .filter((finalizer) => !OF_COLLECTOR.has(finalizer))
      .map((finalizer) => FREED_THROUGH[finalizer] ?? ''),
    // The DELETE of a definition adds its finalizer.
    ...(storage === 'customResourceDefinition' ? ['status'] : []),
  ]);
  const isEnded = pod?.scheduled === true && pod.finished !== true;
  const hasKubelet = isEnded && !lostNodes.includes(pod.node ?? '');
  return [
    ...[...through].map((subresource) => own(subresource, someone(false))),
    ...patchedByCollector(object, isForeground, given).map((about) => ({
      about,
      subresource: '',
      by: COLLECTOR,
    })),
    ...(storage === 'namespace' ? [own('finalize', NAMESPACES)] : []),
    // A kubelet whose PATCH of the status is refused does not send its DELETE (`syncPod`, 1.20).
    ...(hasKubelet ? [own('status', kubeletOf(pod.node))] : []),
  ];
}

/** The objects that the collector changes before this one goes. */
function patchedByCollector(
  object: ApiObject,
  isForeground: boolean,
  { kept, requested }: Given,
): readonly ApiObject[] {
  const policy = requested.get(keyOf(object));
  const dependents = dependentsIn(kept).get(object.uid) ?? [];
  const isBelow = isForeground && dependents.length > 0;
  const isWaiting = policy === 'Foreground' || isBelow || object.finalizers.includes(FOREGROUND);
  const isOrphaning = policy === 'Orphan' || object.finalizers.includes(ORPHAN);
  return [...(isWaiting || isOrphaning ? [object] : []), ...(isOrphaning ? dependents : [])];
}

/**
 * What a doubt about a request has: whether all that is in the object, or beneath it, has gone by
 * then. That holds for the end of a foreground deletion, and for that of a namespace.
 */
export function endOf({ about, by }: Later, object: ApiObject): Pick<Doubt, 'atEnd'> {
  const isLast = by === NAMESPACES || (by === COLLECTOR && about === object);
  return isLast ? { atEnd: true } : {};
}

/** As the object of a sentence: `the change of Pod/a.shop by the garbage collector`. */
export function laterWords({ about, subresource, by }: Later): string {
  const what = subresource === 'finalize' ? 'finalization of' : 'change of';
  const part = subresource === 'status' ? 'the status of ' : '';
  const sender = by.name === null ? 'the owner of its finalizer' : by.name;
  return `the ${what} ${part}${displayName(about)} by ${sender}`;
}

/** A command that asks admission about a PATCH that changes nothing. */
export function dryRunOfLater(
  { about, subresource, by }: Later,
  { table }: Pick<Given, 'table'>,
): string {
  const words = objectWords(about, table);
  if (subresource === 'finalize') {
    // `kubectl patch` knows no such subresource.
    const path = shellQuoted(`/api/v1/namespaces/${about.name}/finalize?dryRun=All`);
    const replace = `kubectl get ${words} -o json | kubectl replace --raw ${path} -f -`;
    return `${replace} ${by.flags}`.trim();
  }
  const part = subresource === '' ? '' : ` --subresource=${subresource}`;
  const patch = `kubectl patch ${words}${part} --type=merge -p '{}' --dry-run=server`;
  return `${patch} ${by.flags}`.trim();
}

/** Whether it changes the object itself, without which no finalizer leaves it. */
export function isOfItself({ about, subresource }: Later, object: ApiObject): boolean {
  return subresource === '' && about.uid === object.uid;
}

/** Whether the owner of a finalizer takes it off the object. */
export function isPlain({ subresource, by }: Later): boolean {
  return subresource === '' && by.name === null;
}

import {
  type ApiObject,
  JOB_TRACKING,
  keyOf,
  otherSpecFinalizers,
  thirdPartyFinalizers,
} from '../../model/index.ts';
import { groupedBy, groupedByEach, shellQuoted } from '../../text/layout.ts';
import { displayName } from '../manifests/names.ts';
import { hookDoubt, projectDoubt, unconfirmedDoubt } from './doubts/applications.ts';
import { drainDoubt, onNodeDoubt } from './doubts/drained.ts';
import { elsewhereDoubt } from './doubts/elsewhere.ts';
import { type Evidence, type Held, isReached } from './doubts/evidence.ts';
import { failingDoubt, refusedDoubt } from './doubts/external.ts';
import { accountDoubt, kubeConfigDoubt } from './doubts/flux.ts';
import { judgedApart } from './doubts/halves.ts';
import {
  beneathDoubt,
  heldDoubt,
  hookedDoubt,
  pausedDoubt,
  trackingDoubt,
  unfilledDoubt,
} from './doubts/held.ts';
import { makesDoubt, needsDoubt } from './doubts/needs.ts';
import { rangeDoubt } from './doubts/ranges.ts';
import { faultOf } from './doubts/runs.ts';
import { aloneDoubt, unownedDoubt, unseenDoubt } from './doubts/unseen.ts';
import { attachedDoubt, unpluggedDoubt, unreleasedDoubt } from './doubts/volumes.ts';
import { type KnownFinalizer, knownFinalizer, WELL_KNOWN_FINALIZERS } from './known/index.ts';
import {
  alternativesAmong,
  ownersAmong,
  serverOf,
  workloadsOf,
} from './observed/finalizer-owners.ts';
import { cloudOf, distributionOf } from './operating/distribution.ts';

/**
 * Whether the owner of a finalizer removes it once deletion has begun: `cooperative` sooner or
 * later, `stuck` never, `unknown` perhaps. Unknown is what a finalizer is unless something says
 * more: a wrong "goes" is worse than "goes if its owner acts".
 */
export type FinalizerJudgement = 'cooperative' | 'stuck' | 'unknown';

export interface JudgedFinalizer extends JudgedRow {
  readonly finalizer: string;
  /**
   * By what the dump says of their owners, which may be another for each. The whole is the worst.
   */
  readonly rows: readonly JudgedRow[];
}

/** The judgement about some of the objects that have a finalizer. */
export interface JudgedRow {
  readonly judgement: FinalizerJudgement;
  /** Why: one sentence without its full stop. */
  readonly evidence: string;
  /**
   * A command that finds its owner; null: the dump says enough, or it is outside of the cluster.
   */
  readonly settle: string | null;
  /** What else keeps its owner from removing it; null: nothing. */
  readonly held: Held | null;
  /** Whether its owner runs, so that only that keeps it. */
  readonly runs: boolean;
  /** The row of the table of well-known finalizers; null: none. */
  readonly known: KnownFinalizer | null;
  /** Store keys of the objects here that have it, in the order of the dump. */
  readonly objects: readonly string[];
  /** Whether a deletion may reach one of them. If none does, nobody waits for its owner. */
  readonly reached: boolean;
  /**
   * The workload that may run its owner, and does not run; null: none, or it is not known which.
   */
  readonly runner: ApiObject | null;
  /** A person takes it off them. */
  readonly byHand?: boolean;
}

/** What a person has said on the command line. */
export interface FinalizerOptions {
  readonly cooperative: readonly string[];
  readonly stuck: readonly string[];
  /** Nobody said it, and it is so all the same: what runs their owner is gone. */
  readonly unowned?: readonly string[];
  /** Workloads that are taken to run the owners of which no row of the table speaks. */
  readonly runners?: readonly ApiObject[];
  /** Rows of the user, before those of the well-known table. */
  readonly finalizers?: readonly KnownFinalizer[];
}

/** Judges every third-party finalizer of the objects, in the order of their names. */
export function judgedFinalizers(
  evidence: Evidence,
  options: FinalizerOptions,
): readonly JudgedFinalizer[] {
  const table = tableOf(options);
  const { runners = [] } = options;
  const having = groupedByEach(
    evidence.objects,
    (object) => new Set([...thirdPartyFinalizers(object), ...otherSpecFinalizers(object)]),
  );
  const rowsOf = (finalizer: string, objects: readonly ApiObject[]): readonly Row[] =>
    [...groupedBy(objects, ({ kind }) => knownFinalizer(finalizer, table, kind))].flatMap(
      ([known, group]) =>
        [...groupedBy(group, (object) => serverOf(object, finalizer, known, evidence))].flatMap(
          ([server, of]) =>
            byScope(known, of, evidence).map((each) => ({
              ...{ finalizer, known, server, objects: each },
            })),
        ),
    );
  const holds = (finalizer: string, object: ApiObject): boolean =>
    ownerOf(finalizer, object, evidence, options).judgement !== 'cooperative';
  const entries = [...having]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([finalizer, objects]) => ({ finalizer, objects, rows: rowsOf(finalizer, objects) }));
  // Finalizers that hold the dependents of an object may hold the object as well.
  const here = new Set(evidence.objects.map(keyOf));
  const mayHold =
    (doubtful: ReadonlySet<string>) =>
    (finalizer: string, object: ApiObject): boolean =>
      doubtful.has(here.has(keyOf(object)) ? `${keyOf(object)} ${finalizer}` : finalizer);
  let doubtful: ReadonlySet<string> = new Set();
  for (;;) {
    const found = entries.map(({ finalizer, objects, rows }): JudgedFinalizer => {
      const reached = objects.some((object) => isReached(object, evidence));
      const judge = (row: Row): Judgement =>
        said(finalizer, options) ?? judgedRow(row, evidence, runners, mayHold(doubtful), holds);
      const judgements = rows.flatMap((row) =>
        judgedApart(row.objects, (part) => judge({ ...row, objects: part })).map(
          ({ objects: part, judgement }): JudgedRow => ({
            ...UNSAID,
            ...judgement,
            known: row.known,
            objects: part.map(keyOf),
            reached: part.some((object) => isReached(object, evidence)),
          }),
        ),
      );
      const worst = worstOf(judgements);
      return { finalizer, ...worst, objects: objects.map(keyOf), reached, rows: judgements };
    });
    const next = new Set(
      found.flatMap(({ finalizer, rows, judgement }) => [
        // What the answer leaves out counts with the worst.
        ...(judgement === 'cooperative' ? [] : [finalizer]),
        ...rows
          .filter((row) => row.judgement !== 'cooperative')
          .flatMap((row) => row.objects.map((key) => `${key} ${finalizer}`)),
      ]),
    );
    if (next.size === doubtful.size) return found;
    doubtful = next;
  }
}

/** By namespace, if a workload that may run the owner watches some namespaces only. */
function byScope(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  { dump, observations }: Evidence,
): readonly (readonly ApiObject[])[] {
  const isScoped = (workload: ApiObject): boolean => {
    const observed = observations.get(keyOf(workload));
    return (observed?.of === 'workload' || observed?.of === 'pod') && observed.watches !== null;
  };
  return known !== null && workloadsOf(known, dump).some(isScoped)
    ? [...groupedBy(objects, ({ namespace }) => namespace).values()]
    : [objects];
}

const UNSAID = { settle: null, held: null, runs: false, runner: null } as const;

function tableOf({ finalizers = [] }: FinalizerOptions): readonly KnownFinalizer[] {
  return [...finalizers, ...WELL_KNOWN_FINALIZERS];
}

function said(finalizer: string, options: FinalizerOptions): Judgement | null {
  const { cooperative, stuck, unowned = [] } = options;
  if (stuck.includes(finalizer)) {
    return { judgement: 'stuck', evidence: '--stuck-finalizer says so' };
  }
  if (unowned.includes(finalizer)) {
    return { judgement: 'stuck', evidence: 'its operator is gone' };
  }
  return cooperative.includes(finalizer)
    ? { judgement: 'cooperative', evidence: '--cooperative-finalizer says so' }
    : null;
}

/** Whether the owner of a finalizer acts for an object, which need not have it yet. */
export function ownerOf(
  finalizer: string,
  object: ApiObject,
  evidence: Evidence,
  options: FinalizerOptions,
): Judgement {
  const known = knownFinalizer(finalizer, tableOf(options), object.kind);
  const server = serverOf(object, finalizer, known, evidence);
  const row = { finalizer, known, server, objects: [object] };
  return said(finalizer, options) ?? judged(row, evidence, options.runners ?? []);
}

/** The judgement that counts for all objects: the worst of those that a deletion reaches. */
function worstOf(judgements: readonly JudgedRow[]): JudgedRow {
  const reached = judgements.filter(({ reached }) => reached);
  const counted = reached.length > 0 ? reached : judgements;
  const [first] = [
    ...counted.filter(({ judgement }) => judgement === 'unknown'),
    ...counted.filter(({ judgement }) => judgement === 'stuck'),
    ...counted,
  ];
  if (first === undefined) throw new Error('a finalizer is on an object');
  return first;
}

/**
 * The objects that have a finalizer, of one server, and of whose kinds one row of the table speaks.
 */
interface Row {
  readonly finalizer: string;
  readonly known: KnownFinalizer | null;
  /** The CSI driver, or the name of the object that owns the workload. Empty: none, or not said. */
  readonly server: string;
  readonly objects: readonly ApiObject[];
}

function judgedRow(
  row: Row,
  evidence: Evidence,
  runners: readonly ApiObject[],
  mayHold: (finalizer: string, object: ApiObject) => boolean,
  holds: (finalizer: string, object: ApiObject) => boolean,
): Judgement {
  const { finalizer, known, objects } = row;
  const found = judged(row, evidence, runners);
  if (found.judgement === 'stuck') return found;
  const held =
    pausedDoubt(known, objects, evidence) ??
    hookedDoubt(known, objects, evidence) ??
    heldDoubt(known, objects, evidence) ??
    unfilledDoubt(finalizer, known, objects, evidence) ??
    unreleasedDoubt(finalizer, known, objects, evidence) ??
    unpluggedDoubt(finalizer, known, objects, evidence) ??
    aloneDoubt(known, objects, evidence) ??
    unownedDoubt(known, objects, evidence) ??
    rangeDoubt(known, objects, evidence, mayHold) ??
    unconfirmedDoubt(known, objects, evidence) ??
    projectDoubt(known, objects, evidence) ??
    hookDoubt(known, objects, evidence) ??
    kubeConfigDoubt(known, objects, evidence) ??
    accountDoubt(known, objects, evidence) ??
    elsewhereDoubt(known, objects, evidence) ??
    needsDoubt(known, objects, evidence) ??
    makesDoubt(known, objects, evidence) ??
    refusedDoubt(known, objects, evidence) ??
    failingDoubt(known, objects, evidence) ??
    drainDoubt(known, objects, evidence) ??
    onNodeDoubt(known, objects, evidence) ??
    attachedDoubt(
      known,
      objects.filter((object) => isReached(object, evidence)),
      evidence,
      (name, object) => holds(name, object) || mayHold(name, object),
    ) ??
    beneathDoubt(known, objects, evidence, mayHold) ??
    unseenDoubt(known, objects, evidence);
  if (found.judgement === 'unknown' && held?.sure !== true) {
    return held === null ? found : { ...found, held, evidence: `${found.evidence}; ${held.why}` };
  }
  if (finalizer === JOB_TRACKING) {
    const doubt = trackingDoubt(objects, evidence);
    return doubt === null ? found : { judgement: 'unknown', evidence: doubt, runs: true };
  }
  if (held === null) return found;
  const { settle = null } = held;
  const judgement = held.sure === true ? 'stuck' : 'unknown';
  return { judgement, evidence: held.why, held, runs: found.judgement !== 'unknown', settle };
}

export type Judgement = Pick<JudgedFinalizer, 'judgement' | 'evidence'> &
  Partial<Pick<JudgedFinalizer, 'settle' | 'held' | 'runs' | 'runner'>>;

/** Versions of Kubernetes end with the name of the distribution: `v1.33.1+k3s1`. */
export const NODE_VERSIONS = 'kubectl get nodes -o wide';

/** Lists the workloads of these names, or all. */
export function searchFor(workloads: readonly string[]): string {
  const all = 'kubectl get deployments,statefulsets,daemonsets -A';
  // kubectl prints the namespace, spaces, and the kind with the name.
  const names = workloads.map((name) => name.replace('/', ' .*'));
  return names.length === 0 ? all : `${all} | grep -E ${shellQuoted(names.join('|'))}`;
}

/** The owner runs, and perhaps not in a version that removes the finalizer. */
function byVersion({ kind, namespace, name }: ApiObject, known: KnownFinalizer): Judgement {
  const resource = kind.split('.')[0]?.toLowerCase() ?? '';
  const scope = `${shellQuoted(name)} -n ${shellQuoted(namespace)}`;
  return {
    judgement: 'unknown',
    evidence: `${displayName({ kind, namespace, name })} runs its owner, of which only some versions remove it: ${known.versions}`,
    settle: `kubectl get ${resource} ${scope} -o wide`,
    runs: true,
  };
}

/** One of them runs the owner, and the dump does not show which: if one does not run, it is open. */
function judgedBy(
  runners: readonly ApiObject[],
  objects: readonly ApiObject[],
  evidence: Evidence,
): Judgement {
  const [any] = runners;
  if (any === undefined) {
    const settle = searchFor([]);
    return { judgement: 'unknown', evidence: 'no controller for it is known', settle };
  }
  for (const runner of runners) {
    const fault = faultOf(runner, objects, evidence);
    if (fault !== null) return notRunning(runner, fault);
  }
  return { judgement: 'cooperative', evidence: `${displayName(any)} is taken to run its owner` };
}

function notRunning(runner: ApiObject, fault: string): Judgement {
  const evidence = `${displayName(runner)}, which may run its owner, ${fault}`;
  return { judgement: 'unknown', evidence, runner };
}

function judged(
  { known, objects, server }: Row,
  evidence: Evidence,
  runners: readonly ApiObject[],
): Judgement {
  if (known === null) return judgedBy(runners, objects, evidence);
  const off = known.actor !== undefined && evidence.off.includes(known.actor);
  if (off) return { judgement: 'stuck', evidence: `--without ${known.actor} says so` };
  if (known.runs === 'nobody') {
    return { judgement: 'unknown', evidence: `${known.owner} has to remove it` };
  }
  if (known.runs === 'control plane') {
    return { judgement: 'cooperative', evidence: `${known.owner} is part of every cluster` };
  }
  if (known.runs === 'distribution') {
    const { isHere, ...found } = distributionOf(known, evidence.dump, evidence.observations);
    if (isHere) return { judgement: 'cooperative', ...found };
    return { judgement: 'unknown', ...found, settle: NODE_VERSIONS };
  }
  const running = ownersAmong(known, objects, server, evidence);
  if (running === null) {
    return {
      judgement: 'unknown',
      evidence: `several workloads may run ${known.owner}, and the dump does not say which does`,
      settle: searchFor(known.workloads ?? []),
    };
  }
  const alternatives = alternativesAmong(known, running).map((group) => {
    const faults = group.map((object) => ({ object, fault: faultOf(object, objects, evidence) }));
    return faults.find(({ fault }) => fault === null) ?? faults[0];
  });
  const first = alternatives.find((one) => one?.fault !== null) ?? alternatives[0];
  if (first !== undefined) {
    if (first.fault !== null) return notRunning(first.object, first.fault);
    if (known.versions !== undefined) return byVersion(first.object, known);
    return { judgement: 'cooperative', evidence: `${displayName(first.object)} runs its owner` };
  }
  if (known.runs === 'cloud') {
    const found = cloudOf(known, objects, evidence);
    if (found !== null) return { judgement: 'cooperative', evidence: found };
    return { judgement: 'unknown', evidence: `${known.owner} is outside of what the dump shows` };
  }
  const evidenceOfNone = `no workload in the dump runs ${known.owner}`;
  const settle = searchFor(known.workloads ?? []);
  return { judgement: 'unknown', evidence: evidenceOfNone, settle };
}

import { type ApiObject, thirdPartyFinalizers } from '../../model/index.ts';
import { displayName } from '../manifests/names.ts';
import {
  type KnownFinalizer,
  knownFinalizer,
  WELL_KNOWN_FINALIZERS,
} from './well-known-finalizers.ts';

/**
 * Whether the owner of a finalizer removes it once deletion has begun: `cooperative` sooner or
 * later, `stuck` never, `unknown` perhaps. Unknown is what a finalizer is unless something says
 * more: a wrong "goes" is worse than "goes if its owner acts".
 */
export type FinalizerJudgement = 'cooperative' | 'stuck' | 'unknown';

export interface JudgedFinalizer {
  readonly finalizer: string;
  readonly judgement: FinalizerJudgement;
  /** Why: one sentence without its full stop. */
  readonly evidence: string;
  /** The row of the table of well-known finalizers; null: none. */
  readonly known: KnownFinalizer | null;
}

/** What a person has said on the command line. */
export interface FinalizerOptions {
  readonly cooperative: readonly string[];
  readonly stuck: readonly string[];
}

/** Kinds whose pods can be a controller. */
const RUNNING: readonly string[] = [
  'Deployment.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
  'ReplicaSet.apps',
  'Pod',
];

/**
 * Judges every third-party finalizer of the objects, in the order of their names.
 *
 * @param objects those that the question is about.
 * @param dump all objects of the dump: the workload that runs the owner may be any of them.
 * @param goes whether an object may be deleted as well: an owner that goes may go first.
 */
export function judgedFinalizers(
  objects: readonly ApiObject[],
  dump: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
  { cooperative, stuck }: FinalizerOptions,
  table: readonly KnownFinalizer[] = WELL_KNOWN_FINALIZERS,
): readonly JudgedFinalizer[] {
  const names = [...new Set(objects.flatMap(thirdPartyFinalizers))].sort();
  return names.map((finalizer) => {
    const known = knownFinalizer(finalizer, table);
    if (stuck.includes(finalizer)) {
      return { finalizer, judgement: 'stuck', evidence: '--stuck-finalizer says so', known };
    }
    if (cooperative.includes(finalizer)) {
      const evidence = '--cooperative-finalizer says so';
      return { finalizer, judgement: 'cooperative', evidence, known };
    }
    return { finalizer, known, ...judged(known, dump, goes) };
  });
}

function judged(
  known: KnownFinalizer | null,
  dump: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
): Pick<JudgedFinalizer, 'judgement' | 'evidence'> {
  if (known === null) {
    return { judgement: 'unknown', evidence: 'no controller for it is known' };
  }
  if (known.runs === 'control plane') {
    return { judgement: 'cooperative', evidence: `${known.owner} is part of every cluster` };
  }
  const running = dump.filter(({ kind, name }) => {
    if (!RUNNING.includes(kind)) return false;
    return (known.workloads ?? []).some((part) => name.includes(part));
  });
  const staying = running.find((object) => !goes(object));
  if (staying !== undefined) {
    return { judgement: 'cooperative', evidence: `${displayName(staying)} is in the dump` };
  }
  const [going] = running;
  return {
    judgement: 'unknown',
    evidence:
      going === undefined
        ? `${known.owner} is not in the dump`
        : `${displayName(going)}, which may run its owner, may be deleted first`,
  };
}

import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { groupedBy, someNames } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import type { NodeStates } from '../nodes.ts';
import type { WorkloadObservation } from '../observations.ts';
import {
  awaitedBefore,
  childrenByController,
  failsIndex,
  failsWith,
  isWantedOrdinal,
  unplacedBecause,
} from '../workloads.ts';
import type { Besides, BesidesGiven } from './besides.ts';

export interface UnreplacedGiven extends BesidesGiven {
  /** By store key. */
  readonly labels: ReadonlyMap<string, Labels>;
  readonly nodes: NodeStates;
}

/** Why a workload that stays does not make anew what goes beneath it. */
export function unreplacedIn(given: UnreplacedGiven): readonly Besides[] {
  const { kept, all, goes, observations } = given;
  const children = childrenByController(all);
  return kept.flatMap((parent): readonly Besides[] => {
    const observed = observations.get(keyOf(parent));
    if (!Object.hasOwn(WHY, parent.kind) || observed?.of !== 'workload') return [];
    if (goes(parent) || isBeingDeleted(parent)) return [];
    const own = children.get(parent.uid) ?? [];
    const going = own.filter((child) => !isBeingDeleted(child) && goes(child));
    if (going.length === 0) return [];
    const found = WHY[parent.kind]?.(displayName(parent), observed, { going, own, given }) ?? [];
    return found.map((what) => ({ object: keyOf(parent), what }));
  });
}

interface Beneath {
  /** The children that go. */
  readonly going: readonly ApiObject[];
  readonly own: readonly ApiObject[];
  readonly given: UnreplacedGiven;
}

type Why = (name: string, observed: WorkloadObservation, beneath: Beneath) => readonly string[];

/** Sentences without their full stop, by the kind of the parent. */
const WHY: Readonly<Record<string, Why>> = {
  'Deployment.apps': (name, { paused }, { going }) => {
    const sets = going.filter(({ kind }) => kind === 'ReplicaSet.apps');
    return paused && sets.length > 0
      ? [`${name} is paused, and makes no other ReplicaSet until it is resumed`]
      : [];
  },
  'StatefulSet.apps': (name, observed, { going, own, given }) => {
    const { firstOrdinal: first, replicas } = observed;
    const beyond = going
      .filter(({ pod }) => pod !== undefined)
      .filter((pod) => !isWantedOrdinal(pod, observed));
    const awaitedFor = awaitedBefore(own, observed, given);
    const late = going.flatMap((pod) => {
      const awaited = awaitedFor(pod);
      if (awaited === null || beyond.includes(pod)) return [];
      const unless =
        observed.inOrder === null ? ', unless its podManagementPolicy is Parallel' : '';
      return [
        `${name} makes another ${displayName(pod)} only once ${displayName(awaited)} is ready, which it is not: it makes its pods in order${unless}`,
      ];
    });
    if (beyond.length === 0) return late;
    const wants = replicas === 0 ? 'no pods' : `the ordinals ${first} to ${first + replicas - 1}`;
    return [`${name} wants ${wants}, and makes no other ${names(beyond)}`, ...late];
  },
  'DaemonSet.apps': (name, observed, { going, own, given }) => {
    const onNode = groupedBy(own, ({ pod }) => pod?.node ?? '');
    return going.flatMap((pod) => {
      const node = pod.pod?.node ?? '';
      if (given.nodes.lost.has(node)) return [];
      const why = unplacedBecause(pod, onNode.get(node) ?? [], observed, given);
      return why === null ? [] : [`${name} makes no other ${displayName(pod)}: ${why}`];
    });
  },
  'Job.batch': (name, observed, { going, given }) => {
    const pods = going.filter(({ pod }) => pod?.finished !== true);
    if (pods.length === 0 || observed.finished) return [];
    const { managedBy } = observed;
    if (observed.judgesFailures) {
      return [
        `${name} has a podFailurePolicy, which decides by the exit codes of a pod whether it fails, or makes another one: a pod that is deleted has no condition DisruptionTarget, as one that is evicted has`,
      ];
    }
    if (managedBy !== null) {
      return [
        `${name} is managed by ${managedBy}, and not by the Job controller of Kubernetes: whether its pods are replaced is up to that`,
      ];
    }
    if (observed.ending) return [`${name} makes no other pod: what it is for is decided already`];
    if (failsWith(pods, observed)) {
      return [
        `${name} fails, and makes no other pod: a pod that is deleted counts as failed, and its backoffLimit allows no more failures`,
      ];
    }
    const failing = pods.filter((pod) => failsIndex(pod, observed, given.observations));
    const counted =
      observed.countsEnded && failing.length < pods.length
        ? [
            `${name} makes another pod once this one has failed (podReplacementPolicy: Failed), and none if its containers end with exit code 0`,
          ]
        : [];
    return failing.length === 0
      ? counted
      : [
          `${name} fails in the end, and makes no other pod for the index of ${names(failing)}: a pod that is deleted counts as failed, and backoffLimitPerIndex allows no more failures`,
          ...counted,
        ];
  },
};

function names(objects: readonly ApiObject[]): string {
  return someNames(objects.map(displayName));
}

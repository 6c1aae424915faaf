import { abandonedBy } from '../../../input/cluster/doubts/abandoned.ts';
import { actingFor, canBeApart } from '../../../input/cluster/doubts/apart.ts';
import {
  type JudgedFinalizer,
  type JudgedRow,
  NODE_VERSIONS,
  searchFor,
} from '../../../input/cluster/finalizers.ts';
import { withOwners } from '../../../input/cluster/operators.ts';
import type { Explanation } from '../../../input/manifests/explanation.ts';
import { displayName } from '../../../input/manifests/names.ts';
import type { Plan } from '../../../input/plan.ts';
import {
  type ApiObject,
  allFinalizers,
  type Change,
  CLAIM_FINALIZER,
  FOREGROUND,
  isBeingDeleted,
  keyOf,
  ORPHAN,
  type UserRequest,
  VOLUME_FINALIZER,
} from '../../../model/index.ts';
import { kubectl, withoutOwner } from '../kubectl.ts';
import { endOf } from './held.ts';
import { type Given, HARM, NOTHING, type Option, single, step } from './option.ts';

/** Ways to remove what objects are the reason of: finalizers, dependents, pods with claims. */

/**
 * The finalizers of controllers that are part of every cluster: taking them off breaks something.
 */
export const OF_KUBERNETES: readonly string[] = [
  FOREGROUND,
  ORPHAN,
  CLAIM_FINALIZER,
  VOLUME_FINALIZER,
  'customresourcecleanup.apiextensions.k8s.io',
];

/**
 * More patches than this are not sent one by one in the model: its owner's removals stand for them.
 */
const SENT_MOST = 3;

export function finalizerOptions(finalizer: string, given: Given): readonly Option[] {
  const { plan, hanging } = given;
  const judged = plan.cluster?.finalizers.find((one) => one.finalizer === finalizer);
  if (OF_KUBERNETES.includes(finalizer) || judged === undefined) return [];
  // Its owner acts: what it waits for is the reason, and the finalizer is there for it.
  const doubtful = judged.rows.filter((row) => row.reached && row.judgement !== 'cooperative');
  if (judged.judgement === 'cooperative' || doubtful.length === 0) return [];
  const doubted = new Set(doubtful.flatMap(({ objects }) => objects));
  const having = plan.setup.objects.filter((object) => allFinalizers(object).includes(finalizer));
  const waitedFor = new Set(hanging.map(({ object }) => object.uid));
  const deleting = having.filter(
    (one) => doubted.has(keyOf(one)) && (isBeingDeleted(one) || waitedFor.has(one.uid)),
  );
  const isInSpec = having.some((one) => !one.finalizers.includes(finalizer));
  const isApart = canBeApart(finalizer) && !isInSpec;
  // Where all that have it are patched, its owner would do the same at the same times, and what is
  // known of that need not be searched again. Otherwise, the others keep it.
  const isWhole = deleting.length === having.length && !isInSpec;
  const patched =
    isWhole || isApart || deleting.length > SENT_MOST
      ? []
      : deleting.map(
          (object): UserRequest => ({
            do: 'update',
            key: keyOf(object),
            change: withoutFinalizer(object, finalizer),
            put: false,
            uid: null,
            resourceVersion: false,
          }),
        );
  const keys = new Set<string>(deleting.map(keyOf));
  const byHand = (changed: Plan): Plan =>
    isWhole ? removedByHand(changed, finalizer) : actingIn(changed, finalizer, keys, true);
  const left = new Set(
    doubtful.map(({ known }) => known?.leaves ?? 'whatever its owner would have cleaned up'),
  );
  const canPatch = patched.length > 0 || isWhole || isApart;
  return [
    ...ownerOptions(judged, doubtful, given),
    ...(canPatch && deleting.length > 0
      ? [
          {
            ...NOTHING,
            steps: [],
            patches: deleting.map((object) => ({ object, finalizer })),
            leaves: [...left].join('; '),
            harm: HARM.cleanup,
            requests: patched,
            change: patched.length > 0 ? (changed: Plan): Plan => changed : byHand,
          },
        ]
      : []),
  ];
}

function withoutFinalizer(object: ApiObject, finalizer: string): Change {
  if (object.finalizers.includes(finalizer)) return { do: 'removeFinalizer', finalizer };
  const specFinalizers = (object.specFinalizers ?? []).filter((name) => name !== finalizer);
  return { do: 'finalizeNamespace', specFinalizers };
}

function removedByHand(plan: Plan, finalizer: string): Plan {
  const stuck = withOwners(plan.setup, [finalizer], 'stuck');
  const finalizers = { ...stuck.finalizers, [finalizer]: 'cooperative' as const };
  return judgedAs({ ...plan, setup: { ...stuck, finalizers } }, finalizer);
}

/** No world of the plan doubts the finalizer any more. */
function judgedAs(plan: Plan, finalizer: string): Plan {
  const all = plan.cluster?.finalizers.find((one) => one.finalizer === finalizer)?.objects ?? [];
  return actingIn(plan, finalizer, new Set(all), false);
}

/** The owner of the finalizer acts for these objects, or a person takes it off them. */
function actingIn(plan: Plan, finalizer: string, keys: ReadonlySet<string>, byHand: boolean): Plan {
  if (plan.cluster === null) return plan;
  const finalizers = plan.cluster.finalizers.map((one) =>
    one.finalizer === finalizer ? actingFor(one, keys, byHand) : one,
  );
  return { ...plan, cluster: { ...plan.cluster, finalizers } };
}

/**
 * Ways to get its owners to remove a finalizer: they run again, and nothing keeps them from that.
 */
function ownerOptions(
  judged: JudgedFinalizer,
  doubtful: readonly JudgedRow[],
  given: Given,
): readonly Option[] {
  const all = doubtful.map((row) => ownerOption({ ...judged, ...row }, given));
  const [first] = all;
  if (first === undefined || first === null) return [];
  return [
    all.slice(1).reduce<Option | null>((together, one) => {
      if (together === null || one === null) return null;
      return {
        ...NOTHING,
        steps: [...together.steps, ...one.steps],
        harm: Math.max(together.harm, one.harm),
        deletes: [...together.deletes, ...one.deletes],
        requests: [...together.requests, ...one.requests],
        change: (plan) => one.change(together.change(plan)),
      };
    }, first),
  ].flatMap((option) => option ?? []);
}

/** For the objects of one row; null: no way. */
function ownerOption(judged: JudgedFinalizer, given: Given): Option | null {
  const { finalizer, held, runs, objects } = judged;
  const keys = new Set(objects);
  const act = (changed: Plan): Plan => {
    const acting = actingIn(changed, finalizer, keys, false);
    const after = acting.cluster?.finalizers.find((one) => one.finalizer === finalizer);
    return after?.judgement === 'cooperative'
      ? { ...acting, setup: withOwners(acting.setup, [finalizer], 'cooperative') }
      : acting;
  };
  const restored = runs ? null : restoreOption(judged, given, act);
  if (held === null) return restored;
  // Once what is used goes, only what holds that may be left.
  const isBeneath = (changed: Plan): boolean =>
    rowsOf(changed, finalizer).some(
      (row) => row.held?.by === 'beneath' && row.objects.some((key) => keys.has(key)),
    );
  const lost = lostWith(judged, given.explanation);
  const found = endOf(held, given.explanation.kinds, act, lost);
  const end =
    found !== null && held.by === 'used'
      ? { ...found, change: (changed: Plan) => (isBeneath(changed) ? act(changed) : changed) }
      : found;
  if (end === null || runs) return end;
  if (restored === null) return null;
  return {
    ...end,
    steps: [...restored.steps, ...end.steps],
    harm: Math.max(restored.harm, end.harm),
    change: act,
  };
}

function rowsOf({ cluster }: Plan, finalizer: string): readonly JudgedRow[] {
  return cluster?.finalizers.find((one) => one.finalizer === finalizer)?.rows ?? [];
}

/** Null: no workload runs it. */
function restoreOption(
  judged: JudgedFinalizer,
  { explanation }: Given,
  change: (plan: Plan) => Plan,
): Option | null {
  const { finalizer, known } = judged;
  const { dump } = explanation;
  const lost = lostWith(judged, explanation);
  const harm = lost === null ? HARM.none : HARM.deletes;
  if (known?.runs === 'nobody' || known?.runs === 'control plane') return null;
  const objects = dump.objects.map(({ object }) => object);
  const terminating = new Set(
    objects.flatMap((object) =>
      object.kind === 'Namespace' && isBeingDeleted(object) ? [object.name] : [],
    ),
  );
  const workload = judged.runner;
  const isThere = workload !== null && !isBeingDeleted(workload);
  if (isThere && SCALED.includes(workload.kind) && !terminating.has(workload.namespace)) {
    const observed = dump.observations.get(keyOf(workload));
    const isIdle = observed?.of === 'workload' && observed.replicas === 0;
    const name = displayName(workload);
    const { kinds } = explanation;
    return single(
      isIdle
        ? step(
            `scale ${name} up: it removes ${finalizer}, and has 0 replicas`,
            kubectl('scale', workload, kinds, '--replicas=1'),
            harm,
            lost,
          )
        : step(
            `get ${name} to run again: it removes ${finalizer}`,
            kubectl('rollout restart', workload, kinds),
            harm,
            lost,
          ),
      { change },
    );
  }
  const owner = known?.owner ?? `the owner of ${finalizer}`;
  return single(
    step(
      known?.runs === 'cloud' || known?.runs === 'distribution'
        ? `get ${owner} to act: it removes ${finalizer}`
        : `run ${owner} again, which removes ${finalizer}; this finds it, if it is there`,
      known?.runs === 'distribution' ? NODE_VERSIONS : searchFor(known?.workloads ?? []),
      harm,
      lost,
    ),
    { change },
  );
}

/** What its owner deletes outside of the cluster before it removes the finalizer; null: nothing. */
function lostWith({ known, objects }: JudgedFinalizer, { dump }: Explanation): string | null {
  if (known?.external !== true) return null;
  const keys = new Set(objects);
  const all = dump.objects.map(({ object }) => object);
  const isLost = all.some(
    (object) =>
      keys.has(keyOf(object)) &&
      isBeingDeleted(object) &&
      abandonedBy(object, known, all, dump.observations) === null,
  );
  return isLost ? `nothing of ${known.leaves}, unless a policy says that it stays` : null;
}

const SCALED: readonly string[] = ['Deployment.apps', 'StatefulSet.apps', 'ReplicaSet.apps'];

export function userOptions(pod: ApiObject, { plan, explanation }: Given): readonly Option[] {
  const { kinds } = plan.setup;
  const name = displayName(pod);
  const request: UserRequest = { do: 'delete', key: keyOf(pod), options: {} };
  if (pod.pod === undefined) {
    // A claim, which a volume is bound to.
    const giveUp = step(
      `delete ${name}, which uses it`,
      kubectl('delete', pod, kinds),
      HARM.deletes,
      `${name} is gone; its data stay only where the volume has the reclaim policy Retain`,
    );
    return [single(giveUp, { deletes: [pod], requests: [request] })];
  }
  const above = workloadsAbove(pod, explanation);
  const remove = step(
    `delete ${name}, which uses it`,
    kubectl('delete', pod, kinds),
    HARM.little,
    pod.pod.finished
      ? `${name}, which has ended, is gone with its logs`
      : above.length === 0
        ? `${name} ends`
        : `${name} ends, and the pod that replaces it waits until there is such a claim again`,
  );
  const top = above.at(-1);
  return [
    single(remove, { deletes: [pod], requests: [request] }),
    ...(top === undefined || !SCALED.includes(top.kind)
      ? []
      : [
          single(
            step(
              `scale ${displayName(top)} down: its pods use it`,
              kubectl('scale', top, explanation.kinds, '--replicas=0'),
              HARM.deletes,
              `the pods of ${displayName(top)} end, and no others begin until it is scaled up${lostClaims(top, explanation)}`,
            ),
            {
              deletes: [pod],
              requests: [request],
              change: (changed) => notReplaced(changed, above),
            },
          ),
        ]),
  ];
}

/** That scaling down deletes data; empty: it does not. */
function lostClaims(set: ApiObject, { dump }: Explanation): string {
  const observed = dump.observations.get(keyOf(set));
  const isLost = observed?.of === 'workload' && observed.whenScaled === 'Delete';
  return isLost ? '; their claims are deleted with their data (whenScaled: Delete)' : '';
}

function workloadsAbove(object: ApiObject, { dump }: Explanation): readonly ApiObject[] {
  const byUid = new Map(dump.objects.map((read) => [read.object.uid, read.object]));
  const above: ApiObject[] = [];
  for (let next: ApiObject | undefined = object; next !== undefined; ) {
    const reference = next.ownerReferences.find(({ controller }) => controller === true);
    const owner: ApiObject | undefined = byUid.get(reference?.uid ?? '');
    if (owner === undefined || above.includes(owner)) break;
    above.push(owner);
    next = owner;
  }
  return above;
}

/** The controllers of these workloads make nothing anew. */
function notReplaced(plan: Plan, parents: readonly ApiObject[]): Plan {
  const keys = new Set(parents.map(keyOf));
  const { workloads = [], ...setup } = plan.setup;
  const left = workloads.filter(({ parent }) => !keys.has(parent.key));
  return { ...plan, setup: { ...setup, ...(left.length > 0 ? { workloads: left } : {}) } };
}

export function removalOptions(object: ApiObject, { plan }: Given): readonly Option[] {
  const again = step(
    `delete ${displayName(object)} again`,
    kubectl('delete', object, plan.setup.kinds),
    HARM.none,
  );
  const request = { do: 'delete', key: keyOf(object), options: {} } as const;
  return [single(again, { requests: [request] })];
}

export function dependentOptions(
  dependent: ApiObject,
  owner: ApiObject,
  { plan }: Given,
): readonly Option[] {
  const { kinds } = plan.setup;
  const name = displayName(dependent);
  const detach = step(
    `remove the reference of ${name} to ${displayName(owner)}`,
    withoutOwner(dependent, owner, kinds),
    HARM.little,
    `${name} stays, without this owner`,
  );
  const remove = step(
    `delete ${name}, which blocks ${displayName(owner)}`,
    kubectl('delete', dependent, kinds),
    HARM.deletes,
    `${name} is gone, with what it owns`,
  );
  return [
    single(detach, {
      requests: [
        {
          do: 'update',
          key: keyOf(dependent),
          change: { do: 'removeOwners', uids: [owner.uid] },
          put: false,
          uid: null,
          resourceVersion: false,
        },
      ],
    }),
    single(remove, {
      deletes: [dependent],
      requests: [
        { do: 'delete', key: keyOf(dependent), options: { propagationPolicy: 'Background' } },
      ],
    }),
  ];
}

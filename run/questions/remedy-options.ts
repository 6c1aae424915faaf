import { workloadsOf } from '../../input/cluster/finalizers.ts';
import { withOwners } from '../../input/cluster/operators.ts';
import type { Changed, Explanation } from '../../input/manifests/explanation.ts';
import { objectAt } from '../../input/manifests/explanation.ts';
import { displayName } from '../../input/manifests/names.ts';
import type { Plan } from '../../input/plan.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  keyOf,
  ORPHAN,
  objectKey,
  type UserRequest,
} from '../../model/index.ts';
import type { Remedy, Wait } from '../../report/document/answer.ts';
import { shellQuoted } from '../../text/layout.ts';
import { finalizeCommand, kubectl, withoutOwner } from './kubectl.ts';

export type Step = Remedy['steps'][number];

/** How much harm a step can do; the least comes first. */
export const HARM = {
  none: 0,
  little: 1,
  deletes: 2,
  running: 3,
  cleanup: 4,
  contents: 5,
} as const;

/** One way to remove one reason why something hangs. */
export interface Option {
  readonly steps: readonly Step[];
  /** Finalizers to take off; their commands follow from all options together. */
  readonly patches: readonly { readonly object: ApiObject; readonly finalizer: string }[];
  readonly leaves: string | null;
  readonly harm: number;
  /** What it deletes besides. */
  readonly deletes: readonly ApiObject[];
  readonly requests: readonly UserRequest[];
  readonly observations: Changed['observations'];
  readonly nodesBack: readonly string[];
  readonly change: (plan: Plan) => Plan;
}

/** A reason why something hangs that nothing else explains, with the ways to remove it. */
export interface Blocker {
  readonly name: string;
  readonly options: readonly Option[];
}

/** An object that hangs, and what it waits for. */
export interface Hanging {
  readonly object: ApiObject;
  readonly waits: readonly Wait[];
}

const NOTHING: Omit<Option, 'steps' | 'harm'> = {
  patches: [],
  leaves: null,
  deletes: [],
  requests: [],
  observations: new Map(),
  nodesBack: [],
  change: (plan) => plan,
};

/** The blockers behind these waits, in the order in which to mend them. */
export function blockersOf(
  hanging: readonly Hanging[],
  plan: Plan,
  explanation: Explanation,
): readonly Blocker[] {
  const found = new Map<string, Blocker>();
  const byName = new Map(plan.setup.objects.map((object) => [displayName(object), object]));
  const given: Given = { plan, explanation, hanging };
  for (const { object, waits } of hanging) {
    for (const wait of waits) {
      const other = byName.get(wait.what);
      const name = nameOf(wait, object, other);
      if (name === null || found.has(name)) continue;
      found.set(name, { name, options: optionsFor(wait, object, other, given) });
    }
  }
  return [...found.values()].sort((a, b) => rank(a) - rank(b));
}

const RANKS = ['api', 'kubelet', 'finalizer', 'users', 'dependent'];

function rank({ name }: Blocker): number {
  return RANKS.indexOf(name.split(' ')[0] ?? '');
}

/** Null: something else explains it. */
function nameOf(wait: Wait, object: ApiObject, other: ApiObject | undefined): string | null {
  switch (wait.for) {
    case 'api':
    case 'kubelet':
    case 'finalizer':
      return `${wait.for} ${wait.what}`;
    case 'users':
    case 'dependent':
      if (other === undefined || isBeingDeleted(other)) return null;
      return `${wait.for} ${keyOf(other)} ${keyOf(object)}`;
    case 'contents':
    case 'instances':
    case 'nothing':
      return null;
    default:
      throw new Error(`unknown wait ${wait.for satisfies never}`);
  }
}

interface Given {
  readonly plan: Plan;
  readonly explanation: Explanation;
  readonly hanging: readonly Hanging[];
}

function optionsFor(
  wait: Wait,
  object: ApiObject,
  other: ApiObject | undefined,
  given: Given,
): readonly Option[] {
  switch (wait.for) {
    case 'api':
      return apiOptions(wait.what, object, given);
    case 'kubelet':
      return nodeOptions(wait.what, given);
    case 'finalizer':
      return finalizerOptions(wait.what, given);
    case 'users':
      return other === undefined ? [] : userOptions(other, given);
    case 'dependent':
      return other === undefined ? [] : dependentOptions(other, object, given);
    default:
      return [];
  }
}

function step(text: string, command: string, harm: number, leaves: string | null = null): Step {
  return { text, command, harm, leaves };
}

function single(one: Step, more: Partial<Option> = {}): Option {
  return { ...NOTHING, steps: [one], harm: one.harm, ...more };
}

function apiOptions(api: string, namespace: ApiObject, given: Given): readonly Option[] {
  const { dump } = given.explanation;
  const service = dump.objects.find(({ object }) => {
    const observed = dump.observations.get(keyOf(object));
    return observed?.of === 'APIService' && observed.groupVersion === api;
  })?.object;
  if (service === undefined) return [];
  const observed = dump.observations.get(keyOf(service));
  const behind = observed?.of === 'APIService' ? observed.service : '';
  const [where = '', name = ''] = behind.split('/');
  const deployment = objectAt(dump, objectKey('Deployment.apps', where, name));
  const apiService = `kubectl describe apiservice ${shellQuoted(service.name)}`;
  const mend = step(
    behind === ''
      ? `bring the API ${api} back`
      : `bring the pods behind Service/${name} in namespace ${where} back, which serve the API ${api}`,
    deployment === null
      ? apiService
      : `kubectl rollout restart deployment ${shellQuoted(name)} -n ${shellQuoted(where)}`,
    HARM.none,
  );
  const remove = step(
    `delete the APIService, if nobody needs ${api} any more`,
    `kubectl delete apiservice ${shellQuoted(service.name)}`,
    HARM.deletes,
    `the API ${api} is gone until its APIService is created again, and what its server stores stays there`,
  );
  const answers = (plan: Plan): Plan => withApi(plan, api);
  const isEmpty = !given.plan.setup.objects.some((other) => other.namespace === namespace.name);
  return [
    single(mend, { change: answers }),
    single(remove, { change: answers }),
    // With contents left, they would stay behind, unreachable, and hang.
    ...(isEmpty ? [finalizeOption(namespace)] : []),
  ];
}

function withApi(plan: Plan, api: string): Plan {
  const { unavailableApis = [], ...setup } = plan.setup;
  const left = unavailableApis.filter((other) => other !== api);
  return { ...plan, setup: { ...setup, ...(left.length > 0 ? { unavailableApis: left } : {}) } };
}

function finalizeOption(namespace: ApiObject): Option {
  const one = step(
    `finalize ${displayName(namespace)} by hand, as the last resort`,
    finalizeCommand(namespace),
    HARM.contents,
    'whatever is in the namespace of an API that does not answer, or that the dump lacks, stays stored and nobody can reach it',
  );
  const key = keyOf(namespace);
  return single(one, {
    requests: [
      {
        do: 'update',
        key,
        change: { do: 'finalizeNamespace', specFinalizers: [] },
        put: true,
        uid: null,
        resourceVersion: false,
      },
    ],
  });
}

function nodeOptions(node: string, { plan, explanation, hanging }: Given): readonly Option[] {
  if (node === '') return [];
  const { kinds } = plan.setup;
  const { dump } = explanation;
  const pods = hanging.flatMap(({ object, waits }) =>
    waits.some((wait) => wait.for === 'kubelet' && wait.what === node) ? [object] : [],
  );
  const key = objectKey('Node', '', node);
  const known = dump.observations.get(key);
  const isThere = known?.of === 'Node';
  const others = dump.objects.some(({ object }) => object.kind === 'Node');
  const back = step(
    `bring node ${node} back, so that its kubelet ends the pods`,
    `kubectl describe node ${shellQuoted(node)}`,
    HARM.none,
  );
  const stopped = `only if the machine of ${node} is off: otherwise the containers go on, beside those that replace them`;
  const taint = step(
    `say that node ${node} is out of service`,
    `kubectl taint nodes ${shellQuoted(node)} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute`,
    HARM.running,
    stopped,
  );
  const forced = pods.map((pod) =>
    step(
      `delete ${displayName(pod)} by force`,
      kubectl('delete', pod, kinds, '--grace-period=0 --force'),
      HARM.running,
      stopped,
    ),
  );
  return [
    ...(isThere || !others
      ? [
          single(back, {
            nodesBack: [node],
            observations: isThere ? new Map([[key, { ...known, ready: 'True' as const }]]) : new Map(),
          }),
        ]
      : []),
    ...(isThere
      ? [single(taint, { observations: new Map([[key, { ...known, outOfService: true }]]) })]
      : []),
    {
      ...NOTHING,
      steps: forced,
      harm: HARM.running,
      requests: pods.map((pod) => ({
        do: 'delete',
        key: keyOf(pod),
        options: { gracePeriodSeconds: 0 },
      })),
    },
  ];
}

/** The finalizers of controllers that are part of every cluster: taking them off breaks something. */
const OF_KUBERNETES: readonly string[] = [
  FOREGROUND,
  ORPHAN,
  'kubernetes.io/pvc-protection',
  'kubernetes.io/pv-protection',
  'customresourcecleanup.apiextensions.k8s.io',
];

/** More patches than this are not sent one by one in the model: its owner's removals stand for them. */
const SENT_MOST = 3;

function finalizerOptions(finalizer: string, given: Given): readonly Option[] {
  const { plan } = given;
  const judged = plan.cluster?.finalizers.find((one) => one.finalizer === finalizer);
  if (OF_KUBERNETES.includes(finalizer) || judged === undefined) return [];
  // Its owner acts: what it waits for is the reason, and the finalizer is there for it.
  if (judged.judgement === 'cooperative') return [];
  const having = plan.setup.objects.filter(({ finalizers }) => finalizers.includes(finalizer));
  const deleting = having.filter(isBeingDeleted);
  const patched =
    deleting.length <= SENT_MOST
      ? deleting.map(
          (object): UserRequest => ({
            do: 'update',
            key: keyOf(object),
            change: { do: 'removeFinalizer', finalizer },
            put: false,
            uid: null,
            resourceVersion: false,
          }),
        )
      : [];
  const isWhole = patched.length > 0 || deleting.length === having.length;
  const left = judged.known?.leaves ?? 'whatever its owner would have cleaned up';
  return [
    ...restoreOptions(finalizer, given),
    ...(isWhole && deleting.length > 0
      ? [
          {
            ...NOTHING,
            steps: [],
            patches: deleting.map((object) => ({ object, finalizer })),
            leaves: left,
            harm: HARM.cleanup,
            requests: patched,
            change: (changed: Plan): Plan =>
              patched.length > 0 ? changed : removedByHand(changed, finalizer),
          },
        ]
      : []),
  ];
}

function removedByHand(plan: Plan, finalizer: string): Plan {
  const stuck = withOwners(plan.setup, [finalizer], 'stuck');
  const finalizers = { ...stuck.finalizers, [finalizer]: 'cooperative' as const };
  return judgedAs({ ...plan, setup: { ...stuck, finalizers } }, finalizer);
}

/** No world of the plan doubts the finalizer any more. */
function judgedAs(plan: Plan, finalizer: string): Plan {
  if (plan.cluster === null) return plan;
  const finalizers = plan.cluster.finalizers.map((one) =>
    one.finalizer === finalizer ? { ...one, judgement: 'cooperative' as const } : one,
  );
  return { ...plan, cluster: { ...plan.cluster, finalizers } };
}

function restoreOptions(finalizer: string, { plan, explanation }: Given): readonly Option[] {
  const { dump } = explanation;
  const known = plan.cluster?.finalizers.find((one) => one.finalizer === finalizer)?.known ?? null;
  if (known?.runs === 'nobody' || known?.runs === 'control plane') return [];
  const change = (changed: Plan): Plan =>
    judgedAs(
      { ...changed, setup: withOwners(changed.setup, [finalizer], 'cooperative') },
      finalizer,
    );
  const objects = dump.objects.map(({ object }) => object);
  const terminating = new Set(
    objects.flatMap((object) =>
      object.kind === 'Namespace' && isBeingDeleted(object) ? [object.name] : [],
    ),
  );
  const workload = (known === null ? [] : workloadsOf(known, objects)).find(
    (object) => SCALED.includes(object.kind) && !isBeingDeleted(object),
  );
  if (workload !== undefined && !terminating.has(workload.namespace)) {
    const observed = dump.observations.get(keyOf(workload));
    const isIdle = observed?.of === 'workload' && observed.replicas === 0;
    const name = displayName(workload);
    const { kinds } = explanation;
    return [
      single(
        isIdle
          ? step(
              `scale ${name} up: it removes ${finalizer}, and has 0 replicas`,
              kubectl('scale', workload, kinds, '--replicas=1'),
              HARM.none,
            )
          : step(
              `get ${name} to run again: it removes ${finalizer}`,
              kubectl('rollout restart', workload, kinds),
              HARM.none,
            ),
        { change },
      ),
    ];
  }
  const owner = known?.owner ?? `the owner of ${finalizer}`;
  return [
    single(
      step(
        known?.runs === 'cloud'
          ? `get ${owner} to act: it removes ${finalizer}`
          : `run ${owner} again, which removes ${finalizer}; this finds it, if it is there`,
        searchFor(known?.workloads ?? []),
        HARM.none,
      ),
      { change },
    ),
  ];
}

const SCALED: readonly string[] = ['Deployment.apps', 'StatefulSet.apps', 'ReplicaSet.apps'];

function searchFor(workloads: readonly string[]): string {
  const all = 'kubectl get deployments,statefulsets,daemonsets -A';
  return workloads.length === 0 ? all : `${all} | grep -E ${shellQuoted(workloads.join('|'))}`;
}

function userOptions(pod: ApiObject, { plan, explanation }: Given): readonly Option[] {
  if (pod.pod === undefined) return [];
  const { kinds } = plan.setup;
  const name = displayName(pod);
  const request: UserRequest = { do: 'delete', key: keyOf(pod), options: {} };
  const remove = step(
    `delete ${name}, which uses it`,
    kubectl('delete', pod, kinds),
    HARM.little,
    `${name} ends`,
  );
  const above = workloadsAbove(pod, explanation);
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
              `the pods of ${displayName(top)} end, and no others begin until it is scaled up`,
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

function dependentOptions(
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

import { objectAt } from '../../../input/manifests/explanation.ts';
import { displayName } from '../../../input/manifests/names.ts';
import type { Plan } from '../../../input/plan.ts';
import { type ApiObject, keyOf, objectKey } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import { finalizeCommand, kubectl } from '../kubectl.ts';
import { type Given, HARM, NOTHING, type Option, single, step } from './option.ts';

/** Ways to remove what machines are the reason of: APIs that do not answer, nodes that are lost. */

/** @param apiService its name. */
export function apiOptions(
  apiService: string,
  namespace: ApiObject,
  given: Given,
): readonly Option[] {
  const { dump } = given.explanation;
  const down = given.plan.cluster?.unavailableApis.find(({ name }) => name === apiService);
  const found = dump.objects.find(
    ({ object }) => object.kind.startsWith('APIService') && object.name === apiService,
  );
  if (found === undefined || down === undefined) return [];
  const api = down.groupVersion;
  const observed = dump.observations.get(keyOf(found.object));
  const behind = observed?.of === 'APIService' ? observed.service : '';
  const [where = '', name = ''] = behind.split('/');
  const deployment = objectAt(dump, objectKey('Deployment.apps', where, name));
  const mend = step(
    behind === ''
      ? `bring the API ${api} back`
      : `bring the pods behind Service/${name} in namespace ${where} back, which serve the API ${api}`,
    deployment === null
      ? `kubectl describe apiservice ${shellQuoted(apiService)}`
      : `kubectl rollout restart deployment ${shellQuoted(name)} -n ${shellQuoted(where)}`,
    HARM.none,
  );
  const remove = step(
    `delete the APIService, if nobody needs ${api} any more`,
    `kubectl delete apiservice ${shellQuoted(apiService)}`,
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
  const cluster = plan.cluster && {
    ...plan.cluster,
    unavailableApis: plan.cluster.unavailableApis.filter(
      ({ groupVersion }) => groupVersion !== api,
    ),
  };
  const still = left.length > 0 ? { unavailableApis: left } : {};
  return { ...plan, cluster, setup: { ...setup, ...still } };
}

function finalizeOption(namespace: ApiObject): Option {
  const one = step(
    `finalize ${displayName(namespace)} by hand, as the last resort`,
    finalizeCommand(namespace, []),
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

export function nodeOptions(
  node: string,
  { plan, explanation, hanging }: Given,
): readonly Option[] {
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
  const stopped = `the containers, beside those that replace them, unless the machine of ${node} is off: look first`;
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
            observations: isThere
              ? new Map([[key, { ...known, ready: 'True' as const }]])
              : new Map(),
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

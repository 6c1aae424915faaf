import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { contentTotals } from '../../../model/actors/namespaces/conditions.ts';
import { beginNamespace, receive, requestOf } from '../../../model/actors/namespaces/controller.ts';
import type {
  ContentType,
  NamespaceAnswer,
  NamespaceRequest,
} from '../../../model/actors/namespaces/requests.ts';
import {
  beginActor,
  type NamespaceActor,
  stepActor,
} from '../../../model/actors/namespaces/sync.ts';
import type { Unsupported } from '../../../model/actors/namespaces/worker.ts';
import type { Rules } from '../../../model/rules/rules.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import { type ApiObject, keyOf } from '../../../model/state/objects.ts';
import {
  clusterOf,
  configMap,
  deletion,
  namespace,
  pod,
  serve,
  stored,
  update,
  world,
} from '../apiserver/fixtures.ts';

const { rules, kinds } = world();
const env = world(
  {},
  {
    namespaces: ['shop'],
    kinds: { Namespace: kinds.Namespace!, ConfigMap: kinds.ConfigMap!, Pod: kinds.Pod! },
  },
);
const shop = namespace('shop');
const inShop = { namespace: 'shop' };
const terminating = namespace('shop', { deletionTimestamp: 0, phase: 'Terminating' });

/** One whole call of the controller against the store: the writing requests with their codes. */
function sync(before: Cluster) {
  const writes: string[] = [];
  let cluster = before;
  let actor: NamespaceActor = beginActor('shop');
  for (;;) {
    const step = { ...actor };
    let next: ReturnType<typeof stepActor> | undefined;
    cluster = produce(cluster, (draft) => {
      next = stepActor(draft, env, 'controller', step);
    });
    if (next === undefined) throw new Error('no step');
    const { verb } = requestOf(env.rules, step.worker);
    const answered = next.done || next.actor.call === null;
    if (answered && !['get', 'discover', 'list', 'listPods'].includes(verb)) {
      const conflict = !next.done && next.actor.worker.at === 'getAfterConflict';
      writes.push(conflict ? `${verb} 409` : verb);
    }
    if (next.done) return { cluster, writes, result: next.result };
    actor = next.actor;
  }
}

describe('the namespace controller', () => {
  it('empties a namespace and finalizes it, after one conflict with its own status update', () => {
    const content = [configMap('a', inShop), configMap('b', { ...inShop, finalizers: ['orphan'] })];
    const deleted = serve(clusterOf(shop, ...content), env, deletion(keyOf(shop))).cluster;
    const { cluster, writes, result } = sync(deleted);
    expect(result).toEqual({ outcome: 'done' });
    expect(cluster.store).toEqual({});
    expect(writes).toEqual([
      'deleteCollection',
      'deleteCollection',
      'updateStatus',
      'finalize 409',
      'finalize',
    ]);
  });

  it('waits for contents with finalizers and for pods with grace periods, and reports both', () => {
    const held = configMap('a', { ...inShop, finalizers: ['a/b'] });
    const running = pod('p', inShop);
    const deleted = serve(clusterOf(shop, held, running), env, deletion(keyOf(shop))).cluster;
    const first = sync(deleted);
    expect(first.result).toEqual({ outcome: 'remaining', estimate: 30 });
    expect(stored(first.cluster, shop)?.conditions).toMatchObject([
      { status: 'False' },
      { status: 'False' },
      { status: 'False' },
      {
        status: 'True',
        message:
          'Some resources are remaining: configmaps. has 1 resource instances, pods. has 1 resource instances',
      },
      { status: 'True', reason: 'SomeFinalizersRemain' },
    ]);
    // The conditions have not changed, so the status is not written.
    const again = sync(first.cluster);
    expect(again.writes).toEqual(['deleteCollection', 'deleteCollection']);
    expect(again.cluster.store).toEqual(first.cluster.store);
    expect(again.cluster.unchangedSince).toEqual({});
    const released = serve(
      serve(again.cluster, env, update(keyOf(held), { do: 'setFinalizers', finalizers: [] }))
        .cluster,
      env,
      deletion(keyOf(running), { gracePeriodSeconds: 0 }),
    ).cluster;
    expect(sync(released).cluster.store).toEqual({});
  });

  it('does nothing for a namespace that is not being deleted, finalized or gone', () => {
    for (const objects of [[shop], [{ ...terminating, specFinalizers: [] }], []]) {
      const { writes, result } = sync(clusterOf(...objects));
      expect([writes, result]).toEqual([[], { outcome: 'done' }]);
    }
  });
});

/** One call of the controller with given answers. */
function call(
  answer: (request: NamespaceRequest) => NamespaceAnswer,
  more: Partial<Rules> = {},
  memory: Unsupported = { operations: [] },
) {
  const requests: NamespaceRequest[] = [];
  let worker = beginNamespace('shop');
  let unsupported = memory;
  for (;;) {
    const request = requestOf({ ...rules, ...more }, worker);
    requests.push(request);
    const received = receive({ ...rules, ...more }, unsupported, worker, answer(request));
    unsupported = received.unsupported;
    if (received.step.done) return { requests, unsupported, result: received.step.result };
    worker = received.step.worker;
  }
}

const WIDGETS: ContentType = { group: 'example.test', version: 'v1', resource: 'widgets' };
const PODS: ContentType = { group: '', version: 'v1', resource: 'pods' };

function answers(
  types: readonly ContentType[],
  special: (request: NamespaceRequest) => NamespaceAnswer | null,
) {
  return (request: NamespaceRequest): NamespaceAnswer => {
    const given = special(request);
    if (given !== null) return given;
    switch (request.verb) {
      case 'get':
        return { kind: 'namespace', namespace: terminating };
      case 'discover':
        return { kind: 'types', types, error: null };
      case 'listPods':
      case 'list':
        return { kind: 'items', items: [] };
      default:
        return { kind: 'done' };
    }
  };
}

const failure = (
  reason: 'NotFound' | 'Conflict' | 'Other',
  message: string = reason,
): NamespaceAnswer => ({
  kind: 'failed',
  reason,
  message,
});

describe('the namespace controller with answers from outside', () => {
  it('deletes types without collection deletes one by one, and forgets that since 1.19 (K8S-93790)', () => {
    const flaky = answers([WIDGETS], (request) =>
      request.verb === 'deleteCollection' ? failure('NotFound') : null,
    );
    const verbs = (memory: Unsupported, more: Partial<Rules>) => {
      const { requests, unsupported } = call(flaky, more, memory);
      return { verbs: requests.map(({ verb }) => verb), unsupported };
    };
    const first = verbs({ operations: [] }, { namespaceContentNotFound: 'remembered' });
    expect(first.verbs).toEqual([
      ...['get', 'discover', 'deleteCollection', 'list', 'list', 'updateStatus', 'finalize'],
    ]);
    const second = verbs(first.unsupported, { namespaceContentNotFound: 'remembered' });
    expect(second.verbs).not.toContain('deleteCollection');
    expect(verbs({ operations: [] }, {}).unsupported).toEqual({ operations: [] });
  });

  it('continues with the other types after an error, and does not finalize', () => {
    const { requests, result } = call(
      answers([PODS, WIDGETS], (request) =>
        request.verb === 'deleteCollection' && request.type === PODS
          ? failure('Other', 'no')
          : null,
      ),
    );
    expect(requests.filter(({ verb }) => verb === 'deleteCollection').length).toBe(2);
    expect(result).toEqual({ outcome: 'error', message: 'no' });
    const last = requests.at(-1);
    expect(last?.verb === 'updateStatus' && last.conditions[2]?.message).toBe(
      'Failed to delete all resource types, 1 remaining: no',
    );
  });

  it('treats remaining contents without finalizers or grace period as an error', () => {
    const { result } = call(
      answers([WIDGETS], (request) =>
        request.verb === 'list' ? { kind: 'items', items: [{ name: 'w', finalizers: [] }] } : null,
      ),
    );
    expect(result).toMatchObject({ outcome: 'error' });
  });

  it('deletes pods first if the rule says so (KEP-5080)', () => {
    const pods = (left: number) =>
      answers([WIDGETS, PODS], (request) =>
        request.verb === 'list' && request.type === PODS
          ? {
              kind: 'items',
              items: Array.from({ length: left }, () => ({ name: 'p', finalizers: ['a/b'] })),
            }
          : null,
      );
    const order = (left: number) =>
      call(pods(left), { namespaceContentOrder: 'podsFirst' }).requests.flatMap((request) =>
        request.verb === 'deleteCollection' ? [request.type.resource] : [],
      );
    expect(order(0)).toEqual(['pods', 'widgets']);
    expect(order(1)).toEqual(['pods']);
  });

  it.each([
    ['none', {}],
    ['orphanDependentsFalse', { orphanDependents: false }],
    ['background', { propagationPolicy: 'Background' }],
  ] as const)('asks for contents with the policy of the rule: %s', (policy, options) => {
    const { requests } = call(
      answers([WIDGETS], () => null),
      { namespaceContentPolicy: policy },
    );
    expect(requests.find(({ verb }) => verb === 'deleteCollection')).toMatchObject({ options });
  });

  it('gives up when the conflict comes from another namespace of the same name', () => {
    let reads = 0;
    const { result } = call(
      answers([], (request) => {
        if (request.verb === 'finalize') return failure('Conflict');
        if (request.verb !== 'get') return null;
        reads += 1;
        const given: ApiObject = reads === 1 ? terminating : { ...terminating, uid: 'new' };
        return { kind: 'namespace', namespace: given };
      }),
    );
    expect(result).toEqual({
      outcome: 'error',
      message: 'namespace uid has changed across retries',
    });
  });

  it('lists remaining contents in alphabetical order, including finalizers without objects', () => {
    const [remaining, finalizers] = contentTotals(
      [
        { group: '', resource: 'pods', count: 2 },
        { group: 'apps', resource: 'daemonsets', count: 1 },
      ],
      { 'z/z': 1, 'a/a': 3 },
    );
    expect(remaining?.message).toBe(
      'Some resources are remaining: daemonsets.apps has 1 resource instances, pods. has 2 resource instances',
    );
    expect(finalizers?.message).toBe(
      'Some content in the namespace has finalizers remaining: a/a in 3 resource instances, z/z in 1 resource instances',
    );
  });
});

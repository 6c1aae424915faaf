import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { describer } from '../../model/describe/describer.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { alice, configMap, HOLD, object, ownedBy, setupOf } from '../properties/clusters.ts';
import { scenarios } from '../scenarios/read.ts';

interface Taken {
  readonly sentence: string;
  readonly changes: readonly string[];
}

/**
 * The steps of one run. Each is the first enabled one in the order given, until there are none or
 * the run is long enough.
 */
function walk(
  setup: Setup,
  inOrder: <Item>(items: readonly Item[]) => Iterable<Item>,
  most: number,
) {
  const model = deletionModel(setup);
  const words = describer(setup);
  const taken: Taken[] = [];
  const [initial] = model.initial;
  if (initial === undefined) throw new Error('no initial state');
  let state: Cluster = initial;
  const instances = Object.entries(model.actions).flatMap(([name, action]) =>
    action.parameters.map((parameters) => ({ name, action, parameters })),
  );
  for (let count = 0; count < most; count++) {
    const before = state;
    for (const { name, action, parameters } of inOrder(instances)) {
      state = produce(before, (draft) => action.reduce(draft, parameters));
      if (state === before) continue;
      taken.push({
        sentence: words.action({ name, parameters }, before, state),
        changes: words.changes(before, state),
      });
      break;
    }
    if (state === before) break;
  }
  return { initial: words.state(initial), taken };
}

function printed(setup: Setup): string {
  const { initial, taken } = walk(setup, (instances) => instances, 200);
  return [
    ...initial,
    '',
    ...taken.flatMap(({ sentence, changes }, index) => [
      `${String(index + 1).padStart(2)}  ${sentence}`,
      ...changes.map((change) => `      ${change}`),
    ]),
    '',
  ].join('\n');
}

function deletion(policy: 'Background' | 'Foreground' | 'Orphan'): Setup {
  const objects = [
    configMap('a'),
    configMap('b', { ownerReferences: [ownedBy('a')], finalizers: [HOLD] }),
    configMap('c', { ownerReferences: [ownedBy('b', { blockOwnerDeletion: false })] }),
  ];
  const key = 'ConfigMap/default/a';
  return setupOf(objects, alice({ do: 'delete', key, options: { propagationPolicy: policy } }));
}

describe('the words of a run', () => {
  for (const policy of ['Background', 'Foreground', 'Orphan'] as const) {
    it(`of a ${policy} delete`, async () => {
      await expect(printed(deletion(policy))).toMatchFileSnapshot(
        `../golden/words-${policy.toLowerCase()}.txt`,
      );
    });
  }

  it('of a synchronous delete', async () => {
    const rules = PROTOCOLS['synchronous-gc-proposal'];
    if (rules === undefined) throw new Error('the protocol is missing');
    await expect(printed({ ...deletion('Foreground'), rules })).toMatchFileSnapshot(
      '../golden/words-synchronous.txt',
    );
  });

  const shop = { namespace: 'shop' };
  /**
   * A namespace with its controller, a kubelet, and a ReplicaSet whose controller replaces its pod.
   */
  const controllers = setupOf(
    [
      object('Namespace', 'shop', { namespace: '', specFinalizers: ['kubernetes'] }),
      configMap('a', { ...shop, finalizers: [HOLD] }),
      object('ReplicaSet.apps', 'web', { ...shop, generation: 1 }),
    ],
    {
      ...alice(
        { do: 'stopControllers' },
        { do: 'startControllers' },
        { do: 'delete', key: 'Namespace//shop', options: {} },
      ),
      kinds: Object.fromEntries(
        ['Namespace', 'ConfigMap', 'Pod', 'ReplicaSet.apps'].flatMap((name) => {
          const kind = BUILT_IN_KINDS[name];
          return kind === undefined ? [] : [[name, kind]];
        }),
      ),
      emptiedNamespaces: ['shop'],
      kubelets: true,
      workloads: [
        {
          parent: { key: 'ReplicaSet.apps/shop/web', uid: 'uid-web' },
          replicas: 1,
          children: ['p', 'q'].map((name) =>
            object('Pod', name, {
              ...shop,
              ownerReferences: [ownedBy('web', { apiVersion: 'apps/v1', kind: 'ReplicaSet' })],
              pod: { terminationGracePeriodSeconds: 30, scheduled: true, finished: false },
            }),
          ),
        },
      ],
    },
  );

  it('of a namespace that is emptied', async () => {
    await expect(printed(controllers)).toMatchFileSnapshot('../golden/words-controllers.txt');
  });

  /** The same numbers in every run of the test. */
  function* numbers(seed: number): Generator<number, never> {
    for (let state = seed; ; ) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      yield state / 2 ** 32;
    }
  }

  /** All of them in a random order, of which only as much is decided as is asked for. */
  function* shuffled<Item>(items: readonly Item[], random: Iterator<number, never>) {
    const left = [...items];
    while (left.length > 0) {
      const chosen = Math.floor(random.next().value * left.length);
      yield left[chosen]!;
      left[chosen] = left.at(-1)!;
      left.pop();
    }
  }

  for (const { name, setup } of [...scenarios(), { name: 'controllers', setup: controllers }]) {
    it(`are one line each, the actor first, and free of internal names: ${name}`, () => {
      const random = numbers(name.length + 1);
      for (let round = 0; round < randomRuns(2); round++) {
        const { initial, taken } = walk(setup, (items) => shuffled(items, random), 120);
        for (const { sentence } of taken) expect(sentence).toMatch(/^[^:[\]{}]{3,60}: \S/);
        for (const line of [
          ...initial,
          ...taken.flatMap((step) => [step.sentence, ...step.changes]),
        ]) {
          expect(line).not.toMatch(/\n|\["|\{"|undefined|null|delete-\d|orphan-\d|\/default\//);
          const withoutGroups = line.replace(
            /\.(apps|example\.com)\/|\.[a-z]+(\.k8s|\.kubernetes)\.io\b/g,
            '/',
          );
          expect(withoutGroups.length, line).toBeLessThanOrEqual(130);
        }
      }
    });
  }
});

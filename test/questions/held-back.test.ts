import { expect, it } from 'vitest';
import { meetInContainers } from '../../input/cluster/parts.ts';
import { PLAIN_WORLD } from '../../input/cluster/worlds.ts';
import type { Setup } from '../../model/index.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import type { Fate } from '../../report/document/result-document.ts';
import { type Decision, NOTHING } from '../../run/questions/deciding/decision.ts';
import { holdersIn, withHeldBack } from '../../run/questions/deciding/held-back.ts';
import { object, setupOf } from '../properties/clusters.ts';
import { words } from './deciding.ts';

/** What was found about trees of two namespaces that are emptied, a row for each guard. */

const OBJECTS = ['a', 'b'].flatMap((namespace) => [
  object('Namespace', namespace, { namespace: '', uid: namespace }),
  ...['p', 'q'].map((pod) => object('Pod', pod, { namespace, uid: `${namespace}/${pod}` })),
  object('ConfigMap', 'c', { namespace, uid: `${namespace}/c` }),
]);

type Tree = Readonly<Record<string, Fate['fate']>>;

function decisionOf(tree: Tree): Decision {
  const found = Object.entries(tree).map(([uid, fate]): [string, Fate] => [
    uid,
    { object: uid, uid, fate } as Fate,
  ]);
  return {
    ...NOTHING,
    ...{ world: PLAIN_WORLD, by: 'search', fates: new Map(found), reports: [], worlds: [] },
  };
}

function setupUnder(protocol: 'v1.20' | 'v1.36') {
  const rules = PROTOCOLS[protocol]!;
  return setupOf(OBJECTS, { rules, emptiedNamespaces: ['a', 'b'] });
}

it.each<[string, readonly Tree[], Tree, Tree]>([
  [
    'other contents wait for a pod that stays; pods and the namespace do not wait beside it',
    [{ 'a/p': 'stays' }],
    { 'a/c': 'goes', 'a/q': 'goes', a: 'goes' },
    { 'a/c': 'open', 'a/q': 'goes', a: 'goes' },
  ],
  [
    'what stays anyhow stays',
    [{ 'a/p': 'stays' }],
    { 'a/c': 'stays' }, //
    { 'a/c': 'stays' },
  ],
  ['nothing waits for pods that go', [{ 'a/p': 'goes' }], { 'a/c': 'goes' }, { 'a/c': 'goes' }],
  [
    'what was searched beside the pod is known',
    [{ 'a/p': 'stays' }],
    { 'a/p': 'stays', 'a/c': 'goes' },
    { 'a/p': 'stays', 'a/c': 'goes' },
  ],
  [
    'a pod of another namespace says nothing of the pods of this one',
    [{ 'a/p': 'stays' }, { 'b/p': 'either' }],
    { 'a/p': 'stays', 'b/c': 'goes' },
    { 'a/p': 'stays', 'b/c': 'open' },
  ],
  [
    'a pod that may go does not stand for one that stays',
    [{ 'a/p': 'stays' }, { 'a/q': 'either' }],
    { 'a/q': 'either', 'a/c': 'either' },
    { 'a/q': 'either', 'a/c': 'open' },
  ],
  [
    'a pod of which nothing is known stands for no other',
    [{ 'a/p': 'open' }, { 'a/q': 'either' }],
    { 'a/q': 'either', 'a/c': 'goes' },
    { 'a/q': 'either', 'a/c': 'open' },
  ],
  [
    'what goes or stays does so beside a pod that goes or stays',
    [{ 'a/p': 'either' }],
    { 'a/c': 'either' },
    { 'a/c': 'either' },
  ],
])('%s', (_what, others, tree, held) => {
  const decision = decisionOf(tree);
  const trees = [...others.map((other) => [decisionOf(other)]), [decision]];
  expect(words(withHeldBack(decision, holdersIn(setupUnder('v1.36'), trees)))).toEqual(held);
  // Earlier, contents did not wait for pods.
  expect(holdersIn(setupUnder('v1.20'), trees)).toEqual([]);
});

it.each<[readonly Tree[], number | null]>([
  [[{ 'a/c': 'stays' }, { 'a/p': 'either' }, { 'a/q': 'stays' }], 2],
  [[{ 'a/p': 'open' }, { 'a/q': 'stays' }], 1],
  [[{ 'a/p': 'either' }, { 'a/q': 'open' }], null],
  [[{ 'b/p': 'stays' }, { 'a/p': 'either' }], 1],
])('of %j, tree %j shows what becomes of the contents', (trees, place) => {
  const found = trees.map((tree) => [decisionOf(tree)]);
  expect(holdersIn(setupUnder('v1.36'), found)[0]?.place).toBe(place);
});

it('trees are not apart where a pod goes at once for another one (before v1.22)', () => {
  const alone = (setup: Setup): Setup => {
    return { ...setup, objects: setup.objects.filter(({ name }) => name !== 'q') };
  };
  expect(meetInContainers(setupUnder('v1.20'))).toBe(false);
  expect(meetInContainers(alone(setupUnder('v1.20')))).toBe(true);
  expect(meetInContainers(setupUnder('v1.36'))).toBe(true);
});

import { describe, expect, it } from 'vitest';
import { planOperator } from '../../model/actors/workloads/operator-plan.ts';
import { type ApiObject, keyOf } from '../../model/state/objects.ts';
import type { Operator } from '../../model/state/setup.ts';
import { configMap, deletedWith, ownedBy } from '../properties/clusters.ts';

const MINE = 'example.com/mine';
const key = (name: string) => keyOf(configMap(name));

const operator: Operator = {
  name: 'example-operator',
  parent: { key: key('a'), uid: 'uid-a' },
  finalizer: MINE,
  addsFinalizer: true,
  creates: [configMap('b'), configMap('b', { uid: 'uid-b-again' }), configMap('c')],
  deletes: [
    { key: key('b'), options: {} },
    { key: key('c'), options: {} },
  ],
  waitsFor: ['dependents', key('z')],
  reads: 'cache',
  fairness: 'weak',
};

const live = configMap('a', { finalizers: [MINE] });
const going = configMap('a', deletedWith(MINE));
const b = configMap('b');
const c = configMap('c');
const created = ['uid-b', 'uid-c'];

const cases: readonly (readonly [
  what: string,
  seen: readonly ApiObject[],
  used: readonly string[],
  plan: string,
])[] = [
  ['nothing is there', [], [], ''],
  ['another object of that name', [{ ...live, uid: 'uid-other' }], [], ''],
  ['without the finalizer', [configMap('a')], [], 'addFinalizer'],
  ['with it', [live], [], 'create uid-b, create uid-c'],
  ['something is missing again', [live, c], created, 'create uid-b-again'],
  ['and cannot be created again', [live, b], created, 'lacks'],
  ['all is there', [live, b, c], created, ''],
  ['it goes', [going, b, c], created, 'delete uid-b'],
  ['it goes, and so does the first', [going, { ...b, ...deletedWith('x/y') }, c], created, ''],
  ['it goes, and the first has gone', [going, c], created, 'delete uid-c'],
  ['everything to delete is gone', [going], created, 'removeFinalizer'],
  ['a dependent is left', [going, configMap('d', { ownerReferences: [ownedBy('a')] })], [], ''],
  ['something else is left', [going, configMap('z')], [], ''],
  ['its finalizer is off', [{ ...going, finalizers: ['x/y'] }, b], created, ''],
];

describe('a controller that a user describes plans', () => {
  it.each(cases)('%s', (_what, seen, used, plan) => {
    const { tasks, lacks } = planOperator(operator, {
      look: (asked) => seen.find((object) => keyOf(object) === asked) ?? null,
      isFree: (uid) => !used.includes(uid),
      dependents: [key('d')],
      keepsFinalizer: false,
    });
    const words = tasks.map((task) => ('uid' in task ? `${task.do} ${task.uid}` : task.do));
    expect([...words, ...(lacks ? ['lacks'] : [])].join(', ')).toBe(plan);
  });
});

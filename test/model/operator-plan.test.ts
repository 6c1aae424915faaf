import { describe, expect, it } from 'vitest';
import { describedPlan } from '../../model/actors/programs/described-plan.ts';
import { type ApiObject, keyOf } from '../../model/state/objects.ts';
import type { Operator } from '../../model/state/programs/operator.ts';
import type { Look } from '../../model/state/programs/program.ts';
import { configMap, deletedWith, ownedBy } from '../properties/clusters.ts';

const MINE = 'example.com/mine';
const key = (name: string) => keyOf(configMap(name));

const operator: Operator = {
  name: 'example-operator',
  parent: { key: key('a'), uid: 'uid-a' },
  finalizer: MINE,
  addsFinalizer: true,
  creates: [configMap('b'), configMap('b', { uid: 'uid-b-again' }), configMap('c')],
  createsInTeardown: [configMap('job'), configMap('job', { uid: 'uid-second-job' })],
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
const job = 'ConfigMap/job.default';

const cases: readonly (readonly [
  what: string,
  seen: readonly ApiObject[],
  memory: readonly string[],
  plan: string,
])[] = [
  ['nothing is there', [], [], ''],
  ['another object of that name', [{ ...live, uid: 'uid-other' }], [], ''],
  ['without the finalizer', [configMap('a')], [], 'addFinalizer a'],
  ['with it', [live], [], 'create b, create c'],
  ['something is missing again', [live, c], [], 'create b'],
  ['all is there', [live, b, c], [], ''],
  ['it goes', [going, b, c], [], 'create job, remember 1, create job, remember 2'],
  ['it goes, and has created something', [going, b, c], [job], 'create job, remember 2'],
  ['it has created all', [going, b, c], [job, job], 'delete b'],
  ['so does the first', [going, { ...b, ...deletedWith('x/y') }, c], [job, job], ''],
  ['the first has gone', [going, c], [job, job], 'delete c'],
  ['everything to delete is gone', [going], [job, job], 'removeFinalizer a'],
  ['a dependent is left', [going, ownedConfigMap('d')], [job, job], ''],
  ['something else is left', [going, configMap('z')], [job, job], ''],
  ['its finalizer is off', [{ ...going, finalizers: ['x/y'] }, b], [job, job], ''],
];

function ownedConfigMap(name: string): ApiObject {
  return configMap(name, { ownerReferences: [ownedBy('a')] });
}

describe('a controller that a scenario describes plans', () => {
  it.each(cases)('%s', (_what, seen, memory, expected) => {
    const found = (text: string): ApiObject | null =>
      seen.find(({ kind, name }) => text === `${kind}/${name}.default`) ?? null;
    const look = Object.assign(found, {
      live: found,
      list: () => [],
      outside: () => false,
    }) satisfies Look;
    const plan = describedPlan(operator, {
      dependents: [key('d')],
      keepsFinalizer: false,
      checksOwner: true,
      namesOwner: false,
      possible: new Set(['a', 'b', 'c', 'd', 'z', 'job'].map(key)),
    });
    const self = { object: 'ConfigMap/a', name: 'a', namespace: 'default', memory };
    const words = plan(look, self).map((task) => {
      const what =
        'object' in task ? task.object.slice('ConfigMap/'.length, -'.default'.length) : '';
      return `${task.do} ${task.do === 'remember' ? task.memory.length : what}`;
    });
    expect(words.join(', ')).toBe(expected);
    expect(plan(look, { ...self, name: 'b' })).toEqual([]);
  });
});

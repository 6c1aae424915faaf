import { expect, it } from 'vitest';
import { waveLinks } from '../../../input/cluster/operating/waves.ts';
import { treesWithin } from '../../../input/cluster/parts.ts';
import { type ApiObject, keyOf, type Operator } from '../../../model/index.ts';
import { HOLD, object, setupOf } from '../../properties/clusters.ts';

const app = object('ConfigMap', 'app');
const held = object('ConfigMap', 'held', { finalizers: [HOLD] });
const free = object('ConfigMap', 'free');
const owner = object('ConfigMap', 'owner');
const child = object('ConfigMap', 'child', {
  ownerReferences: [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'owner',
      uid: owner.uid,
      blockOwnerDeletion: true,
    },
  ],
});
const last = object('ConfigMap', 'last');
const going = object('ConfigMap', 'going', { ...{ finalizers: [HOLD], deletionTimestamp: 1 } });

type Deleted = readonly (readonly [object: ApiObject, wave?: number])[];

function linksOf(deleted: Deleted, pausing: readonly ApiObject[] = []): readonly string[] {
  const operator: Operator = {
    ...{ name: 'teardown', parent: { key: keyOf(app), uid: app.uid }, addsFinalizer: false },
    ...{ creates: [], waitsFor: [], reads: 'live', fairness: 'weak' },
    deletes: deleted.map(([one, wave]) => ({
      ...{ key: keyOf(one), options: {} },
      ...(wave === undefined ? {} : { wave }),
    })),
    ...(pausing.length === 0 ? {} : { pausedBy: pausing.map(keyOf) }),
  };
  const setup = setupOf([app, held, free, owner, child, last, going], { operators: [operator] });
  const name = (uid: string): string => uid.replace('uid-', '');
  return waveLinks(setup, treesWithin(setup)).map(([from, to]) => `${name(from)} ${name(to)}`);
}

it.each<[string, readonly string[], Deleted, (readonly ApiObject[])?]>([
  [
    'what an earlier wave has',
    ['last held'],
    [
      [held, 0],
      [last, 1],
    ],
  ],
  [
    'nothing of its own wave',
    [],
    [
      [held, 0],
      [last, 0],
    ],
  ],
  ['what comes before it where there are no waves', ['last held'], [[held], [last]]],
  [
    'nothing that goes at once',
    [],
    [
      [free, 0],
      [last, 1],
    ],
  ],
  [
    'what may hold that',
    ['last owner', 'last child'],
    [
      [owner, 0],
      [last, 1],
    ],
  ],
  ['what pauses all', ['last going'], [[last, 0]], [going, free]],
])('a DELETE waits for %s', (_, expected, deleted, pausing) => {
  expect(linksOf(deleted, pausing)).toEqual(expected);
});

import type { Cluster } from '../../model/state/cluster.ts';
import type { Programmed } from '../../model/state/programs/process.ts';
import {
  RESTART_FORGETS_EVERYTHING,
  WATCH_BREAKS_LIMITED,
} from '../../properties/collector/memory.ts';
import { operator as described } from '../model/operators.ts';
import type { Cases } from './cases.ts';
import { alice, clusterOf, configMap, setupOf } from './clusters.ts';
import type { Run } from './judge.ts';

const a = configMap('a');
const setup = setupOf([a], {
  ...alice({ do: 'stopControllers' }, { do: 'startControllers' }),
  relists: { ConfigMap: 2 },
});
const request = { name: 'request', parameters: { user: 'user' } };
const empty: Partial<Cluster> = { graph: {}, dependents: {} };
const off: Partial<Cluster> = { ...empty, stopped: { controllers: true } };
const vain: Programmed = { role: 'programmed', vain: { 'ConfigMap/default/a': '' } };
const operator: Partial<Cluster> = { controllers: { operator: vain } };

function step(before: Partial<Cluster>, after: Partial<Cluster>): Run {
  return { setup, states: [clusterOf([a], before), clusterOf([a], after)], steps: [request] };
}

/** The lists of the new collector show the object this many times. */
function listed(times: number): Partial<Cluster> {
  const identity = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: 'default',
    name: 'a',
    uid: a.uid,
  };
  const deletion = { beingDeleted: false, orphan: false, foreground: false };
  const event = {
    type: 'add',
    key: 'ConfigMap/default/a',
    object: { identity, ownerReferences: [], deletion },
  } as const;
  return { ...empty, watch: { ConfigMap: Array.from({ length: times }, () => event) } };
}

function broken(left: number): Run {
  const budget = (breaks: number): Partial<Cluster> => ({
    budget: { 'relist ConfigMap': breaks },
  });
  return {
    setup,
    states: [clusterOf([a], budget(2)), clusterOf([a], budget(left))],
    steps: [{ name: 'relist', parameters: { kind: 'ConfigMap' } }],
  };
}

/** The same for the watch of an operator. */
function brokenInformer(left: number): Run {
  const informer = 'example-operator: ConfigMap';
  const budget = (breaks: number): Partial<Cluster> => ({
    budget: { 'relist ConfigMap': 2, [`relist of ${informer}`]: breaks },
  });
  return {
    setup: { ...setup, ...described({}) },
    states: [clusterOf([a], budget(2)), clusterOf([a], budget(left))],
    steps: [{ name: 'relistInformer', parameters: { informer } }],
  };
}

export const restartCases: Cases = {
  [RESTART_FORGETS_EVERYTHING.name]: {
    violated: {
      'it still remembers absent owners': {
        run: step({}, { ...off, absentOwners: { ghost: true } }),
        explained: ['the collector still knows its absentOwners'],
      },
      'another process ends as well': {
        run: step(operator, off),
        explained: ['operator has lost what it was doing'],
      },
      'an object is reported twice': {
        run: step(off, listed(2)),
        explained: ['its lists show add ConfigMap/default/a, add ConfigMap/default/a'],
      },
    },
    holds: {
      'it ends': step(operator, { ...off, ...operator }),
      'it begins': step(off, listed(1)),
    },
    vacuous: { 'it keeps running': step({}, {}) },
  },
  [WATCH_BREAKS_LIMITED.name]: {
    violated: {
      'as often as before': {
        run: broken(2),
        explained: ['the watch of ConfigMap may break 2 times after it could 2 times'],
      },
      'as often as before, of an operator': {
        run: brokenInformer(2),
        explained: [
          'the watch of example-operator: ConfigMap may break 2 times after it could 2 times',
        ],
      },
    },
    holds: { 'once less': broken(1), 'once less, of an operator': brokenInformer(1) },
    vacuous: { 'it does not break': step({}, {}) },
  },
};

import type { Cluster } from '../../model/state/cluster.ts';
import { BUILT_IN_KINDS, customKind } from '../../model/state/kind-table.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import {
  MONITOR_LISTS_ONLY_SERVED,
  ONE_MONITOR_SYNC_AT_A_TIME,
  SERVED_KINDS_ARE_WATCHED,
  START_WAITS_ONLY_FOR_SERVED_KINDS,
} from '../../properties/collector/monitors.ts';
import type { Cases } from './cases.ts';
import { clusterOf, configMap, object, setupOf } from './clusters.ts';
import type { Run } from './judge.ts';

const a = configMap('a');
const discovering = setupOf([a], { discovery: { empty: 0, failing: {} } });
const discover = { name: 'discover', parameters: {} };

function listing(unserved: Partial<Cluster>, setup = discovering): Run {
  return {
    setup,
    states: [
      clusterOf([a], { ...unserved, monitors: { ConfigMap: 'unsynced' } }),
      clusterOf([a], unserved),
    ],
    steps: [{ name: 'listMonitored', parameters: { kind: 'ConfigMap' } }],
  };
}

function round(before: Partial<Cluster>): Run {
  const after = { syncing: { round: { at: 'resync', kinds: [] } } } as const;
  return {
    setup: discovering,
    states: [clusterOf([a], before), clusterOf([a], after)],
    steps: [discover],
  };
}

const widgets = object('CustomResourceDefinition.apiextensions.k8s.io', 'widgets.example.com', {
  namespace: '',
});
const widget = object('Widget.example.com', 'w');
const defining = setupOf([widgets, widget], {
  kinds: {
    ...BUILT_IN_KINDS,
    'Widget.example.com': customKind('example.com/v1', 'Widget', true),
  },
  definitions: ['CustomResourceDefinition.apiextensions.k8s.io//widgets.example.com'],
  discovery: { empty: 0, failing: {} },
});

/** The collector starts while these objects are stored, and waits for the list of Widgets. */
function starting(stored: readonly ApiObject[], stop = true): Run {
  return {
    setup: defining,
    states: [
      clusterOf(stored, stop ? { stopped: { controllers: true } } : {}),
      clusterOf(stored, { monitors: { 'Widget.example.com': 'unsynced' } }),
    ],
    steps: [{ name: 'request', parameters: { user: 'user' } }],
  };
}

const stopped = clusterOf([a], { monitors: { ConfigMap: 'stopped' } });
const waiting = { syncing: { round: { at: 'wait' } } } as const;

export const monitorCases: Cases = {
  [MONITOR_LISTS_ONLY_SERVED.name]: {
    violated: {
      'the kind is not installed yet': {
        run: listing({ notInstalled: { ConfigMap: true } }),
        explained: ['ConfigMap counts as listed and is not served'],
      },
      'the collector begins as if it had listed': {
        run: {
          setup: discovering,
          states: [
            clusterOf([a], { stopped: { controllers: true }, notInstalled: { ConfigMap: true } }),
            clusterOf([a], { notInstalled: { ConfigMap: true } }),
          ],
          steps: [{ name: 'beginRequest', parameters: { user: 'user' } }],
        },
        explained: ['ConfigMap counts as listed and is not served'],
      },
    },
    holds: { 'the kind is served': listing({}) },
    vacuous: { 'monitors never change': listing({}, setupOf([a])) },
  },
  [START_WAITS_ONLY_FOR_SERVED_KINDS.name]: {
    violated: {
      'the definition is gone': {
        run: starting([]),
        explained: [
          'the monitor of Widget.example.com waits, and Widget.example.com is not defined',
        ],
      },
    },
    holds: { 'it is defined': starting([widgets]) },
    vacuous: { 'it has run before': starting([widgets], false) },
  },
  [ONE_MONITOR_SYNC_AT_A_TIME.name]: {
    violated: {
      'the last round has not changed the monitors yet': {
        run: round({ syncing: { round: { at: 'resync', kinds: ['ConfigMap'] } } }),
        explained: ['the monitors have yet to be set up as the last round wants'],
      },
      'every monitor has listed': {
        run: round(waiting),
        explained: ['every monitor has listed, and the workers have yet to be released'],
      },
      'the collector does not run': {
        run: round({ stopped: { controllers: true } }),
        explained: ['the controller manager does not run'],
      },
    },
    holds: {
      'there is no other round': round({}),
      'a monitor does not list': round({ ...waiting, monitors: { ConfigMap: 'unsynced' } }),
    },
    vacuous: { 'no round begins': { setup: discovering, states: [clusterOf([a])] } },
  },
  [SERVED_KINDS_ARE_WATCHED.name]: {
    violated: {
      'its monitor is stopped forever': {
        run: { setup: discovering, states: [stopped] },
        explained: ['ConfigMap is served, and its monitor is stopped'],
      },
    },
    holds: {
      'it gets its monitor': { setup: discovering, states: [stopped, clusterOf([a])] },
    },
    vacuous: { 'discovery is not asked': { setup: setupOf([a]), states: [stopped] } },
  },
};

import type { CreateCall, DeleteCollectionCall } from '../../model/state/calls.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { ApiObject, NamespaceCondition } from '../../model/state/objects.ts';
import type { Setup } from '../../model/state/setup.ts';
import { DELETE_COLLECTION_SKIPS_MISSING } from '../../properties/clients/answers.ts';
import {
  NAMESPACE_PODS_FIRST,
  NO_ADMISSION_WHILE_TERMINATING,
  NO_CONTENTS_LEFT_BEHIND,
} from '../../properties/namespaces/contents.ts';
import {
  NAMESPACE_STATUS_LISTS_REMAINING,
  NAMESPACE_STATUS_REPORTS_RESULT,
} from '../../properties/namespaces/status.ts';
import type { Cases } from './cases.ts';
import { clusterOf, deleteCall, object, setupOf } from './clusters.ts';
import type { Run } from './judge.ts';

const namespace = object('Namespace', 'n', { namespace: '', specFinalizers: ['kubernetes'] });
const content = object('ConfigMap', 'c', { namespace: 'n' });
const elsewhere = object('ConfigMap', 'e');
const pod = object('Pod', 'p', {
  namespace: 'n',
  pod: { terminationGracePeriodSeconds: 30, scheduled: true, finished: false },
});
const setup = setupOf([namespace, content, elsewhere, pod], { emptiedNamespaces: ['n'] });
const serve = { name: 'serve', parameters: { client: 'alice' } };
const empty = { name: 'emptyNamespace', parameters: { namespace: 'n' } };

/** The namespace controller is about to remove the ConfigMap, or the pod. */
function emptying(key: string): Partial<Cluster> {
  const call = {
    verb: 'deleteCollection',
    client: 'namespace controller n',
    kind: key.slice(0, key.indexOf('/')),
    namespace: 'n',
    options: {},
    at: 'items',
    remaining: [],
    current: deleteCall(key, 'remove'),
    listed: 1,
  } as const;
  return { calls: {}, ...controllerWith(call) };
}

function controllerWith(call: object): Partial<Cluster> {
  const actor = { worker: { at: 'get', name: 'n' }, unsupported: { operations: [] }, call };
  return {
    controllers: { [NAMESPACE_CLIENT]: { role: 'namespace', actor, contents: '' } },
  } as unknown as Partial<Cluster>;
}

const NAMESPACE_CLIENT = 'namespace controller for n';
const CONTENT = 'ConfigMap/n/c';

const going = { ...namespace, deletionTimestamp: 0 };

/** Admission has let the POST of alice through, or has refused it. */
function posted(container: ApiObject, letThrough: boolean, more: Partial<Setup> = {}): Run {
  const call: CreateCall = { verb: 'create', client: 'alice', object: content };
  const calls: Cluster['calls'] = letThrough ? { alice: { ...call, at: 'write' } } : {};
  return {
    setup: { ...setup, ...more },
    states: [clusterOf([container], { calls: { alice: call } }), clusterOf([container], { calls })],
    steps: [serve],
  };
}

const collection: DeleteCollectionCall = {
  verb: 'deleteCollection',
  client: 'alice',
  kind: 'ConfigMap',
  namespace: 'n',
  options: {},
  at: 'items',
  remaining: ['Pod/n/p'],
  current: deleteCall(CONTENT, 'get'),
  listed: 2,
};

/** The DELETE of alice reaches the ConfigMap. */
function collected(stored: readonly ApiObject[], going: DeleteCollectionCall | null): Run {
  return {
    setup,
    states: [
      clusterOf(stored, { calls: { alice: collection } }),
      clusterOf(stored, { calls: going === null ? {} : { alice: going } }),
    ],
    steps: [serve],
  };
}

/** The namespace waits for the ConfigMap, and its condition describes what remains. */
function saying(message: string, status: 'True' | 'False'): Run {
  const condition = (type: string): NamespaceCondition => {
    return { type, status: 'False', reason: '', message: '' };
  };
  const waiting: ApiObject = {
    ...going,
    phase: 'Terminating',
    conditions: [
      condition('NamespaceDeletionDiscoveryFailure'),
      condition('NamespaceDeletionContentFailure'),
      { ...condition('NamespaceContentRemaining'), status, message },
      condition('NamespaceFinalizersRemaining'),
    ],
  };
  // The controller does not begin another pass.
  const controllers = { [NAMESPACE_CLIENT]: { role: 'namespace', gaveUp: true } };
  const more = { controllers } as unknown as Partial<Cluster>;
  return {
    setup: setupOf([waiting, content], { emptiedNamespaces: ['n'] }),
    states: [clusterOf([waiting, content], more)],
  };
}

/** A pass over the contents ends like this, with this condition in the status. */
function passed(
  after: object | null,
  type: string,
  status: 'True' | 'False',
  read = 'Namespace//n',
): Run {
  const conditions = [{ type, status, reason: '', message: '' }];
  const stored = { ...going, phase: 'Terminating', conditions } as const;
  const worker = { at: 'updateConditions', namespace: stored, pass: {} };
  const state = (controller: object | null): Cluster =>
    clusterOf([stored], {
      unchangedSince: { [NAMESPACE_CLIENT]: read },
      controllers: controller === null ? {} : { [NAMESPACE_CLIENT]: controller },
    } as unknown as Partial<Cluster>);
  return {
    setup,
    states: [
      state({ role: 'namespace', contents: '', actor: { worker, call: null } }),
      state(after),
    ],
    steps: [empty],
  };
}

const finalizing = {
  role: 'namespace',
  contents: '',
  actor: { worker: { at: 'finalize', namespace: going }, call: null },
};
const waits = { role: 'namespace', triedContents: '' };

export const contentCases: Cases = {
  [NAMESPACE_STATUS_REPORTS_RESULT.name]: {
    violated: {
      'an error is not reported': {
        run: passed(null, 'NamespaceDeletionContentFailure', 'False'),
        explained: ['the status of Namespace/n does not say that something has failed'],
      },
      'the condition reports contents that are gone': {
        run: passed(finalizing, 'NamespaceContentRemaining', 'True'),
        explained: ['the status of Namespace/n does not say that nothing is left'],
      },
      'the condition says that nothing remains': {
        run: passed(waits, 'NamespaceContentRemaining', 'False'),
        explained: ['the status of Namespace/n does not say that something is left'],
      },
    },
    holds: {
      'an error is reported': passed(null, 'NamespaceDeletionDiscoveryFailure', 'True'),
      'nothing is left': passed(finalizing, 'NamespaceContentRemaining', 'False'),
      'something is left': passed(waits, 'NamespaceContentRemaining', 'True'),
    },
    vacuous: {
      'another client has written it': passed(
        null,
        'NamespaceContentRemaining',
        'False',
        'Pod/n/p',
      ),
    },
  },
  [NO_ADMISSION_WHILE_TERMINATING.name]: {
    violated: {
      'the namespace is being deleted': {
        run: posted(going, true),
        explained: ['ConfigMap/c.n is admitted while Namespace/n goes'],
      },
    },
    holds: {
      'the namespace stays': posted(namespace, true),
      'admission reads a cache': posted(going, true, { namespaceAdmission: 'cached' }),
    },
    vacuous: { 'it is refused': posted(going, false) },
  },
  [DELETE_COLLECTION_SKIPS_MISSING.name]: {
    violated: {
      'it ends at the gap': {
        run: collected([pod], null),
        explained: ['the DELETE of the collection ends before Pod/p.n'],
      },
    },
    holds: { 'it continues': collected([pod], collection) },
    vacuous: { 'nothing has gone': collected([content, pod], null) },
  },
  [NAMESPACE_STATUS_LISTS_REMAINING.name]: {
    violated: {
      'another number': {
        run: saying('configmaps. has 2 resource instances', 'True'),
        explained: [
          'Namespace/n: NamespaceContentRemaining does not say: configmaps. has 1 resource instances',
        ],
      },
      'the condition says that nothing remains': {
        run: saying('', 'False'),
        explained: ['Namespace/n: NamespaceContentRemaining is False'],
      },
    },
    holds: { 'what is left': saying('configmaps. has 1 resource instances', 'True') },
    vacuous: { 'it stays': { setup, states: [clusterOf([namespace, content])] } },
  },
  [NO_CONTENTS_LEFT_BEHIND.name]: {
    violated: {
      'the namespace is removed before its contents': {
        run: {
          setup,
          states: [clusterOf([namespace, content]), clusterOf([content])],
          steps: [serve],
        },
        explained: ['ConfigMap/c.n is left, although Namespace/n is gone'],
      },
      'it is stored once the namespace is gone': {
        run: { setup, states: [clusterOf([]), clusterOf([content])], steps: [serve] },
        explained: ['ConfigMap/c.n is left, although Namespace/n is gone'],
      },
    },
    holds: {
      'the namespace is empty': {
        setup,
        states: [clusterOf([namespace, elsewhere]), clusterOf([elsewhere])],
        steps: [serve],
      },
    },
    vacuous: {
      'an object is removed and the namespace stays': {
        setup,
        states: [clusterOf([namespace, content]), clusterOf([namespace])],
        steps: [serve],
      },
    },
  },
  [NAMESPACE_PODS_FIRST.name]: {
    violated: {
      'a pod is still there': {
        run: {
          setup,
          states: [
            clusterOf([namespace, content, pod], emptying(CONTENT)),
            clusterOf([namespace, pod]),
          ],
          steps: [empty],
        },
        explained: ['ConfigMap/c.n is deleted while Pod/p.n is still there'],
      },
    },
    holds: {
      'no pod is there': {
        setup,
        states: [clusterOf([namespace, content], emptying(CONTENT)), clusterOf([namespace])],
        steps: [empty],
      },
    },
    vacuous: {
      'a pod is removed': {
        setup,
        states: [
          clusterOf([namespace, content, pod], emptying('Pod/n/p')),
          clusterOf([namespace, content]),
        ],
        steps: [empty],
      },
    },
  },
};

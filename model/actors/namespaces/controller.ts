import { phaseOf } from '../../apiserver/namespace.ts';
import type { Rules } from '../../rules/rules.ts';
import type { DeleteOptions } from '../../state/calls.ts';
import type { ApiObject } from '../../state/objects.ts';
import {
  contentFailure,
  contentTotals,
  discoveryFailure,
  isFinalized,
  updateConditions,
} from './conditions.ts';
import { firstType, receiveContent } from './contents.ts';
import type { FailedAnswer, NamespaceAnswer, NamespaceRequest } from './requests.ts';
import type {
  NamespaceResult,
  NamespaceStep,
  NamespaceWorker,
  Pass,
  Unsupported,
} from './worker.ts';

/**
 * The namespace controller: `namespacedResourcesDeleter.Delete` (1.20) as a program that sends one
 * request at a time and receives its answer. It holds no state and knows no server, so its answers
 * can come from the model or from a given list.
 */

/** A new call for this namespace. */
export function beginNamespace(name: string): NamespaceWorker {
  return { at: 'get', name };
}

/** The next request of the worker. */
export function requestOf(rules: Rules, worker: NamespaceWorker): NamespaceRequest {
  if (worker.at === 'get') return { verb: 'get', name: worker.name };
  const { name } = worker.namespace;
  switch (worker.at) {
    case 'getAfterConflict':
      return { verb: 'get', name };
    case 'updatePhase': {
      const { conditions = [] } = worker.namespace;
      return { verb: 'updateStatus', name, phase: 'Terminating', conditions };
    }
    case 'discover':
      return { verb: 'discover' };
    case 'estimate':
      return { verb: 'listPods', namespace: name };
    case 'updateConditions': {
      const { conditions } = conditionsAfter(worker.namespace, worker.pass);
      return { verb: 'updateStatus', name, phase: phaseOf(worker.namespace), conditions };
    }
    case 'finalize':
      return { verb: 'finalize', name };
    case 'deleteNamespace':
      return { verb: 'deleteNamespace', name, uid: worker.namespace.uid };
    case 'deleteCollection':
    case 'listEach':
    case 'listRemaining':
    case 'deleteEach': {
      const [type] = worker.pass.types;
      if (type === undefined) throw new Error('no type is being emptied');
      if (worker.at === 'deleteCollection') {
        return { verb: 'deleteCollection', type, namespace: name, options: contentOptions(rules) };
      }
      if (worker.at !== 'deleteEach') return { verb: 'list', type, namespace: name };
      const [item] = worker.items;
      if (item === undefined) throw new Error('no item is left to delete');
      return {
        verb: 'delete',
        type,
        namespace: name,
        name: item.name,
        options: contentOptions(rules),
      };
    }
    default:
      throw new Error(`unknown worker ${JSON.stringify(worker satisfies never)}`);
  }
}

function contentOptions(rules: Rules): DeleteOptions {
  switch (rules.namespaceContentPolicy) {
    case 'none':
      return {};
    case 'orphanDependentsFalse':
      return { orphanDependents: false };
    case 'background':
      return { propagationPolicy: 'Background' };
    default:
      throw new Error(`unknown rule value ${rules.namespaceContentPolicy satisfies never}`);
  }
}

/** The worker receives the answer to its request. */
export function receive(
  rules: Rules,
  unsupported: Unsupported,
  worker: NamespaceWorker,
  answer: NamespaceAnswer,
): { readonly step: NamespaceStep; readonly unsupported: Unsupported } {
  switch (worker.at) {
    case 'deleteCollection':
    case 'listEach':
    case 'listRemaining':
    case 'deleteEach':
    case 'estimate': {
      const after = receiveContent(rules, unsupported, worker, answer);
      return { step: afterContent(after.worker), unsupported: after.unsupported };
    }
    case 'discover':
      return { step: discovered(rules, unsupported, worker.namespace, answer), unsupported };
    case 'get':
    case 'getAfterConflict':
    case 'updatePhase':
    case 'updateConditions':
    case 'finalize':
    case 'deleteNamespace':
      return { step: receiveNamespace(rules, worker, answer), unsupported };
    default:
      throw new Error(`unknown worker ${JSON.stringify(worker satisfies never)}`);
  }
}

type NamespaceReply = Extract<
  NamespaceWorker,
  {
    at:
      | 'get'
      | 'getAfterConflict'
      | 'updatePhase'
      | 'updateConditions'
      | 'finalize'
      | 'deleteNamespace';
  }
>;

function receiveNamespace(
  rules: Rules,
  worker: NamespaceReply,
  answer: NamespaceAnswer,
): NamespaceStep {
  switch (worker.at) {
    case 'get':
      return answer.kind === 'namespace' ? begun(rules, answer.namespace) : given(answer);
    case 'getAfterConflict': {
      if (answer.kind !== 'namespace') return given(answer);
      if (answer.namespace.uid !== worker.namespace.uid) {
        return ended({ outcome: 'error', message: 'namespace uid has changed across retries' });
      }
      if (worker.retry === 'updatePhase') return begun(rules, answer.namespace);
      return { done: false, worker: { at: 'finalize', namespace: answer.namespace } };
    }
    case 'updatePhase':
      if (answer.kind === 'namespace') return phaseIsRight(rules, answer.namespace);
      return retried(worker.namespace, 'updatePhase', answer);
    case 'updateConditions':
      // An error is only logged, and the worker's copy keeps its resourceVersion.
      return passed({ ...worker.namespace, ...conditionsOf(worker) }, worker.pass);
    case 'finalize':
      if (answer.kind === 'namespace') return finalized(rules, answer.namespace);
      if (answer.kind === 'done') return ended({ outcome: 'done' });
      return retried(worker.namespace, 'finalize', answer);
    case 'deleteNamespace':
      return answer.kind === 'failed' ? given(answer) : ended({ outcome: 'done' });
    default:
      throw new Error(`unknown worker ${JSON.stringify(worker satisfies never)}`);
  }
}

function ended(result: NamespaceResult): NamespaceStep {
  return { done: true, result };
}

/** If the namespace is gone, the controller has reached its goal. */
function given(answer: NamespaceAnswer): NamespaceStep {
  const failure = failureOf(answer);
  if (failure.reason === 'NotFound') return ended({ outcome: 'done' });
  return ended({ outcome: 'error', message: failure.message });
}

function failureOf(answer: NamespaceAnswer): FailedAnswer {
  if (answer.kind !== 'failed') throw new Error(`an answer of the wrong kind: ${answer.kind}`);
  return answer;
}

/** Mirrors `retryOnConflictError` (1.20). */
function retried(
  namespace: ApiObject,
  retry: 'updatePhase' | 'finalize',
  answer: NamespaceAnswer,
): NamespaceStep {
  if (failureOf(answer).reason !== 'Conflict') return given(answer);
  return { done: false, worker: { at: 'getAfterConflict', namespace, retry } };
}

/** Mirrors the start of `Delete` and `updateNamespaceStatusFunc` (1.20). */
function begun(rules: Rules, namespace: ApiObject): NamespaceStep {
  if (namespace.deletionTimestamp === null) return ended({ outcome: 'done' });
  if (phaseOf(namespace) === 'Terminating') return phaseIsRight(rules, namespace);
  return { done: false, worker: { at: 'updatePhase', namespace } };
}

function phaseIsRight(rules: Rules, namespace: ApiObject): NamespaceStep {
  if (namespace.deletionTimestamp === null) return ended({ outcome: 'done' });
  if (isFinalized(namespace)) return finalized(rules, namespace);
  return { done: false, worker: { at: 'discover', namespace } };
}

/**
 * Mirrors `deleteNamespaceWhenDone` (until 1.14): the update that finalizes the namespace does not
 * remove it.
 */
function finalized(rules: Rules, namespace: ApiObject): NamespaceStep {
  if (rules.finalizedNamespace === 'removedByUpdate' || !isFinalized(namespace)) {
    return ended({ outcome: 'done' });
  }
  return { done: false, worker: { at: 'deleteNamespace', namespace } };
}

/**
 * Mirrors the start of `deleteAllContent` (1.20): if discovery fails in part, the controller
 * empties the rest.
 */
function discovered(
  rules: Rules,
  unsupported: Unsupported,
  namespace: ApiObject,
  answer: NamespaceAnswer,
): NamespaceStep {
  const failed = answer.kind === 'failed';
  if (!failed && answer.kind !== 'types')
    throw new Error(`not an answer of discovery: ${answer.kind}`);
  const types = failed ? [] : answer.types;
  const pass: Pass = {
    types: types.filter(({ verbs }) => verbs === undefined || verbs.includes('delete')),
    estimate: 0,
    typeEstimate: 0,
    discoveryError: failed ? answer.message : answer.error,
    contentErrors: [],
    remaining: [],
    finalizersRemaining: {},
  };
  return afterContent(firstType(rules, unsupported, namespace, pass));
}

/** After all types, the controller writes the conditions if they have changed. */
function afterContent(worker: NamespaceWorker): NamespaceStep {
  if (worker.at !== 'updateConditions') return { done: false, worker };
  if (conditionsAfter(worker.namespace, worker.pass).changed) return { done: false, worker };
  return passed(worker.namespace, worker.pass);
}

/**
 * Since 1.33 (`deleteAllContent` with ordered deletion) a pass that ends because pods are left
 * writes the conditions without the totals, so they say that nothing is left.
 */
function conditionsAfter(namespace: ApiObject, pass: Pass) {
  const failure = contentFailure(pass.contentErrors);
  return updateConditions(namespace.conditions ?? [], [
    ...(pass.discoveryError === null ? [] : [discoveryFailure(pass.discoveryError)]),
    ...(pass.totalsLeftOut === true ? [] : contentTotals(pass.remaining, pass.finalizersRemaining)),
    ...(failure === null ? [] : [failure]),
  ]);
}

function conditionsOf(worker: { readonly namespace: ApiObject; readonly pass: Pass }) {
  return { conditions: conditionsAfter(worker.namespace, worker.pass).conditions };
}

/** The end of `deleteAllContent` and the rest of `Delete` (1.20). */
function passed(namespace: ApiObject, pass: Pass): NamespaceStep {
  const errors = [
    ...(pass.discoveryError === null ? [] : [pass.discoveryError]),
    ...pass.contentErrors,
  ];
  if (errors.length > 0) {
    const message = errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`;
    return ended({ outcome: 'error', message });
  }
  if (pass.estimate > 0) return ended({ outcome: 'remaining', estimate: pass.estimate });
  return { done: false, worker: { at: 'finalize', namespace } };
}

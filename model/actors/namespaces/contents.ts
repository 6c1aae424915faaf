import type { Rules } from '../../rules/rules.ts';
import type { ApiObject } from '../../state/objects.ts';
import type { ContentType, NamespaceAnswer } from './requests.ts';
import type { NamespaceWorker, Pass, Unsupported } from './worker.ts';

/** Emptying one type of contents: `deleteAllContentForGroupVersionResource` (1.20). */

/**
 * Seconds after which the controller checks finalizers of contents again
 * (`finalizerEstimateSeconds`).
 */
const FINALIZER_ESTIMATE = 15;

type ContentWorker = Extract<
  NamespaceWorker,
  { at: 'estimate' | 'deleteCollection' | 'listEach' | 'deleteEach' | 'listRemaining' }
>;

interface Received {
  readonly worker: NamespaceWorker;
  readonly unsupported: Unsupported;
}

type Operation = 'deletecollection' | 'list';

function operationKey(operation: Operation, type: ContentType): string {
  return `${operation} ${type.group}/${type.version} ${type.resource}`;
}

function isSupported(unsupported: Unsupported, operation: Operation, type: ContentType): boolean {
  if (type.verbs !== undefined && !type.verbs.includes(operation)) return false;
  return !unsupported.operations.includes(operationKey(operation, type));
}

function isPods(type: ContentType): boolean {
  return type.group === '' && type.resource === 'pods';
}

/** The worker at the first type of a pass. */
export function firstType(
  rules: Rules,
  unsupported: Unsupported,
  namespace: ApiObject,
  pass: Pass,
): NamespaceWorker {
  return skipUnlistable(rules, {
    worker: nextType(rules, unsupported, namespace, pass),
    unsupported,
  }).worker;
}

/**
 * The worker at the next type that is left, or past all of them. Kubernetes walks a map, so the
 * order of types is arbitrary. Here it is the order of the list from discovery.
 */
function nextType(
  rules: Rules,
  unsupported: Unsupported,
  namespace: ApiObject,
  found: Pass,
): NamespaceWorker {
  const pass = rules.namespaceContentOrder === 'podsFirst' ? podsFirst(rules, found) : found;
  const [type] = pass.types;
  if (type === undefined) return { at: 'updateConditions', namespace, pass };
  if (isPods(type)) return { at: 'estimate', namespace, pass };
  return beginDeletion(unsupported, namespace, { ...pass, typeEstimate: 0 }, type);
}

/**
 * Mirrors the ordered deletion of KEP-5080 (1.33): the controller deletes nothing else while pods
 * are left.
 */
function podsFirst(rules: Rules, pass: Pass): Pass {
  if (pass.remaining.some(({ group, resource }) => group === '' && resource === 'pods')) {
    const silent = rules.namespaceTotals === 'notWhilePodsRemain';
    return { ...pass, types: [], ...(silent ? { totalsLeftOut: true as const } : {}) };
  }
  const pods = pass.types.filter(isPods);
  return { ...pass, types: [...pods, ...pass.types.filter((type) => !isPods(type))] };
}

function beginDeletion(
  unsupported: Unsupported,
  namespace: ApiObject,
  pass: Pass,
  type: ContentType,
): NamespaceWorker {
  if (isSupported(unsupported, 'deletecollection', type)) {
    return { at: 'deleteCollection', namespace, pass };
  }
  return listInstead(unsupported, namespace, pass, type);
}

function listInstead(
  unsupported: Unsupported,
  namespace: ApiObject,
  pass: Pass,
  type: ContentType,
): NamespaceWorker {
  return isSupported(unsupported, 'list', type)
    ? { at: 'listEach', namespace, pass }
    : { at: 'listRemaining', namespace, pass };
}

/** The worker receives the answer to a request for contents. */
export function receiveContent(
  rules: Rules,
  unsupported: Unsupported,
  worker: ContentWorker,
  answer: NamespaceAnswer,
): Received {
  const { namespace, pass } = worker;
  const [type] = pass.types;
  if (type === undefined) throw new Error('no type is being emptied');
  const refused = answer.kind === 'failed' && isUnsupportedAnswer(answer.reason);
  const on = (next: NamespaceWorker, memory = unsupported): Received =>
    skipUnlistable(rules, { worker: next, unsupported: memory });
  if (answer.kind === 'failed' && (!refused || worker.at === 'estimate')) {
    return on(failedType(rules, unsupported, worker, answer.message));
  }
  switch (worker.at) {
    case 'estimate': {
      const typeEstimate = Math.max(0, ...itemsOf(answer).map((item) => item.graceSeconds ?? 0));
      return on(beginDeletion(unsupported, namespace, { ...pass, typeEstimate }, type));
    }
    case 'deleteCollection': {
      if (!refused) return on({ at: 'listRemaining', namespace, pass });
      const memory = remembered(rules, unsupported, 'deletecollection', type);
      return on(listInstead(memory, namespace, pass, type), memory);
    }
    case 'listEach': {
      if (!refused) return on(afterItem(worker, itemsOf(answer)));
      const memory = remembered(rules, unsupported, 'list', type);
      return on({ at: 'listRemaining', namespace, pass }, memory);
    }
    case 'deleteEach':
      return on(afterItem(worker, worker.items.slice(1)));
    case 'listRemaining': {
      if (!refused) return on(listedType(rules, unsupported, worker, itemsOf(answer)));
      const memory = remembered(rules, unsupported, 'list', type);
      return on(unlistedType(rules, memory, worker), memory);
    }
    default:
      throw new Error(`unknown worker ${JSON.stringify(worker satisfies never)}`);
  }
}

/** Skips a type that cannot be listed, without sending a request. */
function skipUnlistable(rules: Rules, received: Received): Received {
  const { worker, unsupported } = received;
  if (worker.at !== 'listRemaining') return received;
  const [type] = worker.pass.types;
  if (type === undefined || isSupported(unsupported, 'list', type)) return received;
  return skipUnlistable(rules, { worker: unlistedType(rules, unsupported, worker), unsupported });
}

/** 404 and 405 mean that the type does not support this operation. */
function isUnsupportedAnswer(reason: string): boolean {
  return reason === 'NotFound' || reason === 'MethodNotAllowed';
}

/**
 * Until 1.18 the controller remembered such an answer from one namespace for all
 * (kubernetes/kubernetes#93790).
 */
function remembered(
  rules: Rules,
  unsupported: Unsupported,
  operation: Operation,
  type: ContentType,
): Unsupported {
  if (rules.namespaceContentNotFound === 'thisPassOnly') return unsupported;
  return { operations: [...unsupported.operations, operationKey(operation, type)] };
}

type Listed = Extract<NamespaceAnswer, { kind: 'items' }>['items'];

function itemsOf(answer: NamespaceAnswer): Listed {
  if (answer.kind !== 'items') throw new Error(`not a list: ${answer.kind}`);
  return answer.items;
}

/** Mirrors `deleteEachItem` (1.20). */
function afterItem(worker: ContentWorker, items: Listed): NamespaceWorker {
  const { namespace, pass } = worker;
  if (items.length === 0) return { at: 'listRemaining', namespace, pass };
  return { at: 'deleteEach', namespace, pass, items };
}

function failedType(
  rules: Rules,
  unsupported: Unsupported,
  worker: ContentWorker,
  message: string,
): NamespaceWorker {
  const { namespace, pass } = worker;
  return nextType(rules, unsupported, namespace, {
    ...pass,
    types: pass.types.slice(1),
    contentErrors: [...pass.contentErrors, message],
    // A failed estimate is ignored.
    estimate: Math.max(pass.estimate, worker.at === 'estimate' ? 0 : pass.typeEstimate),
  });
}

/**
 * A type that cannot be listed counts as empty. Pods that were seen before still take their time.
 */
function unlistedType(
  rules: Rules,
  unsupported: Unsupported,
  { namespace, pass }: ContentWorker,
): NamespaceWorker {
  return nextType(rules, unsupported, namespace, {
    ...pass,
    types: pass.types.slice(1),
    estimate: Math.max(pass.estimate, pass.typeEstimate),
  });
}

/**
 * What is left decides the result: nothing is left; something is left that still has time or that
 * finalizers hold; or something is left that should have gone, which is an error. Kubernetes treats
 * an expired estimate as 0. The clock of a model does not move, but in both cases the controller
 * tries the namespace again.
 */
function listedType(
  rules: Rules,
  unsupported: Unsupported,
  worker: ContentWorker,
  items: Listed,
): NamespaceWorker {
  const { namespace, pass } = worker;
  const [type, ...types] = pass.types;
  if (type === undefined) throw new Error('no type is being emptied');
  if (items.length === 0) return nextType(rules, unsupported, namespace, { ...pass, types });
  const held = { ...pass.finalizersRemaining };
  for (const finalizer of items.flatMap((item) => item.finalizers)) {
    held[finalizer] = (held[finalizer] ?? 0) + 1;
  }
  const finalizers =
    rules.namespaceContentFinalizers === 'waited' &&
    items.some((item) => item.finalizers.length > 0);
  const estimate = pass.typeEstimate > 0 ? pass.typeEstimate : finalizers ? FINALIZER_ESTIMATE : 0;
  const { group, resource } = type;
  const unexpected = `unexpected items still remain in namespace: ${namespace.name} for gvr: ${group}/${type.version}, Resource=${resource}`;
  return nextType(rules, unsupported, namespace, {
    ...pass,
    types,
    estimate: Math.max(pass.estimate, estimate),
    contentErrors: estimate > 0 ? pass.contentErrors : [...pass.contentErrors, unexpected],
    remaining: [...pass.remaining, { group, resource, count: items.length }],
    finalizersRemaining: held,
  });
}

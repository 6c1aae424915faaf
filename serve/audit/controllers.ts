import {
  type Answer,
  type ApiServer,
  actingCall,
  type Call,
  type Cluster,
  type ClusterDraft,
  collectorActions,
  continuedCall,
  identityOfNode,
  kindOf,
  modelApiServer,
  type ObjectKey,
  type OpenStep,
  type Progress,
  type Setup,
  splitKey,
  type World,
} from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import type { View } from '../cluster/views.ts';
import { bodyOfCall } from './bodies.ts';
import type { AuditedRequest, AuditLog } from './events.ts';

/** What the log needs to know of the cluster, before and after a step. */
export interface Seen {
  /** Runs a reducer on a draft of this state, which is thrown away. */
  readonly tryOut: (reduce: (draft: ClusterDraft) => void) => void;
  readonly setup: Setup;
  readonly world: World;
  readonly state: Cluster;
  readonly viewAt: (key: ObjectKey) => View | null;
}

const COLLECTOR = 'generic-garbage-collector';

/**
 * The requests of the controllers, in the log. The model does not send them over HTTP: a step is a
 * step of the API server on a request, and the log shows the request when it is answered.
 */
export class ControllerAudit {
  readonly #log: AuditLog;
  /** Requests in flight, by client and key. */
  readonly #open = new Map<string, AuditedRequest>();
  /** The resourceVersion that each worker has read last. */
  readonly #read = new Map<string, string>();
  #gets: ObjectKey[] | null = null;

  constructor(log: AuditLog) {
    this.#log = log;
  }

  /** The API server as the collector sees it: notes the GETs of a step. */
  readonly api: ApiServer = {
    get: (cluster, world, key) => {
      this.#gets?.push(key);
      return modelApiServer.get(cluster, world, key);
    },
    advance: (cluster, world, call) => modelApiServer.advance(cluster, world, call),
  };

  /**
   * Logs what the step asks of the API server.
   *
   * @param before its views may be asked for after the step as well.
   * @param take takes the step. @returns what `take` returns.
   */
  around(step: OpenStep, before: Seen, take: () => boolean, see: () => Seen): boolean {
    const call = actingCall(before.setup, before.state, step);
    const progress = call === null ? null : advanced(before, call);
    const received = this.#log.now();
    this.#gets = [];
    const taken = take();
    const gets = this.#gets;
    this.#gets = null;
    if (!taken) return false;
    const after = see();
    for (const key of gets) this.#logGet(step, before, key, received);
    // The log has also what the API server does inside itself, without which it is not explained.
    if (call !== null && progress !== null) {
      this.#logCall(step, call, progress, before, after, received);
    }
    this.#noteReads(before, after, call);
    return true;
  }

  /** The versions that clients hold: what they have read, or the answer to their own write. */
  #noteReads(before: Seen, after: Seen, call: Call | null): void {
    for (const [client, key] of Object.entries(after.state.unchangedSince)) {
      const isNew = before.state.unchangedSince[client] !== key || call?.client === client;
      const view = isNew ? after.viewAt(key) : null;
      if (view !== null) this.#read.set(client, String(view.metadata.resourceVersion));
    }
  }

  #logGet(step: OpenStep, { world, viewAt, state }: Seen, key: ObjectKey, received: number): void {
    const view = viewAt(key);
    const worker = String(step.parameters.worker);
    const busy = state.deleteWorkers[worker] ?? state.orphanWorkers[worker];
    const item = busy === undefined ? null : identityOfNode(busy.node).uid;
    // What a worker demands later is the version of its item, not that of an owner.
    if (view !== null && view.metadata.uid === item) {
      this.#read.set(worker, String(view.metadata.resourceVersion));
    }
    const kind = world.kinds[kindOf(key)];
    const name = splitKey(key)[2];
    const answer =
      view === null || kind === undefined
        ? { code: 404, message: `${kind?.resource ?? ''} "${name}" not found`, body: notFound() }
        : { code: 200, body: withTypeOf(world, key, view) };
    const request = this.#requestOf(step, world, { verb: 'get', key, subresource: '' }, received);
    this.#log.add(request, { ...answer, completed: this.#log.now() });
  }

  #logCall(
    step: OpenStep,
    call: Call,
    progress: Progress,
    before: Seen,
    after: Seen,
    received: number,
  ): void {
    const key =
      call.verb === 'create' ? createdKey(call) : call.verb === 'deleteCollection' ? '' : call.key;
    const flight = `${call.client} ${call.verb} ${key}`;
    const view = key === '' ? null : before.viewAt(key);
    const request = this.#open.get(flight) ?? this.#begun(step, call, key, before, view, received);
    if (!progress.done && continuedCall(after.state, step) !== null) {
      this.#open.set(flight, request);
      return;
    }
    this.#open.delete(flight);
    if (!progress.done) return;
    this.#log.add(request, {
      ...answerOf(progress.answer, before, after, key),
      completed: this.#log.now(),
    });
  }

  #begun(
    step: OpenStep,
    call: Call,
    key: ObjectKey,
    { world }: Seen,
    view: View | null,
    received: number,
  ): AuditedRequest {
    const { worker } = step.parameters;
    const read = this.#read.get(call.client) ?? this.#read.get(String(worker)) ?? null;
    const sent = bodyOfCall(world, call, view, read);
    const place = call.verb === 'deleteCollection' ? `${call.kind}/${call.namespace}/` : key;
    const request = this.#requestOf(
      step,
      world,
      { verb: sent.verb, key: place, subresource: sent.subresource },
      received,
    );
    return { ...request, body: sent.body };
  }

  #requestOf(
    step: OpenStep,
    world: World,
    { verb, key, subresource }: { verb: string; key: ObjectKey; subresource: string },
    received: number,
  ): AuditedRequest {
    const [, namespace, name] = splitKey(key);
    const kind = world.kinds[kindOf(key)];
    const apiVersion = kind?.apiVersions[0] ?? 'v1';
    const who = actorOf(step, world);
    const root = apiVersion.includes('/') ? '/apis' : '/api';
    const place = namespace === '' ? '' : `/namespaces/${namespace}`;
    const parts = [name, subresource].filter((part) => part !== '').map((part) => `/${part}`);
    return {
      verb,
      uri: `${root}/${apiVersion}${place}/${kind?.resource ?? ''}${parts.join('')}`,
      user: `system:serviceaccount:kube-system:${who}`,
      userAgent: `kube-controller-manager/reapcheck (model)/${who}`,
      object: { apiVersion, resource: kind?.resource ?? '', subresource, namespace, name },
      body: undefined,
      received,
    };
  }
}

/** The result of the step in the API server, found by repeating it. */
function advanced({ world, tryOut }: Seen, call: Call): Progress {
  const seen: Progress[] = [];
  tryOut((draft) => {
    seen.push(modelApiServer.advance(draft, world, call));
  });
  const [progress] = seen;
  if (progress === undefined) throw new Error('the API server did nothing');
  return progress;
}

function actorOf({ name }: OpenStep, world: World): string {
  if (collectorActions(world).includes(name)) return COLLECTOR;
  switch (name) {
    case 'emptyNamespace':
      return 'namespace-controller';
    case 'protectClaim':
      return 'pvc-protection-controller';
    case 'protectVolume':
      return 'pv-protection-controller';
    case 'endGracePeriod':
      return 'kubelet';
    default:
      return `${name}-controller`;
  }
}

function createdKey({ object }: Extract<Call, { verb: 'create' }>): ObjectKey {
  return `${object.kind}/${object.namespace}/${object.name}`;
}

function answerOf(
  answer: Answer,
  before: Seen,
  after: Seen,
  key: ObjectKey,
): { readonly code: number; readonly message?: string; readonly body: Body | null } {
  if ('reason' in answer) {
    return { code: answer.code, message: answer.message, body: notFound() };
  }
  const isShown = answer.object !== null && !answer.deleted;
  const view = after.viewAt(key) ?? before.viewAt(key);
  if (!isShown || view === null) {
    return { code: answer.code, body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } };
  }
  const { finalizers, ownerReferences } = answer.object;
  const metadata = { ...view.metadata, finalizers, ownerReferences };
  return { code: answer.code, body: withTypeOf(after.world, key, { ...view, metadata }) };
}

function notFound(): Body {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure' };
}

function withTypeOf(world: World, key: ObjectKey, view: View): Body {
  const kind = world.kinds[kindOf(key)];
  return { apiVersion: kind?.apiVersions[0] ?? 'v1', kind: kind?.kind ?? '', ...view };
}

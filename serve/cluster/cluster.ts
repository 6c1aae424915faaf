import {
  type Answer,
  type ApiObject,
  applyChange,
  type Call,
  type Candidates,
  type Cluster,
  type ClusterDraft,
  equalJson,
  initialCluster,
  kindOf,
  type ObjectKey,
  type OpenAction,
  type OpenModel,
  type OpenStep,
  openModel,
  proceed,
  type Setup,
  splitKey,
  startControllers,
  stopControllers,
  type UpdateCall,
  type World,
  worldOf,
} from '../../model/index.ts';
import type { ControllerAudit, Seen } from '../audit/controllers.ts';
import {
  type Answered,
  type Asked,
  isDryRun,
  keyOfCall,
  type Refusal,
  versionOf,
} from './asked.ts';
import type { Body } from './body.ts';
import { grown } from './growth.ts';
import type { History } from './history.ts';
import { bodyOfModel } from './model-body.ts';
import type { ClusterObserver } from './observer.ts';
import { Resources } from './resources.ts';
import { changedBy, type ServedState, servedState } from './state.ts';
import { type Stored, StoredObjects } from './stored-objects.ts';
import { type Kept, type View, viewOf } from './views.ts';

interface Pending {
  readonly asked: Asked;
  body: Body | null;
  readonly resolve: (answered: Answered | Refusal) => void;
}

/** `absentOwnerCache` of the collector. */
const ABSENT_OWNERS = 500;

/** The model, as it runs behind the server: the only place that holds and changes its state. */
export class ServedCluster {
  readonly resources: Resources;
  readonly clock: () => number;
  readonly #audit: ControllerAudit | null;
  #setup: Setup;
  #world: World;
  #model: OpenModel;
  #state: ServedState;
  readonly #stored: StoredObjects;
  readonly #pending = new Map<string, Pending>();
  /** What the step in progress has changed, as it was before. Only for the log. */
  readonly #replaced = new Map<ObjectKey, Stored>();
  #requests = 0;
  readonly #observer: ClusterObserver | null;

  /**
   * @param setup an open one. What it says of its objects, its actors do.
   * @param objects that are stored at the start.
   * @param bodies what is kept of them, by key. Absent: nothing.
   * @param clock milliseconds since 1970.
   * @param audit logs the requests of the controllers. Null: nothing is logged.
   * @param observer learns of every step. Null: nobody does.
   */
  constructor(
    setup: Setup,
    objects: readonly ApiObject[],
    bodies: ReadonlyMap<ObjectKey, Body>,
    clock: () => number,
    audit: ControllerAudit | null = null,
    observer: ClusterObserver | null = null,
  ) {
    this.#observer = observer;
    this.clock = clock;
    this.#audit = audit;
    this.#stored = new StoredObjects(clock);
    this.resources = new Resources(setup.kinds);
    this.#setup = setup;
    this.#world = openWorld(setup, this.#audit);
    this.#model = openModel(setup, this.#world);
    const cluster = initialCluster({ ...setup, objects }, this.#world);
    this.#state = servedState(cluster);
    for (const [key, object] of Object.entries(cluster.store)) {
      this.#commit(key, null, object, bodies.get(key) ?? bodyOfModel(object));
    }
  }

  get setup(): Setup {
    return this.#setup;
  }

  get world(): World {
    return this.#world;
  }

  get model(): OpenModel {
    return this.#model;
  }

  get state(): Cluster {
    return this.#state.cluster;
  }

  /** The latest changes. */
  get history(): History {
    return this.#stored.history;
  }

  /** The resourceVersion of the whole store. */
  get revision(): number {
    return this.#stored.revision;
  }

  get(key: ObjectKey): Stored | null {
    return this.#stored.get(key);
  }

  /** The keys of a kind, sorted as in etcd. */
  keys(kind: string, namespace: string): readonly ObjectKey[] {
    const all = [...this.#stored.keys(kind)].sort();
    return namespace === '' ? all : all.filter((key) => splitKey(key)[1] === namespace);
  }

  /** All objects of a kind, as clients get them. */
  viewsOf(kind: string): readonly View[] {
    return [...this.#stored.keys(kind)].flatMap((key) => this.get(key)?.view ?? []);
  }

  isPending(client: string): boolean {
    return this.#pending.has(client);
  }

  hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** The requests of clients from outside that are not answered, the oldest first. */
  pendingCalls(): readonly { readonly client: string; readonly call: Call }[] {
    return [...this.#pending.keys()].flatMap((client) => {
      const call = this.state.calls[client];
      return call === undefined ? [] : [{ client, call }];
    });
  }

  /**
   * Answers a PUT or PATCH without the model, if it changes only what the model does not keep:
   * labels, data, a status. To the model it has not happened.
   *
   * @returns false if it changes more.
   */
  storeBeside(client: string): boolean {
    const pending = this.#pending.get(client);
    const call = this.state.calls[client];
    if (pending?.asked.verb !== 'update' || call?.verb !== 'update') return false;
    const stored = this.get(call.key);
    const update = stored === null ? null : pending.asked.update(stored);
    if (stored === null || update === null || 'refusal' in update) return false;
    const { object } = stored;
    if (!equalJson(applyChange(object, update.call.change), object)) return false;
    const isOther = update.call.uid !== null && update.call.uid !== object.uid;
    if (isOther || (update.version !== '' && !update.asRead)) {
      // A conflict changes nothing.
      this.#serve(client, pending);
      return true;
    }
    this.#end(client);
    if (update.call.dryRun !== true && update.body !== stored.kept.body) {
      this.#commit(call.key, object, object, update.body);
    }
    const answer: Answer = { code: 200, deleted: false, object };
    pending.resolve({ answer, view: this.get(call.key)?.view ?? stored.view });
    return true;
  }

  /** The name of a client that sends one request. @param agent is its program. */
  nextClient(agent = ''): string {
    this.#requests += 1;
    const client = `request ${this.#requests}`;
    this.#observer?.sent(client, agent);
    return client;
  }

  /** Puts a request in flight. The scheduler decides when its steps come. */
  send(asked: Asked): Promise<Answered | Refusal> {
    const { call } = asked;
    return new Promise((resolve) => {
      const body = asked.verb === 'create' ? asked.body : null;
      this.#pending.set(call.client, { asked, body, resolve });
      this.#change((draft) => {
        draft.calls[call.client] = call as ClusterDraft['calls'][string];
        if (asked.verb !== 'delete' || asked.readAt === undefined) return;
        const { key, revision } = asked.readAt;
        if (String(this.get(key)?.kept.revision) === revision) {
          draft.unchangedSince[call.client] = key;
        }
      });
    });
  }

  /** Steps that may be possible now. */
  candidates(): readonly OpenStep[] {
    return this.model.actions.flatMap((action) => [...this.candidatesOf(action)]);
  }

  candidatesOf(action: OpenAction): Candidates<OpenStep> {
    return action.candidates(this.state, {
      stored: (kind, isChosen) => this.#stored.chosen(kind, isChosen),
      queued: (queue) => this.#state.parts.get(queue)?.entries.keys() ?? [],
    });
  }

  /** @returns false if the step is not possible now. */
  take(step: OpenStep): boolean {
    const { client } = step.parameters;
    const pending = typeof client === 'string' ? this.#pending.get(client) : undefined;
    if (step.name === 'serve' && pending !== undefined) {
      this.#serve(String(client), pending);
      return true;
    }
    const take = (): boolean => {
      const taken = this.#change((draft) => this.#model.reduce(draft, step));
      if (taken) this.#observer?.took(step);
      return taken;
    };
    if (this.#audit === null) return take();
    this.#replaced.clear();
    const before = this.#seen((key) => this.#replaced.get(key) ?? this.get(key));
    return this.#audit.around(step, before, take, () => this.#seen((key) => this.get(key)));
  }

  #seen(storedAt: (key: ObjectKey) => Stored | null): Seen {
    const { setup, world, state } = this;
    const served = this.#state;
    const tryOut: Seen['tryOut'] = (reduce) => void changedBy(served, reduce);
    return { setup, world, state, tryOut, viewAt: (key) => storedAt(key)?.view ?? null };
  }

  /** Starts or ends the controller manager. @returns false if it is as wanted already. */
  setControllers(run: boolean): boolean {
    const isChanged = this.#change((draft) => {
      if (run) startControllers(draft, this.#world);
      else stopControllers(draft, this.#world);
    });
    if (isChanged) this.#observer?.switched(run);
    return isChanged;
  }

  /** The state after a step, which is not taken. Null: the step is not possible now. */
  tried(step: OpenStep): Cluster | null {
    const reduce = (draft: ClusterDraft): void => this.#model.reduce(draft, step);
    return changedBy(this.#state, reduce)?.state.cluster ?? null;
  }

  /** The API server does the next step of the request of a client from outside. */
  #serve(client: string, pending: Pending): void {
    let call = this.state.calls[client];
    if (call === undefined) return;
    let asRead: ObjectKey | null = null;
    let version = versionOf(pending.asked);
    if (pending.asked.verb === 'update' && call.verb === 'update' && call.at === 'update') {
      const update = pending.asked.update(this.get(call.key));
      if ('refusal' in update) {
        this.#end(client);
        this.#observer?.refused(client);
        pending.resolve(update);
        return;
      }
      call = { ...update.call, client };
      pending.body = update.body;
      if (update.asRead) asRead = call.key;
      version = update.version;
    }
    const acting = call;
    let answer: Answer | null = null;
    const body = pending.body;
    // An answer after the removal shows the object as it was stored last.
    const last = this.get(keyOfCall(acting))?.kept ?? null;
    this.#change(
      (draft) => {
        if (asRead !== null) draft.unchangedSince[client] = asRead;
        answer = proceed(draft, this.#world, client, acting);
      },
      body === null ? null : { key: keyOfCall(acting), body },
    );
    const given = answer as Answer | null;
    if (given !== null) {
      this.#end(client);
      if (acting.verb === 'update' && !('reason' in given)) this.#touch(acting, body);
    }
    this.#observer?.served(client, acting, version, given);
    if (given === null) return;
    const kept = this.get(keyOfCall(acting))?.kept ?? last;
    pending.resolve({ answer: given, view: this.#viewOf(given, acting, body, kept) });
  }

  /** A write that changes only what the model does not keep moves the resourceVersion too. */
  #touch(call: UpdateCall, body: Body | null): void {
    const stored = this.get(call.key);
    const { change } = call;
    const isMore = change.do === 'setMetadata' && change.other !== 'same';
    if (!isMore || body === null || stored === null || call.dryRun === true) return;
    if (stored.kept.body === body) return;
    this.#commit(call.key, stored.object, stored.object, body);
  }

  #viewOf(answer: Answer, call: Call, body: Body | null, last: Kept | null): View | null {
    if ('reason' in answer || answer.object === null) return null;
    const key = keyOfCall(call);
    const stored = this.get(key);
    if (stored !== null && equalJson(stored.object, answer.object) && !isDryRun(call)) {
      return stored.view;
    }
    const kept = {
      ...(last ?? { revision: this.revision, createdAt: this.clock(), deletingSince: null }),
      body: body ?? last?.body ?? {},
    };
    const kind = this.#setup.kinds[kindOf(key)];
    if (kind === undefined) return null;
    const { deletionTimestamp } = answer.object;
    const since = deletionTimestamp === null ? null : (kept.deletingSince ?? this.clock());
    return viewOf(kind, answer.object, { ...kept, deletingSince: since });
  }

  #end(client: string): void {
    this.#pending.delete(client);
    this.#change((draft) => {
      delete draft.calls[client];
      delete draft.unchangedSince[client];
      delete draft.unearned[client];
      // Only properties of a search read this record.
      if (Object.keys(draft.promisedOrphans).length > 0) draft.promisedOrphans = {};
    });
  }

  /** @returns whether the state has changed. */
  #change(
    reduce: (draft: ClusterDraft) => void,
    written: { readonly key: ObjectKey; readonly body: Body } | null = null,
  ): boolean {
    const before = this.state;
    const changed = changedBy(this.#state, reduce);
    if (changed === null) return false;
    this.#state = changed.state;
    const after = this.state;
    const keys = [...(changed.changes.get('store') ?? [])];
    const olds = new Map(keys.map((key) => [key, before.store[key] ?? null]));
    for (const key of keys) {
      const object = after.store[key] ?? null;
      const made = object === null ? {} : bodyOfModel(object);
      const body = written?.key === key ? written.body : (this.get(key)?.kept.body ?? made);
      this.#commit(key, olds.get(key) ?? null, object, body);
    }
    return true;
  }

  #commit(key: ObjectKey, before: ApiObject | null, after: ApiObject | null, body: Body): void {
    const kind = this.#setup.kinds[kindOf(key)];
    if (kind === undefined) throw new Error(`${key} is stored, but its kind is unknown`);
    const old = this.get(key);
    if (this.#audit !== null && old !== null && !this.#replaced.has(key)) {
      this.#replaced.set(key, old);
    }
    this.#stored.commit(kind, key, before, after, body);
    this.#observer?.committed(key, after, this.revision);
    this.#grow(key);
  }

  /** A namespace or a definition that comes or goes changes what can happen from now on. */
  #grow(key: ObjectKey): void {
    const setup = grown(this.#setup, this.state, this.resources, key, this.get(key)?.view ?? null);
    if (setup === this.#setup) return;
    this.#setup = setup;
    this.#world = openWorld(setup, this.#audit);
    this.#model = openModel(setup, this.#world);
  }
}

function openWorld(setup: Setup, audit: ControllerAudit | null): World {
  return {
    ...worldOf(setup),
    absentOwnerCapacity: ABSENT_OWNERS,
    ...(audit === null ? {} : { api: audit.api }),
  };
}

import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  actingCall,
  type Call,
  type Cluster,
  describer,
  equalJson,
  formatKey,
  keyOf,
  possibleObjects,
  type Setup,
} from '../../model/index.ts';
import { type Body, metadataOf, textIn } from '../cluster/body.ts';
import type { ServedCluster } from '../cluster/cluster.ts';
import { fairSchedule } from './fair.ts';
import type { Progress, Schedule } from './schedule.ts';

/** A run of the search: the steps, and the states around them. */
export interface KnownRun {
  /** The setup in which it was found. */
  readonly setup: Setup;
  /** One more than actions. */
  readonly states: readonly Cluster[];
  readonly actions: readonly ActionInstance[];
  /** The controller whose part a client plays. Absent: the server plays all. */
  readonly played?: string;
}

/** Steps of users that no client can take, and no server for them. */
const NO_CLIENT = ['stopControllers', 'startControllers', 'loseNode', 'serveVersion'];

/**
 * Repeats a run around the requests of the clients. A step of a controller comes when the run says
 * so. Where a user of the run sends a request, the schedule waits until a client sends the same one.
 * It says where a client does something else. From there on, and after the end of the run, the
 * schedule is fair.
 */
export class ReplaySchedule implements Schedule {
  readonly words: string;
  readonly manual = false;
  readonly #cluster: ServedCluster;
  readonly #run: KnownRun;
  readonly #say: (text: string) => void;
  readonly #fair: Schedule;
  /** The clients that stand for the users of the run. */
  readonly #clients = new Map<string, string>();
  readonly #uidsGiven = new Set<string>();
  #at = 0;
  #hasEnded = false;
  #hasLeft = false;
  #saidWaiting = -1;

  /** @param say gets a sentence where the schedule waits, and where it leaves the run. */
  constructor(cluster: ServedCluster, run: KnownRun, say: (text: string) => void) {
    this.#cluster = cluster;
    this.#run = run;
    this.#say = say;
    this.#fair = fairSchedule(cluster);
    this.words = `token: the ${run.actions.length} steps of a run, around the requests of the clients`;
  }

  /** The uid that the run has for the object that a client creates. Null: the run has none. */
  uidFor(kind: string, given: Body): string | null {
    const metadata = metadataOf(given);
    const [name, namespace] = [textIn(metadata, 'name'), textIn(metadata, 'namespace')];
    const found = possibleObjects(this.#run.setup).find(
      (object) =>
        object.kind === kind &&
        object.name === name &&
        object.namespace === namespace &&
        !this.#uidsGiven.has(object.uid) &&
        !this.#run.setup.objects.includes(object),
    );
    if (found === undefined) return null;
    this.#uidsGiven.add(found.uid);
    return found.uid;
  }

  wake(): void {
    while (!this.#hasEnded && this.#next());
    if (this.#hasEnded) this.#fair.wake();
  }

  watch(flush: () => boolean) {
    return this.#fair.watch(flush);
  }

  progress(): Progress {
    const of = this.#run.actions.length;
    const state = this.#hasLeft ? 'left' : this.#hasEnded ? 'complete' : 'waits';
    return { state, step: this.#at + 1, of };
  }

  stop(): void {
    this.#hasEnded = true;
    this.#fair.stop();
  }

  /** @returns false if the schedule has to wait. */
  #next(): boolean {
    const action = this.#run.actions[this.#at];
    const before = this.#run.states[this.#at];
    const after = this.#run.states[this.#at + 1];
    if (action === undefined || before === undefined || after === undefined) {
      this.#end('the run is complete');
      return false;
    }
    if (action.name === 'request') return this.#request(action, before, after);
    if (this.#isPlayed(action)) return this.#play(action, before, after);
    const client = this.#clients.get(String(action.parameters.client));
    const isOfClient = action.name === 'serve' && client !== undefined;
    const parameters = isOfClient ? { client } : action.parameters;
    if (isOfClient && !this.#cluster.isPending(client)) {
      return this.#leave('the request of the client is answered already');
    }
    if (!this.#cluster.take({ name: action.name, parameters, fairness: 'none' })) {
      return this.#leave('this step is not possible here');
    }
    return this.#arrived(after);
  }

  /** A user of the run sends a request: so must a client. */
  #request(action: ActionInstance, before: Cluster, after: Cluster): boolean {
    const user = String(action.parameters.user);
    const request = this.#run.setup.users[user]?.[before.users[user] ?? 0]?.request;
    if (request !== undefined && NO_CLIENT.includes(request.do)) {
      return this.#leave('no client can do this');
    }
    const wanted = actingCall(this.#run.setup, before, action);
    // The user reads or waits, which a client does by itself.
    if (wanted === null) {
      this.#at += 1;
      return true;
    }
    return this.#await(user, wanted, after);
  }

  /** A step of the controller that a client plays, or of a cache of that controller. */
  #isPlayed({ parameters: { controller, informer } }: ActionInstance): boolean {
    const { played } = this.#run;
    if (played === undefined) return false;
    return controller === played || String(informer).startsWith(`${played}: `);
  }

  /** What the controller reads and decides is up to the client. What it sends must be the same. */
  #play(action: ActionInstance, before: Cluster, after: Cluster): boolean {
    if (action.name === 'restartController') return this.#leave('no client restarts by itself');
    const wanted = actingCall(this.#run.setup, before, action);
    const isSent = wanted !== null && before.calls[wanted.client] === undefined;
    if (isSent) return this.#await(wanted.client, wanted, after);
    this.#at += 1;
    return true;
  }

  /** A client must send this request. @param who sends it in the run. */
  #await(who: string, wanted: Call, after: Cluster): boolean {
    const bound = new Set(this.#clients.values());
    const waiting = this.#cluster.pendingCalls().filter(({ client }) => !bound.has(client));
    const found = waiting.find(({ call }) => isSame(call, wanted));
    if (found === undefined) {
      const [other] = waiting;
      if (other !== undefined) return this.#leave(`a client sends ${wordsOf(other.call)}`);
      if (this.#saidWaiting !== this.#at) this.#say(`waits at ${this.#place()}`);
      this.#saidWaiting = this.#at;
      return false;
    }
    const { client } = found;
    this.#clients.set(who, client);
    this.#cluster.take({ name: 'serve', parameters: { client }, fairness: 'weak' });
    return this.#arrived(after);
  }

  /** The objects of the run must be as they are in the run. */
  #arrived(after: Cluster): boolean {
    const { store } = this.#cluster.state;
    const keys = new Set(possibleObjects(this.#run.setup).map(keyOf));
    const different = [...keys].find((key) => !isAsIn(store[key], after.store[key]));
    if (different !== undefined) return this.#leave(`${formatKey(different)} is not as in the run`);
    this.#at += 1;
    return true;
  }

  #leave(why: string): false {
    this.#hasLeft = true;
    this.#end(`left at ${this.#place()}: ${why}`);
    return false;
  }

  #end(text: string): void {
    this.#hasEnded = true;
    this.#say(`${text}; from here on the schedule is fair`);
  }

  #place(): string {
    const { setup, states, actions } = this.#run;
    const [action, before, after] = [actions[this.#at], states[this.#at], states[this.#at + 1]];
    if (action === undefined || before === undefined || after === undefined) return 'the end';
    const words = describer(setup).action(action, before, after);
    return `step ${this.#at + 1} of ${actions.length}, "${words}"`;
  }
}

/** The name of the node of a pod makes no difference where the run has no nodes. */
function isAsIn(object: ApiObject | undefined, known: ApiObject | undefined): boolean {
  if (object?.pod === undefined || known?.pod === undefined || known.pod.node !== undefined) {
    return equalJson(object ?? null, known ?? null);
  }
  const { node: _, ...pod } = object.pod;
  return equalJson({ ...object, pod }, known);
}

/** Whether a client sends what the user of the run sends. What an update changes shows afterwards. */
function isSame(call: Call, wanted: Call): boolean {
  switch (call.verb) {
    case 'create': {
      if (wanted.verb !== 'create') return false;
      const { object } = call;
      return (
        keyOf(object) === keyOf(wanted.object) &&
        equalJson(object.finalizers, wanted.object.finalizers) &&
        equalJson(object.ownerReferences, wanted.object.ownerReferences)
      );
    }
    case 'delete':
      return (
        wanted.verb === 'delete' &&
        call.key === wanted.key &&
        equalJson(call.options, wanted.options)
      );
    case 'deleteCollection':
      return (
        wanted.verb === 'deleteCollection' &&
        call.kind === wanted.kind &&
        call.namespace === wanted.namespace &&
        equalJson(call.options, wanted.options)
      );
    case 'update':
      return wanted.verb === 'update' && call.key === wanted.key;
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

function wordsOf(call: Call): string {
  switch (call.verb) {
    case 'create':
      return `POST ${formatKey(keyOf(call.object))}`;
    case 'deleteCollection':
      return `DELETE of all ${call.kind}`;
    case 'delete':
      return `DELETE ${formatKey(call.key)} ${JSON.stringify(call.options)}`;
    case 'update':
      return `${call.put ? 'PUT' : 'PATCH'} ${formatKey(call.key)}`;
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

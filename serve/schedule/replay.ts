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
  type LiveRead,
  possibleObjects,
} from '../../model/index.ts';
import { type Body, metadataOf, textIn } from '../cluster/body.ts';
import type { ServedCluster } from '../cluster/cluster.ts';
import { fairSchedule } from './fair.ts';
import { HeldAnswers } from './held-answers.ts';
import { HeldEvents } from './held-events.ts';
import { HeldReads, wordsOfRead } from './held-reads.ts';
import {
  isAlike,
  isOfPlayed,
  isSame,
  isTouch,
  type KnownRun,
  type SentCall,
  sentCalls,
  wordsOf,
} from './run-calls.ts';
import type { PlayedOperator, Progress, Schedule, WatchStream } from './schedule.ts';

/** Steps of users that no client can take, and no server for them. */
const NO_CLIENT = ['stopControllers', 'startControllers', 'loseNode', 'serveVersion'];

/**
 * Repeats a run around the requests of the clients. A step of a controller comes when the run says
 * so. Where a user of the run sends a request, the schedule waits until a client sends the same
 * one. It says where a client does something else. From there on, and after the end of the run, the
 * schedule is fair.
 */
export class ReplaySchedule implements Schedule {
  readonly words: string;
  readonly manual = false;
  readonly operator?: PlayedOperator;
  readonly #cluster: ServedCluster;
  readonly #run: KnownRun;
  readonly #say: (text: string) => void;
  readonly #fair: Schedule;
  /** The clients that stand for the users of the run. */
  readonly #clients = new Map<string, string>();
  readonly #uidsGiven = new Set<string>();
  /** The requests of the operator that are not answered. */
  readonly #ofOperator = new Set<string>();
  /** What the operator does not see yet. Null: no client plays a controller. */
  readonly #held: HeldEvents | null;
  readonly #answers: HeldAnswers;
  readonly #reads: HeldReads;
  readonly #sent: readonly SentCall[];
  #at = 0;
  #hasEnded = false;
  #hasLeft = false;
  #saidWaiting = -1;
  /** Ends the wait for the operator at this step. */
  #timer: NodeJS.Timeout | null = null;
  #isStarted = false;
  /** The step at which the operator has not read what the controller of the run reads. */
  #unread = -1;

  /** @param say gets a sentence where the schedule waits, and where it leaves the run. */
  constructor(cluster: ServedCluster, run: KnownRun, say: (text: string) => void) {
    this.#cluster = cluster;
    this.#run = run;
    this.#say = say;
    this.#fair = fairSchedule(cluster);
    this.#sent = sentCalls(run);
    this.#held = run.played === undefined ? null : new HeldEvents(run);
    this.#answers = new HeldAnswers(run.played?.patience ?? 0);
    this.#reads = new HeldReads(run);
    if (this.#held !== null) {
      cluster.history.listen((change) => this.#held?.note(change));
      this.operator = {
        sends: (client) => void this.#ofOperator.add(client),
        answers: (client) => this.#answer(client),
        reads: (read) => this.#read(read),
      };
    }
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
    this.#held?.release();
    if (this.#hasEnded) this.#fair.wake();
  }

  watch(stream: WatchStream) {
    const held = this.#held;
    if (held === null || !stream.isOfOperator) return this.#fair.watch(stream);
    held.add(stream);
    // The run may have waited for it.
    setImmediate(() => this.wake());
    return {
      // Within the run, what a watch may send is known after the step.
      notify: () => {
        if (this.#hasEnded) held.release();
      },
      end: () => held.remove(stream),
    };
  }

  async #answer(client: string): Promise<void> {
    this.#ofOperator.delete(client);
    const held = this.#answers.hold();
    // What the run waits for may be the operator itself.
    if (this.#hasEnded || this.#timer !== null) this.#answers.release();
    await held;
  }

  async #read(read: LiveRead): Promise<void> {
    if (this.#hasEnded || !this.#isStarted) return;
    const held = this.#reads.hold(read, this.#at);
    // The run may have waited for it.
    setImmediate(() => this.wake());
    await held;
  }

  progress(): Progress {
    const of = this.#run.actions.length;
    const state = this.#hasLeft ? 'left' : this.#hasEnded ? 'complete' : 'waits';
    return { state, step: this.#at + 1, of };
  }

  stop(): void {
    this.#hasEnded = true;
    this.#forgetWait();
    this.#reads.end();
    this.#answers.release();
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
    if (!this.#operatorWatches()) return false;
    this.#serveBeside();
    if (action.name === 'request') return this.#request(action, before, after);
    if (isOfPlayed(this.#run, action)) return this.#play(action, before, after);
    const client = this.#clients.get(String(action.parameters.client));
    const isOfClient = action.name === 'serve' && client !== undefined;
    const parameters = isOfClient ? { client } : action.parameters;
    if (isOfClient && !this.#cluster.isPending(client)) {
      return this.#leave('the request of the client is answered already');
    }
    this.#held?.begin();
    if (!this.#cluster.take({ name: action.name, parameters, fairness: 'none' })) {
      return this.#leave('this step is not possible here');
    }
    return this.#arrived(before, after);
  }

  /** The run begins when the operator watches what it must not see at once. */
  #operatorWatches(): boolean {
    if (this.#held === null || this.#isStarted) return true;
    const missing = this.#held.notWatched(this.#run);
    if (missing.length > 0) {
      this.#waitForOperator(`a watch of ${missing.join(' and ')}`, () => {
        this.#isStarted = true;
        this.#say(`there is no watch of ${missing.join(' and ')}: nothing there can be late`);
      });
      return false;
    }
    this.#isStarted = true;
    this.#forgetWait();
    return true;
  }

  /**
   * Writes that the run does not have and its model does not see, such as those of a status, are
   * answered at once.
   */
  #serveBeside(): void {
    for (const waiting of this.#waiting()) {
      const isOfRun = this.#sent.some(
        (sent) => sent.at >= this.#at && isTouch(this.#run, sent) && this.#isRequest(waiting, sent),
      );
      if (!isOfRun) this.#cluster.storeBeside(waiting.client);
    }
  }

  /** The requests that are not of the run yet. */
  #waiting() {
    const bound = new Set(this.#clients.values());
    return this.#cluster.pendingCalls().filter(({ client }) => !bound.has(client));
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
      this.#pass(before, after);
      return true;
    }
    return this.#await(user, wanted, before, after);
  }

  /**
   * What the controller reads and decides is up to the client. What it sends must be the same. A
   * decision waits for the request that follows it: what happens in the run between the two, the
   * operator must not know when it decides.
   */
  #play(action: ActionInstance, before: Cluster, after: Cluster): boolean {
    if (action.name === 'restartController') return this.#leave('no client restarts by itself');
    const { setup } = this.#run;
    const wanted = actingCall(setup, before, action);
    const isSent = wanted !== null && before.calls[wanted.client] === undefined;
    if (isSent) return this.#await(wanted.client, wanted, before, after);
    const next = 'controller' in action.parameters ? actingCall(setup, after, action) : null;
    const isDecided = next !== null && after.calls[next.client] === undefined;
    if (this.#reads.answer(this.#at)) {
      // The answers show the state before the step.
      setImmediate(() => this.wake());
      return false;
    }
    const unread = this.#reads.unread(this.#at);
    if (isDecided && this.#found(next.client, next) === null) {
      return this.#waitFor(next.client, next);
    }
    if (!isDecided && unread !== null && this.#unread !== this.#at && !this.#hasSent()) {
      this.#waitForOperator(wordsOfRead(unread), () => {
        this.#unread = this.#at;
      });
      return false;
    }
    this.#pass(before, after);
    return true;
  }

  /** Whether the operator has sent its next request of the run, and so reads no more before it. */
  #hasSent(): boolean {
    const next = this.#sent.find(
      ({ at, who }) => at >= this.#at && who === this.#run.played?.controller,
    );
    return next !== undefined && this.#found(next.who, next.call) !== null;
  }

  /** A client must send this request. @param who sends it in the run. */
  #await(who: string, wanted: Call, before: Cluster, after: Cluster): boolean {
    const found = this.#found(who, wanted);
    if (found === null) return this.#waitFor(who, wanted);
    this.#clients.set(who, found);
    this.#held?.begin();
    this.#cluster.take({ name: 'serve', parameters: { client: found }, fairness: 'weak' });
    return this.#arrived(before, after);
  }

  /** The request of a client that stands for this one of the run. Null: there is none. */
  #found(who: string, call: Call): string | null {
    return this.#waiting().find((one) => this.#isRequest(one, { who, call }))?.client ?? null;
  }

  /** Only the operator sends what its controller sends, and nobody else's requests. */
  #isRequest(
    { client, call }: { readonly client: string; readonly call: Call },
    sent: Pick<SentCall, 'who' | 'call'>,
  ): boolean {
    const isPlayed = sent.who === this.#run.played?.controller;
    if (isPlayed !== this.#ofOperator.has(client)) return false;
    return isPlayed ? isAlike(call, sent.call) : isSame(call, sent.call);
  }

  /**
   * Other requests that the run has later wait for their turn, unless the same client sends them.
   */
  #waitFor(who: string, wanted: Call): false {
    const played = this.#run.played?.controller;
    const other = this.#waiting().find(
      (one) =>
        !this.#sent.some(
          (sent) => sent.at > this.#at && sent.who !== who && this.#isRequest(one, sent),
        ),
    );
    if (other !== undefined) {
      const sender = this.#ofOperator.has(other.client) ? 'the operator' : 'a client';
      return this.#leave(`${sender} sends ${wordsOf(other.call)}`);
    }
    if (who === played) {
      this.#reads.release();
      this.#waitForOperator(wordsOf(wanted), () => {
        this.#leave(`the operator does not send ${wordsOf(wanted)}`);
      });
      return false;
    }
    if (this.#saidWaiting !== this.#at) this.#say(`waits at ${this.#place()}`);
    this.#saidWaiting = this.#at;
    return false;
  }

  /** @param otherwise is done when the patience has ended. */
  #waitForOperator(what: string, otherwise: () => void): void {
    this.#answers.release();
    if (this.#timer !== null) return;
    this.#say(`waits at ${this.#place()}, for the operator: ${what}`);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      otherwise();
      this.wake();
    }, this.#run.played?.patience);
  }

  #forgetWait(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** The objects of the run must be as they are in the run. */
  #arrived(before: Cluster, after: Cluster): boolean {
    const { store } = this.#cluster.state;
    const keys = new Set(possibleObjects(this.#run.setup).map(keyOf));
    const different = [...keys].find((key) => !isAsIn(store[key], after.store[key]));
    if (different !== undefined) return this.#leave(`${formatKey(different)} is not as in the run`);
    this.#pass(before, after);
    return true;
  }

  #pass(before: Cluster, after: Cluster): void {
    this.#forgetWait();
    this.#reads.pass();
    this.#held?.step(before, after);
    this.#held?.release();
    this.#at += 1;
  }

  #leave(why: string): false {
    this.#hasLeft = true;
    this.#end(`left at ${this.#place()}: ${why}`);
    return false;
  }

  #end(text: string): void {
    this.#hasEnded = true;
    this.#forgetWait();
    this.#reads.end();
    this.#held?.end();
    this.#answers.release();
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

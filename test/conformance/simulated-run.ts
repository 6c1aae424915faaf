import { produce } from 'immer';
import { deliver, deliverVirtualDelete, listDifference } from '../../model/collector/watch.ts';
import type { Rules } from '../../model/rules/rules.ts';
import { type Cluster, type ClusterDraft, EMPTY_CLUSTER } from '../../model/state/cluster.ts';
import type { ApiObject, ObjectKey } from '../../model/state/objects.ts';
import type { CollectorWarning, World } from '../../model/state/world.ts';
import { bringForward, restartCollector } from '../../model/users/restart.ts';
import type { LoggedChange, LoggedRequest, SimulatedRun } from './simulated-recording.ts';
import {
  type Handling,
  keyOfStep,
  type SentRequest,
  type SimulatedAnswer,
  stepHandling,
} from './simulated-requests.ts';
import {
  type Deed,
  type Draws,
  KINDS,
  type Pace,
  type SimulatedSetup,
} from './simulated-setups.ts';
import { type Known, wireOf, wireOfDeed } from './simulated-wire.ts';
import { type Post, postsOf, standingOf, stepped, takings } from './simulated-workers.ts';

/**
 * A random run of the model as a control plane would show it. Requests take time: they are sent,
 * received, processed, answered, and their answers arrive; anything can happen in between.
 */

interface Flight {
  readonly request: SentRequest;
  readonly received: number;
  /** The user or worker that waits for the answer; null after a restart. */
  waiting: string | null;
  handling: Handling;
}

interface Move {
  readonly kind: keyof Pace;
  readonly what: string;
  readonly take: () => void;
}

const NOTHING: Known = { version: null, object: null };

export function simulate(setup: SimulatedSetup, rules: Rules, draws: Draws): SimulatedRun {
  return new Simulation(setup, rules, draws).run();
}

class Simulation {
  readonly #setup: SimulatedSetup;
  readonly #draws: Draws;
  readonly #world: World;
  readonly #requests: LoggedRequest[] = [];
  readonly #changes: LoggedChange[] = [];
  readonly #warnings: CollectorWarning[] = [];
  readonly #steps: string[] = [];
  readonly #versions = new Map<ObjectKey, string>();
  readonly #done = new Map<string, number>();
  /** The item of each worker as it was read last. */
  readonly #reads = new Map<string, Known>();
  readonly #heard = new Map<string, SimulatedAnswer>();
  readonly #bound = new Set<string>();
  #flights: Flight[] = [];
  #cluster: Cluster = EMPTY_CLUSTER;
  #listed: Record<string, number> = {};
  #restarts = 0;
  #relists = 0;
  #clock = 0;
  #revision = 1000;

  constructor(setup: SimulatedSetup, rules: Rules, draws: Draws) {
    this.#setup = setup;
    this.#draws = draws;
    this.#world = {
      kinds: KINDS,
      rules,
      absentOwnerCapacity: Number.POSITIVE_INFINITY,
      report: (warning) => this.#warnings.push(structuredClone(warning)),
    };
  }

  run(): SimulatedRun {
    for (let left = this.#setup.steps; left > 0; left--) {
      const moves = this.#moves();
      if (moves.length === 0) break;
      const { pace } = this.#setup;
      this.#take(this.#draws.weighted(moves.map((item) => ({ weight: pace[item.kind], item }))));
    }
    // The API server finishes the requests that it has received.
    for (let moves = this.#serverMoves(); moves.length > 0; moves = this.#serverMoves()) {
      this.#take(this.#draws.pick(moves));
    }
    return {
      requests: this.#requests,
      changes: this.#changes,
      left: Object.entries(this.#cluster.store).map(([key, object]) => ({
        object,
        version: this.#versions.get(key) ?? '',
      })),
      warnings: this.#warnings,
      restarts: this.#restarts,
      relists: this.#relists,
      steps: this.#steps,
    };
  }

  #take({ what, take }: Move): void {
    this.#steps.push(`${this.#clock}: ${what}`);
    take();
  }

  #change(recipe: (draft: ClusterDraft) => void): void {
    this.#cluster = produce(this.#cluster, recipe);
  }

  #moves(): readonly Move[] {
    return [
      ...this.#userMoves(),
      ...this.#serverMoves(),
      ...this.#deliveries(),
      ...this.#takings(),
      ...postsOf(this.#cluster).flatMap((post) => this.#movesOf(post)),
      ...this.#restart(),
      ...this.#relist(),
    ];
  }

  #userMoves(): readonly Move[] {
    return Object.entries(this.#setup.users).flatMap(([user, deeds]): readonly Move[] => {
      const done = this.#done.get(user) ?? 0;
      const deed = deeds[done];
      if (deed === undefined || this.#flights.some(({ waiting }) => waiting === user)) return [];
      if (!this.#isReady(deed)) return [];
      const take = (): void => {
        this.#done.set(user, done + 1);
        this.#heard.delete(user);
        if (deed.do === 'settle' || deed.do === 'awaitObjects') return;
        const key = 'key' in deed ? deed.key : '';
        this.#send(wireOfDeed(user, deed, this.#known(key)), user);
      };
      return [{ kind: 'user', what: `${user} ${JSON.stringify(deed)}`, take }];
    });
  }

  #known(key: ObjectKey): Known {
    const object: ApiObject | undefined = this.#cluster.store[key];
    return { version: this.#versions.get(key) ?? null, object: object ?? null };
  }

  #isReady(deed: Deed): boolean {
    switch (deed.do) {
      case 'settle':
        return (
          this.#deliveries().length + postsOf(this.#cluster).length + this.#takings().length === 0
        );
      case 'awaitObjects':
        return (this.#setup.users.alice ?? [])
          .slice(0, this.#done.get('alice') ?? 0)
          .some((one) => one.do !== 'create');
      case 'release':
        return (this.#cluster.store[deed.key]?.deletionTimestamp ?? null) !== null;
      default:
        return true;
    }
  }

  #send(request: SentRequest, waiting: string): void {
    const { call, demands } = request;
    const handling: Handling = { call, demands, decided: null, answer: null };
    this.#flights.push({ request, received: this.#clock++, waiting, handling });
  }

  #serverMoves(): readonly Move[] {
    return this.#flights.map((flight) => {
      const { verb, key, actor } = flight.request;
      const name = `${actor} ${verb} ${key} (${flight.received})`;
      return flight.handling.answer === null
        ? { kind: 'serve', what: `serve ${name}`, take: () => this.#serve(flight) }
        : { kind: 'answer', what: `answer ${name}`, take: () => this.#answer(flight) };
    });
  }

  #serve(flight: Flight): void {
    const key = keyOfStep(flight.request, flight.handling.call);
    const before = this.#cluster.store[key];
    const version = this.#versions.get(key) ?? null;
    const nextVersion = String(this.#revision + 1);
    let wrote = false;
    this.#change((draft) => {
      const step = stepHandling(
        draft,
        this.#world,
        flight.request,
        flight.handling,
        version,
        nextVersion,
      );
      flight.handling = step.next;
      wrote = step.wrote;
    });
    if (!wrote) return;
    this.#revision++;
    const object = this.#cluster.store[key];
    const shown = object ?? before;
    if (shown === undefined) throw new Error(`${key} is written but was never there`);
    const type = object === undefined ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED';
    this.#changes.push({ type, object: shown, version: nextVersion });
    if (object === undefined) this.#versions.delete(key);
    else this.#versions.set(key, nextVersion);
  }

  #answer(flight: Flight): void {
    const { answer } = flight.handling;
    if (answer === null) throw new Error('there is no answer yet');
    const { request, received, waiting } = flight;
    this.#requests.push({ request, received, completed: this.#clock++, answer });
    this.#flights = this.#flights.filter((other) => other !== flight);
    if (waiting !== null && request.actor === 'gc') this.#heard.set(waiting, answer);
  }

  #deliveries(): readonly Move[] {
    const moves: Move[] = [];
    for (const [kind, events] of Object.entries(this.#cluster.watch)) {
      const listed = Math.max(1, this.#listed[kind] ?? 1);
      events.slice(0, listed).forEach((event, position) => {
        const take = (): void => {
          this.#change((draft) => {
            if (position > 0) bringForward(draft, kind, position);
            deliver(draft, this.#world, kind);
          });
          this.#listed = { ...this.#listed, [kind]: listed - 1 };
        };
        moves.push({ kind: 'deliver', what: `deliver ${event.type} ${event.key}`, take });
      });
    }
    for (const node of Object.keys(this.#cluster.graphChanges)) {
      const take = (): void =>
        this.#change((draft) => deliverVirtualDelete(draft, this.#world, node));
      moves.push({ kind: 'deliver', what: `deliver virtual ${node}`, take });
    }
    return moves;
  }

  #takings(): readonly Move[] {
    const { deleteWorkers, orphanWorkers } = this.#setup;
    const workers = { delete: deleteWorkers, orphan: orphanWorkers };
    return takings(this.#cluster, this.#world, workers).map(({ what, after }) => ({
      kind: 'take',
      what,
      take: () => {
        this.#cluster = after();
      },
    }));
  }

  #movesOf(post: Post): readonly Move[] {
    if (this.#flights.some(({ waiting }) => waiting === post.name)) return [];
    const heard = this.#heard.get(post.name);
    if (heard !== undefined) {
      const what = `${post.name} hears ${heard.code} ${heard.version}`;
      return [{ kind: 'hear', what, take: () => this.#step(post, heard) }];
    }
    const bound = this.#bound.has(post.name);
    const standing = standingOf(this.#world, this.#cluster, post, bound);
    if (standing === null) return [];
    const { at, request: next, call } = standing;
    if (next === null) {
      const what = `${post.name} ${at}`;
      return [{ kind: 'look', what, take: () => this.#step(post, null) }];
    }
    const sending: Move = {
      kind: 'send',
      what: `${post.name} sends ${next.verb} ${next.key} ${this.#clock}`,
      take: () => this.#send(wireOf(next, call, this.#reads.get(post.name) ?? NOTHING), post.name),
    };
    if (at !== 'getOwner' || bound) return [sending];
    const looks: Move = {
      kind: 'look',
      what: `${post.name} is bound to GET ${next.key}`,
      take: () => this.#bound.add(post.name),
    };
    return [sending, looks];
  }

  #step(post: Post, answer: SimulatedAnswer | null): void {
    this.#heard.delete(post.name);
    this.#bound.delete(post.name);
    const standing = standingOf(this.#world, this.#cluster, post, false);
    const { at = '', request = null } = standing ?? {};
    if (answer !== null && (at === 'getItem' || at === 'getForFinalizer'))
      this.#reads.set(post.name, answer);
    // The collector reads the metadata of an item whose kind refuses its patch, if need be in its
    // cache.
    if (answer?.code === 415 && request !== null) {
      const { version, object } = this.#known(request.key);
      this.#reads.set(post.name, { version: version ?? 'cached', object });
    }
    this.#cluster = stepped(this.#cluster, this.#world, post, answer);
  }

  #restart(): readonly Move[] {
    if (this.#restarts >= this.#setup.restarts || this.#changes.length < 3) return [];
    const take = (): void => {
      this.#restarts++;
      this.#change((draft) => restartCollector(draft, this.#world));
      const lists = Object.entries(this.#cluster.watch);
      this.#listed = Object.fromEntries(lists.map(([kind, events]) => [kind, events.length]));
      for (const flight of this.#flights) {
        if (flight.request.actor === 'gc') flight.waiting = null;
      }
      this.#heard.clear();
      this.#bound.clear();
      this.#reads.clear();
    };
    return [{ kind: 'disturb', what: 'restart', take }];
  }

  #relist(): readonly Move[] {
    const { relists = 0 } = this.#setup;
    if (this.#relists >= relists || Object.keys(this.#listed).length > 0) return [];
    return Object.entries(this.#cluster.watch).flatMap(([kind, events]): readonly Move[] => {
      if (events.length < 2) return [];
      const take = (): void => {
        this.#relists++;
        this.#change((draft) => listDifference(draft, this.#world, kind));
        this.#listed = { ...this.#listed, [kind]: this.#cluster.watch[kind]?.length ?? 0 };
      };
      return [{ kind: 'disturb', what: `relist ${kind}`, take }];
    });
  }
}

import {
  type Answer,
  type ApiObject,
  type Call,
  keyOf,
  type ObjectKey,
  type OpenStep,
} from '../../model/index.ts';
import type { ClusterObserver, RequestName } from '../cluster/observer.ts';

/** One step of the run, with what it has written. */
export interface Happening {
  /** The step of a controller, or the request on which the API server has worked. */
  readonly did: Pick<OpenStep, 'name' | 'parameters'> | RecordedRequest | ControllerSwitch;
  /** Null: the object is gone. */
  readonly written: ReadonlyMap<ObjectKey, ApiObject | null>;
}

/** The controller manager ends, or a new one starts. */
export interface ControllerSwitch {
  readonly run: boolean;
}

/** A writing request of a client. Times are indices of happenings. */
export interface RecordedRequest {
  /** From 1, in the order of their arrival. */
  readonly number: number;
  readonly agent: string;
  /** How many happenings there were before it arrived. */
  readonly sent: number;
  /** As it was before its first step. */
  readonly call: Call;
  /** The resourceVersion that it demands; empty: none. */
  readonly version: string;
  readonly first: number;
  /** Null: it is not answered. */
  readonly last: number | null;
  readonly answer: Answer | null;
}

/** Which revision of an object was stored when. */
export interface Commit {
  readonly revision: string;
  /** Index of the happening that has written it; -1: it was there at the start. */
  readonly at: number;
}

/** A longer run is of no use to a reader or to the search. */
const MOST_HAPPENINGS = 20_000;

/** Keeps everything that happens in a served cluster. */
export class Recorder implements ClusterObserver {
  readonly happenings: Happening[] = [];
  readonly commits = new Map<ObjectKey, Commit[]>();
  /** What is stored at the start. */
  readonly objects: ApiObject[] = [];
  /** Requests that the server has refused before the model saw them. */
  refusals = 0;
  /** Whether the run went on after the last happening that is kept. */
  isFull = false;
  readonly #requests = new Map<RequestName, RecordedRequest>();
  readonly #sent = new Map<RequestName, Pick<RecordedRequest, 'number' | 'agent' | 'sent'>>();
  readonly #onChange: () => void;
  #written = new Map<ObjectKey, ApiObject | null>();
  #count = 0;
  #hasBegun = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The requests on which the server has worked, in the order of their first steps. */
  get requests(): readonly RecordedRequest[] {
    return [...this.#requests.values()];
  }

  /** The cluster is there with its objects; what comes now are steps. */
  begin(): void {
    this.#hasBegun = true;
    this.objects.push(...[...this.#written.values()].filter((object) => object !== null));
    this.#written = new Map();
  }

  sent(request: RequestName, agent: string): void {
    this.#count += 1;
    this.#sent.set(request, { number: this.#count, agent, sent: this.happenings.length });
  }

  served(name: RequestName, call: Call, version: string, answer: Answer | null): void {
    const sent = this.#sent.get(name);
    if (sent === undefined || this.#isOver()) return;
    const at = this.happenings.length;
    const known = this.#requests.get(name);
    const last = answer === null ? null : at;
    const request: RecordedRequest =
      known === undefined
        ? { ...sent, call, version, first: at, last, answer }
        : { ...known, last, answer };
    this.#requests.set(name, request);
    if (answer !== null) this.#sent.delete(name);
    this.#add(request);
  }

  refused(request: RequestName): void {
    this.#sent.delete(request);
    this.refusals += 1;
  }

  took({ name, parameters }: OpenStep): void {
    if (!this.#isOver()) this.#add({ name, parameters });
  }

  switched(run: boolean): void {
    if (!this.#isOver()) this.#add({ run });
  }

  committed(key: ObjectKey, object: ApiObject | null, revision: number): void {
    this.#written.set(key, object);
    const at = this.#hasBegun ? this.happenings.length : -1;
    const commit = { revision: String(revision), at };
    const known = this.commits.get(key);
    if (known === undefined) this.commits.set(key, [commit]);
    else known.push(commit);
  }

  #isOver(): boolean {
    if (this.happenings.length < MOST_HAPPENINGS) return false;
    this.isFull = true;
    this.#onChange();
    return true;
  }

  #add(did: Happening['did']): void {
    this.happenings.push({ did, written: this.#written });
    this.#written = new Map();
    this.#onChange();
  }
}

/** The object that a request is about. Null: a collection. */
export function keyOfRequest(call: Call): ObjectKey | null {
  switch (call.verb) {
    case 'create':
      return keyOf(call.object);
    case 'update':
    case 'delete':
      return call.key;
    case 'deleteCollection':
      return null;
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

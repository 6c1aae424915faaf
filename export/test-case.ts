/** What a test does and expects, whatever language it is written in. All texts may be hostile. */

export type Json = Readonly<Record<string, unknown>>;

export interface Target {
  readonly apiVersion: string;
  /** As in a manifest. */
  readonly kind: string;
  /** Name of the resource in URLs. */
  readonly plural: string;
  /** Empty: the kind has no namespaces. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
}

/** A request of a client. Uids are those of the run; another cluster has others. */
export interface TestRequest {
  /** The step of the run at which it is sent, from 1. */
  readonly step: number;
  /** The user of the run, and the request, in words. */
  readonly words: string;
  readonly target: Target;
  readonly does: /** With the uid that the object has in the run. */
    | { readonly verb: 'create'; readonly manifest: Json; readonly uid: string }
    /** Remembers the resourceVersion for the requests of its user. */
    | { readonly verb: 'read'; readonly user: string }
    | {
        readonly verb: 'patch';
        /** A merge patch. */
        readonly patch: Json;
        /** The user that has read the version that is demanded. Null: none is. */
        readonly versionOf: string | null;
      }
    | {
        readonly verb: 'delete';
        /** `DeleteOptions` without a version. */
        readonly options: Json;
        readonly versionOf: string | null;
      };
  /** Whether the answer comes only after the next request is sent. */
  readonly overlaps: boolean;
}

/** An object of the start, as a cluster must get it that does not have it. */
export interface StartObject {
  readonly target: Target;
  /** Its uid in the run. */
  readonly uid: string;
  readonly manifest: Json;
  /** It is being deleted: with this policy. Null: it is not. */
  readonly deleted: 'Foreground' | 'Background' | 'Orphan' | null;
}

/** What must be true of an object at the end. */
export interface Expectation {
  readonly target: Target;
  /** What a failure says. */
  readonly words: string;
  readonly end:
    | { readonly is: 'gone' }
    | {
        readonly is: 'there';
        /** In the run. Null: it does not matter. */
        readonly uid: string | null;
        /** Null: they do not matter. */
        readonly finalizers: readonly string[] | null;
        /** Uids in the run. Null: they do not matter. */
        readonly owners: readonly string[] | null;
        readonly deleting: boolean | null;
      };
}

export interface TestCase {
  readonly title: string;
  readonly about: string | null;
  /** The sentence that the run violates. */
  readonly property: string;
  readonly token: string;
  readonly protocol: string;
  readonly start: readonly StartObject[];
  readonly requests: readonly TestRequest[];
  readonly expected: readonly Expectation[];
  /** Actors of the run that are no parts of Kubernetes: the operator plays them, or the server. */
  readonly actors: readonly string[];
  /** The controllers among them that an operator can play, by name. */
  readonly controllers: readonly string[];
  /** How many steps of the run are not requests: their order cannot be forced on a real cluster. */
  readonly otherSteps: number;
  /** Kinds that a cluster must know before the test. */
  readonly customKinds: readonly string[];
}

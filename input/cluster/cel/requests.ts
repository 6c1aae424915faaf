import {
  type ApiObject,
  isBeingDeleted,
  type KindTable,
  keyOf,
  objectKey,
  type Propagation,
} from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import { isPluralSure } from '../../manifests/object-words.ts';
import { definitionName } from '../links.ts';
import { byKeyIn, remembered } from '../lookups.ts';
import type { StoredObjects } from './stored.ts';
import {
  type Expressions,
  Mapping,
  mapping,
  Unknown,
  type Value,
  type Variables,
} from './value.ts';

/** A person or a controller that sends a request, as an expression sees it. */
export interface Requester {
  /** In words; null: a person, or something that nobody knows. */
  readonly name: string | null;
  readonly user: Value;
  /** Flags with which `kubectl` asks as they do; empty: nobody knows. */
  readonly flags: string;
  /** Whether the request names the object, and does not mean all in a namespace. */
  readonly namesObject: boolean;
  /** Whether nothing can have changed the object since the dump. */
  readonly isFirst: boolean;
  /** Whether the request ends a deletion that another one has begun. */
  readonly isLast: boolean;
}

/**
 * The requests that are sent about the objects of a dump. Controllers have service accounts of
 * their own, as in all common clusters (`--use-service-account-credentials`); a kubelet is its
 * node.
 */
export interface Requests {
  readonly expressions: Expressions | null;
  /** The controllers whose accounts some expression has asked for, in words. */
  readonly identified: ReadonlySet<string>;
  /**
   * Each of those that may delete the object; their requests all have to get past admission. None:
   * it is deleted without admission.
   */
  readonly deletersOf: (object: ApiObject) => readonly Requester[];
  /** The variables of an expression about such a request. */
  readonly variables: (object: ApiObject, by: Requester, view: View) => Variables;
}

/** By store key: how a person deletes an object. */
export type Requested = ReadonlyMap<string, Propagation>;

/** How an expression sees a request. */
export interface View {
  /** `CREATE`: of another object in the place of this one, which is made like it. */
  readonly operation: 'CREATE' | 'DELETE' | 'UPDATE';
  /** What is made, where it differs from this one. */
  readonly made?: Readonly<Record<string, unknown>>;
  /** Absent: the request is about the object itself. */
  readonly subresource?: string;
  /** The rules by which it is asked: it sees the object in a version that they name. */
  readonly rules: readonly {
    readonly groups: readonly string[];
    readonly versions: readonly string[];
  }[];
}

export interface RequestsGiven {
  readonly all: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly table: KindTable;
  readonly stored: StoredObjects;
  readonly expressions: Expressions | null;
  readonly requested: Requested;
  /** Store keys of what operators delete. */
  readonly tracked: ReadonlySet<string>;
  /** Names of nodes whose machine is gone. */
  readonly lostNodes: ReadonlySet<string>;
}

const AUTHENTICATED = 'system:authenticated';

function account(name: string, words: string, namesObject: boolean): Requester {
  return {
    name: words,
    flags: `--as=system:serviceaccount:kube-system:${name}`,
    user: mapping({
      username: `system:serviceaccount:kube-system:${name}`,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', AUTHENTICATED],
      uid: new Unknown('the uid of a service account'),
      extra: new Unknown('the token of a service account'),
    }),
    namesObject,
    isFirst: false,
    isLast: false,
  };
}

/** Names of `BuildControllerRoles`, which are those of the service accounts. */
export const COLLECTOR = account('generic-garbage-collector', 'the garbage collector', true);
export const NAMESPACES = account('namespace-controller', 'the namespace controller', false);

export function kubeletOf(node: string | undefined): Requester {
  if (node === undefined) return { ...someone(false), isLast: true };
  return {
    name: `the kubelet of ${node}`,
    flags: `--as=${shellQuoted(`system:node:${node}`)} --as-group=system:nodes`,
    user: mapping({
      username: `system:node:${node}`,
      groups: ['system:nodes', AUTHENTICATED],
      uid: new Unknown('the certificate of a kubelet'),
      extra: new Unknown('the certificate of a kubelet'),
    }),
    namesObject: true,
    isFirst: false,
    isLast: true,
  };
}

/** A person, or a controller that is not known. */
export function someone(isFirst: boolean): Requester {
  const user = new Unknown('who sends the request');
  return { name: null, flags: '', user, namesObject: true, isFirst, isLast: false };
}

export function requestsIn(given: RequestsGiven): Requests {
  const { expressions } = given;
  const ends = endsIn(given);
  const identified = new Set<string>();
  // Each webhook and policy asks for them.
  const deleters = remembered((object: ApiObject) => deletersOf(object, given, ends));
  return {
    expressions,
    identified,
    deletersOf: deleters,
    variables: (object, by, view) => variablesOf(object, by, view, given, identified),
  };
}

/** Namespaces and definitions that are deleted, with all in them. */
interface Ends {
  readonly namespaces: ReadonlySet<string>;
  readonly definitions: ReadonlySet<string>;
  readonly nodes: ReadonlySet<string>;
  /** Uids of what stays: the collector deletes nothing for its sake. */
  readonly staying: ReadonlySet<string>;
}

function endsIn({ all, goes, table }: RequestsGiven): Ends {
  const going = all.filter((object) => goes(object) || isBeingDeleted(object));
  const gone = new Set(going);
  const named = (storage: string): ReadonlySet<string> =>
    new Set(going.flatMap(({ kind, name }) => (table[kind]?.storage === storage ? [name] : [])));
  return {
    namespaces: named('namespace'),
    definitions: named('customResourceDefinition'),
    nodes: new Set(going.flatMap(({ kind, name }) => (kind === 'Node' ? [name] : []))),
    staying: new Set(all.flatMap((object) => (gone.has(object) ? [] : [object.uid]))),
  };
}

function deletersOf(
  object: ApiObject,
  { table, requested, tracked, lostNodes }: RequestsGiven,
  { namespaces, definitions, nodes, staying }: Ends,
): readonly Requester[] {
  const key = keyOf(object);
  const { pod, ownerReferences } = object;
  // Pod garbage collection deletes what is left of a node.
  const isLost = pod?.node !== undefined && (nodes.has(pod.node) || lostNodes.has(pod.node));
  const isEnded = pod?.scheduled === true && pod.finished !== true;
  const last = isEnded ? [kubeletOf(pod.node)] : [];
  // What is being deleted has been admitted, but for the DELETE that ends a pod.
  if (isBeingDeleted(object)) return isLost ? [someone(false), ...last] : last;
  const controllers = [
    ...(namespaces.has(object.namespace) ? [NAMESPACES] : []),
    ...(ownerReferences.some(({ uid }) => !staying.has(uid)) ? [COLLECTOR] : []),
    ...(tracked.has(key) || isLost ? [someone(false)] : []),
  ];
  // Instances that go with their definition are deleted without admission (`deleteInstances`).
  const isUnasked = definitions.has(definitionName(table[object.kind]));
  const people = requested.has(key) ? [someone(controllers.length === 0 && !isUnasked)] : [];
  const known = [...people, ...controllers];
  if (known.length === 0) return isUnasked ? [] : [someone(false)];
  return [...known, ...last];
}

function variablesOf(
  object: ApiObject,
  by: Requester,
  { operation, subresource = '', rules, made }: View,
  { all, goes, table, stored }: RequestsGiven,
  identified: Set<string>,
): Variables {
  const kind = table[object.kind];
  const { apiVersion = '' } = stored.manifestOf(object) ?? {};
  const [version = '', group = ''] = String(apiVersion).split('/').reverse();
  const isOther = ({ groups, versions }: View['rules'][number]): boolean =>
    [group, '*'].some((name) => groups.includes(name)) &&
    ![version, '*'].some((name) => versions.includes(name));
  // Another version that the rules name may be served, also if the dump does not show it.
  const isConverted = rules.some(isOther);
  const versioned = isConverted ? new Unknown('the version of the request') : version;
  const isNamespace = kind?.storage === 'namespace';
  const namespace = isNamespace ? object.name : object.namespace;
  const type = { group, version: versioned, kind: object.kind.split('.')[0] ?? '' };
  const isSure = kind === undefined || isPluralSure(kind);
  const name = isSure ? (kind?.resource ?? '') : new Unknown('the plural of the kind');
  const resource = { group, version: versioned, resource: name };
  const fields: Readonly<Record<string, Value | undefined>> = {
    kind: mapping(type),
    resource: mapping(resource),
    requestKind: mapping(type),
    requestResource: mapping(resource),
    ...(subresource === '' ? {} : { subResource: subresource, requestSubResource: subresource }),
    name:
      operation === 'CREATE'
        ? new Unknown('the name of what is made')
        : by.namesObject
          ? object.name
          : undefined,
    namespace: namespace === '' ? undefined : namespace,
    operation,
    userInfo: by.user,
    dryRun: false,
    options: new Unknown('the options of the request'),
  };
  const request = (): Value => {
    const names = Object.keys(fields).filter((name) => fields[name] !== undefined);
    const make = (name: string): Value | undefined => {
      if (name === 'userInfo' && by.name !== null) identified.add(by.name);
      return fields[name];
    };
    return new Mapping(names, make, null);
  };
  const mayChange = !by.isFirst || operation !== 'DELETE';
  const as = (name: string) => (): Value =>
    stored.valueOf(object, name, { mayChange, isConverted }, made);
  return new Map<string, () => Value>([
    ['request', request],
    ['oldObject', operation === 'CREATE' ? () => null : as('oldObject')],
    ['object', operation === 'DELETE' ? () => null : as('object')],
    ['authorizer', () => new Unknown('what the user may do')],
    [
      'namespaceObject',
      () => {
        if (object.namespace === '') return null;
        const within = byKeyIn(all).get(objectKey('Namespace', '', object.namespace));
        if (within === undefined) return new Unknown('the namespace, which the dump lacks');
        const state = { mayChange: !by.isFirst || goes(within), isConverted: false };
        return stored.valueOf(within, 'namespaceObject', state);
      },
    ],
  ]);
}

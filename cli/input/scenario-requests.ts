import type { z } from 'zod';
import type { Change, DeleteOptions } from '../../model/apiserver/call.ts';
import { type ApiObject, keyOf, type OwnerReference } from '../../model/objects.ts';
import type { Setup, UserRequest, UserStep } from '../../model/setup.ts';
import { InputError, type Place } from '../input-error.ts';
import type { SourceDocument } from './documents.ts';
import type { Path } from './json-place.ts';
import type { ownerReferenceSchema } from './manifest-schema.ts';
import { finalizerFault } from './names.ts';
import type { Cast } from './scenario-objects.ts';
import {
  CHANGES,
  type DeleteRequest,
  requestSchemas,
  SCENARIO_FIELDS,
  type ScenarioFile,
  type UpdateRequest,
  VERBS,
  type Verb,
} from './scenario-schema.ts';
import { readServedVersion } from './scenario-versions.ts';
import { isReservedName, shaped, unknownField } from './shape.ts';

const DEFAULT_USER = 'user';

/** One request of the file while it is read. */
interface Reading {
  readonly document: SourceDocument;
  readonly cast: Cast;
  readonly path: Path;
  place(...field: Path): Place;
}

/** The programs of the users: each user's requests in the order of the file. */
export function readPrograms(
  file: ScenarioFile,
  document: SourceDocument,
  cast: Cast,
): Setup['users'] {
  const programs = new Map<string, UserStep[]>();
  const waits: { user: string; wait: UserStep['after'][number]; where: Place }[] = [];
  for (const [index, raw] of file.requests.entries()) {
    const path: Path = ['requests', index];
    const place = (...field: Path): Place => document.place([...path, ...field]);
    const {
      request,
      user = DEFAULT_USER,
      after = [],
    } = readRequest(raw, { document, cast, path, place }, index);
    checkUser(user, place('user'));
    const program = programs.get(user) ?? [];
    program.push({ request, after });
    programs.set(user, program);
    for (const [number, wait] of after.entries()) {
      waits.push({ user, wait, where: place('after', number) });
    }
  }
  for (const { user, wait, where } of waits) checkWait(user, wait, programs, where);
  return Object.fromEntries(programs);
}

function checkUser(user: string, where: Place): void {
  // The other clients of the API server have names with a dash and number, or with blanks.
  if (/^[A-Za-z][A-Za-z0-9_.:@]*$/.test(user) && !isReservedName(user)) return;
  throw new InputError({
    what: `"${user}" is no name for a user`,
    where,
    expected: 'letters and digits, as in alice',
  });
}

function checkWait(
  user: string,
  wait: UserStep['after'][number],
  programs: ReadonlyMap<string, readonly UserStep[]>,
  where: Place,
): void {
  const steps = programs.get(wait.user)?.length;
  if (steps === undefined) {
    const users = [...programs.keys()].join(', ');
    throw new InputError({ what: `there is no user "${wait.user}"`, where, expected: users });
  }
  if (wait.user === user) {
    throw new InputError({ what: `"${user}" waits for its own steps`, where });
  }
  if (wait.steps > steps) {
    throw new InputError({ what: `"${wait.user}" has only ${steps} steps`, where });
  }
}

interface ReadRequest {
  readonly request: UserRequest;
  readonly user?: string;
  readonly after?: UserStep['after'];
}

function readRequest(
  raw: Readonly<Record<string, unknown>>,
  reading: Reading,
  index: number,
): ReadRequest {
  const verb = verbOf(raw, reading);
  const { document, path, cast } = reading;
  const fields = [...Object.keys(requestSchemas[verb].shape), ...SCENARIO_FIELDS];
  const own = (request: UserRequest, of: Omit<ReadRequest, 'request'>): ReadRequest => ({
    ...of,
    request,
  });
  switch (verb) {
    case 'delete': {
      const request = shaped(requestSchemas.delete, raw, document, path, fields);
      const key = keyOf(cast.find(request.delete, reading.place('delete')));
      return own({ do: 'delete', key, options: deleteOptions(request) }, request);
    }
    case 'create': {
      const request = shaped(requestSchemas.create, raw, document, path, fields);
      return own({ do: 'create', object: cast.created.get(index)! }, request);
    }
    case 'update': {
      const request = shaped(requestSchemas.update, raw, document, path, fields);
      return own(readUpdate(request, reading), request);
    }
    case 'read': {
      const request = shaped(requestSchemas.read, raw, document, path, fields);
      return own(
        { do: 'read', key: keyOf(cast.find(request.read, reading.place('read'))) },
        request,
      );
    }
    case 'settle': {
      const request = shaped(requestSchemas.settle, raw, document, path, fields);
      return own({ do: 'settle' }, request);
    }
    case 'deleteCollection': {
      const request = shaped(requestSchemas.deleteCollection, raw, document, path, fields);
      const kind = cast.kind(request.deleteCollection, reading.place('deleteCollection'));
      const namespace = kind.namespaced ? (request.namespace ?? 'default') : '';
      return own(
        { do: 'deleteCollection', kind: kind.name, namespace, options: deleteOptions(request) },
        request,
      );
    }
    case 'serveVersion': {
      const request = shaped(requestSchemas.serveVersion, raw, document, path, fields);
      const place = (field: string): Place => reading.place('serveVersion', field);
      return own(readServedVersion(request.serveVersion, cast, place), request);
    }
    case 'stopControllers': {
      const request = shaped(requestSchemas.stopControllers, raw, document, path, fields);
      return own({ do: 'stopControllers' }, request);
    }
    case 'startControllers': {
      const request = shaped(requestSchemas.startControllers, raw, document, path, fields);
      return own({ do: 'startControllers' }, request);
    }
    default:
      throw new Error(`unknown verb ${verb satisfies never}`);
  }
}

function verbOf(raw: Readonly<Record<string, unknown>>, reading: Reading): Verb {
  const found = VERBS.filter((verb) => Object.hasOwn(raw, verb));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) {
    const key = Object.keys(raw).find((field) => !SCENARIO_FIELDS.includes(field));
    if (key !== undefined) throw unknownField(reading.document, [...reading.path, key], VERBS);
  }
  throw new InputError({
    what:
      found.length === 0 ? 'this request does nothing' : `this request does ${found.join(' and ')}`,
    where: reading.place(),
    expected: `one of ${VERBS.join(', ')}`,
  });
}

function deleteOptions(request: Omit<DeleteRequest, 'delete'>): DeleteOptions {
  const { propagationPolicy, orphanDependents, gracePeriodSeconds, preconditions } = request;
  return {
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined
      ? {}
      : {
          preconditions: {
            ...(preconditions.uid === undefined ? {} : { uid: preconditions.uid }),
            ...(preconditions.resourceVersion === undefined
              ? {}
              : { resourceVersion: true as const }),
          },
        }),
  };
}

function readUpdate(request: UpdateRequest, reading: Reading): UserRequest {
  const object = reading.cast.find(request.update, reading.place('update'));
  return {
    do: 'update',
    key: keyOf(object),
    change: readChange(request, object, reading),
    put: request.put ?? false,
    uid: request.uid ?? null,
    resourceVersion: request.resourceVersion !== undefined,
  };
}

function readChange(request: UpdateRequest, object: ApiObject, reading: Reading): Change {
  const changes = CHANGES.filter((name) => request[name] !== undefined);
  if (changes.length > 1) {
    throw new InputError({
      what: `this update does ${changes.join(' and ')}`,
      where: reading.place(),
      expected: 'one change; write the others as requests of their own',
    });
  }
  const { addOwner, removeOwner, setOwnerReferences } = request;
  const { addFinalizer, removeFinalizer, setFinalizers } = request;
  if (addOwner !== undefined) {
    const added =
      typeof addOwner === 'string'
        ? referenceTo(addOwner, reading)
        : referenceOf(addOwner, object, reading, 'addOwner');
    return { do: 'setOwnerReferences', ownerReferences: [...object.ownerReferences, added] };
  }
  if (removeOwner !== undefined) {
    return { do: 'removeOwners', uids: [ownerUid(removeOwner, object, reading)] };
  }
  if (setOwnerReferences !== undefined) {
    const ownerReferences = setOwnerReferences.map((reference, index) =>
      referenceOf(reference, object, reading, 'setOwnerReferences', index),
    );
    return { do: 'setOwnerReferences', ownerReferences };
  }
  if (addFinalizer !== undefined) {
    checkFinalizer(addFinalizer, reading.place('addFinalizer'));
    return { do: 'addFinalizer', finalizer: addFinalizer };
  }
  if (removeFinalizer !== undefined) return { do: 'removeFinalizer', finalizer: removeFinalizer };
  if (setFinalizers !== undefined) {
    for (const [index, name] of setFinalizers.entries()) {
      checkFinalizer(name, reading.place('setFinalizers', index));
    }
    return { do: 'setFinalizers', finalizers: setFinalizers };
  }
  if (request.scale !== undefined) return { do: 'scale', replicas: request.scale };
  if (request.matchesSelectors !== undefined) {
    return { do: 'relabel', matches: request.matchesSelectors };
  }
  return { do: 'nothing' };
}

/** What is written here may be refused by the API server, but has to be a finalizer at all. */
function checkFinalizer(name: string, where: Place): void {
  const fault = finalizerFault(name, false);
  if (fault !== null) {
    throw new InputError({ what: `"${name}" is no finalizer name`, where, expected: fault });
  }
}

function referenceTo(text: string, reading: Reading): OwnerReference {
  return reading.cast.referenceTo(text, reading.place('addOwner'));
}

function referenceOf(
  written: z.output<typeof ownerReferenceSchema>,
  object: ApiObject,
  reading: Reading,
  ...field: Path
): OwnerReference {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = written;
  const reference: OwnerReference = {
    apiVersion,
    kind,
    name,
    uid: uid ?? '',
    ...(typeof controller === 'boolean' ? { controller } : {}),
    ...(typeof blockOwnerDeletion === 'boolean' ? { blockOwnerDeletion } : {}),
  };
  return reading.cast.complete(reference, object.namespace, reading.place(...field));
}

/** An owner in the file, or one that the object names although it is nowhere. */
function ownerUid(text: string, object: ApiObject, reading: Reading): string {
  const named = object.ownerReferences.find(({ kind, name }) => `${kind}/${name}` === text);
  return named?.uid ?? reading.cast.find(text, reading.place('removeOwner')).uid;
}

import {
  type DeleteOptions,
  keyOf,
  type Setup,
  type UserRequest,
  type UserStep,
} from '../../model/index.ts';
import { InputError, type Place } from '../../text/input-error.ts';
import type { Path, SourceDocument } from '../documents/document.ts';
import { isReservedName, shaped, unknownField } from '../documents/shape.ts';
import { readKubectl } from './kubectl.ts';
import type { Cast } from './objects.ts';
import {
  type DeleteRequest,
  requestSchemas,
  SCENARIO_FIELDS,
  type ScenarioFile,
  VERBS,
  type Verb,
} from './schema.ts';
import { type RequestReading, readUpdate } from './updates.ts';
import { demandNewVersions, readServedVersion, type VersionSwitch } from './versions.ts';

const DEFAULT_USER = 'user';

/**
 * The programs of the users: each user's requests, in the order of the file. Throws `InputError`.
 */
export function readPrograms(
  file: ScenarioFile,
  document: SourceDocument,
  cast: Cast,
): Setup['users'] {
  const programs = new Map<string, UserStep[]>();
  const switches: VersionSwitch[] = [];
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
    if (request.do === 'serveVersion') {
      switches.push({ ...request, where: place('serveVersion', 'version') });
    }
    const program = programs.get(user) ?? [];
    program.push({ request, after });
    programs.set(user, program);
    for (const [number, wait] of after.entries()) {
      waits.push({ user, wait, where: place('after', number) });
    }
  }
  demandNewVersions(switches);
  for (const { user, wait, where } of waits) checkWait(user, wait, programs, where);
  return Object.fromEntries(programs);
}

function checkUser(user: string, where: Place): void {
  // Other clients of the API server have names with a dash and a number, or with spaces.
  if (/^[A-Za-z][A-Za-z0-9_.:@]*$/.test(user) && !isReservedName(user)) return;
  throw new InputError({
    what: `"${user}" is not a valid user name`,
    where,
    expected: 'letters and digits, such as alice',
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
  reading: RequestReading,
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
      const { kind, ...object } = cast.find(request.delete, reading.place('delete'));
      const options = deleteOptions(request);
      return own(
        {
          do: 'delete',
          key: keyOf({ kind, ...object }),
          options,
          ...throughVersion(request, reading, kind),
        },
        request,
      );
    }
    case 'create': {
      const request = shaped(requestSchemas.create, raw, document, path, fields);
      return own({ do: 'create', object: cast.created.get(index)! }, request);
    }
    case 'update': {
      const request = shaped(requestSchemas.update, raw, document, path, fields);
      return own(readUpdate(request, reading), request);
    }
    case 'kubectl': {
      const request = shaped(requestSchemas.kubectl, raw, document, path, fields);
      const where = reading.place('kubectl');
      const { target, flags } = readKubectl(request.kubectl, where);
      return own({ do: 'kubectlDelete', key: keyOf(cast.find(target, where)), flags }, request);
    }
    case 'loseNode': {
      const request = shaped(requestSchemas.loseNode, raw, document, path, fields);
      const where = reading.place('loseNode');
      const { kind, name } = cast.find(request.loseNode, where);
      if (kind === 'Node') return own({ do: 'loseNode', node: name }, request);
      throw new InputError({
        what: `${request.loseNode} is not a Node`,
        where,
        expected: 'a Node',
      });
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
        {
          do: 'deleteCollection',
          kind: kind.name,
          namespace,
          options: deleteOptions(request),
          ...throughVersion(request, reading, kind.name),
        },
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

function verbOf(raw: Readonly<Record<string, unknown>>, reading: RequestReading): Verb {
  const found = VERBS.filter((verb) => Object.hasOwn(raw, verb));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) {
    const key = Object.keys(raw).find((field) => !SCENARIO_FIELDS.includes(field));
    if (key !== undefined) throw unknownField(reading.document, [...reading.path, key], VERBS);
  }
  throw new InputError({
    what:
      found.length === 0
        ? 'this request has no verb'
        : `this request has several verbs: ${found.join(', ')}`,
    where: reading.place(),
    expected: `one of ${VERBS.join(', ')}`,
  });
}

function deleteOptions(request: Omit<DeleteRequest, 'delete'>): DeleteOptions {
  const { propagationPolicy, orphanDependents, gracePeriodSeconds, preconditions } = request;
  const { dryRun } = request;
  return {
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(dryRun === true ? { dryRun } : {}),
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

/**
 * The version that a request names. The cluster must serve the kind in it, or have served it once.
 */
function throughVersion(
  { apiVersion }: { readonly apiVersion?: string },
  { cast, place }: RequestReading,
  name: string,
): { readonly apiVersion?: string } {
  if (apiVersion === undefined) return {};
  const kind = cast.kind(name, place('apiVersion'));
  const known = [
    ...new Set([...kind.apiVersions, ...Object.keys(kind.defaultPolicyByVersion?.versions ?? {})]),
  ];
  if (known.includes(apiVersion)) return { apiVersion };
  throw new InputError({
    what: `${kind.kind} was never served as ${apiVersion}`,
    where: place('apiVersion'),
    expected: known.join(', '),
  });
}

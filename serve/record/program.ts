import type { ActionInstance } from '../../checker/index.ts';
import { type ApiObject, type KindTable, keyOf } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import { keyOfRequest, type RecordedRequest, type Recorder } from './recorder.ts';
import { targetOf, wordsOf, writtenRequest } from './requests.ts';
import { type User, Users } from './users.ts';

/**
 * A step of a user: an entry of `requests`, and when it began and was over, as indices of
 * happenings.
 */
interface Entry {
  readonly user: string;
  readonly fields: Body;
  readonly sent: number;
  readonly begins: number;
  readonly over: number;
}

/** What the clients have sent, as the `requests` of a scenario. */
export interface Program {
  readonly requests: readonly Body[];
  /** The steps of the run in a model of that scenario, with the happening that each comes from. */
  readonly steps: readonly { readonly action: ActionInstance; readonly of: number }[];
  /** What the requests do not say. */
  readonly notes: readonly string[];
  /** The users, in the order of their first requests. */
  readonly users: readonly string[];
}

/** @param objects of the scenario at its start. */
export function programOf(
  recorder: Recorder,
  objects: readonly ApiObject[],
  kinds: KindTable,
): Program {
  const { requests, happenings } = recorder;
  const known = new Set([
    ...objects.map(keyOf),
    ...requests.flatMap(({ call }) =>
      call.verb === 'create' && call.dryRun !== true ? [keyOf(call.object)] : [],
    ),
  ]);
  const stored = new Map(objects.map((object) => [keyOf(object), object]));
  const users = new Users();
  const entries: Entry[] = [];
  const notes: string[] = [];
  const userOf = new Map<number, string>();
  let at = 0;
  for (const request of requests) {
    for (; at < request.first; at++) {
      for (const [key, object] of happenings[at]?.written ?? []) {
        if (object === null) stored.delete(key);
        else stored.set(key, object);
      }
    }
    const written = writtenRequest(request, { kinds, known, stored });
    if (written.entry === null) {
      notes.push(`left out: ${wordsOf(request)}: ${written.why}`);
      continue;
    }
    const read = readOf(request, recorder);
    if (read === 'never') {
      notes.push(
        `left out: ${wordsOf(request)}: it demands a resourceVersion that the object never had here`,
      );
      continue;
    }
    if (written.lost !== null) notes.push(`not kept: ${wordsOf(request)}: ${written.lost}`);
    const isEarlier = read !== null && read < request.first;
    const user: User = isEarlier ? users.another(request.agent) : users.sender(request);
    userOf.set(request.number, user.name);
    const { sent, first: begins } = request;
    const key = keyOfRequest(request.call);
    if (read !== null && key !== null) {
      const fields = { read: targetOf(key, { known }) };
      // A read comes between two happenings, and reads do not wait for each other.
      const time = read - 0.5;
      entries.push({
        user: user.name,
        fields,
        sent: Math.min(time, sent),
        begins: time,
        over: time,
      });
    }
    const over = request.last ?? Number.POSITIVE_INFINITY;
    entries.push({ user: user.name, fields: written.entry, sent, begins, over });
  }
  const switches = happenings.flatMap(({ did }, index) =>
    'run' in did ? [{ index, run: did.run }] : [],
  );
  const switcher = switches.length === 0 ? '' : users.another('reapcheck').name;
  for (const { index, run } of switches) {
    const fields = run ? { startControllers: true } : { stopControllers: true };
    entries.push({ user: switcher, fields, sent: index, begins: index, over: index });
  }
  const order = entries.toSorted((a, b) => a.begins - b.begins);
  return {
    requests: order.map((entry, index) => ({
      ...entry.fields,
      user: entry.user,
      ...afterOf(entry, order, index),
    })),
    steps: stepsOf(recorder, order, userOf, switcher),
    notes,
    users: [...new Set(order.map(({ user }) => user))],
  };
}

/**
 * Before which happening the client has read the version that it demands. `never`: it never could.
 * Null: it demands none.
 */
function readOf(
  { call, version, first }: RecordedRequest,
  { commits }: Recorder,
): number | 'never' | null {
  const key = keyOfRequest(call);
  if (version === '' || key === null) return null;
  const all = commits.get(key) ?? [];
  const before = all.filter(({ at }) => at < first);
  if (before.at(-1)?.revision === version) return first;
  const found = before.find(({ revision }) => revision === version);
  return found === undefined ? 'never' : found.at + 1;
}

/**
 * The requests that were answered before this one was sent, as far as the order of its user does
 * not say it.
 */
function afterOf(entry: Entry, order: readonly Entry[], index: number): Body {
  const own = order.slice(0, index).filter(({ user }) => user === entry.user);
  const others = [...new Set(order.map(({ user }) => user))].filter((user) => user !== entry.user);
  const after = others.flatMap((user) => {
    const steps = finished(order, user, entry.sent);
    const implied = Math.max(0, ...own.map(({ sent }) => finished(order, user, sent)));
    return steps > implied ? [{ user, steps }] : [];
  });
  return after.length === 0 ? {} : { after };
}

/** How many steps of the user were over before this happening. */
function finished(order: readonly Entry[], user: string, before: number): number {
  return order.filter((entry) => entry.user === user && entry.over < before).length;
}

/** A step of a request begins it or goes on with it; a step of a controller is the same. */
function stepsOf(
  { happenings }: Recorder,
  order: readonly Entry[],
  userOf: ReadonlyMap<number, string>,
  switcher: string,
): Program['steps'] {
  const request = (user: string): ActionInstance => ({ name: 'request', parameters: { user } });
  const reads = order.filter(({ fields }) => 'read' in fields);
  return happenings.flatMap(({ did }, index) => {
    const before = reads
      .filter(({ begins }) => Math.ceil(begins) === index)
      .map(({ user }) => ({ action: request(user), of: index }));
    if ('name' in did) return [...before, { action: did, of: index }];
    if ('run' in did) {
      const name = did.run ? 'startControllers' : 'request';
      return [...before, { action: { name, parameters: { user: switcher } }, of: index }];
    }
    const user = userOf.get(did.number);
    if (user === undefined) return before;
    const serve = { name: 'serve', parameters: { client: user } };
    return [...before, { action: did.first === index ? request(user) : serve, of: index }];
  });
}

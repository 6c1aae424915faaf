import { type Actor, action } from '../actors/actor.ts';
import { beginWaiting, kubectlOptions, waiterOf } from '../actors/kubectl.ts';
import { loseNode } from '../actors/nodes/kubelet.ts';
import { isQuiet } from '../actors/quiescence.ts';
import { proceed } from '../apiserver/client.ts';
import { serveVersion } from '../collector/versions.ts';
import type { Rules } from '../rules/rules.ts';
import type { Answer, Call } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { isFact } from '../state/facts.ts';
import { formatKey } from '../state/keys.ts';
import type { Setup, UserRequest, UserStep } from '../state/setup.ts';
import type { World } from '../state/world.ts';
import type { Context, Reading } from '../words/context.ts';
import { LAST_READ } from '../words/idle.ts';
import { startControllers, stopControllers } from './restart.ts';

/**
 * Users, each with a program of requests (`setup.users`). They may stop at any time, unless the
 * setup says that they finish.
 */
export const USERS: Actor = {
  actions: {
    request: action<{ user: string }>({
      fairness: 'none',
      fairnessIn: ({ usersFinish }) => (usersFinish === true ? 'weak' : 'none'),
      about: 'A user sends the next request of its program.',
      parameters: ({ users }) => Object.keys(users).map((user) => ({ user })),
      reducer:
        (setup, world) =>
        (cluster, { user }) => {
          if (!startsControllers(setup, cluster, user)) beginRequest(cluster, world, setup, user);
        },
      request: (setup, before, { user }) => {
        const request = nextStep(setup, before, user)?.request;
        return request === undefined ? null : callOf(user, request, setup.rules);
      },
      continued: (after, { user }) => after.calls[user] ?? null,
      describe: ({ setup }, { user }, before) => `${user}: ${describeWait(setup, user, before)}`,
      obstacle: (context, { user }, cluster, reading, words) =>
        userWords(context, user, false, cluster, reading, words),
    }),
  },
  clients: ({ users }) => Object.keys(users).map((user) => [user, user]),
  isIdle: () => true,
  answered: (cluster, setup, client, _call, answer) => noteAnswer(cluster, setup, client, answer),
};

/** The process that runs the controller manager starts it again after a user has stopped it. */
export const STARTS: Actor = {
  actions: {
    startControllers: action<{ user: string }>({
      fairness: 'weak',
      about: 'The controller manager starts again after a user has stopped it.',
      parameters: ({ users }) =>
        Object.values(users).some((steps) => steps.some(isStart))
          ? Object.keys(users).map((user) => ({ user }))
          : null,
      reducer:
        (setup, world) =>
        (cluster, { user }) => {
          if (startsControllers(setup, cluster, user)) beginRequest(cluster, world, setup, user);
        },
      describe: (_context, { user }) => `${user}: starts the controller manager`,
      obstacle: (context, { user }, cluster, reading, words) =>
        userWords(context, user, true, cluster, reading, words),
    }),
  },
  isIdle: () => true,
};

function isStart({ request }: UserStep): boolean {
  return request.do === 'startControllers';
}

function nextStep(
  setup: Pick<Setup, 'users'>,
  cluster: Cluster | ClusterDraft,
  user: string,
): UserStep | undefined {
  return setup.users[user]?.[cluster.users[user] ?? 0];
}

function startsControllers(setup: Setup, cluster: ClusterDraft, user: string): boolean {
  const step = nextStep(setup, cluster, user);
  return step !== undefined && isStart(step);
}

/**
 * The next request of this user's program. Null: the program is finished, or the user has to wait.
 */
export function readyRequest(
  setup: Setup,
  cluster: Cluster | ClusterDraft,
  user: string,
): UserRequest | null {
  if (cluster.calls[user] !== undefined || waiterOf(cluster, user) !== null) return null;
  const step = nextStep(setup, cluster, user);
  if (step === undefined) return null;
  const ready = step.after.every((wait) => finishedSteps(cluster, wait.user) >= wait.steps);
  if (!ready) return null;
  const { request } = step;
  if (request.do === 'settle' && !isQuiet(setup, cluster as Cluster)) return null;
  if (request.do === 'await' && !request.facts.every((fact) => isFact(cluster as Cluster, fact))) {
    return null;
  }
  return request;
}

/**
 * A user begins the next step of its program. The API server does the first step of the request.
 */
export function beginRequest(
  cluster: ClusterDraft,
  world: World,
  setup: Setup,
  user: string,
): void {
  const request = readyRequest(setup, cluster, user);
  if (request === null) return;
  if (!switchControllers(cluster, world, request)) return;
  if (request.do === 'loseNode' && !loseNode(cluster, setup, request.node)) return;
  if (request.do === 'serveVersion') serveVersion(cluster, world, request.kind, request.version);
  if (request.do === 'read') cluster.unchangedSince[user] = request.key;
  cluster.users[user] = (cluster.users[user] ?? 0) + 1;
  const call = callOf(user, request, setup.rules);
  if (call === null) return;
  const answer = proceed(cluster, world, user, call);
  if (answer !== null) noteAnswer(cluster, setup, user, answer);
}

/**
 * @returns false if the step has to wait because the controller manager has already ended or
 * started.
 */
function switchControllers(cluster: ClusterDraft, world: World, request: UserRequest): boolean {
  if (request.do === 'stopControllers') return stopControllers(cluster, world);
  return request.do === 'startControllers' ? startControllers(cluster, world) : true;
}

function finishedSteps(cluster: Cluster | ClusterDraft, user: string): number {
  const busy = cluster.calls[user] !== undefined || waiterOf(cluster, user) !== null;
  return (cluster.users[user] ?? 0) - (busy ? 1 : 0);
}

/**
 * The request of a user has been answered: `kubectl delete` begins to wait, and surprises are
 * recorded.
 */
function noteAnswer(
  cluster: ClusterDraft,
  setup: Pick<Setup, 'users'>,
  user: string,
  answer: Answer,
): void {
  const step = setup.users[user]?.[(cluster.users[user] ?? 0) - 1];
  if (step?.answer !== undefined) noteSurprise(cluster, user, answer, step.answer);
  if (step?.request.do === 'kubectlDelete' && step.request.flags.wait) {
    beginWaiting(cluster, user, step.request.key, answer);
  }
}

function noteSurprise(
  cluster: ClusterDraft,
  client: string,
  answer: Answer,
  expected: NonNullable<UserStep['answer']>,
): void {
  const reason = 'reason' in answer ? answer.reason : null;
  if ((reason ?? 'success') === expected || cluster.surprises[client] !== undefined) return;
  const step = (cluster.users[client] ?? 0) - 1;
  cluster.surprises[client] = { step, code: answer.code, reason };
}

/** The request as it is sent. Null for steps that send no writing request. */
export function callOf(client: string, request: UserRequest, rules: Rules): Call | null {
  switch (request.do) {
    case 'kubectlDelete': {
      const options = kubectlOptions(rules, request.flags);
      return options && { verb: 'delete', client, key: request.key, options, at: 'get' };
    }
    case 'create':
      return { verb: 'create', client, object: request.object };
    case 'delete':
      return {
        verb: 'delete',
        client,
        key: request.key,
        options: request.options,
        ...(request.apiVersion === undefined ? {} : { apiVersion: request.apiVersion }),
        at: 'get',
      };
    case 'update':
      return {
        verb: 'update',
        client,
        key: request.key,
        change: request.change,
        uid: request.uid,
        put: request.put,
        resourceVersion: request.resourceVersion,
        at: 'update',
      };
    case 'deleteCollection':
      return {
        verb: 'deleteCollection',
        client,
        kind: request.kind,
        namespace: request.namespace,
        options: request.options,
        ...(request.apiVersion === undefined ? {} : { apiVersion: request.apiVersion }),
        at: 'list',
        remaining: [],
        current: null,
        listed: 0,
      };
    case 'loseNode':
    case 'read':
    case 'settle':
    case 'await':
    case 'serveVersion':
    case 'stopControllers':
    case 'startControllers':
      return null;
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

function describeWait(setup: Setup, user: string, before: Cluster): string {
  const request = setup.users[user]?.[before.users[user] ?? 0]?.request;
  if (request === undefined) return 'has nothing left to do';
  if (request.do === 'read') return `GET ${formatKey(request.key)}`;
  if (request.do === 'await') return 'has seen what it waited for';
  switch (request.do) {
    case 'settle':
      return 'has waited until all is quiet';
    case 'loseNode':
      return `loses the machine of Node/${request.node}`;
    case 'kubectlDelete':
      return `kubectl of this version knows no --cascade=${request.flags.cascade}, sends nothing`;
    case 'serveVersion':
      return `has ${request.kind} served as ${request.version} only; the collector watches that`;
    case 'stopControllers':
      return 'stops the controller manager';
    default:
      return request.do;
  }
}

/** Parts of the state in which any entry means that the cluster is not quiet. */
const BUSY: readonly string[] = [
  'calls',
  'deleteWorkers',
  'orphanWorkers',
  'attemptToOrphan',
  'watch',
  'graphChanges',
];

function userWords(
  { setup }: Context,
  user: string,
  isToStart: boolean,
  cluster: Cluster,
  reading: Reading,
  words: string,
): string {
  const next = nextStep(setup, cluster, user);
  if (cluster.calls[user] !== undefined && reading.path[0] === 'calls') return words;
  if (waiterOf(cluster, user) !== null && reading.path[0] === 'controllers') {
    return `kubectl of ${user} waits until its object is gone`;
  }
  if (next === undefined) return `${user} has sent all requests`;
  if (isStart(next) !== isToStart) {
    return isStart(next)
      ? `the next thing that ${user} does is to start the controller manager`
      : `the next request of ${user} is another one`;
  }
  const wait = waitedFor(next, reading);
  if (wait !== undefined) {
    return `${user} waits until request ${wait.steps} of ${wait.user} is answered`;
  }
  switch (next.request.do) {
    case 'settle': {
      const what = BUSY.includes(reading.path[0] ?? '') ? `: ${words}` : `; ${LAST_READ} ${words}`;
      return `${user} waits until all is quiet${what}`;
    }
    case 'await':
      return `${user} waits for what is not so yet; ${LAST_READ} ${words}`;
    default:
      return words;
  }
}

/** The wait of this step for the user that the reading is about. */
function waitedFor(
  { after }: UserStep,
  { path: [part = '', key = ''] }: Reading,
): UserStep['after'][number] | undefined {
  if (!['users', 'calls', 'controllers'].includes(part)) return undefined;
  return after.find(({ user }) => key === user || key.endsWith(` ${user}`));
}

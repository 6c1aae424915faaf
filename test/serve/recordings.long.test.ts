import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type ApiObject,
  BUILT_IN_KINDS,
  type Change,
  isFact,
  isQuiet,
  keyOf,
  kindOf,
  possibleObjects,
  type Setup,
  splitKey,
  type UserRequest,
} from '../../model/index.ts';
import { textIn } from '../../serve/cluster/body.ts';
import { ServedCluster } from '../../serve/cluster/cluster.ts';
import { serverOf } from '../../serve/http/server.ts';
import { readSchedule, scheduleOf } from '../../serve/schedule/choose.ts';
import { PATIENCE } from '../clock.ts';
import { recordedFinals } from '../conformance/outcomes/decide.ts';
import { finalOf, sameFinal } from '../conformance/outcomes/final-states.ts';
import { NAMESPACE, OTHER_NAMESPACE } from '../conformance/outcomes/fixture.ts';
import { NOT_SEARCHED, outcomeSetup } from '../conformance/outcomes/setup.ts';
import { recordings } from '../conformance/recordings.ts';

/** What the users of a recording did, over HTTP, on a server with the same actors. */

const SIZE = { deleteWorkers: 3, orphanWorkers: 2, replacements: 1 };

const restarts = ({ setup }: { readonly setup: Setup }): boolean =>
  Object.values(setup.users).some((steps) =>
    steps.some(({ request }) => request.do === 'stopControllers'),
  );

const recorded = recordings()
  .filter(({ name }) => !NOT_SEARCHED.includes(name))
  .map((recording) => ({ recording, ...outcomeSetup(recording, SIZE) }));

describe.each(['fair', 'seed:1'])('with the schedule %s', (schedule) => {
  // Nobody can stop the controllers of a server.
  it.each(
    recorded.filter((one) => !restarts(one)).map((one) => [one.recording.name, one] as const),
  )('%s ends as a recorded run did', async (_name, { recording, setup, generated }) => {
    const final = await driven(setup, schedule);
    const finals = recordedFinals(recording);
    const isRecorded = finals.some((known) => sameFinal(known, final, generated));
    expect(isRecorded, JSON.stringify(final)).toBe(true);
  });
});

/** The final state after all users have sent their requests. */
async function driven(given: Setup, schedule: string) {
  const namespaces = [NAMESPACE, OTHER_NAMESPACE].map((name) => namespaceObject(name));
  const setup: Setup = { ...given, open: true, emptiedNamespaces: [NAMESPACE, OTHER_NAMESPACE] };
  const objects = [
    ...given.objects,
    ...namespaces.filter((one) => given.objects.every((other) => keyOf(other) !== keyOf(one))),
  ];
  const kinds = { ...BUILT_IN_KINDS, ...setup.kinds };
  const cluster = new ServedCluster({ ...setup, kinds }, objects, new Map(), Date.now);
  const run = scheduleOf(readSchedule(schedule), cluster);
  const app = serverOf({
    cluster,
    schedule: run,
    protocol: 'v1.20',
    address: '127.0.0.1',
    // The uids of the recording, so that its final states can be compared.
    naming: {
      newUid: ({ metadata }) => textIn(metadata as Record<string, unknown>, 'uid'),
      newSuffix: () => 'x',
    },
    audit: null,
    onDefect: (error) => {
      throw error;
    },
  });
  const versions = new Map<string, string>();
  const send = (
    method: 'POST' | 'GET' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    type = 'application/json',
  ) =>
    app.inject({
      method,
      url,
      ...(payload === undefined
        ? {}
        : { payload: JSON.stringify(payload), headers: { 'content-type': type } }),
    });

  const perform = async (user: string, request: UserRequest): Promise<void> => {
    switch (request.do) {
      case 'create':
        await send(
          'POST',
          pathOf(cluster, keyOf(request.object), false),
          bodyOf(cluster, request.object),
        );
        return;
      case 'read': {
        const { metadata } = (await send('GET', pathOf(cluster, request.key))).json();
        versions.set(user, String(metadata?.resourceVersion));
        return;
      }
      case 'delete': {
        const { preconditions } = request.options;
        const demands = {
          ...(preconditions?.uid === undefined ? {} : { uid: preconditions.uid }),
          ...(preconditions?.resourceVersion === undefined
            ? {}
            : { resourceVersion: versions.get(user) }),
        };
        const options = { ...request.options, preconditions: demands };
        await send('DELETE', pathOf(cluster, request.key), options);
        return;
      }
      case 'update':
        await update(user, request);
        return;
      case 'settle':
        await until(() => isQuiet(cluster.setup, cluster.state));
        return;
      case 'await':
        await until(() => request.facts.every((fact) => isFact(cluster.state, fact)));
        return;
      default:
        throw new Error(`nothing sends ${request.do}`);
    }
  };

  const update = async (
    user: string,
    { key, change, put, resourceVersion }: Extract<UserRequest, { do: 'update' }>,
  ): Promise<void> => {
    const path = pathOf(cluster, key);
    const { metadata, ...rest } = (await send('GET', path)).json();
    if (metadata?.name === undefined) return;
    const demanded = resourceVersion ? { resourceVersion: versions.get(user) } : {};
    const changed = { ...metadataAfter(metadata, change), ...demanded };
    if (put) await send('PUT', path, { ...rest, metadata: { ...metadata, ...changed } });
    else await send('PATCH', path, { metadata: changed }, 'application/merge-patch+json');
  };

  const done = new Map(Object.keys(setup.users).map((user) => [user, 0]));
  try {
    await Promise.all(
      Object.entries(setup.users).map(async ([user, steps]) => {
        for (const [index, { request, after }] of steps.entries()) {
          await until(() => after.every((wait) => (done.get(wait.user) ?? 0) >= wait.steps));
          await perform(user, request);
          done.set(user, index + 1);
        }
      }),
    );
    await until(() => isQuiet(cluster.setup, cluster.state));
    const keys = [...new Set(possibleObjects(given).map(keyOf))];
    return finalOf(given, cluster.state, keys);
  } finally {
    await app.close();
  }
}

function namespaceObject(name: string): ApiObject {
  return {
    kind: 'Namespace',
    namespace: '',
    name,
    uid: `namespace-${name}`,
    generation: 0,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    specFinalizers: ['kubernetes'],
    phase: 'Active',
  };
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited in vain');
    await pause(2);
  }
}

function pathOf(cluster: ServedCluster, key: string, withName = true): string {
  const [, namespace, name] = splitKey(key);
  const kind = cluster.setup.kinds[kindOf(key)]!;
  const [version = ''] = kind.apiVersions;
  const root = version.includes('/') ? '/apis' : '/api';
  const place = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${root}/${version}${place}/${kind.resource}${withName ? `/${name}` : ''}`;
}

function bodyOf(cluster: ServedCluster, object: ApiObject): object {
  const { name, namespace, uid, finalizers, ownerReferences, pod } = object;
  const kind = cluster.setup.kinds[object.kind]!;
  return {
    apiVersion: kind.apiVersions[0],
    kind: kind.kind,
    metadata: { name, namespace, uid, finalizers, ownerReferences },
    ...(pod?.scheduled === true ? { spec: { nodeName: 'node' } } : {}),
  };
}

/** The parts of the metadata that a change sets. */
function metadataAfter(
  metadata: { readonly finalizers?: readonly string[] },
  change: Change,
): object {
  const { finalizers = [] } = metadata;
  switch (change.do) {
    case 'removeFinalizer':
      return { finalizers: finalizers.filter((name) => name !== change.finalizer) };
    case 'setFinalizers':
      return { finalizers: change.finalizers };
    case 'setOwnerReferences':
      return { ownerReferences: change.ownerReferences };
    case 'setMetadata':
      return change.finalizers === undefined ? {} : { finalizers: change.finalizers };
    case 'touch':
      return { labels: { touched: String(Math.random()) } };
    default:
      throw new Error(`no recording has the change ${change.do}`);
  }
}

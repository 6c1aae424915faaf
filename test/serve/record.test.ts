import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { loadModule } from '../../cli/modules.ts';
import { inputOptions } from '../../input/options/input-options.ts';
import { deletionModel } from '../../model/index.ts';
import { planOfToken } from '../../run/tokens/plan.ts';
import { decodeToken, runOfToken } from '../../run/tokens/token.ts';
import { beginServing } from '../../serve/begin.ts';
import { readSchedule } from '../../serve/schedule/choose.ts';
import { PATIENCE } from '../clock.ts';
import { ANYTHING, CLAIM, CONTAINERS } from './server.ts';

async function* nothing(): AsyncGenerator<Uint8Array> {}

type Send = (method: string, path: string, body?: object, type?: string) => Promise<Json>;

interface Json {
  readonly code: number;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly object[];
    readonly deletionTimestamp?: string;
  };
  readonly items: readonly Json[];
}

const MERGE = 'application/merge-patch+json';

/**
 * Records what the clients do. @returns what the server said, the file, and what it had stored at
 * the end.
 */
async function recorded(
  schedule: string,
  act: (send: Send, file: string) => Promise<void>,
  inputs: readonly string[] = [],
) {
  const folder = mkdtempSync(join(tmpdir(), 'reapcheck-record-'));
  const file = join(folder, 'run.yaml');
  const clean = (): void => rmSync(folder, { recursive: true, force: true });
  onTestFinished(clean);
  const defects: Error[] = [];
  const {
    app,
    schedule: running,
    record,
  } = await beginServing(
    {
      options: inputOptions({ input: inputs }),
      schedule: readSchedule(schedule),
      address: '127.0.0.1',
      auditSink: null,
      say: () => {},
      onDefect: (error) => void defects.push(error),
      record: file,
      load: loadModule,
    },
    nothing(),
  );
  const send: Send = async (method, url, body, type = 'application/json') => {
    const response = await app.inject({
      method: method as 'GET',
      url,
      ...(body === undefined
        ? {}
        : { payload: JSON.stringify(body), headers: { 'content-type': type } }),
    });
    return { ...(response.json() as Json), code: response.statusCode };
  };
  await act(send, file);
  running.stop();
  const stored: Record<string, unknown> = {};
  for (const resource of ['configmaps', 'secrets', 'namespaces']) {
    const list = await send('GET', `/api/v1/${resource}`);
    for (const { metadata } of list.items) {
      const { name, uid, finalizers = [], ownerReferences = [], deletionTimestamp } = metadata;
      const isDeleting = deletionTimestamp !== undefined;
      stored[`${resource}/${name}`] = { uid, finalizers, ownerReferences, isDeleting };
    }
  }
  await app.close();
  const said = record?.end() ?? [];
  expect(defects).toEqual([]);
  return { file, text: readFileSync(file, 'utf8'), said, stored, clean };
}

/** What is stored at the end of the run that the token names. */
async function repeated(said: readonly string[]) {
  const word = said.join('\n').match(/rt1:\S+/)?.[0] ?? '';
  const token = decodeToken(word);
  const { setup } = await planOfToken(token, { maxMegabytes: 10 }, nothing());
  const { states, stopped } = runOfToken(deletionModel(setup), token);
  expect(stopped).toBeNull();
  const plural = { ConfigMap: 'configmaps', Secret: 'secrets', Namespace: 'namespaces' };
  return Object.fromEntries(
    Object.values(states.at(-1)?.store ?? {}).map((object) => {
      const { kind, name, uid, finalizers, ownerReferences } = object;
      const isDeleting = object.deletionTimestamp !== null;
      const resource = plural[kind as keyof typeof plural];
      return [`${resource}/${name}`, { uid, finalizers, ownerReferences, isDeleting }];
    }),
  );
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';

/** One request of a client, for one of a few names. */
const requestOf = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    name: fc.constantFrom('a', 'b'),
    owner: fc.constantFrom('a', 'b', null),
    blocking: fc.boolean(),
    held: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('delete' as const),
    name: fc.constantFrom('a', 'b'),
    secret: fc.boolean(),
    policy: fc.constantFrom('Foreground', 'Background', 'Orphan'),
    version: fc.constantFrom('now', 'old', null),
  }),
  fc.record({
    do: fc.constant('update' as const),
    name: fc.constantFrom('a', 'b'),
    secret: fc.boolean(),
    finalizers: fc.option(fc.subarray(['example.com/x', 'example.com/y'])),
    orphans: fc.boolean(),
    label: fc.option(fc.constantFrom('1', '2', '3')),
    version: fc.constantFrom('now', 'old', null),
  }),
);
type Request = typeof requestOf extends fc.Arbitrary<infer One> ? One : never;

/** A client that sends these requests. It remembers the versions of objects that it has seen. */
function client(send: Send) {
  const versions = new Map<string, string[]>();
  const uids = new Map<string, string>();
  const versionOf = (path: string, wanted: 'now' | 'old' | null): string | undefined => {
    const seen = versions.get(path) ?? [];
    return wanted === null ? undefined : wanted === 'now' ? seen.at(-1) : seen[0];
  };
  const note = (path: string, { code, metadata }: Json): void => {
    if (code >= 300 || metadata?.resourceVersion === undefined) return;
    versions.set(path, [...(versions.get(path) ?? []), metadata.resourceVersion]);
    uids.set(path, metadata.uid);
  };
  return async (request: Request): Promise<void> => {
    const { name } = request;
    if (request.do === 'create') {
      const { owner, held } = request;
      const finalizers = held ? ['example.com/x'] : [];
      const path = `${owner === null ? CONFIG_MAPS : SECRETS}/${name}`;
      const uid = uids.get(`${CONFIG_MAPS}/${owner}`) ?? 'no-such-uid';
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid };
      const ownerReferences =
        owner === null ? [] : [{ ...reference, blockOwnerDeletion: request.blocking }];
      const metadata = { name, finalizers, ownerReferences };
      note(path, await send('POST', owner === null ? CONFIG_MAPS : SECRETS, { metadata }));
      return;
    }
    const path = `${request.secret ? SECRETS : CONFIG_MAPS}/${name}`;
    const version = versionOf(path, request.version);
    if (request.do === 'delete') {
      const demand = version === undefined ? {} : { preconditions: { resourceVersion: version } };
      await send('DELETE', path, { propagationPolicy: request.policy, ...demand });
      return;
    }
    const { finalizers, orphans, label } = request;
    const metadata = {
      ...(finalizers === null ? {} : { finalizers }),
      ...(orphans ? { ownerReferences: [] } : {}),
      ...(label === null ? {} : { labels: { label } }),
      ...(version === undefined ? {} : { resourceVersion: version }),
    };
    note(path, await send('PATCH', path, { metadata }, MERGE));
  };
}

it.each(['fair', 'seed'])(
  'the token of a record with the schedule %s ends as the server did',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(requestOf, { minLength: 1, maxLength: 8 }),
        fc.array(requestOf, { maxLength: 4 }),
        fc.nat(1_000),
        async (first, second, seed) => {
          const schedule = kind === 'fair' ? 'fair' : `seed:${seed}`;
          const { said, stored, clean } = await recorded(schedule, async (send) => {
            const [one, other] = [client(send), client(send)];
            const each = async (act: typeof one, requests: readonly Request[]) => {
              for (const request of requests) await act(request);
            };
            await Promise.all([each(one, first), each(other, second)]);
          });
          expect(said.join('\n')).not.toMatch(/ends early|no token|too long/);
          const replayed = await repeated(said);
          for (const key of Object.keys(stored).filter((name) => name.startsWith('namespaces/'))) {
            if (!(key in replayed)) delete stored[key];
          }
          expect(replayed).toEqual(stored);
          clean();
        },
      ),
      { numRuns: 30 },
    );
  },
);

const HOLD = 'example.com/hold';
const patch = (send: Send, path: string, body: object): Promise<Json> =>
  send('PATCH', path, body, MERGE);

/** What clients do, with something that the scenario says of it. */
const RUNS: Readonly<Record<string, { act(send: Send): Promise<void>; says: RegExp }>> = {
  'a namespace that waits for a finalizer': {
    act: async (send) => {
      await send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
      const maps = '/api/v1/namespaces/shop/configmaps';
      await send('POST', maps, { metadata: { name: 'x', finalizers: [HOLD] } });
      await send('DELETE', '/api/v1/namespaces/shop');
      for (let polls = 0; polls < 40; polls++) await send('GET', `${maps}/x`);
      await patch(send, `${maps}/x`, { metadata: { finalizers: null } });
      for (let polls = 0; polls < 40; polls++) await send('GET', '/api/v1/namespaces/shop');
    },
    says: /namespaceController: true/,
  },
  'a definition that goes with its objects': {
    act: async (send) => {
      const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      const spec = {
        group: 'example.test',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [{ name: 'v1', served: true, storage: true, schema: ANYTHING }],
      };
      await send('POST', definitions, { metadata: { name: 'widgets.example.test' }, spec });
      const widgets = '/apis/example.test/v1/namespaces/default/widgets';
      await send('POST', widgets, { metadata: { name: 'w', finalizers: [HOLD] } });
      await send('DELETE', `${definitions}/widgets.example.test`);
      for (let polls = 0; polls < 40; polls++) await send('GET', `${widgets}/w`);
      await patch(send, `${widgets}/w`, { metadata: { finalizers: null }, spec: { size: 2 } });
      for (let polls = 0; polls < 40; polls++) await send('GET', `${widgets}/w`);
    },
    says: /# Note: not kept: request \d+, PATCH Widget.example.test\/w: it changes the spec/,
  },
  'a claim that a pod uses': {
    act: async (send) => {
      const [pods, claims] = ['pods', 'persistentvolumeclaims'].map(
        (resource) => `/api/v1/namespaces/default/${resource}`,
      );
      const claim = { claimName: 'data' };
      const volumes = [{ name: 'v', persistentVolumeClaim: claim }];
      const spec = { nodeName: 'n', volumes, containers: CONTAINERS };
      await send('POST', `${pods}`, { metadata: { name: 'p' }, spec });
      await send('POST', `${claims}`, { metadata: { name: 'data' }, spec: CLAIM });
      await send('DELETE', `${claims}/data`);
      await send('DELETE', `${pods}/p`);
      for (let polls = 0; polls < 40; polls++) await send('GET', `${claims}/data`);
    },
    says: /storageProtection: true/,
  },
  'controllers that end amid their work, and start': {
    act: async (send) => {
      const { metadata } = await send('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: metadata.uid };
      const ownerReferences = [{ ...owner, blockOwnerDeletion: true }];
      await send('POST', SECRETS, { metadata: { name: 'b', ownerReferences } });
      const run = (wanted: boolean) => send('POST', '/reapcheck/controllers', { run: wanted });
      for (let polls = 0; polls < 5; polls++) await send('GET', `${CONFIG_MAPS}/a`);
      await run(false);
      await send('DELETE', `${CONFIG_MAPS}/a`, { propagationPolicy: 'Foreground' });
      expect((await run(false)).code).toBe(200);
      await run(true);
      for (let polls = 0; polls < 60; polls++) await send('GET', `${CONFIG_MAPS}/a`);
      await run(false);
    },
    says: /stopControllers: true[\s\S]*startControllers: true[\s\S]*stopControllers: true/,
  },
  'a conflict, a PUT of two lists, and requests for which there are no words': {
    act: async (send) => {
      const made = await send('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
      const { resourceVersion } = made.metadata;
      await patch(send, `${CONFIG_MAPS}/a`, { data: { x: '1' } });
      const stale = { metadata: { resourceVersion, finalizers: [HOLD] } };
      expect((await patch(send, `${CONFIG_MAPS}/a`, stale)).code).toBe(409);
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'no-such-uid' };
      const metadata = { name: 'a', finalizers: [HOLD], ownerReferences: [reference] };
      await send('PUT', `${CONFIG_MAPS}/a`, { metadata });
      await send('DELETE', `${CONFIG_MAPS}/missing`);
      await patch(send, `${CONFIG_MAPS}/a?dryRun=All`, { metadata: { finalizers: null } });
    },
    says: /touch: true[\s\S]*asRead[\s\S]*setFinalizers/,
  },
};

it.each(
  Object.entries(RUNS).flatMap(([name, run]) =>
    ['fair', 'seed:3', 'seed:4'].map((schedule) => [name, schedule, run] as const),
  ),
)('the record of %s (%s) ends as the server did', async (_name, schedule, { act, says }) => {
  const { said, stored, text } = await recorded(schedule, act);
  expect(said.join('\n')).not.toMatch(/ends early|no token|too long/);
  expect(text).toMatch(says);
  const replayed = await repeated(said);
  for (const [key, object] of Object.entries(stored)) {
    if (!key.startsWith('namespaces/') || key in replayed) expect(replayed[key]).toEqual(object);
  }
  const gone = Object.keys(replayed).filter((key) => !(key in stored) && !/undefined/.test(key));
  expect(gone).toEqual([]);
});

it('a scenario at the start keeps its objects and actors', async () => {
  const { said, text } = await recorded(
    'seed:3',
    async (send) => {
      await send('DELETE', `${CONFIG_MAPS}/a`, { propagationPolicy: 'Foreground' });
      for (let polls = 0; polls < 40; polls++) await send('GET', `${CONFIG_MAPS}/a`);
    },
    ['foreground-chain'],
  );
  expect(text).toMatch(/ConfigMap\/c: gone/);
  expect(await repeated(said)).toEqual({});
});

it('what a scenario cannot say is in the file and on stderr', async () => {
  const { said, text } = await recorded('fair', async (send) => {
    await send('DELETE', `${CONFIG_MAPS}/missing`);
    await send('POST', `${CONFIG_MAPS}?dryRun=All`, { metadata: { name: 'a' } });
  });
  for (const where of [said.join('\n'), text]) {
    expect(where).toMatch(/request 1, DELETE ConfigMap\/missing: there never was a ConfigMap/);
    expect(where).toMatch(/request 2, POST ConfigMap\/a: a dry run of a POST stores nothing/);
  }
});

it('a run that is not stopped yet is in the file already', async () => {
  await recorded('fair', async (send, file) => {
    expect(readFileSync(file, 'utf8')).toMatch(/^# A run of reapcheck serve[\s\S]*requests: \[\]/);
    await send('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
    const end = Date.now() + PATIENCE;
    while (!/create:[\s\S]*name: a/.test(readFileSync(file, 'utf8'))) {
      if (Date.now() > end) throw new Error('waited in vain');
      await pause(50);
    }
  });
});

it('a token is no schedule to record', async () => {
  const word = 'rt1:late-dependent-orphan:PJmnxpCB:ATAoAQAdB7AiA8AQA7A4AiApASANAW:WTIT:6DP8';
  await expect(recorded(word, async () => {})).rejects.toThrow(/--record has no effect/);
});

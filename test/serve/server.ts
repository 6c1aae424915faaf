import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { loadModule } from '../../cli/modules.ts';
import { inputOptions } from '../../input/options/input-options.ts';
import { beginServing } from '../../serve/begin.ts';
import { OPERATOR_PATH } from '../../serve/http/operator.ts';
import { readSchedule } from '../../serve/schedule/choose.ts';
import type { PlayedController } from '../../serve/schedule/run-calls.ts';
import { PATIENCE } from '../clock.ts';
import '../typescript.ts';

/**
 * The fields into which tests reach, of objects, lists, statuses and the server's own steps. No
 * answer has all of them: an assertion about one that is not there fails.
 */
export interface Json {
  readonly kind: string;
  readonly data: Readonly<Record<string, string>>;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation: number;
    readonly creationTimestamp: string;
    readonly deletionTimestamp: string;
    readonly deletionGracePeriodSeconds: number;
    readonly finalizers: readonly string[];
    readonly continue: string;
    readonly remainingItemCount: number;
  };
  readonly spec: {
    readonly replicas: number;
    readonly ports: readonly unknown[];
    readonly template: { readonly spec: { readonly containers: readonly unknown[] } };
  };
  readonly status: { readonly phase: string; readonly acceptedNames: { readonly kind: string } };
  readonly items: readonly Json[];
  readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
  readonly steps: readonly {
    readonly number: number;
    readonly name: string;
    readonly parameters: Readonly<Record<string, string>>;
    readonly words: string;
  }[];
}

/** An answer, as a client without a library sees it. */
export interface Response {
  readonly code: number;
  readonly body: Json;
}

export interface TestServer {
  readonly url: string;
  send(method: string, path: string, body?: unknown, type?: string): Promise<Response>;
  get(path: string): Promise<Response>;
  /** The same server for the operator that plays a controller of the run. */
  readonly operator: Pick<TestServer, 'url' | 'send' | 'get'>;
  /** Waits until the condition is true: the controllers act on their own. */
  until(condition: () => Promise<boolean>): Promise<void>;
  /** What the schedule has said. */
  readonly said: readonly string[];
  /** Waits until a GET answers 404. */
  gone(path: string): Promise<void>;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** A server for one test, on a free port. */
export async function serving(
  schedule = 'fair',
  inputs: readonly string[] = [],
  options: Readonly<Record<string, unknown>> = {},
  auditSink: ((line: string) => void) | null = null,
  more: { readonly plays?: PlayedController; readonly record?: string } = {},
): Promise<TestServer> {
  const defects: Error[] = [];
  const said: string[] = [];
  const { app } = await beginServing(
    {
      options: inputOptions({ input: inputs, ...options }),
      schedule: readSchedule(schedule),
      address: '127.0.0.1',
      auditSink,
      say: (text) => void said.push(text),
      load: loadModule,
      ...more,
      onDefect: (error) => void defects.push(error),
    },
    nothing(),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await app.close();
    if (defects[0] !== undefined) throw defects[0];
  });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const { send, get } = clientOf(url);
  const operator = clientOf(`${url}${OPERATOR_PATH}`);
  const until: TestServer['until'] = async (condition) => {
    const end = Date.now() + PATIENCE;
    while (!(await condition())) {
      if (Date.now() > end) throw new Error('waited in vain');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const gone = (path: string) => until(async () => (await get(path)).code === 404);
  return { url, send, get, operator, until, gone, said };
}

function clientOf(url: string): Pick<TestServer, 'url' | 'send' | 'get'> {
  const send: TestServer['send'] = async (method, path, body, type = 'application/json') => {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : {
            body: typeof body === 'string' ? body : JSON.stringify(body),
            headers: { 'content-type': type },
          }),
    });
    return { code: response.status, body: (await response.json()) as Json };
  };
  return { url, send, get: (path) => send('GET', path) };
}

/** What the definitions of a kind Widget have in common. */
export const WIDGET_DEFINITION = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    ...{ group: 'example.com', scope: 'Namespaced' },
    names: { plural: 'widgets', kind: 'Widget' },
  },
};

/** What a pod, a workload, a job and a claim need at least. */
export const CONTAINERS = [{ name: 'main', image: 'pause' }];
const LABELS = { app: 'web' };
export const WORKLOAD = {
  selector: { matchLabels: LABELS },
  template: { metadata: { labels: LABELS }, spec: { containers: CONTAINERS } },
};
export const JOB = { template: { spec: { containers: CONTAINERS, restartPolicy: 'Never' } } };
export const CLAIM = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
};

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
export const SECRETS = '/api/v1/namespaces/default/secrets';

/** The schema of a version of a definition that stores what it is given. */
export const ANYTHING = {
  openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

export function configMap(name: string, metadata: Readonly<Record<string, unknown>> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data: { a: '1' } };
}

/** A Secret that the ConfigMap owns. */
export function ownedSecret(name: string, owner: { readonly name: string; readonly uid: string }) {
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', ...owner, blockOwnerDeletion: true };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, ownerReferences: [reference] } };
}

/** Creates a ConfigMap with a Secret that it owns. @returns the ConfigMap. */
export async function family(server: TestServer, owner = 'owner', dependent = 'dependent') {
  const { body } = await server.send('POST', CONFIG_MAPS, configMap(owner));
  const { name, uid } = body.metadata;
  await server.send('POST', SECRETS, ownedSecret(dependent, { name, uid }));
  return body;
}

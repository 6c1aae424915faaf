import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { clientNode } from '../../live/client-node.ts';
import { Connection } from '../../live/connection.ts';
import { InputError } from '../../text/input-error.ts';
import { runCli } from '../cli/run-cli.ts';
import { countingWork } from '../clock.ts';
import { serving } from '../serve/server.ts';
import { clusterAt, frontOf, type Meddling, status } from './cluster.ts';

const SHOP = 'test/dumps/shop.yaml';
const SMALL = 'test/dumps/old-replicaset.yaml';
const OWNED = 'test/dumps/owned.yaml';
const STUCK = 'test/dumps/shop-worker-stuck.yaml';

async function answerOf(words: readonly string[]) {
  const { stdout, code } = await runCli([...words, '--format', 'json']);
  const { answer } = JSON.parse(stdout);
  return { code, answer };
}

const refuseSecrets: Meddling = ({ path }) =>
  path.endsWith('/secrets') ? status(403, 'Forbidden') : null;

describe('a cluster in the place of a dump', () => {
  it.each([
    { command: ['delete'], dump: SHOP, object: ['deploy/web', '-n', 'shop'] },
    {
      command: ['delete'],
      dump: SHOP,
      object: ['deploy/web', '-n', 'shop', '--cascade', 'foreground'],
    },
    { command: ['compare'], dump: STUCK, object: ['deploy/worker', '-n', 'shop'] },
    { command: ['explain'], dump: STUCK, object: [] },
  ])('$command of $dump has the same answer', async ({ command, dump, object }) => {
    const server = await serving('fair', [dump]);
    const live = await answerOf([...command, ...clusterAt(server.url), ...object]);
    const dumped = await answerOf([...command, dump, ...object]);
    const fates = ({ answer }: typeof live) =>
      answer.outcomes.map((outcome: { readonly fates: readonly { readonly fate: string }[] }) =>
        outcome.fates.map(({ fate }, index) => [answer.objects[index].name, fate]),
      );
    // The server has the objects that the model adds, and no others.
    expect(fates(live)).toEqual(fates(dumped));
    expect(live.answer.missing).toEqual(dumped.answer.missing);
    expect(live.code).toBe(dumped.code);
  });

  it('check --delete, survey, collect and uninstall read it as well', async () => {
    const { url } = await serving('fair', [OWNED]);
    const cluster = clusterAt(url);
    const checked = await runCli(['check', ...cluster, '--delete', 'cm/web', '-n', 'shop']);
    expect(checked.stdout).toContain('ConfigMap/web.shop goes');
    const survey = await runCli(['survey', ...cluster, '-n', 'shop', '--cascade', 'orphan']);
    expect(survey.stdout).toContain('1 ConfigMap');
    const collected = await runCli(['collect', ...cluster]);
    expect(collected).toMatchObject({ code: 0 });
    const order = await runCli(['uninstall', ...cluster, '--release', 'none']);
    expect(order.stderr).toContain('the dump has nothing of none');
  });

  it('is only read, with no more rights than the documented ones', async () => {
    const log: string[] = [];
    const { url } = await serving('fair', [SMALL], {}, (line) => void log.push(line));
    await runCli(['delete', ...clusterAt(url), 'deploy/web', '-n', 'shop']);
    const rules = documentedRules();
    const events = log
      .map((line) => JSON.parse(line))
      .filter(({ userAgent }) => userAgent === 'reapcheck');
    expect(events.length).toBeGreaterThan(40);
    for (const { verb, objectRef } of events) {
      const { apiGroup = '', resource, subresource } = objectRef;
      const isGranted = rules.some(
        ({ apiGroups = [], resources = [], verbs }) =>
          verbs.includes(verb) &&
          [apiGroup, '*'].some((group) => apiGroups.includes(group)) &&
          [resource, '*'].some((name) => resources.includes(name)),
      );
      expect({ verb, resource, subresource, isGranted }).toMatchObject({
        verb: 'list',
        subresource: undefined,
        isGranted: true,
      });
    }
    // A right to GET everything is also one to look into containers and logs.
    expect(rules.flatMap(({ verbs }) => verbs).sort()).toEqual(['get', 'list', 'watch']);
    expect(rules.find(({ verbs }) => verbs.includes('get'))?.resources).toBeUndefined();
  });

  it('never asks for the data of secrets', async () => {
    const server = await serving('fair');
    await server.send('POST', '/api/v1/namespaces/default/secrets', {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key' } },
      data: { password: 'aHVudGVyMg==' },
    });
    const front = await frontOf(server.url, () => null);
    const { code } = await runCli(['delete', ...clusterAt(front.url), 'secret/key']);
    expect(code).toBe(0);
    expect(front.answered()).toContain('"name":"key"');
    expect(front.answered()).not.toContain('aHVudGVyMg==');
  });

  it('is listed page by page, and again from the start when a page has expired', async () => {
    const { url } = await serving('fair', [SHOP]);
    let expired = 0;
    const front = await frontOf(
      url,
      ({ query, path }) => {
        if (!path.endsWith('/pods') || !query.has('continue') || expired === 1) return null;
        expired += 1;
        return status(410, 'Expired');
      },
      (query) => query.has('limit') && query.set('limit', '1'),
    );
    const paged = await answerOf(['delete', ...clusterAt(front.url), 'deploy/web', '-n', 'shop']);
    const whole = await answerOf(['delete', ...clusterAt(url), 'deploy/web', '-n', 'shop']);
    expect(expired).toBe(1);
    expect(paged.answer.objects).toEqual(whole.answer.objects);
  });
});

it('limits hold while it is read, and nothing that is asked for keeps the process', async () => {
  let pages = 0;
  let dropped: () => void = () => undefined;
  const isDropped = new Promise<void>((resolve) => {
    dropped = resolve;
  });
  const kind = (name: string, of: string) => ({
    name,
    kind: of,
    namespaced: true,
    verbs: ['list'],
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://server');
    const send = (body: object): void => void response.end(JSON.stringify(body));
    if (pathname === '/api') return send({ versions: ['v1'] });
    if (pathname === '/apis') return send({ groups: [] });
    if (pathname === '/api/v1') {
      const resources = [kind('namespaces', 'Namespace'), kind('pods', 'Pod')];
      return send({ resources: [...resources, kind('secrets', 'Secret')] });
    }
    const metadata = { resourceVersion: '7' };
    if (pathname === '/api/v1/namespaces') return send({ kind: 'List', metadata, items: [] });
    // One kind never ends, and the other never comes.
    if (pathname === '/api/v1/secrets') return void response.on('close', dropped);
    pages += 1;
    const items = Array.from({ length: 100 }, (_, index) => ({ metadata: { name: `p${index}` } }));
    return send({ kind: 'PodList', metadata: { ...metadata, continue: 'more' }, items });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  countingWork(1);
  const words = ['pod/p1', '--timeout', '3'];
  const cluster = clusterAt(`http://127.0.0.1:${port}`);
  const { code, stdout, stderr } = await runCli(['delete', ...cluster, ...words]);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch('the time of 3 seconds was up while reading the cluster of context');
  await isDropped;
  expect(pages).toBeLessThan(50);
});

describe('what cannot be read', () => {
  it('is said, and makes no answer green', async () => {
    const { url } = await serving('fair', [SMALL]);
    const cluster = clusterAt((await frontOf(url, refuseSecrets)).url);
    const said = 'not read: secrets (403 Forbidden)';
    const questions = [
      ['delete', ...cluster, 'deploy/web', '-n', 'shop'],
      ['collect', ...cluster],
      ['explain', ...cluster],
      ['check', ...cluster, '--delete', 'deploy/web', '-n', 'shop'],
    ];
    for (const words of questions) {
      const { code, stdout } = await runCli(words);
      expect({ words, code }).toEqual({ words, code: 3 });
      expect(stdout.replace(/\s+/g, ' ')).toContain(said);
    }
    const survey = await answerOf(['survey', ...cluster, '-n', 'none']);
    expect(survey.code).toBe(3);
    expect(survey.answer.missing[0].text).toBe(said);
    const words = ['--delete', 'deploy/web', '-n', 'shop', '--property', 'orphans-survive'];
    const property = await runCli(['check', ...cluster, ...words]);
    expect(property).toMatchObject({ code: 2, stdout: '' });
    expect(property.stderr).toContain(said);
  });

  it('may be an API that does not answer', async () => {
    const { url } = await serving('fair', [SMALL]);
    const broken: Meddling = ({ path }) =>
      path === '/apis/policy/v1' ? status(503, 'ServiceUnavailable') : null;
    const cluster = clusterAt((await frontOf(url, broken)).url);
    const { code, stdout } = await runCli(['delete', ...cluster, 'deploy/web', '-n', 'shop']);
    expect(code).toBe(3);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'the kinds of policy/v1 (503 ServiceUnavailable)',
    );
  });

  it('may be everything', async () => {
    const { url } = await serving('fair');
    const nothing = await frontOf(url, ({ path }) =>
      /^\/api(\/v1)?$|^\/apis(\/[^/]+){0,2}$/.test(path) ? null : status(403, 'Forbidden'),
    );
    const denied = await runCli(['collect', ...clusterAt(nothing.url)]);
    expect(denied).toMatchObject({ code: 2 });
    expect(denied.stderr).toContain('does not let anything be read: 403 Forbidden');
    const stranger = await frontOf(url, () => status(401, 'Unauthorized'));
    const refused = await runCli(['collect', ...clusterAt(stranger.url)]);
    expect(refused.stderr).toContain('no credentials for context "reapcheck": 401 Unauthorized');
    const page = await frontOf(url, () => ({ code: 200, body: { hello: 'world' } }));
    const wrong = await runCli(['collect', ...clusterAt(page.url)]);
    expect(wrong.stderr).toContain('does not answer /api as a Kubernetes API does');
  });

  it('may be hostile: no name leaves its place in a path or controls the terminal', async () => {
    const { url } = await serving('fair', [SHOP]);
    const evil = { kind: 'Evil', namespaced: true, verbs: ['list', 'watch'] };
    const front = await frontOf(url, ({ path }) => {
      if (path === '/apis') {
        const versions = [{ groupVersion: '../../evil', version: '../../evil' }];
        const group = { name: '../evil', versions, preferredVersion: versions[0] };
        return { code: 200, body: { kind: 'APIGroupList', groups: [group, null, { name: 7 }] } };
      }
      if (path !== '/api/v1') return null;
      const resources = [
        { ...evil, name: '../../../evil?x=' },
        { ...evil, name: 'evil\u001b[31m' },
        { name: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs: ['list'] },
      ];
      return { code: 200, body: { kind: 'APIResourceList', resources } };
    });
    const { stdout, stderr } = await runCli(['collect', ...clusterAt(front.url)]);
    expect(front.asked.filter(({ path }) => path.includes('evil'))).toEqual([]);
    expect(`${stdout}${stderr}`).not.toContain('\u001b');
    const odd = await frontOf(url, ({ path }) =>
      path.endsWith('/pods')
        ? { code: 200, body: { kind: 'PodList', items: [7, { metadata: { name: '\u001b[2J' } }] } }
        : null,
    );
    const told = await runCli(['collect', ...clusterAt(odd.url)]);
    expect(told.code).toBe(2);
    expect(told.stderr).not.toContain('\u001b');
  });
});

describe('wrong usage', () => {
  it.each([
    [['check', '--context', 'c'], '--context needs --delete KIND/NAME'],
    [['check', '--context', 'c', 'dump.yaml', '--delete', 'a/b'], 'remove dump.yaml'],
    [['collect', '--context', 'c', '--dump', 'x.yaml'], 'remove x.yaml'],
    [['collect', SHOP, '--kubeconfig', 'k'], '--kubeconfig has no effect without --context'],
    [['collect', '--context', 'c', '--kubeconfig', 'none'], 'the kubeconfig none cannot be used'],
  ])('%j: %s', async (words, message) => {
    const { code, stderr } = await runCli(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('names the contexts that there are', async () => {
    const { url } = await serving('fair');
    const [, , ...kubeconfig] = clusterAt(url);
    const { stderr } = await runCli(['collect', '--context', 'reapchek', ...kubeconfig]);
    expect(stderr).toContain('did you mean "reapcheck"?');
  });

  it('says how to install the package that is missing', async () => {
    const missing = Object.assign(new Error('Cannot find package'), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    const loading = clientNode(() => Promise.reject(missing));
    await expect(loading).rejects.toBeInstanceOf(InputError);
    await expect(loading).rejects.toMatchObject({
      text: { next: expect.arrayContaining(['npm install @kubernetes/client-node']) },
    });
  });

  it('says which version loads where the newest does not', async () => {
    const broken = new TypeError("Cannot read properties of undefined (reading 'bind')");
    await expect(clientNode(() => Promise.reject(broken))).rejects.toMatchObject({
      text: { what: expect.stringContaining("reading 'bind'"), next: /client-node@1$/ },
    });
  });
});

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}

/** The rules of the ClusterRole in the documentation. */
function documentedRules(): readonly Rule[] {
  const page = readFileSync('docs/live-cluster.md', 'utf8');
  const [, role = ''] = page.match(/```yaml\n(apiVersion: rbac[\s\S]*?)```/) ?? [];
  return parse(role.split('---')[0] ?? '').rules;
}

it('asks for room before an answer is parsed', async () => {
  const { url } = await serving('fair', [SMALL]);
  const [, context = '', , kubeconfig = ''] = clusterAt(url);
  const connection = await Connection.to({ context, kubeconfig });
  onTestFinished(() => connection.close());
  const asked: number[] = [];
  const full = new Error('a limit');
  const room = (bytes: number): void => {
    asked.push(bytes);
    if (bytes > 0) throw full;
  };
  await expect(connection.get('/api/v1', 'whole', 1e6, room)).rejects.toBe(full);
  expect(asked.slice(0, -1)).toContain(0);
});

import { expect, it } from 'vitest';
import { runCli, temporaryFile } from '../cli/run-cli.ts';
import { CONFIG_MAPS, CONTAINERS, configMap, family, SECRETS, serving } from './server.ts';

/** The log of a run with each policy, in the order in which the requests were answered. */
async function logOf(schedule: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const server = await serving(schedule, [], {}, (line) => lines.push(line));
  for (const policy of ['Background', 'Foreground', 'Orphan']) {
    await family(server, `owner-${policy}`.toLowerCase(), `of-${policy}`.toLowerCase());
    const owner = `${CONFIG_MAPS}/owner-${policy.toLowerCase()}`;
    const dependent = `${SECRETS}/of-${policy.toLowerCase()}`;
    await server.send('DELETE', owner, { propagationPolicy: policy });
    await server.gone(owner);
    if (policy !== 'Orphan') await server.gone(dependent);
  }
  const namespaces = '/api/v1/namespaces';
  await server.send('POST', namespaces, { metadata: { name: 'shop' } });
  await server.send('POST', `${namespaces}/shop/configmaps`, configMap('a'));
  await server.send('DELETE', `${namespaces}/shop`);
  await server.gone(`${namespaces}/shop`);
  return lines;
}

it.each(['fair', 'seed:21', 'seed:22'])(
  'the log of a run with the schedule %s is one that the model explains',
  async (schedule) => {
    const lines = await logOf(schedule);
    const collector = lines.filter((line) => line.includes('generic-garbage-collector'));
    const verbs = new Set(collector.map((line) => JSON.parse(line).verb));
    expect([...verbs].sort()).toEqual(['delete', 'get', 'patch']);
    const { code: exitCode, stdout } = await runCli([
      'conform',
      'trace',
      temporaryFile('audit.jsonl', lines.join('')),
      ...['--protocol', 'newest'],
    ]);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  },
);

it('the model explains the log of pods that are bound, granted a grace period and evicted', async () => {
  const lines: string[] = [];
  const server = await serving('fair', [], {}, (line) => lines.push(line));
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { containers: CONTAINERS };
  const bind = (target: object) =>
    server.send('POST', `${pods}/late/binding`, { metadata: { name: 'late' }, target });
  await server.send('POST', pods, { metadata: { name: 'late' }, spec });
  await server.send('POST', pods, {
    metadata: { name: 'early' },
    spec: { ...spec, nodeName: 'n' },
  });
  expect((await bind({ kind: 'Node' })).body).toMatchObject({ code: 422 });
  expect((await bind({ kind: 'Node', name: 'n' })).code).toBe(201);
  expect((await bind({ kind: 'Node', name: 'm' })).body).toMatchObject({
    code: 409,
    message: expect.stringMatching(/pod late is already assigned to node "n"$/),
  });
  expect((await server.send('POST', pods, { metadata: { name: 'No' }, spec })).code).toBe(422);
  const shown = await server.get(`${pods}?fieldSelector=spec.nodeName%3Dn`);
  expect(shown.body.items).toHaveLength(2);
  for (const name of ['late', 'early']) {
    await server.send('POST', `${pods}/${name}/eviction`, { metadata: { name } });
    await server.gone(`${pods}/${name}`);
  }
  const file = temporaryFile('audit.jsonl', lines.join(''));
  const { code, stdout } = await runCli(['conform', 'trace', file, '--protocol', 'newest']);
  expect({ code, stdout }).toMatchObject({ code: 0 });
});

it('the model does not explain a log in which the collector deletes what has an owner', async () => {
  const lines = await logOf('fair');
  const forged = lines.map((line) =>
    line.includes('generic-garbage-collector') && line.includes('"code":404')
      ? line.replace('"code":404', '"code":200')
      : line,
  );
  const forgedCount = forged.filter((line, index) => line !== lines[index]).length;
  expect(forgedCount).toBeGreaterThan(0);
  const { code: exitCode } = await runCli([
    'conform',
    'trace',
    temporaryFile('audit.jsonl', forged.join('')),
  ]);
  expect(exitCode).not.toBe(0);
});

import { expect, it } from 'vitest';
import { expectError, runCli } from '../cli/run-cli.ts';
import { CONFIG_MAPS, ownedSecret, SECRETS, serving } from './server.ts';

/** The token of a counterexample in which the collector deletes what was to be orphaned. */
async function token(): Promise<string> {
  const words = ['check', 'late-dependent-orphan', '--property', 'orphans-survive'];
  const { stdout } = await runCli(words);
  return stdout.match(/reapcheck replay (rt1:\S+)/)?.[1] ?? '';
}

const LATE = ownedSecret('late', { name: 'a', uid: 'uid-a' });

it('repeats a counterexample around the requests of a client', async () => {
  const server = await serving(await token());
  expect(server.said.at(-1)).toMatch(/^waits at step 1 of 15, "user: POST Secret\/late"$/);
  const stop = () => server.send('POST', '/reapcheck/controllers', { run: false });
  expect((await stop()).body).toMatchObject({
    ...{ code: 409, message: expect.stringMatching(/when GET \/reapcheck\/run says/) },
  });
  expect((await server.send('POST', SECRETS, LATE)).body.metadata.uid).toBe('uid-late');
  expect(server.said.at(-1)).toMatch(/^waits at step 2 of 15, "user: DELETE ConfigMap\/a /);
  const { code } = await server.send('DELETE', `${CONFIG_MAPS}/a`, { propagationPolicy: 'Orphan' });
  expect(code).toBe(200);
  await server.gone(`${SECRETS}/late`);
  expect(server.said.at(-1)).toMatch(/^the run is complete/);
  expect((await stop()).code).toBe(200);
});

it('without the token, the same requests leave the orphan alone', async () => {
  const server = await serving('fair', ['late-dependent-orphan']);
  await server.send('POST', SECRETS, LATE);
  await server.send('DELETE', `${CONFIG_MAPS}/a`, { propagationPolicy: 'Orphan' });
  await server.gone(`${CONFIG_MAPS}/a`);
  const { body } = await server.get(`${SECRETS}/late`);
  expect(body.metadata).not.toHaveProperty('ownerReferences');
});

it('says where a client leaves the run, and goes on', async () => {
  const server = await serving(await token());
  await server.send('POST', SECRETS, LATE);
  await server.send('DELETE', `${CONFIG_MAPS}/a`, { propagationPolicy: 'Background' });
  expect(server.said.at(-1)).toMatch(
    /^left at step 2 of 15, "user: DELETE ConfigMap\/a .*": a client sends DELETE ConfigMap\/a \{"propagationPolicy":"Background"\}; from here on the schedule is fair$/,
  );
  await server.gone(`${SECRETS}/late`);
});

it('refuses a token together with an input, and a broken one', async () => {
  const words = ['serve', 'background-chain', '--schedule', await token()];
  expectError(await runCli(words), /a token already determines the model/);
  expectError(await runCli(['serve', '--schedule', 'rt1:broken']), /not a reapcheck token/);
});

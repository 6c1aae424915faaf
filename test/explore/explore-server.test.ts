import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { expectError, runCli } from '../cli/run-cli.ts';
import { CONFIG_MAPS, configMap, family, serving } from '../serve/server.ts';

/** `reapcheck explore` with the address of a server that waits for its steps. */

it('lists the steps of a server, takes those that are chosen, and shows what they change', async () => {
  const server = await serving('manual');
  await family(server);
  const commands = ['step deliver Secret', '1', 'step deliver', '7', 'state', 'back', 'quit'];
  const { stdout, code } = await runCli(['explore', server.url], { stdin: commands.join('\n') });
  const [first, secret, configMapSeen, none, seventh, state, back] = stdout.split('\n> ');
  expect(first).toContain('graph builder: sees ADDED ConfigMap/owner');
  expect(first).toContain('graph builder: sees ADDED Secret/dependent');
  const [, changes = ''] = secret?.split('sees ADDED Secret/dependent\n') ?? [];
  expect(changes).toContain('graph + Secret/dependent');
  expect(changes).toContain('graph + ConfigMap/owner (virtual)');
  expect(configMapSeen).toMatch(/sees ADDED ConfigMap\/owner/);
  expect(none).toContain('is not possible now');
  expect(seventh).toContain('there is no step 7');
  expect(state).toMatch(/Secret\/dependent, owned by ConfigMap\/owner/);
  expect(back).toContain('a server only goes on');
  expect(code).toBe(2);
  const { body } = await server.get('/reapcheck/steps');
  expect(body.steps.map(({ words }) => words)).not.toContain(
    'graph builder: sees ADDED ConfigMap/owner',
  );
});

it('says that a server with another schedule takes its steps by itself', async () => {
  const server = await serving('manual');
  const fair = await serving('fair');
  await server.send('POST', CONFIG_MAPS, configMap('a'));
  const { stdout } = await runCli(['explore', fair.url], { stdin: 'actions' });
  expect(stdout).toContain('No controller has anything to do');
  const deliver = await runCli(['explore', server.url], { stdin: 'step deliver ConfigMap' });
  expect(deliver).toMatchObject({ code: 0, stderr: '' });
});

it('refuses options of models, and what is no such server', async () => {
  const { url } = await serving('manual');
  expectError(await runCli(['explore', url, '--workers', '2']), /--workers has no effect on http/);
  expectError(await runCli(['explore', url, 'late-dependent-orphan']), /takes no other input/);
  const other = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  expectError(
    await runCli(['explore', `http://127.0.0.1:${port}`]),
    /is not a server of reapcheck/,
  );
  other.close();
  await new Promise<void>((resolve) => void other.once('close', () => resolve()));
  expectError(await runCli(['explore', `http://127.0.0.1:${port}`]), /does not answer: .*REFUSED/);
});

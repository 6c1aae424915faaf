import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { installedPackage } from '../installed.ts';
import { serverProcess } from './process.ts';

/**
 * The Go test in `examples/client-go`, where Go and the modules of client-go are on this machine:
 * it downloads nothing. The variables of Go say where they are (GOFLAGS=-mod=mod, GO111MODULE,
 * GOPATH).
 */

const EXAMPLE = fileURLToPath(new URL('../../examples/client-go', import.meta.url));
const COMPILED = join(mkdtempSync(join(tmpdir(), 'reapcheck-go-')), 'serve.test');

const built = spawnSync('go', ['test', '-c', '-o', COMPILED, '.'], {
  cwd: EXAMPLE,
  encoding: 'utf8',
  env: { ...process.env, GOPROXY: 'off' },
});
const why =
  built.error !== undefined
    ? 'there is no go on the PATH'
    : built.status === 0
      ? null
      : 'the modules of client-go are not on this machine';

const bin = why === null ? join(installedPackage(), 'dist', 'cli', 'main.js') : '';
const name = why === null ? 'client-go' : `client-go (skipped: ${why})`;
it.skipIf(why !== null).each(['fair', 'seed:3'])(`${name}, schedule %s`, async (schedule) => {
  const { kubeconfig } = await serverProcess(bin, ['--schedule', schedule]);
  const child = spawn(COMPILED, ['-test.v'], {
    env: { PATH: process.env.PATH, TEST_KUBECONFIG: kubeconfig },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      said += String(data);
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ code, said }).toMatchObject({ code: 0 });
  expect(said).toMatch(/--- PASS: TestEvictionsAndBudgets/);
});

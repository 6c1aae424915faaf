import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { installedPackage } from '../installed.ts';

const main = join(installedPackage(), 'dist', 'cli', 'main.js');

it('all results are as the lock of this repository pins them', async () => {
  const gate = spawn(process.execPath, [main, 'gate', '--quiet', '--processes', '1'], {
    cwd: PACKAGE_FOLDER,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(gate, 'exit');
  const [printed, errors] = await Promise.all([text(gate.stdout), text(gate.stderr)]);
  const [status] = await ended;
  expect(status, printed + errors).toBe(0);
  expect(printed).toMatch(/\d+ cells, \d+ as pinned$/m);
});

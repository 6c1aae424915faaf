// Makes a checkout ready to run: `npm ci` where node_modules is not what package-lock.json pins,
// then the compiler if sources changed. `npm run check` and `npm test` begin with it. With
// --only-install, it leaves the compiler out.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lock = join(root, 'package-lock.json');
// A copy of the lock from which node_modules was installed.
const installed = join(root, 'node_modules', '.reapcheck-installed.json');

function npm(...words) {
  // npm is a script of another name on Windows, which only a shell finds.
  const shell = process.platform === 'win32';
  const { status } = spawnSync('npm', words, { cwd: root, stdio: 'inherit', shell });
  if (status !== 0) process.exit(status ?? 1);
}

const isInstalled = existsSync(installed) && readFileSync(installed).equals(readFileSync(lock));
if (!isInstalled) {
  // No package needs its own scripts. That of this one compiles, which is done below.
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  copyFileSync(lock, installed);
}
if (!process.argv.includes('--only-install')) npm('run', '--silent', 'build', '--', '--if-changed');

// Compiles the package into dist/. With --if-changed, only if dist/ is not that of these sources.
// Whether the types are right is a question for `npm run types`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// The digest of the sources from which dist/ was compiled.
const stamp = join(root, 'dist', '.sources');
const configuration = 'tsconfig.build.json';

const sources = digestOfSources();
if (process.argv.includes('--if-changed') && existsSync(stamp)) {
  if (readFileSync(stamp, 'utf8') === sources) process.exit(0);
}
rmSync(stamp, { force: true });
run(join('node_modules', 'typescript', 'bin', 'tsc'), '-p', configuration, '--noCheck');
run(join('tools', 'prune-declarations.mjs'));
run(join('tools', 'bundle.mjs'));
run(join('tools', 'compile-ahead.mjs'));
writeFileSync(stamp, sources);

/** Of all files that may have a part in what is compiled. */
function digestOfSources() {
  const { include } = JSON.parse(readFileSync(join(root, configuration), 'utf8'));
  const files = ['package.json', 'package-lock.json', 'tsconfig.json', configuration];
  for (const folder of include) {
    for (const name of readdirSync(join(root, folder), { recursive: true })) {
      files.push(join(folder, name));
    }
  }
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const path = join(root, file);
    if (statSync(path).isFile()) hash.update(`${file}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

function run(script, ...words) {
  const { status } = spawnSync(process.execPath, [script, ...words], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

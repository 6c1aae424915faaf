// Leaves in dist/ only those type declarations that an import of the package can reach: the ones of
// its exports, and what they import. A part of the build.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const open = Object.values(exports).flatMap(({ types }) => (types ? [resolve(root, types)] : []));
const reached = new Set();
for (const file of open) {
  if (reached.has(file)) continue;
  reached.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)) {
    const next = resolve(dirname(file), specifier.replace(/\.(?:js|ts)$/, '.d.ts'));
    if (existsSync(next)) open.push(next);
  }
}
const all = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.d.ts'))
  .map((name) => join(dist, name));
for (const file of all) if (!reached.has(file)) rmSync(file);

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/** What Node.js 22.18 does by itself: it loads TypeScript. */
export async function load(url, context, next) {
  if (!/^file:.*\.m?ts$/.test(url)) return next(url, context);
  const text = await readFile(new URL(url), 'utf8');
  const sourcefile = fileURLToPath(url);
  const { code } = await transform(text, { loader: 'ts', sourcefile, sourcemap: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}

/** A module in a folder of its own finds our package as it would where that is installed. */
export async function resolve(name, context, next) {
  if (!name.startsWith('reapcheck/')) return next(name, context);
  return next(name, { ...context, parentURL: import.meta.url });
}

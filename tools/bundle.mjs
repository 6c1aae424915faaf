// Replaces dist/cli/main.js, the processes that work for it, and the threads of a search by bundles
// with the packages that they use, in chunks that are loaded when they are needed. Finding and
// opening 900 small files takes longer than many a check. A part of the build. Without it, the
// compiled files work as well, only slower.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const outdir = join(root, 'dist');
const chunks = 'cli/chunks';
const benchChunks = 'bench/chunks';
const compiled = 'cli/compiled';
const compiling = 'cli/compiling';

/**
 * Widths of texts are asked for where help is printed. What `string-width` makes when it is loaded
 * takes a twentieth of a small check.
 */
const lateWidths = {
  name: 'late widths',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^string-width$/ }, ({ kind, resolveDir }) =>
      kind === 'require-call' ? undefined : { path: resolveDir, namespace: 'late-widths' },
    );
    onLoad({ filter: /.*/, namespace: 'late-widths' }, ({ path }) => ({
      contents: `
        let width;
        export default (...words) => (width ??= require('string-width').default)(...words);`,
      resolveDir: path,
    }));
  },
};

/**
 * The commands of which compiled code is kept, and what these load by themselves: see
 * `run/compiled.ts`. Others are left out of the script, as each start reads all of it.
 */
const KEPT =
  /^\.\/commands\/(check|check-models|check-by-fleet|delete|questions|replay|resume)\.ts$/;
const keptCommands = {
  name: 'kept commands',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/commands\// }, ({ path }) =>
      KEPT.test(path) ? undefined : { path, external: true },
    );
  },
};

/** What the command loads if it has no compiled code: a bundle of its own, which shares nothing. */
const modulesApart = {
  name: 'modules apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/run\.ts$/ }, () => ({ path: './run.js', external: true }));
  },
};

const bundled = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // The UMD build of jsonc-parser hides its imports from the bundler.
  mainFields: ['module', 'main'],
  // Names stay: a defect is reported with its stack.
  minifyWhitespace: true,
  minifySyntax: true,
  keepNames: false,
  legalComments: 'none',
  // Immer asks the environment with each assignment to a list, which is slow. Its messages stay.
  define: { 'process.env.NODE_ENV': '"development"' },
  // Optional, and large: they are loaded from where the user has installed them.
  external: ['@kubernetes/client-node', 'bullmq', 'ioredis'],
  plugins: [lateWidths],
  logLevel: 'warning',
};

for (const folder of [chunks, benchChunks, compiled, compiling]) {
  rmSync(join(outdir, folder), { recursive: true, force: true });
}
const inChunks = {
  ...bundled,
  outbase: root,
  outdir,
  splitting: true,
  format: 'esm',
  // For packages that are CommonJS.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
};
const { metafile } = await build({
  ...inChunks,
  entryPoints: [
    'cli/run.ts',
    'cli/commands/module-thread.ts',
    'run/plan-thread.ts',
    'fleet/search/partition-process.ts',
    'gate/run/worker.ts',
    'run/questions/survey-worker.ts',
    'run/walks-worker.ts',
  ],
  chunkNames: `${chunks}/[name]-[hash]`,
  metafile: true,
});
// One file, as each takes time to find and open.
await build({
  ...bundled,
  entryPoints: ['cli/main.ts'],
  outfile: join(outdir, 'cli', 'main.js'),
  format: 'esm',
  plugins: [modulesApart],
});
// What is measured starts as the command does.
await build({
  ...inChunks,
  entryPoints: ['bench/measure.ts', 'bench/search-thread.ts'],
  chunkNames: `${benchChunks}/[name]-[hash]`,
});
// The same as one script: see tools/compile-ahead.mjs. The code of modules is strict.
await build({
  ...bundled,
  entryPoints: ['cli/run.ts'],
  outfile: join(outdir, compiling, 'run.cjs'),
  format: 'cjs',
  plugins: [...bundled.plugins, keptCommands],
  define: { ...bundled.define, 'import.meta.url': 'urlOfScript' },
  banner: {
    js: "'use strict'; const urlOfScript = require('node:url').pathToFileURL(__filename).href;",
  },
});

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const folders = new Map();
for (const { inputs } of Object.values(metafile.outputs)) {
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const [folder, name] = file.match(PACKAGE) ?? [];
    if (name !== undefined && bytesInOutput > 0) folders.set(name, join(root, folder));
  }
}
const notices = [...folders].sort().map(([name, folder]) => {
  const found = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file));
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = found === undefined ? license : readFileSync(join(folder, found), 'utf8').trim();
  return `${name} ${version}\n\n${text}\n`;
});
const line = `\n${'-'.repeat(80)}\n\n`;
writeFileSync(
  join(outdir, 'cli', 'THIRD-PARTY-LICENSES.txt'),
  `The files in chunks/ and compiled/ contain these packages.\n${line}${notices.join(line)}`,
);

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PACKAGE_FOLDER, packageVersion } from '../../input/package-files.ts';

/** The package as others install it: packed, and installed in an empty project. */

const folder = mkdtempSync(join(tmpdir(), 'reapcheck-package-'));
const project = join(folder, 'project');
const installed = join(project, 'node_modules', 'reapcheck');

function run(command: string, words: readonly string[], cwd = project): string {
  return execFileSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

beforeAll(() => {
  // A clone with what is compiled already. `npm ci` in a fresh checkout runs the same build.
  run('git', ['clone', '--quiet', '--depth', '1', `file://${PACKAGE_FOLDER}`, 'clone'], folder);
  const clone = join(folder, 'clone');
  cpSync(join(PACKAGE_FOLDER, 'dist'), join(clone, 'dist'), { recursive: true });
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], clone);
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  linkDependencies();
  const tarball = join(folder, `reapcheck-${packageVersion()}.tgz`);
  // As npm does, which takes as long for it as all tests of this file.
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  linkCommands();
});

/** The commands that the package names, as npm makes them: links to files that can be run. */
function linkCommands(): void {
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  const commands = join(project, 'node_modules', '.bin');
  mkdirSync(commands);
  for (const [name, file] of Object.entries(bin)) {
    chmodSync(join(installed, file), 0o755);
    symlinkSync(join(installed, file), join(commands, name));
  }
}

/** What the package depends on, as it is here. What is for development only is not there. */
function linkDependencies(): void {
  const lock = readFileSync(join(PACKAGE_FOLDER, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { readonly packages: Record<string, { dev?: boolean }> };
  for (const [path, { dev = false }] of Object.entries(packages)) {
    if (dev || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(project, path)), { recursive: true });
    symlinkSync(join(PACKAGE_FOLDER, path), join(project, path));
  }
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CODE = `
const toggle = { name: 'toggle', slots: { on: 'value' }, initial: [{ on: false }], actions: {
  flip: { parameters: [{}], fairness: 'weak', reduce(draft) { draft.on = !draft.on; } } } };
const everOn = { kind: 'witness', name: 'it is on', reached: ({ on }) => on };
check({ model: toggle, properties: [everOn] }).then((result) => console.log(result.statistics.states));
`;

it('is imported, and required', () => {
  const both = `${CODE}\nconsole.log(check === other);`;
  const esm = `import { check } from 'reapcheck'; import { check as other } from 'reapcheck/checker';`;
  const cjs = `const { check } = require('reapcheck'), { check: other } = require('reapcheck/checker');`;
  writeFileSync(join(project, 'esm.mjs'), `${esm}\n${both}`);
  writeFileSync(join(project, 'cjs.cjs'), `${cjs}\n${both}`);
  for (const file of ['esm.mjs', 'cjs.cjs']) {
    expect(run(process.execPath, ['--no-warnings', file])).toBe('true\n2\n');
  }
  const others = `import { clusterModel, deletionModel } from 'reapcheck/model';
    import { PROPERTIES } from 'reapcheck/properties';
    console.log(typeof clusterModel, typeof deletionModel, PROPERTIES.length > 0);`;
  writeFileSync(join(project, 'esm.mjs'), others);
  expect(run(process.execPath, ['esm.mjs'])).toBe('function function true\n');
});

it('has types under both ways in which TypeScript resolves modules, and all that examples need', () => {
  writeFileSync(
    join(project, 'types.mts'),
    `import { check, type CheckResult } from 'reapcheck';
     import { deletionModel, type Setup } from 'reapcheck/model';
     import { PROPERTIES } from 'reapcheck/properties';
     export const model = (setup: Setup) => deletionModel(setup);
     export const names: readonly string[] = PROPERTIES.map(({ name }) => name);
     export const states = ({ statistics }: CheckResult): number => statistics.states;
     export { check };`,
  );
  const tsc = join(PACKAGE_FOLDER, 'node_modules', '.bin', 'tsc');
  const words = ['--strict', '--target', 'es2023', '--singleThreaded', '--types', ''];
  const bundler = ['--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler'];
  // The declarations themselves are checked below.
  run(tsc, [...words, ...bundler, '--skipLibCheck', 'types.mts']);
  const examples = join(project, 'examples');
  for (const name of ['models', 'operators']) {
    cpSync(join(PACKAGE_FOLDER, 'examples', name), join(examples, name), { recursive: true });
  }
  writeFileSync(join(examples, 'package.json'), JSON.stringify({ type: 'module' }));
  const sources = readdirSync(examples, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('examples', name));
  const nodenext = ['--module', 'nodenext', '--rewriteRelativeImportExtensions'];
  run(tsc, [...words, ...nodenext, 'types.mts', ...sources]);
  const compiled = sources.map((name) => `./${name.replace(/\.ts$/, '.js')}`);
  writeFileSync(join(project, 'all.mjs'), compiled.map((name) => `import '${name}';`).join('\n'));
  expect(run(process.execPath, ['all.mjs'])).toBe('');
  // test/examples has the verdicts of the others.
  const bin = join(project, 'node_modules', '.bin', 'reapcheck');
  const checked = ['models/peterson', 'operators/bucket'].map((name) => `examples/${name}.js`);
  const { stdout } = spawnSync(bin, ['check', ...checked], { cwd: project, encoding: 'utf8' });
  expect(stdout).toMatch(/ok +Peterson +20 states/);
  expect(stdout).toMatch(/VIOLATED +the bucket goes with its object/);
});

it('has both commands, and kubectl finds its own', () => {
  const bin = join(project, 'node_modules', '.bin');
  for (const command of ['reapcheck', 'kubectl-reapcheck']) {
    expect(run(join(bin, command), ['--version'])).toBe(`${packageVersion()}\n`);
  }
  expect(run(join(bin, 'reapcheck'), ['check', 'background-chain'])).toMatch(
    /holds +nothing is stuck/,
  );
});

it('brings the commands as a bundle, with the licenses of what is in it', () => {
  const folderOfCli = join(installed, 'dist', 'cli');
  expect(readFileSync(join(folderOfCli, 'run.js'), 'utf8')).toMatch(/from ?"\.\/chunks\//);
  const licenses = readFileSync(join(folderOfCli, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['immer', 'yaml', 'yargs', 'zod']) {
    expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
  }
});

it('has no file that nobody can import or run', () => {
  const files = run('tar', ['-tzf', join(folder, `reapcheck-${packageVersion()}.tgz`)], folder)
    .trim()
    .split('\n');
  expect(files.filter((file) => /\/dist\/(bench|tools|test)\//.test(file))).toEqual([]);
  const declarations = files.filter((file) => file.endsWith('.d.ts'));
  expect(declarations.length).toBeGreaterThan(0);
  expect(
    declarations.filter(
      (file) => !/\/dist\/(checker|model|properties|run\/library|input\/library)\//.test(file),
    ),
  ).toEqual([]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(Object.keys(dependencies)).not.toContain('acorn');
});

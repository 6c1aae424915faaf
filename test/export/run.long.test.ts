import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadModule } from '../../cli/modules.ts';
import { testCaseOf } from '../../export/case.ts';
import type { ExportFormat } from '../../export/format-names.ts';
import { written } from '../../export/formats.ts';
import { sourceRun } from '../../export/source.ts';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { documentOf } from '../cli/run-cli.ts';
import { PATIENCE } from '../clock.ts';
import { installedPackage } from '../installed.ts';
import { serverProcess } from '../serve/process.ts';

/** The generated tests run, each as the person would run it who has put it into a repository. */

const bin = join(installedPackage(), 'dist', 'cli', 'main.js');
const HAS_KUBECTL = spawnSync('kubectl', ['version', '--client']).status === 0;
/**
 * A folder below which Go finds controller-runtime and client-go: one of a module that requires
 * them, or in a GOPATH with GO111MODULE=off. Tried with controller-runtime 0.14 and Go 1.19.
 */
const GO_FOLDER = process.env.REAPCHECK_GO_FOLDER ?? '';

/** Debian: `apt-get install golang-go`. */
const HAS_GO = spawnSync('gofmt', [], { input: '' }).status === 0;

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** After it the collector tries again for ever, so that only the clock ends the test. */
const RESTLESS = 'K8S-101078';
const RESTLESS_MILLISECONDS = 12_000;

/** Counterexamples that a client can see, with what the test then says. */
const RUNS: readonly (readonly [words: readonly string[], says: RegExp])[] = [
  [['late-dependent-orphan'], /Secret\/late must still be there/],
  [['self-owner-foreground'], /ConfigMap\/a must be gone/],
  [['--museum', 'K8S-101078'], /Secret\/d must be gone/],
  [['--museum', 'K8S-36891'], /ConfigMap\/late\.shop must be gone/],
  [['--museum', 'K8S-76703'], /PersistentVolumeClaim\/v must still be there/],
];

/** Of an object of its own kind, of an owner of itself, and of a dependent that comes too late. */
const KUBECTL = ['K8S-36891', 'self-owner-foreground', 'late-dependent-orphan'];

/** What Kubernetes has mended, so that the newest rules end as the test says. */
const MENDED = { 'node-test': 'K8S-54940', kubectl: 'K8S-32628' };

const FILES: Readonly<Record<ExportFormat, string>> = {
  kubectl: 'exported.sh',
  'node-test': 'exported.test.mjs',
  'go-envtest': 'exported_test.go',
};

/** The first counterexample of a check, as a test in a file. */
async function testFile(words: readonly string[], format: ExportFormat): Promise<string> {
  const { checks } = await documentOf(words);
  const token = checks.flatMap(({ tokens }) => tokens)[0]?.token ?? '';
  const given = { input: token, check: null, property: null, maxMegabytes: 10, limits: {} };
  const text = written(testCaseOf(await sourceRun(given, nothing(), loadModule)), format);
  // Below our folder, so that the test finds the client library.
  const cache = join(PACKAGE_FOLDER, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'exported-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, FILES[format]);
  writeFileSync(file, text);
  return file;
}

/**
 * What must become true is waited for as long as the slowest machine takes; what never becomes true
 * is known as soon as the run is over.
 */
const LONGEST_MILLISECONDS = PATIENCE / 2;

function run(file: string, env: Readonly<Record<string, string>>, longest = LONGEST_MILLISECONDS) {
  const words = file.endsWith('.sh') ? ['bash', file] : [process.execPath, '--test', file];
  const [command = '', ...rest] = words;
  const patience = longest / (file.endsWith('.sh') ? 1000 : 1);
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(command, rest, {
    encoding: 'utf8',
    timeout: PATIENCE,
    env: {
      PATH,
      HOME: dirname(file),
      PATIENCE: `${patience}`,
      REAPCHECK: `${process.execPath} ${bin}`,
      ...env,
    },
  });
  return { status, said: `${stdout}${stderr}` };
}

describe.each(['node-test', 'kubectl'] as const)('%s', (format) => {
  // Each request is a process of kubectl, which takes long. What all formats share is tried once.
  const isKubectl = format === 'kubectl';
  const runs = isKubectl
    ? RUNS.filter(([words]) => KUBECTL.some((one) => words.includes(one)))
    : RUNS;
  const mended = [MENDED[format]];
  const isSkipped = isKubectl && !HAS_KUBECTL;

  it.skipIf(isSkipped).each(runs)(
    'fails while the defect is there: %s (skipped where there is no kubectl on the PATH)',
    async (words, says) => {
      const isRestless = words.includes(RESTLESS);
      const longest = isRestless ? RESTLESS_MILLISECONDS : LONGEST_MILLISECONDS;
      const { status, said } = run(await testFile(words, format), {}, longest);
      expect(said).toMatch(says);
      if (!isRestless) expect(said).not.toMatch(/not repeated to its end/);
      expect(status).toBe(1);
    },
  );

  it.skipIf(isSkipped).each(mended)(
    'passes once it is mended: %s (skipped where there is no kubectl on the PATH)',
    async (entry) => {
      const file = await testFile(['--museum', entry], format);
      const { kubeconfig } = await serverProcess(bin, ['--protocol', 'newest']);
      const { status, said } = run(file, { TEST_KUBECONFIG: kubeconfig });
      expect([status, said]).toEqual([0, said]);
    },
  );
});

describe.skipIf(!HAS_GO)('the Go tests (skipped where there is no gofmt on the PATH)', () => {
  it.each(RUNS)('are Go, formatted, and use what they import: %j', async (words) => {
    const file = await testFile(words, 'go-envtest');
    const { status, stdout, stderr } = spawnSync('gofmt', ['-l', file], { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    const [, imports = '', ...rest] = readFileSync(file, 'utf8').split(/^import \(|^\)$/m);
    const body = rest.join('');
    const names = [...imports.matchAll(/^\t(?:(\w+) )?"(?:.*\/)?([\w.-]+)"$/gm)];
    expect(names.length).toBeGreaterThan(10);
    for (const [, alias, last] of names) expect(body).toContain(`${alias ?? last}.`);
  });
});

describe.skipIf(!HAS_GO || GO_FOLDER === '')(
  'with the Go clients (skipped where REAPCHECK_GO_FOLDER names no folder with controller-runtime)',
  () => {
    const go = (words: readonly string[], folder: string, env = {}) =>
      spawnSync('go', words, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } });

    it('the test compiles, and fails while the defect is there', async () => {
      const file = await testFile(['late-dependent-orphan'], 'go-envtest');
      const folder = mkdtempSync(join(GO_FOLDER, 'exported-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const text = readFileSync(file, 'utf8');
      writeFileSync(join(folder, FILES['go-envtest']), text);
      const vetted = go(['vet', '.'], folder);
      expect([vetted.status, vetted.stderr]).toEqual([0, '']);
      const token = text.match(/const token = "(\S+)"/)?.[1] ?? '';
      const { kubeconfig } = await serverProcess(bin, ['--schedule', token]);
      const { status, stdout } = go(['test', '.'], folder, { TEST_KUBECONFIG: kubeconfig });
      expect(stdout).toMatch(/Secret\/late must still be there/);
      expect(stdout).not.toMatch(/not repeated to its end/);
      expect(status).toBe(1);
    });
  },
);

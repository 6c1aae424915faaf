import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { create } from 'tar';
import { describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { expectError, runCli, temporaryFolder } from '../cli/run-cli.ts';
import { namesIn, readInputs, tree } from './read-inputs.ts';

const WORKLOAD = [
  'Deployment.apps/web.shop',
  'Pod/web-5d4-abc.shop',
  'ReplicaSet.apps/web-5d4.shop',
];

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, uid: u}\n';

describe('folders', () => {
  it.each([
    [
      'velero',
      [...WORKLOAD, 'PersistentVolume/pv-1', 'Widget.example.com/w.shop'],
      ['1 file left out: neither YAML, JSON nor DOT.'],
    ],
    [
      'cluster-info',
      [...WORKLOAD, 'Node/node-1'],
      [
        '1 file left out: neither YAML, JSON nor DOT (.txt).',
        'Objects left out because nothing depends on them: Event (1).',
      ],
    ],
    [
      'must-gather',
      [...WORKLOAD, 'Namespace/shop', 'Node/node-1'],
      [
        '5 files left out: neither YAML, JSON nor DOT (.gz, .log).',
        expect.stringMatching(/^1 file left out, in which something is no manifest: .*health.json/),
      ],
    ],
  ])('%s', async (name, wanted, leftOut) => {
    const dump = await readInputs([tree(name)]);
    expect(namesIn(dump)).toEqual([...wanted].sort());
    expect(dump.files).toEqual([tree(name)]);
    expect(dump.leftOut).toEqual(leftOut);
    expect(dump.warnings).toEqual([]);
    const words = ['check', tree(name), '--delete', 'deploy/web', '--format', 'json'];
    const { stdout, stderr } = await runCli(words);
    expect(stderr).toBe('');
    const { checks } = JSON.parse(stdout) as ResultDocument;
    const found = checks.flatMap(({ fates }) => fates.map(({ object }) => object));
    expect(found).toEqual(expect.arrayContaining(WORKLOAD));
  });

  it('a backup of Velero is read in the preferred version of each group', async () => {
    const { objects } = await readInputs([tree('velero')]);
    const widget = objects.find(({ object }) => object.name === 'w');
    expect(widget?.kind.apiVersions).toEqual(['example.com/v1']);
  });

  it('a backup of Velero can stay in its archive, compressed or not', async () => {
    const velero = await readInputs([tree('velero')]);
    for (const gzip of [true, false]) {
      const file = join(temporaryFolder(), 'backup.tar.gz');
      await create({ file, gzip, cwd: tree('velero') }, ['.']);
      const dump = await readInputs([file]);
      expect(namesIn(dump)).toEqual(namesIn(velero));
      expect(dump.leftOut).toEqual(velero.leftOut);
      expect(dump.objects[0]!.document.file).toMatch(/^.*backup\.tar\.gz:resources\//);
    }
  });

  it('follows no links: neither loops nor files outside', async () => {
    const folder = folderWith({ 'a.yaml': CONFIG, 'inner/b.txt': '' });
    const outside = folderWith({ 'c.yaml': CONFIG.replace('name: a, uid: u', 'name: c, uid: c') });
    symlinkSync(folder, join(folder, 'inner', 'loop'));
    symlinkSync(join(outside, 'c.yaml'), join(folder, 'c.yaml'));
    const dump = await readInputs([folder]);
    expect(namesIn(dump)).toEqual(['ConfigMap/a']);
    expect(dump.leftOut).toContain('2 symbolic links in folders not followed.');
  });

  it('leaves out hidden files, and files that have other things than manifests', async () => {
    const folder = folderWith({
      'a.yaml': CONFIG,
      '.git/config.yaml': 'not: [valid',
      '._a.yaml': '\u0000',
      'values.yaml': 'replicas: 1\n',
      'empty.yaml': '# nothing\n',
      'words.yaml': 'words\n',
      'Chart.yaml': 'apiVersion: v2\nname: shop\n',
      'kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n',
      'kubeconfig.json': '{"apiVersion": "v1", "kind": "Config", "clusters": []}',
    });
    const dump = await readInputs([folder]);
    expect(namesIn(dump)).toEqual(['ConfigMap/a']);
    expect(dump.leftOut).toEqual([
      expect.stringMatching(
        /^5 files left out, in which something is no manifest: .* and 2 more\.$/,
      ),
    ]);
    // Named as an input, such a file is an error.
    await expect(readInputs([join(folder, 'values.yaml')])).rejects.toThrow(/is missing/);
  });

  it('reads files beside folders, and many files', async () => {
    const many: Record<string, string> = {};
    for (let index = 0; index < 1200; index++) {
      const name = `c-${index}`;
      many[`${index % 7}/${name}.json`] = JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, uid: name },
      });
    }
    const other = join(folderWith({ 'a.yaml': CONFIG }), 'a.yaml');
    expect((await readInputs([folderWith(many), other])).objects).toHaveLength(1201);
  });
});

describe('errors of folders and archives', () => {
  const check = (...inputs: readonly string[]) =>
    runCli(['check', ...inputs, '--delete', 'cm/a', '--max-input', '0.1']);

  it('name the broken file, with line and column', async () => {
    const folder = folderWith({ 'a.yaml': CONFIG, 'inner/b.yaml': 'a: 1\nb: [\n' });
    expectError(await check(folder), /not valid YAML/, /inner\/b\.yaml:\d+:\d+/);
    const wrong = folderWith({ 'b.yaml': CONFIG.replace('name: a', 'name: 7') });
    expectError(await check(wrong), /b\.yaml:3:12, metadata\.name/, /a string/);
  });

  it('a folder without manifests, a missing one, an empty archive', async () => {
    expectError(await check(folderWith({ 'a.txt': '' })), /has no YAML, JSON or DOT files/);
    expectError(await check(join(temporaryFolder(), 'none')), /there is no file/);
    const file = join(temporaryFolder(), 'a.tar');
    await create({ file, cwd: folderWith({ 'a.txt': '' }) }, ['a.txt']);
    expectError(await check(file), /the archive .*a\.tar has no YAML, JSON or DOT files/);
  });

  it('a cut archive, and one that is too large', async () => {
    const folder = folderWith({ 'a.yaml': `${CONFIG}# ${'x'.repeat(5000)}\n` });
    const file = join(temporaryFolder(), 'a.tar');
    await create({ file, cwd: folder }, ['a.yaml']);
    const { readFileSync } = await import('node:fs');
    writeFileSync(file, readFileSync(file).subarray(0, 2000));
    expectError(await check(file), /is not a complete tar archive/, /download it again/);
    const bomb = join(temporaryFolder(), 'bomb.tar.gz');
    writeFileSync(bomb, gzipSync(Buffer.alloc(1_000_000)));
    expectError(await check(bomb), /larger than the limit of 0\.1 MB/, /unpack it/);
  });

  it('the limit is on the sum of all files, wherever they are', async () => {
    const half = `${CONFIG}# ${'x'.repeat(60_000)}\n`;
    const both = folderWith({ 'a.yaml': half, 'b.yaml': half });
    expectError(await check(both), /inputs up to .*b\.yaml are larger together .* 0\.1 MB/);
    const [one, other] = [join(both, 'a.yaml'), join(both, 'b.yaml')];
    expect((await check(one)).code).toBe(0);
    expectError(await check(one, other), /larger together/, /--max-input/);
    const zipped = join(temporaryFolder(), 'b.yaml.gz');
    writeFileSync(zipped, gzipSync(half));
    expectError(await check(one, zipped), /larger together/);
  });
});

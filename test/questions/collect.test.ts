import { describe, expect, it } from 'vitest';
import type { Answer } from '../../report/document/answer.ts';
import { resultDocumentSchema } from '../../report/document/result-document.ts';
import { dump, runCli, temporaryFile } from '../cli/run-cli.ts';
import { expectGoldenFile } from '../report/golden-file.ts';

const MIXED = dump('collect-mixed.yaml');

interface Given {
  readonly name: string;
  readonly owner?: string;
  /** The uid by which the owner is named; absent: that of the object of this name. */
  readonly uid?: string;
  readonly deleting?: boolean;
  readonly finalizers?: readonly string[];
}

/** A file with ConfigMaps. */
function configMaps(objects: readonly Given[]): string {
  const items = objects.map(({ name, owner, uid = `u-${owner}`, deleting, finalizers = [] }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'shop',
      uid: `u-${name}`,
      finalizers,
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid }] }),
      ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
  }));
  return temporaryFile('dump.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

async function collected(file: string, ...more: readonly string[]) {
  const { code, stdout, stderr } = await runCli(['collect', file, ...more, '--format', 'json']);
  expect(stderr).toBe('');
  const document = JSON.parse(stdout);
  expect(resultDocumentSchema.safeParse(document).error).toBeUndefined();
  const answer: Answer = document.answer;
  const fates = Object.fromEntries(
    answer.objects.map(({ name }, index) => [name, answer.outcomes[0]?.fates[index]?.fate]),
  );
  return { code, answer, fates, checks: document.checks as readonly unknown[] };
}

describe('what the collector does without a deletion', () => {
  it('says what goes and why, and what is unknown', async () => {
    const { code, stdout } = await runCli(['collect', MIXED]);
    expectGoldenFile('collect-mixed.txt', stdout.replaceAll(MIXED, 'dump.yaml'));
    expect(code).toBe(1);
  });

  it('asks for nothing', async () => {
    const { answer } = await collected(MIXED);
    expect(answer.targets).toEqual([]);
    expect(answer.outcomes.map(({ name }) => name)).toEqual(['none']);
    expect(answer.objects.some(({ asked }) => asked)).toBe(false);
  });

  it('is content with objects whose owners exist', async () => {
    const { code, answer } = await collected(
      configMaps([{ name: 'a' }, { name: 'b', owner: 'a' }, { name: 'c' }]),
    );
    expect(answer.outcomes[0]?.sentence).toBe('nothing happens to any of 3 objects.');
    expect(answer.objects).toEqual([]);
    expect(code).toBe(0);
  });

  it('takes a chain whose first owner is gone', async () => {
    const { code, fates } = await collected(
      configMaps([{ name: 'b', owner: 'a' }, { name: 'c', owner: 'b' }, { name: 'd' }]),
    );
    expect(fates).toEqual({ 'ConfigMap/b.shop': 'goes', 'ConfigMap/c.shop': 'goes' });
    expect(code).toBe(1);
  });

  it('does not count a deletion that goes on as something that nobody asked for', async () => {
    const { code, fates } = await collected(
      configMaps([
        { name: 'a', deleting: true, finalizers: ['foregroundDeletion'] },
        { name: 'b', owner: 'a' },
      ]),
    );
    expect(fates).toEqual({ 'ConfigMap/a.shop': 'goes', 'ConfigMap/b.shop': 'goes' });
    expect(code).toBe(0);
  });

  it('finds what hangs', async () => {
    const file = configMaps([{ name: 'a', deleting: true, finalizers: ['example.com/hold'] }]);
    const { code, fates } = await collected(file, '--stuck-finalizer', 'example.com/hold');
    expect(fates).toEqual({ 'ConfigMap/a.shop': 'hangs' });
    expect(code).toBe(1);
  });

  it('asks for the kind of owners that the dump lacks', async () => {
    const items = ['one', 'two'].map((name) => ({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name,
        namespace: 'shop',
        uid: `u-${name}`,
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid: `d-${name}` }],
      },
    }));
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const { code, answer } = await collected(temporaryFile('dump.json', list));
    expect(answer.outcomes[0]?.fates.map(({ fate }) => fate)).toEqual(['unknown', 'unknown']);
    expect(answer.missing[0]?.settle).toBe(
      'kubectl get deployment.apps --all-namespaces -o yaml  # and give it with --dump',
    );
    expect(code).toBe(3);
  });

  it('searches one of the trees that are alike, and names each in its reasons', async () => {
    const trees = Array.from({ length: 300 }, (_, index): readonly Given[] => [
      { name: `top-${index}`, owner: `gone-${index}`, uid: `dead-${index}` },
      { name: `leaf-${index}`, owner: `top-${index}`, finalizers: ['example.com/hold'] },
    ]);
    const { answer, checks } = await collected(
      configMaps(trees.flat()),
      '--stuck-finalizer',
      'example.com/hold',
    );
    // One for the fates, and one for the invariants.
    expect(checks.length).toBeLessThan(4);
    const [outcome] = answer.outcomes;
    expect(outcome?.sentence).toBe(
      '300 objects hang; 300 objects go although nobody asked for it.',
    );
    expect(outcome?.basis.kind).toBe('search');
    const last = answer.objects.findIndex(({ name }) => name === 'ConfigMap/leaf-299.shop');
    expect(outcome?.fates[last]?.waits[0]?.text).toContain('ConfigMap/leaf-299.shop waits for');
  });
});

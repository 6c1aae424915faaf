import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dump, expectError, runCli, temporaryFile } from '../cli/run-cli.ts';
import { namesIn, objectIn, readInputs, readText } from './read-inputs.ts';

const GRAPH = readFileSync(dump('collector-graph.dot'), 'utf8');

describe("the collector's graph", () => {
  it('becomes the objects with their owners', async () => {
    const read = await readInputs([dump('collector-graph.dot')]);
    expect(namesIn(read)).toHaveLength(13);
    expect(objectIn(read, 'ConfigMap/parent.ledger')).toMatchObject({
      uid: 'fe10de1b-37ba-4c9c-b59c-5e543105298e',
      deletionTimestamp: 0,
      finalizers: ['foregroundDeletion'],
      ownerReferences: [],
    });
    expect(objectIn(read, 'ConfigMap/shared.ledger').ownerReferences).toEqual([
      expect.objectContaining({ kind: 'ConfigMap', name: 'left', blockOwnerDeletion: true }),
      expect.objectContaining({ kind: 'ConfigMap', name: 'right', apiVersion: 'v1' }),
    ]);
    expect(objectIn(read, 'ClusterRole.rbac.authorization.k8s.io/ledger-reader').namespace).toBe(
      '',
    );
  });

  it('says what the graph lacks, and that virtual vertices may not exist', async () => {
    const { warnings } = await readInputs([dump('collector-graph.dot')]);
    expect(warnings).toEqual([
      expect.stringMatching(/^13 objects from the collector's graph: it has no finalizers/),
      expect.stringMatching(
        /knows Widget\.gone\.example\.com\/w\.ledger by owner references only \(virtual\).*kubectl get widgets\.gone\.example\.com w -n ledger/,
      ),
    ]);
  });

  it('beside a dump it adds what the dump lacks, and takes nothing away', async () => {
    const read = await readInputs([dump('ledger.yaml'), dump('collector-graph.dot')]);
    const alone = await readInputs([dump('ledger.yaml')]);
    for (const { object } of alone.objects) {
      expect(read.objects.map((other) => other.object)).toContainEqual(object);
    }
    expect(read.objects.length).toBeGreaterThan(alone.objects.length);
    const added = read.objects.length - alone.objects.length;
    expect(read.warnings[0]).toMatch(new RegExp(`^${added} objects from the collector's graph`));
  });

  it('an object that is being deleted is held by something that the graph does not show', async () => {
    const held = GRAPH.replace('deletingDependents="true"', 'deletingDependents="false"');
    const read = await readText(held, 'graph.dot');
    expect(objectIn(read, 'ConfigMap/parent.ledger').finalizers).toEqual(['not-in-the-graph']);
  });

  it('can be asked about, whatever the name of the file', async () => {
    const file = temporaryFile('graph', GRAPH);
    const { stdout, stderr } = await runCli(['check', file, '--delete', 'cm/left']);
    expect(stderr).toBe('');
    expect(stdout).toContain('ConfigMap/left.ledger goes');
  });

  it.each([
    ['cut off', GRAPH.slice(0, 500), /not valid DOT/, /graph\.dot:17:75/],
    ['another graph', 'digraph {\n  a -> b;\n  a [label="x"];\n}', /not the garbage/, /dot:3:3/],
    ['deep', `digraph {${'{'.repeat(20_000)}`, /not valid DOT: it is nested too deeply/, /graph/],
  ])('%s: an error with its place', async (_what, text, what, where) => {
    const file = temporaryFile('graph.dot', text);
    expectError(await runCli(['check', file, '--delete', 'cm/a']), what, where);
  });
});

import { describe, expect, it } from 'vitest';
import { expectError, type Outcome, runCli, temporaryFile } from '../cli/run-cli.ts';

const SCENARIO = `about: an operator and a ReplicaSet
objects:
  - {apiVersion: example.com/v1, kind: Database, metadata: {name: orders, namespace: default}}
  - {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web}}
  - {apiVersion: v1, kind: Pod, metadata: {name: web-a}}
requests:
  - settle: true
environment:
  controllers:
    - name: database-operator
      watches: Database/orders
      finalizer: example.com/teardown
      addsFinalizer: true
      creates:
        - {apiVersion: v1, kind: Secret, metadata: {name: key}}
        - {apiVersion: v1, kind: ConfigMap, metadata: {name: loose, ownerReferences: []}}
      deletes:
        - delete: ConfigMap/loose
      waitsFor: [ConfigMap/loose]
  workloads:
    - controls: ReplicaSet/web
      replicas: 1
      caches: own
      selects: [Pod/web-a]
outcomes:
  all is set up:
    Database/orders: {finalizers: [example.com/teardown]}
    Secret/key: {owners: [Database/orders]}
    ConfigMap/loose: {owners: []}
    Pod/web-a: {owners: [ReplicaSet/web]}
`;

const LETTING_GO = `about: an operator of two disks
objects:
  - {apiVersion: example.com/v1, kind: Database, metadata: {name: d, finalizers: [example.com/end]}}
  - {apiVersion: example.com/v1, kind: Disk, metadata: {name: a, finalizers: [example.com/disk]}}
  - {apiVersion: example.com/v1, kind: Disk, metadata: {name: b}}
requests:
  - delete: Database/d
environment:
  controllers:
    - name: database-operator
      watches: Database/d
      finalizer: example.com/end
      deletes: [{delete: Disk/a}, {delete: Disk/b}]
      waitsForDeletes: WAITS
ownProperties:
  the disks do not outlive their database:
    never: {Database/d: gone, or: [{Disk/a: exists}, {Disk/b: exists}]}
`;

function checkText(content: string): Promise<Outcome> {
  return runCli(['check', temporaryFile('input.yaml', content)]);
}

describe('controllers of a scenario', () => {
  it('do what they are described to do', async () => {
    expect((await checkText(SCENARIO)).code).toBe(0);
  });

  it('may send all DELETEs at once, and wait for none of them', async () => {
    const check = (waits: boolean): Promise<Outcome> => {
      const text = LETTING_GO.replace('WAITS', String(waits));
      const property = ['--property', 'the disks do not outlive their database'];
      return runCli(['check', temporaryFile('input.yaml', text), ...property]);
    };
    expect((await check(true)).code).toBe(0);
    const { code, stdout } = await check(false);
    expect(code).toBe(1);
    expect(stdout).toMatch(/once it\s+has deleted Disk\S+a\s+and\s+Disk\S+b\./);
  });

  it.each([
    [
      'watches: Database/orders',
      'watches: Database/none',
      /Database\/none/,
      /controllers.*watches/,
    ],
    [
      'name: database-operator',
      'name: operator',
      /"operator" is not a valid controller name/,
      /with a dash/,
    ],
    [
      'name: database-operator',
      'name: delete-1',
      /"delete-1" is not a valid controller name/,
      /with a dash/,
    ],
    [
      'finalizer: example.com/teardown',
      'finalizer: a/b/c',
      /"a\/b\/c" is not a valid finalizer name/,
      /finalizer/,
    ],
    [
      '      finalizer: example.com/teardown\n',
      '',
      /has no effect without a finalizer/,
      /waitsFor/,
    ],
    ['waitsFor: [ConfigMap/loose]', 'waitsFor: [Secret/none]', /Secret\/none/, /waitsFor/],
    ['addsFinalizer', 'addsFinaliser', /unknown field "addsFinaliser"/, /"addsFinalizer"/],
    [
      '      deletes:\n        - delete: ConfigMap/loose\n',
      '      waitsForDeletes: false\n',
      /"waitsForDeletes" has no effect without deletes/,
      /waitsForDeletes/,
    ],
    ['waitsFor:', 'reads: never\n      waitsFor:', /reads is "never"/, /cache or live/],
    [
      '      caches: own\n',
      '',
      /"selects" needs a controller with caches of its own/,
      /caches: own/,
    ],
    ['      selects: [Pod/web-a]\n', '', /neither creates nor adopts/, /workloads\[0\]/],
    ['settle: true', 'update: Pod/web-a\n    scale: 1', /no controller notices "scale"/, /parent/],
    [
      'settle: true',
      'update: Secret/key\n    matchesSelectors: true',
      /"matchesSelectors" of/,
      /selects/,
    ],
    [
      '  workloads:',
      '  finalizers: {example.com/teardown: cooperative}\n  workloads:',
      /belongs to/,
      /stuck/,
    ],
  ])('%j may not be %j', async (from, to, ...parts) => {
    expect(SCENARIO).toContain(from);
    expectError(await checkText(SCENARIO.replace(from, to)), ...parts);
  });
});

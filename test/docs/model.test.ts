import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { deletionModel } from '../../model/system.ts';
import { alice, configMap, object, setupOf } from '../properties/clusters.ts';

const docs = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs');
const text = readFileSync(join(docs, 'model.md'), 'utf8');

interface Row {
  readonly what: string;
  readonly how: string;
  readonly functions: readonly string[];
  readonly file: string | null;
  readonly reason: string;
}

function rows(): readonly Row[] {
  const [, table = ''] = text.split('## Everything in one table');
  return table.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, what = '', how = '', functions = '', where = '', reason = ''] = cells;
    if (cells.length !== 7 || how === '' || how === 'how' || how === '---') return [];
    return [
      {
        what,
        how,
        functions: [...functions.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
        file: where.match(/\(([^)]+)\)/)?.[1] ?? null,
        reason,
      },
    ];
  });
}

const pod = { terminationGracePeriodSeconds: 30, scheduled: true, finished: false };

const A = { key: 'ConfigMap/default/a', uid: 'uid-a' };

const everyObject = [
  configMap('a'),
  object('Pod', 'p', { pod }),
  object('Node', 'node-1', { namespace: '' }),
  object('PersistentVolume', 'disk', { namespace: '' }),
  object('PersistentVolumeClaim', 'data'),
];

/** A setup in which every actor takes part. */
const everything = setupOf(everyObject, {
  ...alice(
    { do: 'stopControllers' },
    { do: 'startControllers' },
    {
      do: 'kubectlDelete',
      key: 'ConfigMap/default/a',
      flags: { cascade: 'true', wait: true },
    },
  ),
  emptiedNamespaces: ['default'],
  definitions: ['CustomResourceDefinition.apiextensions.k8s.io//widgets.example.com'],
  discovery: { empty: 1, failing: {} },
  lags: 1,
  rules: { ...setupOf([]).rules, etcdReads: 'anyMember' },
  notInstalled: ['Pod'],
  kubelets: true,
  otherDependents: { 'uid-a': { blocking: 'leave', waiting: true }, b: { free: 'mayStay' } },
  otherUsers: { data: 'leave', disk: 'mayStay' },
  otherOwners: { 'uid-a': ['Background', 'Foreground'] },
  containers: true,
  storageProtection: true,
  nodeController: true,
  podGc: { terminatedPods: 0 },
  workloads: [
    { parent: A, replicas: 1, children: [] },
    { parent: A, replicas: 1, children: [], caches: 'own' },
  ],
  operators: (['weak', 'none'] as const).map((fairness) => ({
    name: `operator-${fairness}`,
    parent: A,
    addsFinalizer: false,
    creates: [],
    deletes: [],
    waitsFor: [],
    reads: 'cache',
    fairness,
  })),
});

describe('the table in docs/model.md', () => {
  it('has every action of the model', () => {
    const named = new Set(rows().flatMap(({ what }) => what.match(/`(\w+)`/g) ?? []));
    const missing = Object.keys(deletionModel(everything).actions).filter(
      (action) => !named.has(`\`${action}\``),
    );
    expect(missing).toEqual([]);
  });

  it('has no row twice', () => {
    const names = rows().map(({ what }) => what);
    expect(names.filter((what, index) => names.indexOf(what) !== index)).toEqual([]);
  });

  it('says how each thing is treated, and why where it is not as in Kubernetes', () => {
    for (const { what, how, reason } of rows()) {
      expect(['modelled', 'merged', 'abstracted', 'left out'], what).toContain(how);
      if (how !== 'modelled') expect(reason, what).not.toBe('');
    }
  });

  it('names files that exist and that name the functions which they mirror', () => {
    for (const { what, file, functions } of rows()) {
      if (file === null) continue;
      const path = join(docs, file);
      expect(existsSync(path), file).toBe(true);
      const source = readFileSync(path, 'utf8');
      const missing = functions.filter((name) => {
        const last = name.split(/[./ ]/).at(-1) ?? name;
        return /^[A-Za-z]+$/.test(last) && !source.includes(last);
      });
      expect(missing, what).toEqual([]);
    }
  });
});

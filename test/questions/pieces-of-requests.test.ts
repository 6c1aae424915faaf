import { describe, expect, it } from 'vitest';
import { PLAIN_WORLD } from '../../input/cluster/worlds.ts';
import type { Plan } from '../../input/plan.ts';
import type { DeleteOptions, ObjectKey, UserStep } from '../../model/index.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { runCli, temporaryFile } from '../cli/run-cli.ts';
import { budget, words } from './deciding.ts';
import { dumpPlan } from './dump-plan.ts';

interface Item {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec?: object;
}

function item(kind: string, name: string, owner: Item | null, more: object = {}): Item {
  const apiVersion = kind === 'ReplicaSet' ? 'apps/v1' : 'v1';
  const own = owner && {
    ...{ apiVersion: owner.apiVersion, kind: owner.kind, blockOwnerDeletion: true },
    ...{ name: owner.metadata.name, uid: owner.metadata.uid, controller: kind === 'Pod' },
  };
  const metadata = { name, namespace: 'shop', uid: `u-${name}`, ownerReferences: own ? [own] : [] };
  return { apiVersion, kind, metadata, ...more };
}

function textOf(items: readonly Item[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

function deletes(key: ObjectKey, options: DeleteOptions, apiVersion?: string): UserStep {
  const version = apiVersion === undefined ? {} : { apiVersion };
  return { request: { do: 'delete', key, options, ...version }, after: [] };
}

async function bothWays(plan: Plan, users: Plan['setup']['users']) {
  const asked = { ...plan, setup: { ...plan.setup, users } };
  const world = { ...PLAIN_WORLD, finalizers: 'never' as const };
  const pieces = await inPieces(asked, world, budget());
  return { pieces, whole: await grown(asked, world, budget()) };
}

describe('pieces with requests', () => {
  it('differ if the requests are sent in another version of the API', async () => {
    const sets = ['r1', 'r2'].map((name) => item('ReplicaSet', name, null));
    const below = sets.map((set) => item('ConfigMap', `of-${set.metadata.name}`, set));
    const plan = await dumpPlan(textOf([...sets, ...below]), 'rs/r1 rs/r2', 'background');
    const { pieces, whole } = await bothWays(plan, {
      alice: [
        // Orphans the dependents.
        deletes('ReplicaSet.apps/shop/r1', {}, 'extensions/v1beta1'),
        deletes('ReplicaSet.apps/shop/r2', {}, 'apps/v1'),
      ],
    });
    expect(words(whole)).toMatchObject({ 'u-of-r1': 'stays', 'u-of-r2': 'goes' });
    expect(words(pieces)).toEqual(words(whole));
  });

  it('differ if one user sends the requests in order, and two users in any order', async () => {
    const items = [1, 2].flatMap((number) => {
      const top = item('ConfigMap', `top${number}`, null);
      const middle = item('ConfigMap', `middle${number}`, top);
      const last = item('ConfigMap', `last${number}`, middle);
      const metadata = { ...last.metadata, finalizers: ['example.com/hold'] };
      return [top, middle, { ...last, metadata }];
    });
    const targets = 'cm/top1 cm/middle1 cm/top2 cm/middle2';
    const plan = await dumpPlan(textOf(items), targets, 'background');
    const foreground = { propagationPolicy: 'Foreground' } as const;
    const background = { propagationPolicy: 'Background' } as const;
    const { pieces, whole } = await bothWays(plan, {
      alice: [
        deletes('ConfigMap/shop/middle1', foreground),
        deletes('ConfigMap/shop/top1', background),
      ],
      bob: [deletes('ConfigMap/shop/middle2', foreground)],
      carol: [deletes('ConfigMap/shop/top2', background)],
    });
    expect(words(whole)).toMatchObject({ 'u-middle1': 'stays', 'u-middle2': 'either' });
    // Pieces that are told apart need not decide it.
    expect(words(whole)).toMatchObject(words(pieces));
  });

  const set = item('ReplicaSet', 'web', null, { spec: { replicas: 2 } });
  const spec = { spec: { nodeName: 'node-1', terminationGracePeriodSeconds: 5, containers: [] } };
  const gone = item('Pod', 'gone', set, spec);
  const kept = item('Pod', 'kept', set, spec);
  const beneath = item('ConfigMap', 'beneath', kept);

  async function asked(...targets: readonly string[]) {
    const file = temporaryFile('dump.json', textOf([set, gone, kept, beneath]));
    const { code, stdout } = await runCli([
      ...['delete', file, ...targets, '-n', 'shop', '--format', 'json'],
    ]);
    const { answer } = JSON.parse(stdout) as ResultDocument;
    const [outcome] = answer?.outcomes ?? [];
    return { code, risks: outcome?.risks.map(({ text }) => text), sentence: outcome?.sentence };
  }

  it('have no risk because a chain lacks a pod that the controller counts', async () => {
    expect(await asked('pod/gone', 'cm/beneath')).toMatchObject({ code: 0, risks: [] });
  });

  it('say that a controller replaces what goes', async () => {
    expect((await asked('pod/gone')).sentence).toMatch(/^Pod\/gone\.shop goes and is replaced/);
  });

  it('wait for the same as in the whole', async () => {
    // The last two are like the first two: one search is for all of them.
    const items = [1, 2].flatMap((number) => {
      const upper = item('ConfigMap', `upper${number}`, null);
      const metadata = { ...upper.metadata, finalizers: ['example.com/hold'] };
      return [{ ...upper, metadata }, item('ConfigMap', `lower${number}`, upper)];
    });
    const file = temporaryFile('held.json', textOf(items));
    const targets = ['cm/upper1', 'cm/lower1', 'cm/upper2', 'cm/lower2'];
    const asked = async (...more: readonly string[]) => {
      const { stdout } = await runCli([
        ...['delete', file, ...targets, '-n', 'shop', '--cascade', 'foreground'],
        ...['--stuck-finalizer', 'example.com/hold', '--format', 'json', ...more],
      ]);
      return (JSON.parse(stdout) as ResultDocument).answer?.outcomes[0];
    };
    const pieces = await asked();
    expect(pieces?.fates.map(({ waits }) => waits.map(({ what }) => what))).toEqual([
      ...[['example.com/hold'], [], ['example.com/hold'], []],
    ]);
    const together = await asked('--reduction', 'none');
    expect(pieces?.fates).toEqual(together?.fates);
    expect(pieces?.basis.text).toContain('each object with its owner');
    expect(together?.basis.text).not.toContain('each object with its owner');
  });
});

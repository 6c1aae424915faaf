import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOTHING_SAID } from '../../input/cluster/around.ts';
import { planDeletion } from '../../input/manifests/deletion.ts';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import { slice } from '../../input/manifests/slice.ts';
import { CASCADES, type Cascade, type Plan } from '../../input/plan.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import { type ApiObject, FOREGROUND, type OwnerReference } from '../../model/state/objects.ts';
import type { FateWord } from '../../report/document/result-document.ts';
import { runPlan } from '../../run/assemble.ts';
import { randomRuns } from '../checker/support/random-runs.ts';

const kinds = new KindCatalogue(BUILT_IN_KINDS);

interface Extra {
  readonly namespace?: string;
  readonly deleting?: true;
  readonly references?: readonly OwnerReference[];
}

/** A ConfigMap whose uid is its name, owned by those ConfigMaps. */
function object(name: string, owners: readonly string[] = [], extra: Extra = {}): ApiObject {
  return {
    kind: 'ConfigMap',
    namespace: extra.namespace ?? 'default',
    name,
    uid: name,
    generation: 0,
    finalizers: [],
    ownerReferences: [...owners.map((owner) => reference(owner)), ...(extra.references ?? [])],
    deletionTimestamp: extra.deleting ? 0 : null,
    deletionGracePeriodSeconds: null,
  };
}

function reference(name: string, uid = name): OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid };
}

function keptOf(target: string, ...objects: readonly ApiObject[]): readonly string[] {
  const targets = objects.filter(({ name }) => name === target);
  return slice(objects, targets, kinds).kept.map(({ name }) => name);
}

describe('what is kept of a cluster', () => {
  it('the object and its dependents, all the way down', () => {
    const chain = [object('a'), object('b', ['a']), object('c', ['b']), object('other')];
    expect(keptOf('a', ...chain)).toEqual(['a', 'b', 'c']);
  });

  it('the other owners of a dependent, but not what else depends on them', () => {
    const two = [object('a'), object('live'), object('b', ['a', 'live']), object('c', ['live'])];
    expect(keptOf('a', ...two)).toEqual(['a', 'live', 'b']);
  });

  it('what depends on another owner that may go: it is being deleted', () => {
    const going = [
      object('a'),
      object('going', [], { deleting: true }),
      object('b', ['a', 'going']),
      object('blocker', ['going']),
    ];
    expect(keptOf('a', ...going)).toEqual(['a', 'going', 'b', 'blocker']);
  });

  it('what depends on another owner that may go: its own owner is missing or does not match', () => {
    for (const wrong of [
      reference('gone'),
      reference('root', 'root-2'),
      reference('toor', 'root'),
    ]) {
      const doubtful = [
        object('a'),
        object('root'),
        object('doubtful', [], { references: [wrong] }),
        object('b', ['a', 'doubtful']),
        object('blocker', ['doubtful']),
      ];
      expect(keptOf('a', ...doubtful)).toEqual(expect.arrayContaining(['doubtful', 'blocker']));
    }
  });

  it('an owner in another namespace does not count as a live one', () => {
    const across = [
      object('a'),
      object('far', [], { namespace: 'elsewhere' }),
      object('middle', ['far']),
      object('b', ['a', 'middle']),
      object('blocker', ['middle']),
    ];
    expect(keptOf('a', ...across)).toEqual(['a', 'far', 'middle', 'b', 'blocker']);
  });

  it('objects that share a missing owner', () => {
    const sharing = [object('a'), object('b', ['a', 'gone']), object('c', ['gone'])];
    expect(keptOf('a', ...sharing)).toEqual(['a', 'b', 'c']);
  });

  it('an object that names the deleted one by another uid', () => {
    const stale = object('stale', [], { references: [reference('a', 'a-before')] });
    expect(keptOf('a', object('a'), stale)).toEqual(['a', 'stale']);
  });

  it('of siblings only the one that is deleted, with its owners', () => {
    const family = [
      object('root'),
      object('owner', ['root']),
      object('a', ['owner']),
      object('sibling', ['owner']),
    ];
    expect(keptOf('a', ...family)).toEqual(['root', 'owner', 'a']);
  });

  it('says how many it has cut for which reason', () => {
    const objects = [
      object('a'),
      object('live'),
      object('b', ['a', 'live']),
      object('c', ['live']),
      object('d', ['c', 'beside']),
      object('beside'),
      object('island'),
    ];
    const { cut } = slice(objects, [objects[0]!], kinds);
    expect(cut).toEqual([
      expect.stringMatching(/^1 object cut: no owner reference/),
      expect.stringMatching(
        /^3 objects cut: connected only through owners that nothing deletes here/,
      ),
    ]);
    expect(slice([objects[0]!], [objects[0]!], kinds).cut).toEqual([]);
  });
});

/** Owners by number, of four objects and two that do not exist; some are being deleted already. */
const clusters = fc
  .array(
    fc.record({
      owners: fc.uniqueArray(fc.nat(5), { maxLength: 2 }),
      blocking: fc.boolean(),
      deletion: fc.constantFrom('none', 'none', 'none', 'held', 'foreground'),
    }),
    { minLength: 3, maxLength: 4 },
  )
  .map((members) =>
    members.map(({ owners, blocking, deletion }, index): ApiObject => {
      const references = owners.map((owner) => ({
        ...reference(`o${owner}`),
        blockOwnerDeletion: blocking,
      }));
      const plain = object(`o${index}`, [], { references });
      if (deletion === 'none') return plain;
      const finalizer = deletion === 'held' ? 'example.com/hold' : FOREGROUND;
      return { ...plain, deletionTimestamp: 0, finalizers: [finalizer] };
    }),
  );

function planFor(objects: readonly ApiObject[], cascade: Cascade): Plan {
  const dump = {
    files: ['test'],
    ignored: [],
    unread: [],
    leftOut: [],
    manifests: new Set<string>(),
    cut: new Set<string>(),
    warnings: [],
    observations: new Map(),
    labels: new Map(),
    times: { deletions: new Map(), newest: null },
    troubles: new Map(),
    objects: objects.map((each) => ({
      object: each,
      kind: BUILT_IN_KINDS.ConfigMap!,
      document: { value: null, file: 'test', place: () => ({ file: 'test' }) },
      path: [],
    })),
  };
  const question = { targets: ['cm/o0'], namespace: null, cascade, around: NOTHING_SAID };
  return planDeletion(dump, question, kinds, []);
}

async function fatesOf(plan: Plan): Promise<ReadonlyMap<string, FateWord> | null> {
  const limits = { states: 30_000 };
  const { fates, result } = await runPlan(plan, { engine: 'tracked', limits, auditEvery: 0 }, '');
  if (result.outcome !== 'complete') return null;
  return new Map(fates.map(({ object: name, fate }) => [name, fate]));
}

it('what becomes of the kept objects is what becomes of them in the whole cluster', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(clusters, fc.constantFrom(...CASCADES), async (objects, cascade) => {
      const plan = planFor(objects, cascade);
      if (plan.setup.objects.length === objects.length) return;
      const whole = await fatesOf({ ...plan, setup: { ...plan.setup, objects } });
      const sliced = await fatesOf(plan);
      if (whole === null || sliced === null) return;
      compared++;
      for (const [name, fate] of sliced) expect([name, whole.get(name)]).toEqual([name, fate]);
    }),
    { numRuns: randomRuns(30) },
  );
  expect(compared).toBeGreaterThan(4);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divided, meetInContainers } from '../../input/cluster/parts.ts';
import { PLAIN_WORLD, setupIn } from '../../input/cluster/worlds.ts';
import { gatherPlans } from '../../input/gather.ts';
import type { Cascade, Plan } from '../../input/plan.ts';
import { isObserved, type Setup } from '../../model/index.ts';
import { deletionProperties } from '../../properties/index.ts';
import { decide } from '../../run/questions/deciding/decide.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inParts } from '../../run/questions/deciding/in-parts.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { basisOf, fateOf } from '../../run/questions/outcome.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { runCli, temporaryFile } from '../cli/run-cli.ts';
import { clusterOf, object, setupOf } from '../properties/clusters.ts';
import { budget, words, worlds } from './deciding.ts';

/** An object in namespace shop, of which it may hold an earlier one as its owner. */
interface Content {
  readonly kind: 'ConfigMap' | 'Pod';
  readonly owner: number | null;
  readonly block: boolean;
  readonly held: boolean;
  /** The finalizer that it has if it is held. Absent: `HOLD`. */
  readonly by?: string;
}

type Kinds = fc.Arbitrary<Content['kind']>;

const HOLD = 'example.com/hold';

function textOf(contents: readonly Content[]): string {
  const namespace = {
    ...{ apiVersion: 'v1', kind: 'Namespace' },
    ...{ metadata: { name: 'shop', uid: 'u-shop' }, spec: { finalizers: ['kubernetes'] } },
  };
  const items = contents.map(({ kind, owner, block, held, by = HOLD }, index) => ({
    ...{ apiVersion: 'v1', kind },
    metadata: {
      ...{ name: `o${index}`, namespace: 'shop', uid: `u-${index}` },
      ...(held ? { finalizers: [by] } : {}),
      ...(owner === null || owner >= index
        ? {}
        : {
            ownerReferences: [
              {
                ...{ apiVersion: 'v1', kind: contents[owner]!.kind, name: `o${owner}` },
                ...{ uid: `u-${owner}`, blockOwnerDeletion: block },
              },
            ],
          }),
    },
    ...(kind === 'Pod' ? { spec: { nodeName: 'n', terminationGracePeriodSeconds: 5 } } : {}),
  }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [namespace, ...items] });
}

/** An object of a kind of its own, and whether it owns a ConfigMap. */
interface Instance {
  readonly held: boolean;
  readonly child: 'none' | 'free' | 'held';
  readonly namespace: 'shop' | 'depot';
}

/** A definition, and the instances of its kind. */
function textOfDefinition(instances: readonly Instance[]): string {
  const definition = {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'widgets.example.com', uid: 'u-definition' },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced' },
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [{ name: 'v1', served: true, storage: true }],
    },
  };
  const items = instances.flatMap(({ held, child, namespace }, index) => {
    const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: `w${index}` };
    const widget = {
      ...{ apiVersion: owner.apiVersion, kind: owner.kind },
      metadata: {
        ...{ name: owner.name, namespace, uid: `u-w${index}` },
        ...(held ? { finalizers: [HOLD] } : {}),
      },
    };
    const config = {
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: {
        ...{ name: `c${index}`, namespace, uid: `u-c${index}` },
        ...(child === 'held' ? { finalizers: [HOLD] } : {}),
        ownerReferences: [{ ...owner, uid: `u-w${index}`, blockOwnerDeletion: true }],
      },
    };
    return child === 'none' ? [widget] : [widget, config];
  });
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [definition, ...items] });
}

/** A claim in a namespace, and pods that mount it. */
function textOfClaim(held: readonly boolean[]): string {
  const { items } = JSON.parse(textOf([])) as { items: readonly unknown[] };
  const claim = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: {
      ...{ name: 'data', namespace: 'shop', uid: 'u-data' },
      finalizers: ['kubernetes.io/pvc-protection'],
    },
  };
  const pods = held.map((isHeld, index) => ({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...{ name: `p${index}`, namespace: 'shop', uid: `u-p${index}` },
      ...(isHeld ? { finalizers: [HOLD] } : {}),
    },
    spec: {
      ...{ nodeName: 'n', terminationGracePeriodSeconds: 5 },
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
    },
  }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...items, claim, ...pods] });
}

async function planOf(
  contents: readonly Content[],
  target: string,
  cascade: Cascade,
  stuck: boolean,
): Promise<Plan> {
  const isHeld = contents.some(({ held }) => held);
  return planOfText(textOf(contents), target, cascade, stuck && isHeld);
}

async function planOfText(
  text: string,
  target: string,
  cascade: Cascade,
  stuck: boolean,
): Promise<Plan> {
  const nothing = (async function* () {})();
  const [plan] = await gatherPlans(
    {
      ...{ inputs: [temporaryFile('dump.json', text)], museum: false },
      ...{ deletions: [target], cascade, namespace: 'shop', properties: [], maxMegabytes: 10 },
      overrides: {
        rules: [],
        stuckFinalizers: stuck ? [HOLD] : [],
      },
    },
    nothing,
  );
  return plan!;
}

const contents = (maxLength: number): fc.Arbitrary<readonly Content[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom('ConfigMap' as const, 'Pod' as const),
      owner: fc.constantFrom(null, 0, 1),
      block: fc.boolean(),
      held: fc.constantFrom(false, false, true),
    }),
    { minLength: 2, maxLength },
  );
const ROOT: Content = { kind: 'ConfigMap', owner: null, block: false, held: false };

/** Two objects that the first one owns. */
const siblings: fc.Arbitrary<readonly Content[]> = fc
  .record({
    kinds: fc.tuple(...([0, 1].map(() => fc.constantFrom('ConfigMap', 'Pod')) as [Kinds, Kinds])),
    block: fc.boolean(),
    held: fc.constantFrom(false, false, true),
  })
  .map(({ kinds: [one, other], block, held }) => [
    { kind: one, owner: 0, block, held: false },
    { kind: other, owner: 0, block, held },
  ]);

describe('trees that meet in a namespace', () => {
  it('have the fates that their objects have in the whole', async () => {
    let apart = 0;
    await fc.assert(
      fc.asyncProperty(contents(3), worlds, fc.boolean(), async (some, world, stuck) => {
        const plan = await planOf(some, 'ns/shop', 'background', stuck);
        const parts = await inParts(plan, world, budget());
        if (parts.apart === null) return;
        apart++;
        const whole = await grown(plan, world, budget());
        expect(words(parts)).toEqual(words(whole!));
      }),
      { numRuns: randomRuns(9), seed: 3 },
    );
    expect(apart).toBeGreaterThan(1);
  });

  it('are searched beside a pod that may hold back the other contents', async () => {
    const held = { kind: 'Pod', owner: null, block: false, held: true } as const;
    const free = { kind: 'ConfigMap', owner: null, block: false, held: false } as const;
    const other = { ...free, kind: 'Pod' } as const;
    const plan = await planOf([held, free, other], 'ns/shop', 'background', true);
    const parts = await inParts(plan, PLAIN_WORLD, budget());
    expect(parts).toMatchObject({ by: 'search', apart: { division: 'trees', count: 3 } });
    const pods = { 'u-0': 'stays', 'u-2': 'goes', 'u-shop': 'stays' };
    expect(words(parts)).toEqual({ ...pods, 'u-1': 'stays' });
    const given = budget();
    // The time is up once each tree has been searched by itself.
    const interrupted = (): boolean => given.known.size > 2;
    const late = await inParts(plan, PLAIN_WORLD, { ...given, interrupted });
    expect(late).toMatchObject({ by: 'parts', apart: null });
    expect(words(late)).toEqual({ ...pods, 'u-1': 'open' });
    // This one goes or stays with a pod of its own, but never goes beside the first pod.
    const own = { ...held, owner: 1, by: 'example.com/other' };
    const two = await planOf([held, free, own], 'ns/shop', 'background', true);
    const may = { ...PLAIN_WORLD, finalizers: 'may' } as const;
    const both = await inParts(two, may, budget());
    expect(words(both)).toMatchObject({ 'u-1': 'stays', 'u-2': 'either' });
  });

  it('are counted where the time is up before they are searched', async () => {
    const leaf = { kind: 'ConfigMap', owner: null, block: false, held: false } as const;
    const plan = await planOf([leaf, { ...leaf, kind: 'Pod' }], 'ns/shop', 'background', false);
    const never = await inParts(plan, PLAIN_WORLD, { ...budget(), deadline: Date.now() });
    expect(never).toMatchObject({ by: 'none', reports: [] });
    expect(basisOf([never], plan).text).toBe('the time was up before anything was found');
    const given = budget();
    const interrupted = (): boolean => given.known.size > 0;
    const late = await inParts(plan, PLAIN_WORLD, { ...given, interrupted });
    expect(late).toMatchObject({ by: 'parts', unsearched: 1 });
    expect(basisOf([late], plan).text).toMatch(
      /tried for some trees .*; the time was up for 1 more/,
    );
    // What has not been searched may hold the namespace, also if its search has begun.
    expect(words(late)['u-shop']).toBe('open');
    const begun = budget();
    let looks = 0;
    const isDuring = (): boolean => begun.known.size > 0 && ++looks > 2;
    const half = await inParts(plan, PLAIN_WORLD, { ...begun, interrupted: isDuring });
    expect({ by: half.by, fate: words(half)['u-shop'] }).toEqual({ by: 'parts', fate: 'open' });
    // Two chains of the first tree are not two trees.
    const below = { ...leaf, owner: 0 };
    const large = [null, 3, 4, 5].map((owner) => ({ ...leaf, owner }));
    const more = await planOf(
      [leaf, below, { ...below, kind: 'Pod' }, ...large],
      ...(['ns/shop', 'background', false] as const),
    );
    const own = budget();
    const later = await inParts(more, PLAIN_WORLD, {
      ...own,
      interrupted: () => own.known.size > 1,
    });
    expect(later).toMatchObject({ by: 'parts', unsearched: 1 });
    const all = await inParts(plan, PLAIN_WORLD, budget());
    expect(all).toMatchObject({ by: 'search', unsearched: 0 });
  });

  it('say nothing of owners that may not act where the time is up before', async () => {
    const held = { kind: 'ConfigMap', owner: null, block: false, held: true } as const;
    const plan = await planOf([held], 'ns/shop', 'background', false);
    const act = await inParts(plan, PLAIN_WORLD, budget());
    const may = { ...PLAIN_WORLD, finalizers: 'may' } as const;
    const late = await inParts(plan, may, { ...budget(), deadline: Date.now() });
    const fates = plan.setup.objects.map((one) => fateOf(one, plan, [act, late]).fate);
    expect(new Set(fates)).toEqual(new Set(['unknown']));
  });

  it('are apart only if no object refers to what they meet in', async () => {
    const leaf = { kind: 'ConfigMap', owner: null, block: true, held: false } as const;
    const ofNamespace = await planOf([leaf, leaf], 'ns/shop', 'background', false);
    expect(meetInContainers(ofNamespace.setup)).toBe(true);
    const owned = { ...leaf, owner: 0 };
    const ofOwner = await planOf([leaf, owned, owned], 'cm/o0', 'foreground', false);
    expect(meetInContainers(ofOwner.setup)).toBe(false);
  });
});

describe('trees that meet in a definition', () => {
  const instances = fc.array(
    fc.record({
      held: fc.constantFrom(false, false, true),
      child: fc.constantFrom('none' as const, 'none' as const, 'free' as const, 'held' as const),
      namespace: fc.constantFrom('shop' as const, 'depot' as const),
    }),
    { minLength: 2, maxLength: 2 },
  );

  it('have the fates that their objects have in the whole', async () => {
    const fates = new Set<string>();
    await fc.assert(
      fc.asyncProperty(instances, worlds, fc.boolean(), async (some, world, stuck) => {
        const isHeld = some.some(({ held, child }) => held || child === 'held');
        const text = textOfDefinition(some);
        const plan = await planOfText(
          text,
          'crd/widgets.example.com',
          'background',
          stuck && isHeld,
        );
        const parts = await inParts(plan, world, budget());
        expect(parts.apart).not.toBeNull();
        const whole = await grown(plan, world, budget());
        expect(words(parts)).toEqual(words(whole));
        for (const word of Object.values(words(parts))) fates.add(word);
      }),
      { numRuns: 12, seed: 6 },
    );
    expect([...fates].sort()).toEqual(['either', 'goes', 'stays']);
  });

  it('are decided once where all are alike', async () => {
    const one: Instance = { held: false, child: 'free', namespace: 'shop' };
    const plan = await planOfText(
      textOfDefinition(Array.from({ length: 50 }, () => one)),
      ...(['crd/widgets.example.com', 'background', false] as const),
    );
    const { by, apart, fates } = await decide(plan, PLAIN_WORLD, budget());
    expect({ by, apart }).toEqual({ by: 'search', apart: { division: 'pieces', count: 2 } });
    expect(new Set([...fates.values()].map(({ fate }) => fate))).toEqual(new Set(['goes']));
    expect(fates.size).toBe(101);
  });

  it('come to rest though the controller lists an instance that stays again and again', async () => {
    const held: Instance = { held: true, child: 'none', namespace: 'shop' };
    const file = temporaryFile('dump.json', textOfDefinition([held]));
    const { stdout } = await runCli([
      ...['delete', file, 'crd/widgets.example.com', '--stuck-finalizer', HOLD],
    ]);
    expect(stdout).toMatch(/! hangs +Widget.example.com\/w0.shop/);
    expect(stdout).not.toMatch(/Risk/);
  });
});

describe('pieces', () => {
  it('know the pods that use a claim, though each piece has at most one of them', async () => {
    const pods = fc.array(fc.boolean(), { minLength: 2, maxLength: 2 });
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(
        pods,
        worlds,
        fc.constantFrom('ns/shop', 'pvc/data'),
        async (held, world, target) => {
          const plan = await planOfText(textOfClaim(held), target, 'background', false);
          const pieces = await inPieces(plan, world, budget());
          if (pieces === null) return;
          decided++;
          expect(words(pieces)).toEqual(words((await grown(plan, world, budget()))!));
        },
      ),
      { numRuns: 3, seed: 1 },
    );
    expect(decided).toBeGreaterThan(1);
  });

  it('in a namespace have the fates that their objects have in the whole', async () => {
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(siblings, worlds, fc.boolean(), async (some, world, stuck) => {
        const plan = await planOf([ROOT, ...some], 'ns/shop', 'background', stuck);
        const pieces = await inPieces(plan, world, budget());
        if (pieces?.by !== 'search') return;
        decided++;
        const whole = await grown(plan, world, budget());
        expect(words(pieces)).toEqual(words(whole!));
      }),
      { numRuns: randomRuns(8), seed: 4 },
    );
    expect(decided).toBeGreaterThan(2);
  });
});

describe('chains', () => {
  it('have each object with all that is above it', async () => {
    const leaf = { kind: 'ConfigMap', owner: null, block: true, held: false } as const;
    const some = [
      leaf,
      { ...leaf, owner: 0 },
      { ...leaf, owner: 1 },
      { ...leaf, owner: 0, held: true },
    ];
    const { setup } = await planOf(some, 'ns/shop', 'background', true);
    const names = divided(setup, 'chains').map((part) =>
      part.setup.objects.map(({ name }) => name),
    );
    expect(names).toEqual([
      ['shop', 'o0', 'o1', 'o2'],
      ['shop', 'o0', 'o3'],
    ]);
  });

  it('have the owners of what is asked for', async () => {
    const leaf = { kind: 'ConfigMap', owner: null, block: true, held: false } as const;
    // The last two are alike.
    const some = [leaf, { ...leaf, owner: 0 }, { ...leaf, owner: 1 }, { ...leaf, owner: 1 }];
    const { setup } = await planOf(some, 'cm/o1', 'foreground', false);
    const names = divided(setup, 'chains').map((part) =>
      part.setup.objects.map(({ name }) => name),
    );
    expect(names).toEqual([['o0', 'o1', 'o3']]);
  });
});

describe('objects that the collector does not see', () => {
  it('make no difference to any fate', async () => {
    let unseen = 0;
    const targets = fc.constantFrom('ns/shop', 'cm/o0', 'pod/o0');
    const cascades = fc.constantFrom<Cascade[]>('background', 'foreground', 'orphan');
    await fc.assert(
      fc.asyncProperty(contents(2), targets, cascades, worlds, async (some, target, how, world) => {
        const name = { ConfigMap: 'cm/o0', Pod: 'pod/o0' }[some[0]!.kind];
        const plan = await planOf(some, target === 'ns/shop' ? target : name, how, false);
        const { setup } = setupIn(plan.setup, plan.cluster!, world);
        unseen += setup.objects.filter((object) => !isObserved(setup, object)).length;
        const { observed: _, ...all } = plan.setup;
        const seen = await grown(plan, world, budget());
        const everything = await grown({ ...plan, setup: all satisfies Setup }, world, budget());
        expect(words(seen!)).toEqual(words(everything!));
      }),
      { numRuns: randomRuns(6), seed: 5 },
    );
    expect(unseen).toBeGreaterThan(2);
  });
});

it('a tree by itself does not promise that the collector comes to rest', () => {
  const shop = object('Namespace', 'shop', {
    ...{ namespace: '', deletionTimestamp: 0, specFinalizers: ['kubernetes'] },
  });
  const isTriggered = (own: Partial<Setup>): boolean => {
    const setup = setupOf([shop], { emptiedNamespaces: ['shop'], ...own });
    const property = deletionProperties(setup).find(({ id }) => id === 'collector-comes-to-rest');
    if (property?.kind !== 'eventually') throw new Error('no such property');
    return property.trigger?.(clusterOf(setup.objects), {}) ?? true;
  };
  expect(isTriggered({})).toBe(true);
  expect(isTriggered({ otherContents: true })).toBe(false);
});

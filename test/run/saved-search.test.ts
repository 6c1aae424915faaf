import { describe, expect, it } from 'vitest';
import type { CheckpointStore } from '../../checker/index.ts';
import type { SearchOptions } from '../../run/assemble.ts';
import { temporaryFile } from '../cli/run-cli.ts';
import { countingClock } from '../clock.ts';
import { memoryStore, planOf, reported } from './saved-searches.ts';

/** Five dependents that differ in their names only: more renamings than are listed. */
const STAR = `about: a star
objects:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: owner}}
${[1, 2, 3, 4, 5].map((n) => `- {apiVersion: v1, kind: ConfigMap, metadata: {name: c${n}, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner}]}}`).join('\n')}
requests:
- {delete: ConfigMap/owner, propagationPolicy: Orphan}
`;

interface Kind {
  readonly scenario: string;
  readonly options: Partial<SearchOptions>;
  readonly everyStates: number;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a violation': { scenario: 'late-dependent-orphan', options: {}, everyStates: 3 },
  'lassos of liveness': {
    scenario: 'finalizer-stuck-on-dependent',
    options: { reductions: [] },
    everyStates: 9,
  },
  'a symmetry with listed renamings, and a second search': {
    scenario: 'deployment-foreground',
    options: { reductions: ['symmetry'] },
    everyStates: 60,
  },
  'confluence with a second search': {
    scenario: 'adopted-in-window',
    options: { reductions: ['symmetry', 'confluence'] },
    everyStates: 4,
  },
  'confluence alone': {
    scenario: 'cold-start-while-foreground',
    options: { reductions: ['symmetry', 'confluence-only'] },
    everyStates: 10,
  },
  'a symmetry with too many renamings to list': {
    scenario: STAR,
    options: { reductions: ['symmetry', 'confluence-only'], limits: { states: 500 } },
    everyStates: 20,
  },
};

/** So many of the blocks are tried as the last one, at about equal distances. */
const MOST_RESUMED = 8;

describe('a search that was saved', () => {
  for (const [name, { scenario, options, everyStates }] of Object.entries(KINDS)) {
    it(`gives the same report as one that was not stopped: ${name}`, async () => {
      const file = scenario.includes('\n') ? temporaryFile('star.yaml', scenario) : scenario;
      const plan = await planOf(file);
      const plain = await reported(plan, options);
      const { kept, ...store } = memoryStore();
      expect(await reported(plan, { ...options, checkpoint: { store, everyStates } })).toBe(plain);
      expect(kept.length).toBeGreaterThan(3);
      const step = Math.ceil(kept.length / MOST_RESUMED);
      for (let blocks = 0; blocks < kept.length; blocks += step) {
        const begin = memoryStore(kept.slice(0, blocks + 1));
        const checkpoint = { store: begin, everyStates };
        expect(await reported(plan, { ...options, checkpoint }), `block ${blocks}`).toBe(plain);
      }
    });
  }

  it('does not expand again what was expanded', async () => {
    const plan = await planOf('deployment-foreground');
    const { kept, ...store } = memoryStore();
    await reported(plan, { checkpoint: { store, everyStates: 100 } });
    const again = memoryStore(kept);
    await reported(plan, { checkpoint: { store: again, everyStates: 100 } });
    expect(again.kept).toHaveLength(kept.length);
  });

  it('goes on after each limit, with larger ones', async () => {
    const plan = await planOf('deployment-foreground');
    const limits = { states: 1_000_000, depth: 1_000 };
    const plain = await reported(plan, { limits });
    for (const limit of [{ states: 100 }, { depth: 7 }, { seconds: 1e-9 }]) {
      const { kept, ...store } = memoryStore();
      const cut = await reported(plan, { limits: limit, checkpoint: { store } });
      expect(cut).toContain('"outcome": "limited"');
      const checkpoint = { store: memoryStore(kept) };
      expect(await reported(plan, { limits, checkpoint }), JSON.stringify(limit)).toBe(plain);
    }
  });

  it('is the search before the state in work if a limit ends the work on that state', async () => {
    const plan = await planOf('deployment-foreground');
    const options = { reductions: ['symmetry', 'confluence'] as const };
    const plain = await reported(plan, options);
    const ends = new Set<number>();
    for (let calls = 500; calls < 4500; calls += 467) {
      const { kept, ...store } = memoryStore();
      // Every look at the clock takes a millisecond, also those inside of a reducer's run.
      countingClock(1);
      const limits = { seconds: calls / 1000 };
      await reported(plan, { ...options, limits, checkpoint: { store, everySeconds: 9 } });
      const checkpoint = { store: memoryStore(kept), everySeconds: 9 };
      expect(await reported(plan, { ...options, checkpoint }), `${calls} calls`).toBe(plain);
      ends.add(kept.at(-1)?.length ?? 0);
    }
    expect(ends.size).toBeGreaterThan(5);
  });
});

describe('a search that cannot be continued', () => {
  const refused = async (
    store: CheckpointStore,
    options: Partial<SearchOptions> = {},
    scenario = 'late-dependent-orphan',
  ) => reported(await planOf(scenario), { checkpoint: { store }, ...options });

  it('is refused with the reason', async () => {
    const { kept, ...store } = memoryStore();
    await refused({ ...store });
    const code = { code: 'badCheckpoint' };
    const saved = memoryStore(kept);
    await expect(refused(saved, {}, 'adopted-in-window')).rejects.toMatchObject(code);
    await expect(refused(saved, { auditEvery: 7 })).rejects.toMatchObject(code);
    await expect(refused(saved, { limits: { depth: 1 } })).rejects.toMatchObject(code);
    const short = kept.map((block) => block.subarray(0, block.length - 4));
    await expect(refused(memoryStore(short))).rejects.toMatchObject(code);
    await expect(refused(memoryStore(kept.slice(1)))).rejects.toMatchObject(code);
    await expect(refused(saved, { engine: 'naive' })).rejects.toMatchObject({ code: 'badOption' });
    await expect(refused(saved, { distinct: 2 })).rejects.toMatchObject({ code: 'badOption' });
  });
});

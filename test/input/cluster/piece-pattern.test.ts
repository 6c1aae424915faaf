import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../../checker/index.ts';
import { patternOf } from '../../../input/cluster/piece-pattern.ts';
import { keyOf, type Setup } from '../../../model/index.ts';
import { modelOf } from '../../../run/assemble.ts';
import { HOLD, object, setupOf } from '../../properties/clusters.ts';

interface Periods {
  /** Of the pod. */
  readonly own: number;
  /** Of a deletion that has begun; null: none has. */
  readonly granted: number | null;
  /** Of two more requests. */
  readonly asked: readonly [number, number];
}

const SECONDS = fc.constantFrom(-5, 0, 1, 2, 7, 30);

const PERIODS: fc.Arbitrary<Periods> = fc.record({
  own: SECONDS,
  granted: fc.constantFrom(null, 0, 1, 2, 7, 30),
  asked: fc.tuple(SECONDS, SECONDS),
});

function setupWith({ own, granted, asked }: Periods): Setup {
  const begun = { deletionTimestamp: granted, deletionGracePeriodSeconds: granted };
  const pod = object('Pod', 'p', {
    ...{ finalizers: [HOLD], ...begun },
    pod: { terminationGracePeriodSeconds: own, scheduled: true, finished: false, running: true },
  });
  const steps = asked.map((gracePeriodSeconds) => ({
    request: { do: 'delete' as const, key: keyOf(pod), options: { gracePeriodSeconds } },
    after: [],
  }));
  return setupOf([pod], { users: { alice: steps }, kubelets: true });
}

async function sizeOf(setup: Setup): Promise<readonly number[]> {
  const { statistics } = await check({
    model: modelOf(setup),
    properties: [{ kind: 'invariant', name: 'any', holds: () => true }],
  });
  return [statistics.states, statistics.transitions];
}

describe('the pattern of a piece', () => {
  it('tells lengths of grace periods by their order, as the model does', async () => {
    const sizes = new Map<string, readonly number[]>();
    let shared = 0;
    await fc.assert(
      fc.asyncProperty(PERIODS, async (periods) => {
        const setup = setupWith(periods);
        const pattern = patternOf(setup);
        const size = await sizeOf(setup);
        if (sizes.has(pattern)) shared++;
        expect(size).toEqual(sizes.get(pattern) ?? size);
        sizes.set(pattern, size);
      }),
      { numRuns: 100 },
    );
    expect(shared).toBeGreaterThan(8);
    const longer = setupWith({ own: 30, granted: 7, asked: [2, 1] });
    const shorter = setupWith({ own: 30, granted: 7, asked: [30, 1] });
    expect(patternOf(longer)).not.toBe(patternOf(shorter));
  });

  it('does not tell pods by claims that are not in the piece', () => {
    const mounting = (claims: readonly string[]): Setup => {
      const setup = setupWith({ own: 30, granted: null, asked: [0, 0] });
      const [pod] = setup.objects;
      return { ...setup, objects: [{ ...pod!, pod: { ...pod!.pod!, claims } }] };
    };
    expect(patternOf(mounting(['data']))).toBe(patternOf(mounting([])));
  });
});

import { describe, expect, it } from 'vitest';
import { defineModel } from '../../../checker/authoring/define.ts';
import { check } from '../../../checker/check.ts';
import type { CheckOptions, ProgressEvent } from '../../../checker/options.ts';
import type { Property } from '../../../checker/property.ts';

interface Counter {
  readonly n: number;
}

const LAST = 10_000;

const counter = defineModel<Counter>({
  name: 'counter',
  slots: { n: 'value' },
  initial: [{ n: 0 }],
  actions: {
    up: {
      fairness: 'weak',
      reduce(draft) {
        if (draft.n < LAST) draft.n++;
      },
    },
  },
});

const small: Property<Counter> = { kind: 'invariant', name: 'small', holds: ({ n }) => n <= LAST };
const ends: Property<Counter> = { kind: 'eventually', name: 'ends', goal: ({ n }) => n === LAST };

/**
 * Its trigger is evaluated in the liveness phase only, and takes longer than the time between two
 * pauses.
 */
function slowly(whenAsked: () => void): Property<Counter> {
  return {
    kind: 'eventually',
    name: 'slowly',
    trigger({ n }) {
      whenAsked();
      // A predicate may not read a clock.
      if (n === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
      return true;
    },
    goal: ({ n }) => n === LAST,
  };
}

describe('the liveness phase', () => {
  it('can be interrupted, and keeps what was decided before', async () => {
    let asked = false;
    const slow = slowly(() => {
      asked = true;
    });
    const options: CheckOptions<Counter> = {
      model: counter,
      properties: [small, ends, slow, { ...ends, name: 'later' }],
      interrupted: () => asked,
    };
    const { outcome, limit, properties, statistics } = await check(options);
    expect(statistics.states).toBe(LAST + 1);
    expect(outcome).toBe('limited');
    expect(limit?.kind).toBe('interrupted');
    expect(properties.map(({ verdict }) => verdict)).toEqual([
      'holds',
      'inconclusive',
      'inconclusive',
      'inconclusive',
    ]);
    expect(properties[2]?.reason).toMatch(/interrupted/);
  });

  it('ends at the limit on time', async () => {
    let seconds = 1000;
    const slow = slowly(() => {
      seconds = 0;
    });
    const limits = {
      get seconds() {
        return seconds;
      },
    };
    const { outcome, limit, properties } = await check({
      model: counter,
      properties: [slow, small],
      limits,
    });
    expect(outcome).toBe('limited');
    expect(limit?.kind).toBe('time');
    expect(properties.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'holds']);
  });

  it('lets the event loop turn', async () => {
    const turns: string[] = [];
    let phase: ProgressEvent['phase'] = 'search';
    const slow = slowly(() => {
      if (phase === 'search') setImmediate(() => turns.push('turn'));
      phase = 'liveness';
    });
    await check({ model: counter, properties: [slow], interrupted: () => turns.push('asked') < 0 });
    expect(turns).toContain('turn');
    expect(turns.lastIndexOf('asked')).toBeGreaterThan(turns.indexOf('turn'));
  });
});

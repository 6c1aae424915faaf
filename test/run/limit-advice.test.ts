import { describe, expect, it } from 'vitest';
import { adviceOn } from '../../run/limit-advice.ts';
import { dumpPlan, objectsText } from '../questions/dump-plan.ts';

/** An owner with so many dependents; with `held`, the first one has a finalizer. */
async function star(dependents: number) {
  const owner = { name: 'owner', owner: null, block: true, held: false };
  const others = Array.from({ length: dependents }, (_, index) => ({
    ...{ name: `c${index}`, owner: 'owner', block: true, held: false },
  }));
  const plan = await dumpPlan(objectsText([owner, ...others]), 'ConfigMap/owner', 'orphan');
  return plan.setup;
}

describe('the advice about a limit', () => {
  it('names the objects that make a question large, and cheaper questions', async () => {
    const setup = await star(50);
    const rest =
      'or ask a smaller question: 50 alike ConfigMaps of ConfigMap/owner.shop make it large, so ask with 3 of them first';
    const search = adviceOn(setup, 'search');
    expect(search('time', { seconds: 20 })).toBe(
      `Give it more than 20 seconds (--timeout), ${rest}; judge one property only (--property); or walk at random (reapcheck simulate).`,
    );
    expect(search('time', { seconds: 1 })).toContain('more than 1 second (');
    expect(search('time', { seconds: 1.1386470000000002 })).toContain('more than 1.1 seconds (');
    expect(search('time', { seconds: 0.01 })).toContain('more than a tenth of a second (');
    expect(adviceOn(setup, 'walks')('memory', { megabytes: 500 })).toBe(
      `Give it more than 500 MB (--memory), ${rest}.`,
    );
    // Some of it went into reading the dump.
    expect(adviceOn(setup, 'search', { seconds: 3 })('time', { seconds: 1.1 })).toContain(
      'more than 3 seconds (',
    );
    expect(search('memory', {})).toMatch(/^The memory of this machine does not suffice/);
  });

  it('blames no objects if there are few', async () => {
    const advice = adviceOn(await star(2), 'search')('states', { states: 9 });
    expect(advice).toBe(
      'Raise the limit of 9 states (--max-states), or ask a smaller question: judge one property only (--property).',
    );
  });
});

import { expect, test } from 'vitest';
import { busyness, lookAt, ofMachine } from '../../input/work-clock.ts';

const LOOKS = 10_000;

/** What a look says after many, of which each takes so many seconds; null: nothing. */
function said(limits: Parameters<typeof lookAt>[0], seconds: number, most = LOOKS): string | null {
  let worked = 0;
  const look = lookAt(limits, () => worked);
  try {
    for (let count = 0; count < most; count += 1) {
      worked += seconds;
      look('reading dump.yaml');
    }
    return null;
  } catch (error) {
    expect(error).toMatchObject({ exitCode: 3 });
    return (error as Error).message;
  }
}

test('work that takes longer than its limit ends with exit code 3', () => {
  expect(said({ seconds: 3 }, 0.001)).toBe('the time of 3 seconds was up while reading dump.yaml');
  expect(said({ seconds: 3 }, 0.0003)).toBeNull();
  expect(said({ megabytes: 1e6 }, 0.001)).toBeNull();
  expect(lookAt({}, () => 1e9)).toBe(ofMachine);
});

test('work on a small dump ends a little later, so that its answer says what is unknown', () => {
  expect(said({ seconds: 3 }, 0.002, 1990)).toBeNull();
  expect(said({ seconds: 3 }, 0.0025, 1990)).toMatch('the time of 3 seconds was up');
});

test('work that takes more memory than its limit ends with exit code 3', () => {
  const taken: Uint8Array[] = [];
  const look = lookAt({ megabytes: 1 }, () => taken.length);
  const work = (): void => {
    for (let count = 0; count < LOOKS; count += 1) {
      if (count > LOOKS / 2) taken.push(new Uint8Array(1e6).fill(1));
      look('reading dump.yaml');
    }
  };
  expect(work).toThrow('the memory of 1 MB was used up while reading dump.yaml');
});

test('what was read before the first look counts', () => {
  const read = new Uint8Array(150e6).fill(1);
  const look = lookAt({ megabytes: 1 }, () => read[0]!);
  expect(() => look('reading dump.yaml')).toThrow('the memory of 1 MB was used up');
});

test('a step that takes more than is left does not begin', () => {
  const look = lookAt({ megabytes: 1 }, () => 0);
  expect(() => look('reading dump.yaml', 100e6)).toThrow('the memory of 1 MB was used up');
  const machine = 'the memory of this machine does not suffice for reading dump.yaml';
  for (const limits of [{}, { seconds: 9 }, { megabytes: 1e9 }]) {
    expect(() => lookAt(limits, () => 0)('reading dump.yaml', 1e13)).toThrow(machine);
  }
});

test('a machine that others use is as busy as the work of this process shows', () => {
  const used = (seconds: number) => ({ user: seconds * 0.8e6, system: seconds * 0.2e6 });
  expect(busyness(1000, used(1.5))).toBe(1);
  expect(busyness(2000, used(0.5))).toBe(4);
  expect(busyness(60_000, used(0.5))).toBe(6);
});

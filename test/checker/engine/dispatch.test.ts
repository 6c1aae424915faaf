import { expect, it } from 'vitest';
import { Dispatch } from '../../../checker/engine/dispatch.ts';
import { LimitHitError } from '../../../checker/errors.ts';
import { UNGUARDED } from '../../../checker/guard.ts';
import { Tries } from '../../../checker/values/tries.ts';

const COLUMN = 1;
const ENABLED = 1;
/** With 255 answers, their tables take more than a megabyte: guards are asked about no less. */
const INSTANCES = 40_000;
const LATE = 3;

it('a limit that ends a compilation leaves what was compiled before', () => {
  let isFull = false;
  const room = (): void => {
    if (isFull) throw new LimitHitError('memory');
  };
  const dispatch = new Dispatch(INSTANCES, { ...UNGUARDED, room });
  const tries = new Tries(INSTANCES);
  const candidates = () => {
    dispatch.candidates(Int32Array.of(0, 254));
    return [...dispatch.set.subarray(0, 1)];
  };
  tries.learn(0, { columns: [COLUMN], answers: [254] }, ENABLED);
  dispatch.compile(tries);
  const before = candidates();
  tries.learn(LATE, { columns: [COLUMN], answers: [254] }, ENABLED);
  isFull = true;
  expect(() => dispatch.compile(tries)).toThrow(LimitHitError);
  expect(candidates()).toEqual(before);
  expect(before[0]! & (1 << LATE)).not.toBe(0);
});

it('leaves few instances, but those that are to be skipped', () => {
  const dispatch = new Dispatch(40);
  const tries = new Tries(40);
  for (let instance = 0; instance < 40; instance++) {
    tries.learn(instance, { columns: [instance >> 1], answers: [0] }, ENABLED);
  }
  dispatch.compile(tries);
  expect(dispatch.isLeft(Int32Array.of((1 << 19) - 1, 0))).toBe(false);
  expect(dispatch.isLeft(Int32Array.of((1 << 20) - 1, 0))).toBe(true);
  expect([...dispatch.set]).toEqual([-1 << 20, 0xff]);
});

import fc from 'fast-check';
import { check, paths } from 'reapcheck/checker';
import { conforms, followPath } from 'reapcheck/fast-check';
import { expect, it } from 'vitest';
import { driver } from '../../examples/lock-service/driver.ts';
import { LockService } from '../../examples/lock-service/lock-service.ts';
import { lock, properties } from '../../examples/lock-service/model.ts';

const sound = () => new LockService({ faulty: false });
const faulty = () => new LockService({ faulty: true });
const tours = paths(lock, { cover: 'transitions' });

it('the model is right', async () => {
  const result = await check({ model: lock, properties });
  expect(result.properties.map(({ verdict }) => verdict)).toEqual(['holds', 'holds']);
  expect(result.statistics.states).toBe(16);
});

it('a sound service conforms to it', async () => {
  await fc.assert(conforms(lock, driver, sound));
  await fc.assert(conforms(lock, driver, sound, { refusals: false }));
  for (const path of tours) await followPath(lock, driver, path, sound());
});

it('the defect is found, and the run is shrunk to a minimal one', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { failed, counterexample, errorInstance } = await fc.check(
      conforms(lock, driver, faulty),
      { seed },
    );
    expect(failed).toBe(true);
    const run = String(counterexample?.[1]).replace(/ ?\/\*.*/, '');
    const steps = run.split(/,(?=[a-z])/).map((step) => step.replace(/\(.*/, ''));
    expect(steps).toEqual(['acquire', 'acquire', 'giveUp', 'release']);
    expect(String(errorInstance)).toMatch(
      /after release\(client=.\) the implementation shows \{"holder":".","line":\[\]\}; by the model it must show \{"holder":null,"line":\[\]\}/,
    );
  }
});

it('a tour through all transitions finds it, too', async () => {
  const failures = await Promise.allSettled(
    tours.map((path) => followPath(lock, driver, path, faulty())),
  );
  expect(failures.some(({ status }) => status === 'rejected')).toBe(true);
});

it('an implementation that does what it must refuse is found', async () => {
  const lax = { ...driver, actions: { ...driver.actions, release: () => true } };
  const { counterexample, errorInstance } = await fc.check(conforms(lock, lax, sound), { seed: 1 });
  expect(String(counterexample?.[1])).toMatch(/^release\(client=.\)/);
  expect(String(errorInstance)).toMatch(/did release\(client=.\); by the model it must refuse it/);
});

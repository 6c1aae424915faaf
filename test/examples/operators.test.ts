import { type CheckResult, check } from 'reapcheck/checker';
import type { Cluster } from 'reapcheck/model';
import { describe, expect, it, test } from 'vitest';
import * as bucket from '../../examples/operators/bucket.ts';
import * as database from '../../examples/operators/database.ts';
import * as bundle from '../../examples/operators/pruned-bundle.ts';
import * as stale from '../../examples/operators/stale-teardown.ts';
import * as uninstall from '../../examples/operators/uninstall.ts';

/**
 * The findings of docs/writing-an-operator.md. Every plan is run again on every 20th transition.
 */
async function judged(
  model: ReturnType<typeof database.modelWith>,
  properties: Parameters<typeof check<Cluster>>[0]['properties'],
): Promise<CheckResult> {
  return check({ model, properties, auditEvery: 20 });
}

const violatedIn = ({ outcome, properties }: CheckResult) =>
  outcome === 'complete'
    ? properties.filter(({ verdict }) => verdict !== 'holds').map(({ name }) => name)
    : [outcome];

const stepsOf = (result: CheckResult, name: string) =>
  result.properties.find((one) => one.name === name)?.trace?.steps ?? [];

describe('the database', () => {
  const BACKUP = 'there is a backup as long as the database runs';

  it('goes in order in background', async () => {
    const model = database.modelWith('Background', true);
    const result = await judged(model, database.propertiesOf(model));
    expect(violatedIn(result)).toEqual([]);
    expect(result.statistics.states).toBe(3_334);
  });

  it('loses its backup first in foreground, to the collector', async () => {
    const model = database.modelWith('Foreground', true);
    const properties = database.propertiesOf(model).filter(({ name }) => name === BACKUP);
    const result = await check({ model, properties, stopWhenDecided: true });
    const steps = stepsOf(result, BACKUP);
    expect(steps).toHaveLength(9);
    expect(steps.at(-1)?.sentence).toMatch(/removes Backup.*\(DELETE of gc worker\)/);
  });

  it('goes in order in foreground if the backup names no owner', async () => {
    const model = database.modelWith('Foreground', false);
    const result = await judged(model, database.propertiesOf(model));
    expect(violatedIn(result)).toEqual([]);
  });
});

describe('the bucket', () => {
  const LEAK = 'the bucket goes with its object';
  test.each([
    ['bucket first', { finalizerFirst: false, cleansAfter: false, restarts: 0 }, [LEAK]],
    ['finalizer first', { finalizerFirst: true, cleansAfter: false, restarts: 0 }, [LEAK]],
    ['cleans up after it is gone', { finalizerFirst: true, cleansAfter: true, restarts: 0 }, []],
    ['and restarts', { finalizerFirst: true, cleansAfter: true, restarts: 1 }, [LEAK]],
  ])('%s', async (_, attempt, expected) => {
    const model = bucket.modelWith(attempt);
    const result = await judged(model, bucket.propertiesOf(model));
    expect(violatedIn(result)).toEqual(expected);
  });
});

describe('the teardown on a stale cache', () => {
  it('leaks, and the trace says what the operator believes', async () => {
    const model = stale.modelWith(false);
    const result = await judged(model, stale.propertiesOf(model));
    const LEAK = 'the disk goes with its tenant';
    expect(violatedIn(result)).toEqual([LEAK]);
    const decision = stepsOf(result, LEAK).find(({ sentence }) => sentence.includes('(no disk)'));
    expect(decision?.beliefs).toEqual([
      'believes: Disk.example.com/acme is not there (stored: is there)',
    ]);
  });

  it('does not leak if the last look is live', async () => {
    const model = stale.modelWith(true);
    expect(violatedIn(await judged(model, stale.propertiesOf(model)))).toEqual([]);
  });
});

describe('the uninstallation', () => {
  test.each([
    ['operatorFirst', ['every deletion finishes', 'nothing is stuck']],
    ['widgetFirst', ['every deletion finishes', 'nothing is stuck']],
    ['widgetAwaited', []],
  ] as const)('%s', async (order, expected) => {
    const model = uninstall.modelWith(order);
    expect(violatedIn(await judged(model, uninstall.propertiesOf(model)))).toEqual(expected);
  });
});

describe('the pruned bundle', () => {
  test.each([
    ['Background', []],
    ['Orphan', ['what was pruned is gone']],
  ] as const)('%s', async (policy, expected) => {
    const model = bundle.modelWith(policy);
    expect(violatedIn(await judged(model, bundle.propertiesOf(model)))).toEqual(expected);
  });
});

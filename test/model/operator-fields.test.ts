import { describe, expect, it } from 'vitest';
import { documentOf, temporaryFile } from '../cli/run-cli.ts';

/**
 * What a controller of a scenario can do besides: `needs`, `adopts`, `childFinalizer`,
 * `createsInTeardown`.
 */

const DELETE = '- {delete: Database/orders, propagationPolicy: Background, user: alice}';

async function verdicts(
  controller: string,
  { objects = '', requests = DELETE, own = '' },
  ...properties: readonly string[]
): Promise<readonly string[]> {
  const scenario = `about: a database
objects:
  - apiVersion: example.com/v1
    kind: Database
    metadata: {name: orders, namespace: default, finalizers: [example.com/teardown]}
${objects}
requests:
  ${requests}
environment:
  controllers:
    - name: database-operator
      watches: Database/orders
      finalizer: example.com/teardown
${controller}
${own}
`;
  const asked = properties.flatMap((name) => ['--property', name]);
  const { checks } = await documentOf([temporaryFile('input.yaml', scenario), ...asked]);
  const found = checks[0]?.result.properties ?? [];
  return properties.map(
    (word) => found.find(({ id, name }) => id === word || name === word)?.verdict ?? 'none',
  );
}

describe('a controller of a scenario', () => {
  const secret = '  - {apiVersion: v1, kind: Secret, metadata: {name: cloud}}';

  it('waits for ever for what its teardown needs', async () => {
    const needs = '      needs: [Secret/cloud]';
    const asked = ['every-deletion-finishes', 'nothing-stuck'];
    expect(await verdicts(needs, { objects: secret }, ...asked)).toEqual(['holds', 'holds']);
    const requests = `- {delete: Secret/cloud, propagationPolicy: Background, user: bob}\n  ${DELETE}`;
    expect(await verdicts(needs, { objects: secret, requests }, ...asked)).toEqual([
      'violated',
      'violated',
    ]);
  });

  it('adopts what has no controller, which then goes with its object', async () => {
    const own = `ownProperties:
  the secret goes:
    when: {Database/orders: gone}
    leadsTo: {Secret/cloud: gone}
  it is adopted:
    always: {not: {Secret/cloud: {hasOwner: Database/orders}}}`;
    const adopts = '      adopts: [Secret/cloud]';
    expect(
      await verdicts(adopts, { objects: secret, own }, 'it is adopted', 'the secret goes'),
    ).toEqual(['violated', 'violated']);
    // Without the deletion it is adopted in the end.
    const kept = own
      .replace('always: {not: ', 'eventually: {or: [')
      .replace('orders}}}', 'orders}}]}');
    const requests = '- {update: Database/orders, addFinalizer: example.com/other, user: bob}';
    expect(
      await verdicts(adopts, { objects: secret, own: kept, requests }, 'it is adopted'),
    ).toEqual(['holds']);
  });

  it('lets its children go while its object is there, and not after', async () => {
    const creates = `      childFinalizer: example.com/child
      creates:
        - {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}`;
    const waits = `${creates}\n      waitsFor: [dependents]\n      deletes: [{delete: ConfigMap/c}]\n      reads: live`;
    expect(await verdicts(waits, {}, 'nothing-stuck')).toEqual(['holds']);
    expect(await verdicts(creates, {}, 'nothing-stuck')).toEqual(['violated']);
  });

  it('creates a clean-up Job once, and lets go too early on a stale cache', async () => {
    const job = (reads: string) => `      reads: ${reads}
      createsInTeardown:
        - {apiVersion: batch/v1, kind: Job, metadata: {name: clean-up, ownerReferences: []}}
      deletes: [{delete: Job/clean-up}]`;
    const asked = [
      'created-objects-go',
      'custom-controller-as-described',
      'every-deletion-finishes',
    ];
    // Vacuous: the job is never left behind.
    expect(await verdicts(job('live'), {}, ...asked)).toEqual(['vacuous', 'holds', 'holds']);
    // Another event, such as that of a second finalizer, begins a sync before the cache has the
    // job.
    const requests = `- {update: Database/orders, addFinalizer: example.com/other, user: bob}\n  ${DELETE}`;
    expect(await verdicts(job('cache'), { requests }, ...asked)).toEqual([
      'violated',
      'holds',
      'holds',
    ]);
  });
});

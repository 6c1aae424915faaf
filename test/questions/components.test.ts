import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatherCollection } from '../../input/gather-questions.ts';
import { inputOptions } from '../../input/options/input-options.ts';
import type { Answer } from '../../report/document/answer.ts';
import { answered } from '../../run/questions/answer.ts';
import { collected } from '../../run/questions/collection.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { temporaryFile } from '../cli/run-cli.ts';

/** Three objects; each with owners by number, where 3 is an owner that does not exist. */
const objects = fc.array(
  fc.record({
    owners: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
    deleting: fc.boolean(),
    held: fc.boolean(),
  }),
  { minLength: 3, maxLength: 3 },
);

const BUDGET = {
  search: { engine: 'tracked', auditEvery: 0 },
  acceptBounded: false,
  limits: {},
  onProgress: () => undefined,
  interrupted: () => false,
} as const;

/** Long enough for any of these; no test waits for it. */
const SECONDS = 600;

function words({ objects: shown, outcomes }: Answer): ReadonlyMap<string, string | undefined> {
  return new Map(shown.map(({ name }, index) => [name, outcomes[0]?.fates[index]?.fate]));
}

describe('components', () => {
  it('have the fates that their objects have in the whole', async () => {
    await fc.assert(
      fc.asyncProperty(objects, async (given) => {
        const items = given.map(({ owners, deleting, held }, index) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            name: `o${index}`,
            namespace: 'shop',
            uid: `u-${index}`,
            finalizers: held ? ['example.com/hold'] : [],
            ownerReferences: owners.map((owner) => ({
              ...{ apiVersion: 'v1', kind: 'ConfigMap' },
              ...{ name: `o${owner}`, uid: `u-${owner}` },
            })),
            // Without a finalizer, an object that is being deleted would be gone.
            ...(deleting && held ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
          },
        }));
        const file = temporaryFile(
          'dump.json',
          JSON.stringify({ kind: 'List', apiVersion: 'v1', items }),
        );
        const options = inputOptions({ input: [file], 'stuck-finalizer': [] });
        const nothing = (async function* () {})();
        const { plan, total } = await gatherCollection(options, nothing);
        const { answer } = await collected(plan, total, SECONDS, BUDGET);
        const whole = await answered('collect', [{ name: 'none', plan }], SECONDS, BUDGET);
        const expected = words(whole.answer);
        for (const [name, fate] of words(answer))
          expect([name, fate]).toEqual([name, expected.get(name)]);
        const left = [...expected].filter(([name]) => !words(answer).has(name));
        expect(left.filter(([, fate]) => fate !== 'stays')).toEqual([]);
      }),
      { numRuns: randomRuns(6), seed: 11 },
    );
  });

  it('have the definition of an owner that does not exist', async () => {
    const owner = { apiVersion: 'example.com/v1', kind: 'Alpha', name: 'lost', uid: 'u-lost' };
    const definition = {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: {
        ...{ name: 'alphas.example.com', uid: 'u-alphas' },
        finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
        deletionTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: {
        ...{ group: 'example.com', scope: 'Namespaced', versions: [] },
        names: { plural: 'alphas', kind: 'Alpha' },
      },
    };
    const dependent = {
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: { name: 'o', namespace: 'shop', uid: 'u-o', ownerReferences: [owner] },
    };
    // The dump has objects of the kind, so the owner is known not to exist.
    const { apiVersion, kind } = owner;
    const other = { apiVersion, kind, metadata: { name: 'x', namespace: 'shop', uid: 'u-x' } };
    const items = [definition, other, dependent];
    const file = temporaryFile('dump.json', JSON.stringify({ kind: 'List', items }));
    const options = inputOptions({ input: [file], 'stuck-finalizer': [] });
    const { plan, total } = await gatherCollection(options, (async function* () {})());
    const { answer } = await collected(plan, total, SECONDS, BUDGET);
    // The collector cannot look for the owner once the definition is gone.
    expect(words(answer).get('ConfigMap/o.shop')).toBe('depends');
  });
});

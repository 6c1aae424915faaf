import { describe, expect, it } from 'vitest';
import { judge, NEWEST_RULES } from '../../conformance/facts/judge.ts';
import { type Case, casesOf, JUDGED } from './fact-files.ts';

const AREAS = [
  'finalizers-orphan-option',
  'finalizers-propagation',
  'store-delete',
  'default-policy',
  'grace-period',
  'metadata-rules',
  'owner-admission',
  'finalizers-namespace',
  'namespace',
];

describe.each(AREAS)('%s', (area) => {
  it.each(casesOf(area).map((one) => [one.id, one] as const))('%s', async (_, part) => {
    expect((await judge(part, JUDGED)).outcome).toEqual({ verdict: 'passed' });
  });
});

it('a finalize request carries the other finalizers of the spec', async () => {
  const [part] = casesOf('namespace');
  const finalize = (sent: readonly string[]) => ({
    ...{ ...part, kind: 'namespace-finalize', steps: [{ do: 'finalize' }] },
    given: { namespace: { name: 'test', specFinalizers: ['kubernetes', 'other'] } },
    expect: {
      requests: [
        { verb: 'create', resource: 'namespaces', subresource: 'finalize', specFinalizers: sent },
      ],
    },
  });
  expect((await judge(finalize(['other']), JUDGED)).outcome.verdict).toBe('passed');
  expect((await judge(finalize([]), JUDGED)).outcome.verdict).toBe('failed');
});

it('a cache that holds the first incarnation does not decide', async () => {
  const [part] = casesOf('store-delete').filter(({ id }) => id === 'store-13' || id === 'store-14');
  const ok = Object.fromEntries([['then', { error: null }]]);
  const held = Object.fromEntries([['then', { error: null, stored: { finalizers: ['a.b/c'] } }]]);
  const outcome = await judge(
    {
      ...part,
      given: {
        store: { graceful: true, defaultPolicy: 'none', gcEnabled: false },
        object: { name: 'foo', finalizers: ['a.b/c'] },
        cachedCopy: 'first incarnation',
      },
      steps: [
        { do: 'create', ...ok },
        { do: 'delete', options: { gracePeriodSeconds: 0 }, ...held },
        { do: 'update', finalizers: [], ...ok },
        { do: 'create', ...ok },
        { do: 'delete', options: { gracePeriodSeconds: 0 }, ...held },
      ],
    },
    JUDGED,
  );
  expect(outcome.outcome).toEqual({ verdict: 'passed' });
});

it('grace periods hold for later releases too', async () => {
  for (const part of casesOf('grace-period')) {
    const later = { protocol: 'later', rules: NEWEST_RULES };
    expect({ id: part.id, ...(await judge(part, later)).outcome }).toEqual({
      id: part.id,
      verdict: 'passed',
    });
  }
});

/** Each leaf of a demand with another value. */
function corruptions(part: unknown): readonly unknown[] {
  if (Array.isArray(part)) {
    const inner = part.flatMap((item, index) =>
      corruptions(item).map((other) => part.with(index, other)),
    );
    return part.length === 0 ? [['another']] : inner;
  }
  if (typeof part === 'object' && part !== null) {
    return Object.entries(part).flatMap(([key, value]) =>
      // Lists in any order are a weaker demand.
      key === 'ordered' ? [] : corruptions(value).map((other) => ({ ...part, [key]: other })),
    );
  }
  if (typeof part === 'boolean') return [!part];
  if (typeof part === 'number') return [part + 1];
  if (part === null) return ['another'];
  return part === 'set' ? ['unset'] : part === 'unset' ? ['set'] : ['another'];
}

type Step = Readonly<Record<string, unknown>>;

function stepsOf(part: Case): readonly Step[] {
  return Array.isArray(part.steps) ? (part.steps as readonly Step[]) : [];
}

function withStep(
  part: Case,
  index: number,
  fields: readonly (readonly [string, unknown])[],
): Case {
  const step = { ...stepsOf(part)[index], ...Object.fromEntries(fields) };
  return { ...part, steps: stepsOf(part).with(index, step) };
}

/** The case with one demand changed: in `expect`, or in the `then` of a step. */
function corrupted(part: Case): readonly Case[] {
  return [
    ...corruptions(part.expect).map((expected) => ({ ...part, expect: expected })),
    ...stepsOf(part).flatMap((step, index) =>
      corruptions(step.then ?? {}).map((stated) => withStep(part, index, [['then', stated]])),
    ),
  ];
}

/** The case with an additional unknown field, in each place that has fields. */
function extended(part: Case): readonly Case[] {
  const more = (fields: unknown) => ({ ...(fields as object), unheardOf: 1 });
  return [
    { ...part, given: more(part.given) },
    { ...part, expect: more(part.expect) },
    ...stepsOf(part).flatMap((step, index) => [
      withStep(part, index, [['unheardOf', 1]]),
      ...('then' in step ? [withStep(part, index, [['then', more(step.then)]])] : []),
    ]),
  ];
}

describe('the judge can say no', () => {
  it.each(AREAS)('%s: no case passes with one demand changed', async (area) => {
    // A case with deviations demands something else of this release.
    for (const part of casesOf(area).filter(({ differsIn }) => differsIn === undefined)) {
      for (const other of corrupted(part)) {
        const { outcome } = await judge(other, JUDGED);
        const demand = [other.expect, stepsOf(other).map((step) => step.then)];
        expect({ id: part.id, demand, ...outcome }).not.toMatchObject({ verdict: 'passed' });
      }
    }
  });

  it.each(AREAS)('%s: unknown fields are never passed over', async (area) => {
    for (const part of casesOf(area)) {
      for (const other of extended(part)) {
        expect((await judge(other, JUDGED)).outcome.verdict).toBe('unsupported');
      }
    }
  });
});

import { describe, expect, it } from 'vitest';
import { judge, NEWEST_RULES } from '../../conformance/facts/judge.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { corruptionsOf, extensionsOf, oneOfEachSort } from './corruption.ts';
import { casesOf, JUDGED } from './fact-files.ts';

const AREAS = [
  'gc-trace',
  'gc-recorded',
  'graph-events',
  'alternate-owner',
  'delete-attempt',
  'discovery',
] as const;

describe.each(AREAS)('%s', (area) => {
  it.each(casesOf(area).map((one) => [one.id, one] as const))('%s', async (_, part) => {
    expect((await judge(part, JUDGED)).outcome).toEqual({ verdict: 'passed' });
  });
});

it('a deviation of the release is demanded, and gone in later ones', async () => {
  const [part] = casesOf('gc-trace').filter(({ id }) => id === 'gc-trace-14');
  expect(await judge(part, JUDGED)).toMatchObject({ as: 'deviation' });
  const mended = { ...JUDGED, rules: { ...JUDGED.rules, virtualOwnerNamespace: 'checked' } };
  const { outcome } = await judge(part, mended as typeof JUDGED);
  expect(outcome).toMatchObject({ verdict: 'failed', expected: 'a deviation at step 3' });
  const later = { protocol: 'later', rules: NEWEST_RULES };
  expect(await judge(part, later)).toMatchObject({ as: 'stated', outcome: { verdict: 'passed' } });
});

it('a memory holds no owner that the case excludes, and requests are counted', async () => {
  const [part] = casesOf('delete-attempt').filter(({ id }) => id === 'delete-attempt-2');
  const owner = { apiVersion: 'v1', kind: 'ReplicationController', namespace: 'ns1' };
  const remembered = { ...owner, name: 'rc1', uid: '1' };
  const excluded = { ...part, expect: { notAbsentOwners: [remembered] } };
  expect((await judge(excluded, JUDGED)).outcome).toMatchObject({ verdict: 'failed' });
  const counted = { 'get replicationcontrollers rc1': 2 };
  const often = { ...part, expect: { requestCount: counted } };
  expect((await judge(often, JUDGED)).outcome).toMatchObject({ verdict: 'failed' });
});

it('a patch of owners with a wrong uid is refused', async () => {
  const [part] = casesOf('delete-attempt').filter(({ kind }) => kind === 'owner-patch');
  const patch = (uidPrecondition: string, error: string | null) => ({
    ...{ do: 'patch.removeOwners', uids: ['1'], uidPrecondition },
    ...Object.fromEntries([['then', { error }]]),
  });
  const given = { uid: '100', ownerReferences: [{ uid: '1' }, { uid: '2' }] };
  const verdictOn = async (step: object, uids: readonly string[]) => {
    const expected = { ownerReferences: uids.map((uid) => ({ uid })) };
    const { outcome } = await judge({ ...part, given, steps: [step], expect: expected }, JUDGED);
    return outcome.verdict;
  };
  expect(await verdictOn(patch('100', null), ['2'])).toBe('passed');
  expect(await verdictOn(patch('7', 'Conflict'), ['1', '2'])).toBe('passed');
  expect(await verdictOn(patch('7', null), ['2'])).toBe('failed');
});

it.each(Object.entries(PROTOCOLS))('cases are judged under %s as well', async (protocol, rules) => {
  for (const part of AREAS.flatMap((area) => casesOf(area))) {
    const { outcome } = await judge(part, { protocol, rules });
    expect(outcome.verdict).not.toBe('unsupported');
  }
});

/** Lists that are sets, or whose order the format leaves open. */
const WITHOUT_ORDER = [
  /then\.graph: elements/,
  /dependents[^:]*: elements/,
  /absentOwners: elements/,
  /watched: elements/,
  /serverObjects: elements/,
];

describe('the judge can say no', () => {
  it.each(AREAS)('%s: no case passes with one demand changed', async (area) => {
    const survivors: string[] = [];
    let failed = 0;
    for (const part of casesOf(area).filter(({ differsIn }) => differsIn === undefined)) {
      for (const { what, corrupted } of oneOfEachSort(corruptionsOf(part, 'then'))) {
        const { outcome } = await judge(corrupted, JUDGED);
        if (outcome.verdict === 'failed') failed++;
        // A set is the same in another order; invariants are always checked. Other owners are not
        // in the memory either.
        const same =
          /notAbsentOwners/.test(what) ||
          WITHOUT_ORDER.some((pattern) => pattern.test(what)) ||
          (part.kind === 'graph-trace' && /attemptToDelete: elements|invariants: el/.test(what));
        if (outcome.verdict === 'passed' && !same) survivors.push(`${part.id} ${what}`);
      }
    }
    expect(survivors).toEqual([]);
    expect(failed).toBeGreaterThan(0);
  });

  it.each(AREAS)('%s: unknown fields, steps and kinds are never passed over', async (area) => {
    for (const part of casesOf(area)) {
      for (const other of extensionsOf(part)) {
        expect((await judge(other, JUDGED)).outcome.verdict).toBe('unsupported');
      }
    }
  });
});

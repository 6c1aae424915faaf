import { readFileSync } from 'node:fs';
import { check } from 'reapcheck/checker';
import { describe, expect, it, test } from 'vitest';
import type { CheckResult } from '../../checker/result.ts';
import {
  alternatingBit,
  alternatingBitProperties,
  alternatingBitWith,
} from '../../examples/models/alternating-bit.ts';
import { ewd998, ewd998Properties, ewd998With, within } from '../../examples/models/ewd998.ts';
import { peterson, petersonProperties, petersonWith } from '../../examples/models/peterson.ts';
import { raftProperties, raftWith } from '../../examples/models/raft-election.ts';
import { twoPhaseCommit } from '../../examples/models/two-phase-commit.ts';

const verdicts = ({ properties }: CheckResult) => properties.map(({ verdict }) => verdict);

describe('two-phase commit', () => {
  // Stateright's example has the same numbers of states without symmetry: 288 and 8,832.
  test.each([
    [3, 288, 80],
    [5, 8_832, 314],
  ])('%i managers', async (count, states, representatives) => {
    const { model, agree } = twoPhaseCommit(count);
    const asked = { model, properties: [agree], auditEvery: 10 };
    const plain = await check({ ...asked, reductions: [] });
    expect(plain.statistics.states).toBe(states);
    expect(verdicts(plain)).toEqual(['holds']);
    const quotient = await check(asked);
    expect(quotient.statistics.states).toBe(representatives);
    expect(verdicts(quotient)).toEqual(['holds']);
  });
});

describe('Peterson', () => {
  it('excludes, and lets in who wants', async () => {
    const result = await check({ model: peterson, properties: petersonProperties });
    expect(verdicts(result)).toEqual(['holds', 'holds']);
    expect(result.statistics.states).toBe(20);
  });

  it('lets both in without politeness', async () => {
    const result = await check({ model: petersonWith(false), properties: petersonProperties });
    expect(verdicts(result)).toEqual(['violated', 'violated']);
  });
});

describe('alternating bit', () => {
  it('delivers all messages in order', async () => {
    const result = await check({ model: alternatingBit, properties: alternatingBitProperties });
    expect(verdicts(result)).toEqual(['holds', 'holds', 'holds']);
    expect(result.statistics.states).toBe(90);
  });

  it('delivers twice without the bit', async () => {
    const model = alternatingBitWith(false);
    const result = await check({ model, properties: alternatingBitProperties });
    expect(verdicts(result)[0]).toBe('violated');
  });
});

describe('Raft election', () => {
  it('elects one leader a term', async () => {
    const model = raftWith({ terms: 2, onDisk: true });
    const asked = { model, properties: raftProperties, auditEvery: 10 };
    const plain = await check({ ...asked, reductions: [] });
    const quotient = await check(asked);
    expect(verdicts(plain)).toEqual(['holds', 'holds']);
    expect(verdicts(quotient)).toEqual(['holds', 'holds']);
    expect([plain.statistics.states, quotient.statistics.states]).toEqual([1853, 335]);
  });

  it('elects two if votes are forgotten', async () => {
    const model = raftWith({ terms: 1, onDisk: false });
    const result = await check({ model, properties: raftProperties });
    expect(verdicts(result)[0]).toBe('violated');
    expect(result.properties[0]?.trace?.steps).toHaveLength(7);
  });
});

describe('EWD998', () => {
  it('is right up to a constraint', async () => {
    const result = await check({ model: ewd998, properties: ewd998Properties, within });
    expect(verdicts(result)).toEqual(['holds', 'inconclusive']);
    expect(result.properties[0]?.reason).toMatch(/up to the constraint/);
    expect(result.statistics.states).toBe(33_167);
  });

  it('detects what is not true if receivers stay white', async () => {
    const result = await check({
      ...{ model: ewd998With(false), properties: ewd998Properties },
      within,
    });
    expect(verdicts(result)[0]).toBe('violated');
  });
});

it('has as many lines as the documentation says, and no more than the twin', () => {
  const page = readFileSync('docs/writing-a-model.md', 'utf8').split('<!-- lines -->')[1] ?? '';
  const rows = [...page.matchAll(/^\| `(\S+)` \| (\d+) \| (\d+|none)/gm)];
  expect(rows).toHaveLength(5);
  for (const [, file = '', here, twin = ''] of rows) {
    const lines = readFileSync(`examples/models/${file}`, 'utf8').split('\n');
    const counted = lines.filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line)).length;
    expect([file, counted]).toEqual([file, Number(here)]);
    expect(counted).toBeLessThanOrEqual(twin === 'none' ? counted : Number(twin));
  }
});

import { describe, expect, it } from 'vitest';
import { GROUPS, PROPERTIES, propertyMeant } from '../../properties/index.ts';
import { cascadeCases } from './cascade-cases.ts';
import type { Cases } from './cases.ts';
import { collectionCases } from './collection-cases.ts';
import { containerCases } from './container-cases.ts';
import { contentCases } from './content-cases.ts';
import { finalizerCases } from './finalizer-cases.ts';
import { foregroundCases } from './foreground-cases.ts';
import { generalCases } from './general-cases.ts';
import { behindProxies, frozen, judge, type Run } from './judge.ts';
import { memoryCases } from './memory-cases.ts';
import { monitorCases } from './monitor-cases.ts';
import { operatorCases } from './operator-cases.ts';
import { progressCases } from './progress-cases.ts';
import { quietCases } from './quiet-cases.ts';
import { requestCases } from './request-cases.ts';
import { restartCases } from './restart-cases.ts';
import { usageCases } from './usage-cases.ts';
import { workloadCases } from './workload-cases.ts';
import { writeCases } from './write-cases.ts';

const CASES: Cases = {
  ...finalizerCases,
  ...collectionCases,
  ...foregroundCases,
  ...cascadeCases,
  ...requestCases,
  ...contentCases,
  ...progressCases,
  ...monitorCases,
  ...quietCases,
  ...usageCases,
  ...writeCases,
  ...memoryCases,
  ...containerCases,
  ...restartCases,
  ...workloadCases,
  ...operatorCases,
  ...generalCases,
};

describe('every property', () => {
  it('has cases that violate it, satisfy it and do not concern it', () => {
    const lacking = PROPERTIES.filter(({ name, kind }) => {
      const cases = CASES[name];
      if (cases === undefined) return true;
      const counts = [cases.violated, cases.holds, cases.vacuous].map(
        (some) => Object.keys(some).length,
      );
      // Only a search knows whether anything more can happen.
      return counts.slice(0, kind === 'settled' ? 2 : 3).some((count) => count === 0);
    });
    expect(lacking.map(({ name }) => name)).toEqual([]);
    expect(Object.keys(CASES).sort()).toEqual(PROPERTIES.map(({ name }) => name).sort());
  });

  it('has its own id and name, and is found by both', () => {
    for (const entry of PROPERTIES) {
      expect(entry.id).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(propertyMeant(entry.id)).toBe(entry);
      expect(propertyMeant(entry.name)).toBe(entry);
    }
  });

  it('is listed with its group, and the groups are in order', () => {
    const places = PROPERTIES.map(({ group }) => GROUPS.indexOf(group));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(new Set(places).size).toBe(GROUPS.length);
  });
});

for (const entry of PROPERTIES) {
  const cases = CASES[entry.name];
  const judgeThreeTimes = (run: Run) => {
    const property = entry.build(run.setup);
    expect(property).toMatchObject({ id: entry.id, name: entry.name });
    expect(property.kind).toBe(entry.kind);
    const judgement = judge(property, frozen(run));
    expect(judge(property, behindProxies(run))).toEqual(judgement);
    expect(judge(property, run)).toEqual(judgement);
    return judgement;
  };
  describe(entry.name, () => {
    for (const [title, { run, explained }] of Object.entries(cases?.violated ?? {})) {
      it(`is violated: ${title}`, () => {
        expect(judgeThreeTimes(run)).toEqual({ verdict: 'violated', explained });
      });
    }
    for (const [title, run] of Object.entries(cases?.holds ?? {})) {
      it(`holds: ${title}`, () => {
        expect(judgeThreeTimes(run).verdict).toBe('holds');
      });
    }
    for (const [title, run] of Object.entries(cases?.vacuous ?? {})) {
      it(`is not concerned: ${title}`, () => {
        expect(judgeThreeTimes(run).verdict).toBe('vacuous');
      });
    }
  });
}

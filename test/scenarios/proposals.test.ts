import { describe, expect, it } from 'vitest';
import { type CheckOptions, check } from '../../checker/index.ts';
import { PROTOCOLS } from '../../model/protocols.ts';
import type { Cluster } from '../../model/state.ts';
import { deletionModel } from '../../model/system.ts';
import { deletionProperties } from '../../properties/index.ts';
import { foundIn } from './expectations.ts';
import { scenarios } from './read.ts';

/** Every scenario makes sense under the designs that came before any release, too. */

const STATES = 1_500;

/** The naive engine takes about a second for ten times as many. */
const NAIVE = 150;

describe.each(['gc-proposal', 'synchronous-gc-proposal'])('%s', (protocol) => {
  const rules = PROTOCOLS[protocol];
  if (rules === undefined) throw new Error(`there is no protocol ${protocol}`);
  for (const { name, setup: usual } of scenarios()) {
    it(`runs ${name}, with both engines alike where it is small`, async () => {
      const setup = { ...usual, rules };
      const options: CheckOptions<Cluster> = {
        model: deletionModel(setup),
        properties: deletionProperties(setup),
        limits: { states: STATES },
        auditEvery: 50,
      };
      const result = await check(options);
      expect(result.defect).toBeNull();
      if (result.outcome !== 'complete' || result.statistics.states > NAIVE) return;
      const naive = await check({ ...options, engine: 'naive' });
      expect(foundIn(naive)).toEqual(foundIn(result));
    });
  }
});

import { describe, expect, it } from 'vitest';
import { type CheckOptions, check } from '../../checker/index.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import { deletionProperties } from '../../properties/index.ts';
import { foundIn } from './expectations.ts';
import { scenarios } from './read.ts';

/**
 * The scenarios make sense under the designs that came before any release, too: each is run under
 * one of the two, in turn, but for each second pair.
 */

const STATES = 100;

/** The naive engine takes about a second for twenty times as many. */
const NAIVE = 40;

function under(setup: Setup, protocol: string): Setup {
  const rules = PROTOCOLS[protocol];
  if (rules === undefined) throw new Error(`there is no protocol ${protocol}`);
  return { ...setup, rules };
}

const COLLECTED = 'no object stays whose owners are all gone';
const FINISHED = 'every deletion finishes';
const STUCK = 'no collector finalizer is stuck';

/** What the designs are for, and where they leave something open. */
const VERDICTS: readonly (readonly [string, string, string, string])[] = [
  ['gc-proposal', 'background-tree', COLLECTED, 'holds'],
  ['gc-proposal', 'orphan-tree', 'orphaning completes', 'holds'],
  // Only the deletion of an owner that has been seen makes a dependent dirty.
  ['gc-proposal', 'dangling-owner', COLLECTED, 'violated'],
  ['synchronous-gc-proposal', 'dangling-owner', COLLECTED, 'holds'],
  ['synchronous-gc-proposal', 'foreground-tree', FINISHED, 'holds'],
  ['synchronous-gc-proposal', 'cycle-of-three-foreground', FINISHED, 'holds'],
  ['synchronous-gc-proposal', 'cycle-both-foreground', FINISHED, 'holds'],
  // A reference that is taken off does not make the collector look at the owner again.
  ['synchronous-gc-proposal', 'two-owners-foreground', STUCK, 'violated'],
  ['gc-proposal', 'namespace-emptied', FINISHED, 'holds'],
  ['synchronous-gc-proposal', 'namespace-emptied', FINISHED, 'holds'],
  ['v1.7', 'namespace-emptied', FINISHED, 'holds'],
];

it.each(VERDICTS)('%s, %s: %s %s', async (protocol, name, property, verdict) => {
  const scenario = scenarios().find((candidate) => candidate.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  const setup = under(scenario.setup, protocol);
  const properties = deletionProperties(setup).filter((one) => one.name === property);
  const result = await check({ model: deletionModel(setup), properties });
  expect(result.properties[0]?.verdict).toBe(verdict);
});

const DESIGNS = ['gc-proposal', 'synchronous-gc-proposal'];

describe.each(DESIGNS)('%s', (protocol) => {
  const turn = DESIGNS.indexOf(protocol);
  const own = scenarios().filter((_, index) => index % (2 * DESIGNS.length) === turn);
  for (const { name, setup: usual } of own) {
    it(`runs ${name}, with both engines alike where it is small`, async () => {
      const setup = under(usual, protocol);
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

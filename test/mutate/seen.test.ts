import { expect, it } from 'vitest';
import { seenGraph } from '../../tools/mutate/seen.ts';
import { suitePlans } from '../../tools/mutate/suite.ts';

const STATES = 2_000;
const plans = await suitePlans();

/** In the model of the scenario `name`. */
async function seenIn(name: string, rules: Readonly<Record<string, string>> = {}) {
  const setup = plans.find(({ title }) => title === name)?.setup;
  if (setup === undefined) throw new Error(`there is no scenario ${name}`);
  const limits = { states: STATES };
  return (await seenGraph({ ...setup, rules: { ...setup.rules, ...rules } }, limits)).graph;
}

it('has a digest of what users see, also of models with nothing outside of the cluster', async () => {
  const before = await seenIn('self-owner-foreground');
  expect(before).not.toBeNull();
  expect(await seenIn('self-owner-foreground')).toBe(before);
});

it('differs exactly if users see a difference', async () => {
  // The collector waits for another of its own events, and nobody sees that.
  const chain = await seenIn('background-chain');
  expect(await seenIn('background-chain', { collectorDeleteNotFound: 'virtualDelete' })).toBe(
    chain,
  );
  const cycle = await seenIn('cycle-both-foreground');
  expect(await seenIn('cycle-both-foreground', { cycleBreaking: 'none' })).not.toBe(cycle);
});

import { expect, it } from 'vitest';
import type { Cell, ScenarioCell } from '../../gate/cell.ts';
import { lockFileOf } from '../../gate/suite/suite.ts';
import { folderWith, inFolder } from './gate-cli.ts';
import { SMALL_SUITE } from './small-suite.ts';
import { cellsHere, cellsIn as cellsOfFiles } from './suites.ts';

/** The cells of a suite, their names, and the command that repeats each of them. */

const cellsIn = (suite: string, file = 'a.suite.yaml') =>
  cellsOfFiles({ ...SMALL_SUITE, [file]: suite });

/** Those of scenarios and dumps. */
function withPlans(cells: readonly Cell[]): readonly ScenarioCell[] {
  return cells.filter((cell): cell is ScenarioCell => cell.plan !== null);
}

async function namesIn(suite: string): Promise<readonly string[]> {
  return (await cellsIn(suite)).map(({ name }) => name);
}

it('names by pattern, files and the museum', async () => {
  expect(
    await namesIn(`groups:
  - scenarios: [foreground-chain, "background-{chain,tree}", ./ends.yaml, "c*.yaml"]
    museum: [K8S-77081, "K8S-2????"]
`),
  ).toEqual([
    'foreground-chain',
    'background-chain',
    'background-tree',
    'ends.yaml',
    'chain.yaml',
    'K8S-77081, before',
    'K8S-77081, after',
    'K8S-25169, before',
    'K8S-25169, after',
    'K8S-26120, before',
    'K8S-26120, after',
  ]);
});

it('a grid applies to all of its group, in order', async () => {
  expect(
    await namesIn(`groups:
  - scenarios: [chain.yaml]
    grid: {rules: {cycleBreaking: [asWritten, none]}, workers: [asWritten, 2], protocol: [v1.7, asWritten]}
`),
  ).toEqual([
    'chain.yaml [protocol=v1.7]',
    'chain.yaml [protocol=v1.7 cycleBreaking=none]',
    'chain.yaml [protocol=v1.7 workers=2]',
    'chain.yaml [protocol=v1.7 workers=2 cycleBreaking=none]',
    'chain.yaml',
    'chain.yaml [cycleBreaking=none]',
    'chain.yaml [workers=2]',
    'chain.yaml [workers=2 cycleBreaking=none]',
  ]);
});

it('each can be repeated alone, with what the suite says for all and for its group', async () => {
  const cells = await cellsIn(`properties: [nothing is stuck]
limits: {states: 100, seconds: 9}
groups:
  - scenarios: [chain.yaml]
    grid: {relists: [2], rules: {cycleBreaking: [none]}}
    limits: {states: 50, depth: 7, megabytes: 900}
  - scenarios: [finalizer-on-owner]
    grid: {stuckFinalizer: [example.com/hold]}
    properties: [every deletion finishes]
  - deletions: [{dump: [dump.yaml], delete: [cm/a], cascade: foreground, namespace: shop}]
  - museum: [D2]
`);
  expect(cells.map(({ again }) => again)).toEqual([
    "reapcheck check ./chain.yaml --rule cycleBreaking=none --relists 2 --property 'nothing is stuck' --max-states 50 --max-depth 7 --timeout 9 --memory 900",
    "reapcheck check finalizer-on-owner --stuck-finalizer example.com/hold --property 'every deletion finishes' --max-states 100 --timeout 9",
    "reapcheck check ./dump.yaml --delete cm/a --cascade foreground --namespace shop --property 'nothing is stuck' --max-states 100 --timeout 9",
    "reapcheck check D2 --museum --property 'nothing is stuck' --max-states 100 --timeout 9",
  ]);
  expect(
    withPlans(cells).map(({ plan, limits, parameters }) => [plan.properties, limits, parameters]),
  ).toEqual([
    [
      ['nothing is stuck'],
      { states: 50, depth: 7, megabytes: 900, seconds: 9 },
      [
        { name: 'relists', value: '2' },
        { name: 'cycleBreaking', value: 'none' },
      ],
    ],
    [
      ['every deletion finishes'],
      { states: 100, seconds: 9 },
      [{ name: 'stuckFinalizer', value: 'example.com/hold' }],
    ],
    [['nothing is stuck'], { states: 100, seconds: 9 }, []],
    [['nothing is stuck'], { states: 100, seconds: 9 }, []],
  ]);
  expect(withPlans(cells)[2]?.plan.fates).toBe(true);
});

it('a scenario is judged by what it expects where no parameter changes it', async () => {
  const cells = await cellsIn(`groups:
  - scenarios: [late.yaml]
    grid: {workers: [asWritten, 1]}
`);
  expect(withPlans(cells).map(({ plan }) => plan.expectation?.states ?? null)).toEqual([44, null]);
});

it('names of files are relative to the suite, whatever the working directory', async () => {
  const folder = folderWith({
    ...SMALL_SUITE,
    'a/b/c.suite.yaml': 'groups: [{scenarios: [../../chain.yaml]}]',
  });
  const from = (where: string, file: string) =>
    inFolder(`${folder}/${where}`, () => cellsHere(file));
  for (const cells of [await from('.', 'a/b/c.suite.yaml'), await from('a', 'b/c.suite.yaml')]) {
    expect(withPlans(cells).map(({ name, plan }) => [name, plan.title, plan.setup.name])).toEqual([
      ['../../chain.yaml', '../../chain.yaml', '../../chain.yaml'],
    ]);
  }
});

it('the lock of each suite has a name of its own', () => {
  expect(
    ['reapcheck.suite.yaml', 'a/reapcheck.suite.yaml', 'a/b.suite.yaml', 'b.yml', 'c'].map(
      lockFileOf,
    ),
  ).toEqual([
    'reapcheck.lock.json',
    'a/reapcheck.lock.json',
    'a/b.lock.json',
    'b.lock.json',
    'c.lock.json',
  ]);
});

it('a grid of reductions keeps the expectations, but for the counts of a search without', async () => {
  const cells = withPlans(
    await cellsIn(`groups:
  - scenarios: [foreground-chain]
    grid: {reduction: [asWritten, "symmetry,confluence", none]}
`),
  );
  expect(cells.map(({ name, reductions }) => [name, reductions])).toEqual([
    ['foreground-chain', []],
    ['foreground-chain [reduction=symmetry,confluence]', ['symmetry', 'confluence']],
    ['foreground-chain [reduction=none]', []],
  ]);
  expect(cells[1]!.plan.expectation).toEqual(cells[0]!.plan.expectation);
  expect(cells[1]!.again).toContain('--reduction symmetry,confluence');
});

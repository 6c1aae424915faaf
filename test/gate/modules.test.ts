import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cellRunner } from '../../gate/run/run-cells.ts';
import { CODE, cellOf, NEVER } from './cells.ts';
import { folderWith, inFolder, runGate } from './gate-cli.ts';
import { readJson } from './small-suite.ts';
import { cellsIn } from './suites.ts';

/** Modules with models of their own in the gate. */

/** A lamp that is switched on so often, and what is said of it. */
function lamp({ times = 3, properties = '' } = {}): string {
  return `
const limit = ${times};
export const model = {
  name: 'lamp',
  initial: [{ isOn: false, times: 0 }],
  slots: { isOn: 'value', times: 'value' },
  actions: {
    press: {
      reduce(draft) {
        if (draft.times === limit) return;
        draft.times += 1;
        draft.isOn = !draft.isOn;
      },
    },
  },
};
export const properties = [
  { kind: 'invariant', name: 'it is pressed three times at most', holds: ({ times }) => times <= 3 },
  { kind: 'witness', name: 'it is on', reached: ({ isOn }) => isOn },${properties}
];
`;
}

const SUITE = 'groups: [{scenarios: [lamp.mjs]}]';

it('a module is a suite of itself, and its counts and verdicts are pinned', async () => {
  const lock = await inFolder(folderWith({ 'lamp.mjs': lamp() }), async () => {
    const first = await runGate(['lamp.mjs', '--update']);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('lamp.mjs: 2 hold; 4 states, 3 transitions, depth 3');
    expect(await runGate(['./lamp.mjs'])).toMatchObject({ code: 0 });
    return readFileSync('lamp.lock.json', 'utf8');
  });
  const changed = { 'lamp.mjs': lamp({ times: 4 }), 'lamp.lock.json': lock };
  await inFolder(folderWith(changed), async () => {
    const { code, stdout } = await runGate(['lamp.mjs']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/new violation: "it is pressed three times at most" is violated in 4/);
    expect(stdout).toMatch(/states grew[^\n]*5 states/);
    expect(stdout).toContain('because  lamp.mjs changed');
    expect(stdout).toContain('again    reapcheck check ./lamp.mjs');
  });
});

it('what a module imports can change its results, too, and is named', async () => {
  const importing = (limit: number) => ({
    'limit.mjs': `export const limit = ${limit};`,
    'lamp.mjs': lamp().replace('const limit = 3;', "import { limit } from './limit.mjs';"),
    'reapcheck.suite.yaml': SUITE,
  });
  const lock = await inFolder(folderWith(importing(3)), async () => {
    expect(await runGate(['--update'])).toMatchObject({ code: 0 });
    return readFileSync('reapcheck.lock.json', 'utf8');
  });
  await inFolder(folderWith({ ...importing(2), 'reapcheck.lock.json': lock }), async () => {
    const { code, stdout } = await runGate([]);
    expect(code).toBe(1);
    expect(stdout).toContain('because  something that lamp.mjs imports or reads changed');
  });
});

it('no report of a module is kept, as what it depends on is not known', async () => {
  const cells = await cellsIn({ 'lamp.mjs': lamp(), 'a.suite.yaml': SUITE });
  const kept: string[] = [];
  const cache = {
    read: async () => null,
    write: async (key: string) => void kept.push(key),
    prune: async () => undefined,
  };
  const scenario = await cellOf('dangling-owner');
  const run = cellRunner({ code: CODE, cache, processes: 1 });
  const running = { interrupted: NEVER, pinnedStates: new Map() };
  const outcomes = await run([...cells, scenario], running);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
  expect(kept).toHaveLength(1);
});

it('a module that judges nothing, is wrong, or takes a grid is never green', async () => {
  const idle = ", { kind: 'eventually', name: 'idle', trigger: () => false, goal: () => true }";
  const files = {
    'idle.mjs': lamp({ properties: idle.slice(1) }),
    'wrong.mjs': lamp().replace("isOn: 'value', ", ''),
    'id.mjs': lamp().replace('it is on', 'nothing-stuck'),
    'none.mjs': 'export const model = 1;',
    'grid.suite.yaml': 'groups: [{scenarios: [idle.mjs], grid: {workers: [1, 2]}}]',
    'asked.suite.yaml': 'groups: [{scenarios: [idle.mjs], properties: [it is on]}]',
    'other.suite.yaml': 'groups: [{scenarios: [idle.mjs], properties: [it is off]}]',
  };
  await inFolder(folderWith(files), async () => {
    const idle = await runGate(['idle.mjs', '--update']);
    expect(idle.code).toBe(1);
    expect(idle.stdout).toMatch(/became vacuous: "idle"/);
    expect(await runGate(['wrong.mjs', '--update'])).toMatchObject({ code: 70 });
    expect(await runGate(['asked.suite.yaml', '--update'])).toMatchObject({ code: 0 });
    const pinned = readJson('asked.lock.json') as { readonly cells: readonly unknown[] };
    expect(JSON.stringify(pinned.cells)).not.toContain('protocol');
    for (const [suite, message] of [
      ['id.mjs', /"nothing-stuck", which is the id of another property/],
      ['none.mjs', /the export "model" of .*none.mjs is not valid/],
      ['grid.suite.yaml', /idle.mjs has a grid, which is of Kubernetes\n {2}at grid.suite.yaml:1/],
      ['other.suite.yaml', /there is no property "it is off"/],
    ] as const) {
      const { code, stderr } = await runGate([suite]);
      expect(stderr).toMatch(message);
      expect(code).toBe(2);
    }
  });
});

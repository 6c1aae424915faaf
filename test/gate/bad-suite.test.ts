import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectError, type Outcome } from '../cli/run-cli.ts';
import { folderWith, inFolder, runGate } from './gate-cli.ts';
import { lockedSmallSuite, SMALL_SUITE } from './small-suite.ts';

/** One clear error and exit code 2, before a cell is run. */

const SUITE = SMALL_SUITE['reapcheck.suite.yaml']!;

function gateWith(suite: string): Promise<Outcome> {
  const folder = folderWith({ ...SMALL_SUITE, 'reapcheck.suite.yaml': suite });
  return inFolder(folder, () => runGate([]));
}

/** A suite, and its error with the place. */
const SUITES: Readonly<Record<string, readonly [string, ...(string | RegExp)[]]>> = {
  'an empty file': ['', /no scenarios/],
  'no groups': ['groups: []\n', /no scenarios/, /suite\.yaml:1:1, groups/],
  'groups of nothing': ['groups:\n', /no scenarios/],
  'a group without scenarios': [
    'groups:\n  - limits: {states: 5}\n',
    /no scenarios/,
    /groups\[0\]/,
  ],
  'an empty list of scenarios': [
    'groups:\n  - scenarios: []\n',
    /scenarios is a list/,
    /a value that is not empty/,
  ],
  'no mapping': ['- a\n', /the document is a list/],
  'a field of a group outside of one': [
    'scenarios: [background-chain]\n',
    /unknown field "scenarios"/,
    /"scenarios" is a field, but not here/,
  ],
  'an unknown field': [
    'groups:\n  - scenario: [a]\n',
    /unknown field "scenario"/,
    /"scenarios"/,
    /:2:5/,
  ],
  'an unknown parameter': [
    'groups:\n  - scenarios: [late.yaml]\n    grid: {worker: [1]}\n',
    /unknown field "worker"/,
    /did you mean "workers"/,
    /:3:12/,
  ],
  'a number of workers that nobody has': [
    'groups:\n  - scenarios: [late.yaml]\n    grid: {workers: [99]}\n',
    /grid\.workers\[0\] is 99/,
    /at most 8/,
  ],
  'less memory than a command takes by itself': [
    'limits: {megabytes: 79}\ngroups:\n  - scenarios: [late.yaml]\n',
    /limits\.megabytes is 79/,
    /at least 80/,
    /:1:10/,
  ],
  'no time at all': [
    'limits: {seconds: 0}\ngroups:\n  - scenarios: [late.yaml]\n',
    /limits\.seconds is 0/,
    /more than 0/,
  ],
  'an unknown protocol': [
    'groups:\n  - scenarios: [late.yaml]\n    grid: {protocol: [v1.99]}\n',
    /no protocol "v1.99"/,
    /:3:23, groups\[0\]\.grid\.protocol\[0\]/,
  ],
  'an unknown rule': [
    'groups:\n  - scenarios: [late.yaml]\n    grid: {rules: {cycleBraking: [none]}}\n',
    /no rule "cycleBraking"/,
    /did you mean "cycleBreaking"/,
  ],
  'an unknown value of a rule': [
    'groups:\n  - scenarios: [late.yaml]\n    grid: {rules: {cycleBreaking: [nothing]}}\n',
    /has no value "nothing"/,
    /:3:36/,
  ],
  'an unknown reduction': [
    'groups:\n  - scenarios: [late.yaml]\n    grid: {reduction: [none, symetry]}\n',
    /reduction does not take "symetry"/,
    /expected: asWritten, none, or one or more of symmetry/,
    /:3:30/,
  ],
  'an unknown property': [
    'properties: [nothing is stuk]\ngroups:\n  - scenarios: [late.yaml]\n',
    /no property "nothing is stuk"/,
    /:1:14/,
  ],
  'combine without a grid': [
    'groups:\n  - scenarios: [late.yaml]\n    combine: full\n',
    /says nothing without a grid/,
  ],
  'an unknown scenario': [
    'groups:\n  - scenarios: [foregrond-chain]\n',
    /no built-in scenario "foregrond-chain"/,
    /did you mean "foreground-chain"/,
    /:2:17/,
  ],
  'an unknown entry of the museum': [
    'groups:\n  - museum: [K8S-1]\n',
    /entry of the museum "K8S-1"/,
  ],
  'a file that is missing': [
    'groups:\n  - scenarios: [./missing.yaml]\n',
    /no file .*missing\.yaml/,
  ],
  'a pattern without files': ['groups:\n  - scenarios: ["scenarios/*.yaml"]\n', /nothing matches/],
  'a pattern without names': ['groups:\n  - scenarios: ["zz*"]\n', /nothing matches "zz\*"/],
  'a cell twice': [
    'groups:\n  - scenarios: [late.yaml]\n  - scenarios: ["l*.yaml"]\n',
    /two cells "late\.yaml"/,
    /:3:17/,
    /the other one comes from .*:2:17/,
  ],
  'a value twice': [
    'groups:\n  - scenarios: [late.yaml]\n    grid: {workers: [2, 2]}\n',
    /two cells "late\.yaml \[workers=2\]"/,
  ],
  'two documents': [`${SUITE}---\n${SUITE}`, /second document/],
  'a finalizer that nobody has': [
    'groups:\n  - scenarios: [late.yaml]\n    grid: {stuckFinalizer: [example.com/x]}\n',
    /no object has the finalizer/,
    /in the cell late\.yaml \[stuckFinalizer=example\.com\/x\]/,
  ],
  'a key that is no name': [
    'groups:\n  - scenarios: [late.yaml]\n    __proto__: {a: 1}\n',
    /unknown field/,
  ],
  'no YAML': ['groups: [\n', /not valid YAML/],
};

describe('a bad suite', () => {
  for (const [name, [suite, ...parts]] of Object.entries(SUITES)) {
    it(name, async () => expectError(await gateWith(suite), ...parts));
  }

  it('that is missing', async () => {
    const outcome = await inFolder(folderWith({}), () => runGate([]));
    expectError(outcome, /no suite reapcheck\.suite\.yaml/);
  });

  it('that is missing, with a lock', async () => {
    const folder = folderWith(SMALL_SUITE);
    await inFolder(folder, lockedSmallSuite);
    rmSync(`${folder}/reapcheck.suite.yaml`);
    const outcome = await inFolder(folder, () => runGate([]));
    expectError(outcome, /a lock reapcheck\.lock\.json, but no suite reapcheck\.suite\.yaml/);
  });

  it('from stdin', async () => expectError(await runGate(['-']), /has to be a file/));
});

type Spoil = (text: string) => string;

const LOCKS: Readonly<Record<string, readonly [Spoil, ...(string | RegExp)[]]>> = {
  empty: [() => '', /not a lock of reapcheck/],
  truncated: [
    (text) => text.slice(0, text.length / 2),
    /not a lock of reapcheck: .*not valid JSON/,
    /json:\d+/,
  ],
  'with marks of a conflict': [
    (text) => text.replace('"code"', '<<<<<<< HEAD\n"code"'),
    /not valid JSON/,
  ],
  'of another version': [
    (text) => text.replace('lock/v3', 'lock/v1'),
    /written by another version: its schema is reapcheck\.lock\/v1/,
  ],
  'of another suite': [
    (text) => text.replace('"reapcheck.suite.yaml"', '"other.suite.yaml"'),
    /the lock of the suite other\.suite\.yaml/,
  ],
  'something else': [() => '{"schema": 1}', /not a lock of reapcheck/],
  YAML: [() => 'a: 1\n', /not a lock of reapcheck/],
  'without what every cell has': [
    (text) => text.replace(/ +\["late\.yaml", \{.*\n/, ''),
    /cells\["late\.yaml"\]\.scenario is missing/,
    /json:\d+/,
  ],
  'with an unknown fact': [
    (text) => text.replace('"transitions"', '"transition"'),
    /unknown field "transition"/,
  ],
  'with an unknown list': [(text) => text.replace('"holds"', '"held"'), /unknown field "held"/],
  'with a key that is no name': [
    (text) => text.replace('["late.yaml", "traces"', '["late.yaml", "__proto__"'),
    /unknown field "__proto__"/,
  ],
  'with a row of both sides of a merge': [
    (text) => text.replace(/( +\["late\.yaml", "holds", )\[.*\],\n/, '$&$1[]],\n'),
    /\["late\.yaml","holds"\] is given twice/,
    /json:\d+/,
  ],
  'with the facts of both sides of a merge': [
    (text) => text.replace(/( +\["late\.yaml", \{).*\}\],\n/, '$&$1"scenario": ""}],\n'),
    /\["late\.yaml","scenario"\] is given twice/,
  ],
  'without rows': [
    (text) => text.replace(/"cells": \[[\s\S]*\]/, '"cells": {}'),
    /cells is not a list/,
  ],
  'with a row that has no value': [
    (text) => text.replace(/\["late\.yaml", \{.*\}\]/, '["late.yaml"]'),
    /not a row/,
  ],
};

describe('a bad lock', () => {
  for (const [name, [spoil, ...parts]] of Object.entries(LOCKS)) {
    it(name, async () => {
      const folder = folderWith(SMALL_SUITE);
      const outcome = await inFolder(folder, async () => {
        await lockedSmallSuite();
        const text = readFileSync('reapcheck.lock.json', 'utf8');
        const spoilt = spoil(text);
        expect(spoilt).not.toBe(text);
        writeFileSync('reapcheck.lock.json', spoilt);
        return runGate([]);
      });
      expectError(outcome, ...parts, /delete it/);
    });
  }
});

import { describe, expect, it } from 'vitest';
import { check, type Verdict } from '../../checker/index.ts';
import { PROPERTIES, propertyForObject } from '../../properties/index.ts';
import { modelOf } from '../../run/assemble.ts';
import { expectError, runCli, temporaryFile } from '../cli/run-cli.ts';
import { scenarioOf } from '../scenarios/read.ts';

/** Properties that are asked of one object. */

const TEXT = `about: the owner of b comes back while the watch is broken, that of c does not
objects:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: o}}
  - apiVersion: v1
    kind: Secret
    metadata: {name: b, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a}]}
  - apiVersion: v1
    kind: Secret
    metadata: {name: c, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: o}]}
requests:
  - {delete: ConfigMap/o, propagationPolicy: Background}
  - {delete: ConfigMap/a, propagationPolicy: Background}
  - create: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, uid: uid-again}}
environment: {relists: {ConfigMap: 1}}
`;

async function verdictOf(name: string): Promise<Verdict | null> {
  const { setup } = scenarioOf('x', 'x.yaml', TEXT);
  const property = propertyForObject(setup, name);
  if (property === null) return null;
  const { properties } = await check({ model: modelOf(setup), properties: [property] });
  return properties[0]!.verdict;
}

describe('a property of one object', () => {
  it.each([
    ['cascade-completes for Secret/b', 'violated'],
    ['cascade-completes for Secret/c', 'holds'],
    ['no object stays whose owners are all gone, for ConfigMap/a', 'vacuous'],
    ['live-owner-protects-dependent for Secret/b', 'holds'],
    ['live-owner-protects-dependent for ConfigMap/a', 'vacuous'],
    ['claim-in-use-stays for Secret/b', 'vacuous'],
    ['every-deletion-finishes for Secret/d', null],
    ['nothing-stuck for Secret/b', null],
  ])('%s: %s', async (name, verdict) => {
    expect(await verdictOf(name)).toBe(verdict);
  });

  it('can be made of every property that says so', () => {
    const { setup } = scenarioOf('x', 'x.yaml', TEXT);
    for (const { id, judgesObjects } of PROPERTIES) {
      const made = propertyForObject(setup, `${id} for Secret/b`);
      expect(made !== null, id).toBe(judgesObjects !== undefined);
      if (made !== null) expect(made.mentions).toEqual(['Secret/default/b']);
    }
  });

  const run = (more: string, ...options: readonly string[]) =>
    runCli(['check', temporaryFile('one.yaml', TEXT + more), '-q', ...options]);

  it('is asked for in properties, in expect and on the command line', async () => {
    const asked = 'properties: [{property: cascade-completes, for: Secret/c}]\n';
    expect((await run(asked)).stdout).toMatch(
      /^ {2}holds +no object stays whose owners are all gone, for Secret\/c/m,
    );
    const expected = `properties: [{property: cascade-completes, for: Secret/b}, cascade-completes]
expect:
  verdicts:
    cascade-completes: {for: {Secret/b: VERDICT}}
    no object stays whose owners are all gone: violated
  because: {cascade-completes: "an update may be of another object of the same name"}
`;
    const wrong = await run(expected.replace('VERDICT', 'holds'));
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/for\s+Secret\/b": expected holds, found\s+violated/);
    expect((await run(expected.replace('VERDICT', 'violated'))).code).toBe(0);
    const word = 'cascade-completes for Secret/b';
    const shown = await run(expected.replace('VERDICT', 'violated'), '--property', word);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/VIOLATED +no object stays .*, for Secret\/b/);
  });

  it.each([
    ['properties: [{property: nothing-stuck, for: Secret/b}]', /does not speak of single objects/],
    ['properties: [{property: cascade-complets, for: Secret/b}]', /mean "cascade-completes"/],
    ['properties: [{property: cascade-completes, for: Secret/bb}]', /Secret\/bb is not in/],
    ['properties: [{property: cascade-completes}]', /\{property: ID, for: KIND\/NAME\}/],
    ['expect: {verdicts: {cascade-completes: {for: {Secret/d: holds}}}}', /Secret\/d is not in/],
  ])('refuses %s', async (more, what) => {
    expectError(await run(`${more}\n`), what, /one\.yaml:16:/);
  });

  it('refuses an object on the command line that is not there', async () => {
    const option = (word: string) => run('', '--property', word);
    expectError(await option('cascade-completes for Secret/bb'), /Secret\/bb/, /mean "Secret\/b"/);
    expectError(await option('nothing-stuck for Secret/b'), /does not speak of single objects/);
  });
});

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, type Property, type Verdict } from '../../checker/index.ts';
import { ownProperties } from '../../input/scenarios/own-properties.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import type { Setup } from '../../model/state/setup.ts';
import { sendingOf } from '../../model/users/sending.ts';
import { modelOf } from '../../run/assemble.ts';
import { expectError, runCli, temporaryFile } from '../cli/run-cli.ts';
import { scenarioOf } from '../scenarios/read.ts';

/** Properties that the author of a scenario writes. */

const OBJECTS = `about: a test
objects:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
  - apiVersion: v1
    kind: Secret
    metadata:
      name: b
      finalizers: [example.com/hold]
      ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a}]
  - apiVersion: v1
    kind: Secret
    metadata:
      name: c
      finalizers: [example.com/hold]
      ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a}]
`;
const DELETION = 'requests: [{delete: ConfigMap/a, propagationPolicy: Background}]\n';

async function verdictOf(own: string, requests = DELETION): Promise<Verdict> {
  const { setup } = scenarioOf('x', 'x.yaml', `${OBJECTS}${requests}ownProperties: {p: ${own}}`);
  const { properties } = await check({ model: modelOf(setup), properties: ownProperties(setup) });
  return properties[0]!.verdict;
}

describe('the forms', () => {
  it.each([
    // The owner goes first, so each dependent outlives it.
    ['{never: {ConfigMap/a: gone, Secret/b: there}}', 'violated'],
    ['{never: {ConfigMap/a: there, Secret/b: gone}}', 'holds'],
    ['{always: {or: [{ConfigMap/a: there}, {not: {ConfigMap/a: there}}]}}', 'holds'],
    ['{always: {Secret/b: {hasOwner: ConfigMap/a}}}', 'violated'],
    ['{when: {Secret/b: exists}, always: {Secret/b: {hasOwner: ConfigMap/a}}}', 'holds'],
    ['{when: {Secret/b: {deleting: false}}, never: {Secret/b: deleting}}', 'holds'],
    ['{when: {Secret/b: deleting}, always: {Secret/b: {hasFinalizer: example.com/hold}}}', 'holds'],
    ['{eventually: {and: [{Secret/b: gone}, {Secret/c: gone}]}}', 'holds'],
    ['{eventually: {Secret/b: {hasFinalizer: orphan}}}', 'violated'],
    [
      '{when: {ConfigMap/a: gone}, leadsTo: {or: [{Secret/b: deleting}, {Secret/b: gone}]}}',
      'holds',
    ],
    // When all are gone, nothing is being deleted any more.
    ['{when: {ConfigMap/a: gone}, leadsTo: {Secret/b: deleting}}', 'violated'],
    ['{when: {Secret/b: deleting}, leadsTo: {ConfigMap/a: there}}', 'violated'],
    // The owner is never seen with a deletionTimestamp.
    ['{when: {ConfigMap/a: deleting}, leadsTo: {Secret/b: gone}}', 'vacuous'],
    ['{when: {ConfigMap/a: deleting}, always: {Secret/b: there}}', 'vacuous'],
  ])('%s', async (own, verdict) => {
    expect(await verdictOf(own)).toBe(verdict);
  });

  // Bob waits for ever, and so never creates it: nothing was ever true or false of it.
  const never =
    'requests: [{kubectl: delete Secret/b --wait, user: bob}, ' +
    '{create: {apiVersion: v1, kind: Secret, metadata: {name: late}}, user: bob}]\n' +
    'environment: {finalizers: {example.com/hold: stuck}}\n';
  it.each([
    ['{never: {Secret/late: deleting}}', 'vacuous'],
    ['{never: {Secret/late: there}}', 'holds'],
    ['{never: {Secret/late: deleting, Secret/b: deleting}}', 'vacuous'],
    ['{never: {or: [{Secret/late: deleting}, {Secret/b: {hasFinalizer: orphan}}]}}', 'holds'],
    ['{never: {not: {Secret/late: deleting}}}', 'violated'],
    ['{always: {not: {Secret/late: deleting}}}', 'vacuous'],
    ['{always: {or: [{Secret/late: gone}, {Secret/late: {hasFinalizer: orphan}}]}}', 'holds'],
    [
      '{always: {not: {or: [{Secret/late: deleting}, {Secret/b: {hasFinalizer: orphan}}]}}}',
      'vacuous',
    ],
    [
      '{always: {not: {and: [{Secret/late: deleting}, {Secret/b: {hasFinalizer: orphan}}]}}}',
      'holds',
    ],
  ])('of an object that is never stored: %s', async (own, verdict) => {
    expect(await verdictOf(own, never)).toBe(verdict);
  });

  it('eventually judges only runs in which all requests are sent', async () => {
    expect(await verdictOf('{eventually: {ConfigMap/a: gone}}')).toBe('holds');
    const never = 'requests: [{delete: ConfigMap/a, after: [{user: bob, steps: 1}]}, ';
    const blocked = `${never}{kubectl: delete Secret/b --wait, user: bob}]\nenvironment: {finalizers: {example.com/hold: stuck}}\n`;
    expect(await verdictOf('{eventually: {ConfigMap/a: gone}}', blocked)).toBe('violated');
  });

  it('objects that are alike are told apart if a condition names them', async () => {
    // Either of the two alike secrets can go first.
    expect(await verdictOf('{never: {Secret/b: gone, Secret/c: there}}')).toBe('violated');
    expect(await verdictOf('{never: {Secret/c: gone, Secret/b: there}}')).toBe('violated');
  });
});

describe('as the user sees them', () => {
  it('the example of docs/scenarios.md comes out as it says', async () => {
    const page = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8');
    const example = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)]
      .map(([, text = '']) => text)
      .find((text) => text.includes('\nownProperties:'));
    const outcome = await runCli(['check', temporaryFile('own.yaml', example ?? ''), '-q']);
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toMatch(/holds +the disk does not outlive its database/);
  });

  it('they have their names, traces, expectations and a place in --property', async () => {
    const file = temporaryFile(
      'own.yaml',
      `${OBJECTS}${DELETION}ownProperties:
  b goes with a:
    never: {ConfigMap/a: gone, Secret/b: there}
  all go: {eventually: {Secret/b: gone, Secret/c: gone}}
expect: {verdicts: {b goes with a: violated, all go: holds}}
`,
    );
    const all = await runCli(['check', file, '--traces', '-q']);
    expect(all.code).toBe(0);
    expect(all.stdout).toMatch(/VIOLATED +b goes with a/);
    expect(all.stdout).toMatch(/holds +all go/);
    expect(all.stdout).toMatch(/broken: ConfigMap\/a is gone\n +Secret\/b is there/);
    const one = await runCli(['check', file, '--property', 'all go', '--format', 'json']);
    expect(one.code).toBe(0);
    const { checks } = JSON.parse(one.stdout);
    expect(checks[0].result.properties).toMatchObject([
      { id: 'own:all go', name: 'all go', verdict: 'holds' },
    ]);
    const token = all.stdout.match(/reapcheck replay (rt1:\S+)/)?.[1] ?? '';
    const again = await runCli(['replay', token]);
    expect(again.stdout).toMatch(/the property is still violated/);
  });

  it.each([
    ['{x: {never: {ConfigMap/z: gone}}}', /ConfigMap\/z is not in/, /never\["ConfigMap\/z"\]/],
    [
      '{x: {leads to: {ConfigMap/a: gone}}}',
      /unknown field "leads to"/,
      /did you mean "leadsTo"\?/,
    ],
    ['{x: {leadsTo: {ConfigMap/a: gone}}}', /no condition to lead from/, /x\.leadsTo/],
    [
      '{x: {when: {ConfigMap/a: gone}, eventually: {Secret/b: gone}}}',
      /when/,
      /leadsTo in the place/,
    ],
    ['{x: {always: {ConfigMap/a: gonne}}}', /is "gonne"/, /exists, gone, deleting/],
    [
      '{x: {always: {Secret/b: {hasFinalizer: example.com/hodl}}}}',
      /hodl/,
      /did you mean "example\.com\/hold"\?/,
    ],
    ['{x: {always: {nott: {Secret/b: gone}}}}', /unknown field "nott"/, /did you mean "not"\?/],
    ['{x: {always: {or: {Secret/b: gone}}}}', /or has no list/, /\[CONDITION, CONDITION\]/],
    ['{x: {always: {}}}', /the condition is empty/, /x\.always/],
    ['{x: {always: [Secret/b]}}', /this is no condition/, /\{ConfigMap\/a: gone\}/],
    ['{x: {always: {Secret/b: {hasOwner: ConfigMap/aa}}}}', /ConfigMap\/aa is not in/, /hasOwner/],
    ['{x: {}}', /does not say when/, /never, always, eventually, leadsTo/],
    ['{x: {never: {Secret/b: gone}, always: {Secret/b: gone}}}', /has never and always/, /one of/],
    ['{cascade-completes: {never: {Secret/b: gone}}}', /already names/, /a name of your own/],
    ['{"outcome: x": {never: {Secret/b: gone}}}', /cannot be the name/, /a name of your own/],
    [
      '{"nothing leaves with a finalizer on it, for Secret/b": {never: {Secret/b: gone}}}',
      /already names/,
      /a name of your own/,
    ],
    ['{x: {never: {Secret/b: {hasOwner: uid-z}}}}', /uid "uid-z"/, /hasOwner/],
    ['{x: {never: {Secret/b: {owners: [uid-z]}}}}', /uid "uid-z"/, /owners\[0\]/],
    ['{x: {never: {Secret/b: {finalizers: [a.b/hodl]}}}}', /a\.b\/hodl/, /finalizers\[0\]/],
    ['{x: {never: {Secret/b: {uid: uid-z}}}}', /has the uid "uid-z"/, /\{uid: \S+\}/],
  ])('refuses %s', async (own, what, where) => {
    const outcome = await runCli([
      'check',
      temporaryFile('own.yaml', `${OBJECTS}${DELETION}ownProperties: ${own}\n`),
    ]);
    expectError(outcome, what, /own\.yaml:17:/, where);
  });
});

describe('a name that several objects have, one after the other', () => {
  const again = (own: string): string => `about: a test
objects:
  - {apiVersion: v1, kind: Secret, metadata: {name: b, uid: first}}
requests:
  - delete: Secret/b
  - create:
      {apiVersion: v1, kind: Secret, metadata: {name: b, uid: second, finalizers: [a.b/hold]}}
ownProperties: {p: {never: {Secret/b: ${own}}}}
`;

  it.each(['exists', 'deleting', '{hasFinalizer: a.b/hold}', '{deleting: false}'])(
    'does not say which one is meant by %s',
    async (own) => {
      const outcome = await runCli(['check', temporaryFile('own.yaml', again(own))]);
      expectError(
        outcome,
        /2 objects have the name Secret\/b/,
        /\{uid: first\} or \{uid: second\}/,
      );
    },
  );

  it.each([
    ['gone', 'violated'],
    ['{uid: second, hasFinalizer: a.b/hold}', 'violated'],
    ['{uid: first, hasFinalizer: a.b/hold}', 'holds'],
  ])('says it with %s', async (own, verdict) => {
    const { setup } = scenarioOf('x', 'x.yaml', again(own));
    const { properties } = await check({ model: modelOf(setup), properties: ownProperties(setup) });
    expect(properties[0]?.verdict).toBe(verdict);
  });
});

/** A condition twice: as a scenario has it, and as the author of a TypeScript property would. */
interface Twin {
  readonly yaml: string;
  readonly holds: (cluster: Cluster) => boolean;
}

const NAMES: Readonly<Record<string, string>> = {
  'ConfigMap/a': 'ConfigMap/default/a',
  'Secret/b': 'Secret/default/b',
  'Secret/c': 'Secret/default/c',
};

const leaf: fc.Arbitrary<Twin> = fc
  .tuple(
    fc.constantFrom(...Object.keys(NAMES)),
    fc.constantFrom('gone', 'exists', 'deleting', 'stays', 'finalizer', 'owner'),
  )
  .map(([name, state]) => {
    const twin = (yaml: string, holds: (object: ApiObject | undefined) => boolean): Twin => ({
      yaml: `{${name}: ${yaml}}`,
      holds: ({ store }) => holds(store[NAMES[name]!]),
    });
    switch (state) {
      case 'gone':
        return twin('gone', (object) => object === undefined);
      case 'exists':
        return twin('exists', (object) => object !== undefined);
      case 'deleting':
        return twin('deleting', (object) => (object?.deletionTimestamp ?? null) !== null);
      case 'stays':
        return twin('{deleting: false}', (object) => object?.deletionTimestamp === null);
      case 'finalizer':
        return twin('{hasFinalizer: example.com/hold}', (object) =>
          (object?.finalizers ?? []).includes('example.com/hold'),
        );
      default:
        return twin('{hasOwner: ConfigMap/a}', (object) =>
          (object?.ownerReferences ?? []).some(({ name: owner }) => owner === 'a'),
        );
    }
  });

const { condition } = fc.letrec<{ condition: Twin }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('condition').map(({ yaml, holds }) => ({
      yaml: `{not: ${yaml}}`,
      holds: (cluster: Cluster) => !holds(cluster),
    })),
    fc.tuple(tie('condition'), tie('condition')).map(([one, other]) => ({
      yaml: `{and: [${one.yaml}, ${other.yaml}]}`,
      holds: (cluster: Cluster) => one.holds(cluster) && other.holds(cluster),
    })),
    fc.tuple(tie('condition'), tie('condition')).map(([one, other]) => ({
      yaml: `{or: [${one.yaml}, ${other.yaml}]}`,
      holds: (cluster: Cluster) => one.holds(cluster) || other.holds(cluster),
    })),
  ),
}));

type Form = 'never' | 'always' | 'eventually' | 'leadsTo';

function twinOf(setup: Setup, form: Form, when: Twin, what: Twin): Property<Cluster> {
  const { isSent, canSendAgain } = sendingOf(setup);
  const name = 'twin';
  switch (form) {
    case 'never':
      return { name, kind: 'invariant', trigger: when.holds, holds: (now) => !what.holds(now) };
    case 'always':
      return { name, kind: 'invariant', trigger: when.holds, holds: what.holds };
    case 'eventually':
      return {
        name,
        kind: 'eventually',
        trigger: isSent,
        goal: (now) => canSendAgain(now) || what.holds(now),
      };
    case 'leadsTo':
      return { name, kind: 'eventually', trigger: when.holds, goal: what.holds };
    default:
      throw new Error(form satisfies never);
  }
}

describe('an own property and its twin in TypeScript', () => {
  it('come out alike, with and without reductions', async () => {
    const requests = fc
      .constantFrom(
        'delete: ConfigMap/a, propagationPolicy: Background',
        'delete: ConfigMap/a, propagationPolicy: Orphan',
        'delete: Secret/b, propagationPolicy: Background',
        'update: Secret/c, removeOwner: ConfigMap/a',
      )
      .map((one) => `requests: [{${one}}]\n`);
    const forms = fc.constantFrom<Form>('never', 'always', 'eventually', 'leadsTo');
    await fc.assert(
      fc.asyncProperty(requests, forms, condition, condition, async (sent, form, when, what) => {
        const judged = form === 'eventually' ? '' : `when: ${when.yaml}, `;
        const text = `${OBJECTS}${sent}ownProperties: {p: {${judged}${form}: ${what.yaml}}}`;
        const { setup } = scenarioOf('x', 'x.yaml', text);
        const model = modelOf(setup);
        const { symmetry: _, confluence: _none, ...plain } = model;
        const reduced = await check({
          model,
          properties: ownProperties(setup),
          reductions: ['symmetry', 'confluence'],
        });
        const twin = await check({
          model: plain,
          properties: [twinOf(setup, form, when, what)],
          engine: 'naive',
        });
        expect(reduced.properties[0]?.verdict).toBe(twin.properties[0]?.verdict);
      }),
      { numRuns: 30, seed: 13 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { expectError, type Outcome, runCli, temporaryFile } from '../cli/run-cli.ts';

function checkFile(content: string, name = 'input.yaml'): Promise<Outcome> {
  return runCli(['check', temporaryFile(name, content)]);
}

const GOOD_SCENARIO = `about: a test
objects:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: a, finalizers: [example.com/hold]}
requests:
  - delete: ConfigMap/a
`;

const WIDGET = 'create: {apiVersion: example.com/v1, kind: Widget, metadata: {name: w}}\n  - ';
const LATER = '{kind: Widget, version: example.com/v2}';

describe('scenarios', () => {
  const changed = (from: string | RegExp, to: string): Promise<Outcome> => {
    expect(GOOD_SCENARIO).toMatch(from);
    return checkFile(GOOD_SCENARIO.replace(from, to));
  };

  it('accepts the scenario that the cases below spoil', async () => {
    expect((await checkFile(GOOD_SCENARIO)).code).toBe(0);
  });

  it.each([
    ['requests:', 'request:', /unknown field "request"/, /did you mean "requests"\?/],
    ['about: a test', 'abuot: a test', /unknown field "abuot"/, /input\.yaml:1:1/],
    ['about: a test', '', /about is missing/, /input\.yaml:2:1/],
    [
      'delete: ConfigMap/a',
      'delte: ConfigMap/a',
      /unknown field "delte"/,
      /did you mean "delete"\?/,
    ],
    [
      'delete: ConfigMap/a',
      'delete: ConfigMap/b',
      /ConfigMap\/b is not in/,
      /requests\[0\]\.delete/,
    ],
    ['delete: ConfigMap/a', 'settle: false', /settle is false/, /requests\[0\]\.settle/],
    [
      'delete: ConfigMap/a',
      'serveVersion: {kind: ConfigMap, version: v2}',
      /ConfigMap is not a custom resource/,
      /requests\[0\]\.serveVersion\.kind/,
    ],
    [
      'delete: ConfigMap/a',
      `${WIDGET}serveVersion: {kind: Widget, version: example.com/v1}`,
      /Widget is served as example\.com\/v1 twice/,
      /requests\[1\]\.serveVersion\.version/,
    ],
    [
      'delete: ConfigMap/a',
      `${WIDGET}serveVersion: ${LATER}\n  - serveVersion: ${LATER}\n    user: bob`,
      /Widget is served as example\.com\/v2 twice/,
      /requests\[2\]\.serveVersion\.version/,
    ],
    ['delete: ConfigMap/a', '{}', /this request has no verb/, /input\.yaml:7:5/],
    [
      'delete: ConfigMap/a',
      '{delete: cm/a, read: cm/a}',
      /several verbs: delete, read/,
      /requests\[0\]/,
    ],
    [
      /$/,
      '    propagationPolicy: foreground\n',
      /propagationPolicy is "foreground"/,
      /Foreground or/,
    ],
    [/$/, '    user: delete-1\n', /"delete-1" is not a valid user name/, /input\.yaml:8:5/],
    [/$/, '    user: constructor\n', /"constructor" is not a valid user name/, /alice/],
    [
      /$/,
      '    after: [{user: bob, steps: 1}]\n',
      /there is no user "bob"/,
      /requests\[0\]\.after\[0\]/,
    ],
    [/$/, 'protocol: v9\n', /no protocol "v9"/, /input\.yaml:8:1, protocol/],
    [/$/, 'rules: {cycleBreaking: no}\n', /no value "no"/, /input\.yaml:8:9, rules\.cycleBreaking/],
    [/$/, 'rules: {__proto__: x}\n', /unknown field "__proto__"/, /input\.yaml:8:9/],
    [/$/, 'properties: [nothing]\n', /no property "nothing"/, /properties\[0\]/],
    [/$/, 'environment: {deleteWorkers: 0}\n', /deleteWorkers is 0/, /at least 1/],
    [/$/, 'environment: {relists: {Pod: 1}}\n', /no object here is a Pod/, /relists\.Pod/],
    [
      /$/,
      'environment: {discovery: {failing: {apps/v1: 1}}}\n',
      /watches no kind of this scenario in apps\/v1/,
      /expected: v1/,
    ],
    [/$/, 'environment: {discovery: {epmty: 1}}\n', /unknown field "epmty"/, /"empty"/],
    [/$/, 'environment: {neverSyncs: [Widgte]}\n', /no kind "Widgte"/, /neverSyncs\[0\]/],
    [/$/, 'environment: {syncsLate: [Widgte]}\n', /no kind "Widgte"/, /syncsLate\[0\]/],
    [/$/, 'environment: {refusesUpdates: [Widgte]}\n', /no object.* Widgte/, /refusesUpdates\[0\]/],
    [/$/, 'environment: {lostEvents: {Widgte: 1}}\n', /no object.* Widgte/, /lostEvents.Widgte/],
    [
      /$/,
      'environment: {lostEvents: {ConfigMap: 1}, syncsLate: [Secret]}\n',
      /lostEvents cannot be combined with syncsLate/,
      /lostEvents/,
    ],
    [/$/, 'environment: {neverSyncs: [events]}\n', /does not watch Event/, /neverSyncs\[0\]/],
    [/$/, 'environment: {lags: 0}\n', /lags is 0/, /at least 1/],
    [/$/, 'environment: {notInstalled: [Pod]}\n', /no object here is a Pod/, /notInstalled\[0\]/],
    [
      /$/,
      'environment: {finalizers: {example.com/hlod: stuck}}\n',
      /no object has the finalizer/,
      /did you mean "example\.com\/hold"/,
    ],
    [/$/, 'expect: {states: many}\n', /expect\.states is "many"/, /a number/],
    [
      /$/,
      'expect: {verdicts: {nothing is stuck: violated}}\n',
      /has no reason for the expected violation/,
      /expect\.because/,
    ],
    [
      /$/,
      'expect: {verdicts: {nothing is stuk: holds}}\n',
      /no property "nothing is stuk"/,
      /nothing is stuck/,
    ],
    ['finalizers:', 'finalizer:', /unknown field "finalizer"/, /did you mean "finalizers"\?/],
    [
      'name: a,',
      'name: a, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: z}],',
      /the owner ConfigMap\/z is not in this file/,
      /uid/,
    ],
    [
      'metadata: {',
      'finalizers: [a/b]\n    metadata: {',
      /finalizers is beside metadata/,
      /metadata\.finalizers/,
    ],
  ])('%s -> %s', async (from, to, ...parts) => {
    expectError(await changed(from, to), ...parts);
  });

  it('refuses a second scenario in the same file', async () => {
    expectError(
      await checkFile(`${GOOD_SCENARIO}---\n${GOOD_SCENARIO}`),
      /second document/,
      /:9:1/,
    );
  });
});

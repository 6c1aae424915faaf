import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../cli/check-arguments.ts';
import { PLAIN_WORLD } from '../../input/cluster/worlds.ts';
import { documents } from '../../input/documents/documents.ts';
import { gatherPlans } from '../../input/gather.ts';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import { readManifest } from '../../input/manifests/manifest.ts';
import { builtInScenarios } from '../../input/package-files.ts';
import { readScenario, type Scenario } from '../../input/scenarios/scenario.ts';
import { ACTIONS } from '../../model/actions.ts';
import { PROGRAMS } from '../../model/actors/programs/actor.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import { PROPERTIES } from '../../properties/index.ts';
import { modelOf } from '../../run/assemble.ts';
import { dump, runCli } from '../cli/run-cli.ts';

const NAMES = PROPERTIES.map(({ name }) => name);

function scenario(text: string): Scenario {
  const [document] = [...documents({ file: 'x.yaml', text })];
  return readScenario('x', document!, new KindCatalogue(BUILT_IN_KINDS), NAMES);
}

const FULL = `about: everything that the language has
source: https://example.com
protocol: v1.20
rules: {cycleBreaking: none}
objects:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: owner}
  - apiVersion: v1
    kind: Secret
    metadata: {name: owner, namespace: shop}
  - apiVersion: example.com/v1
    kind: Widget
    metadata:
      name: dep
      namespace: default
      ownerReferences:
        - {apiVersion: v1, kind: ConfigMap, name: owner, controller: true, blockOwnerDeletion: true}
        - {apiVersion: v1, kind: Pod, name: ghost, uid: u-ghost}
requests:
  - read: cm/owner
  - delete: ConfigMap/owner
    propagationPolicy: Orphan
    gracePeriodSeconds: 0
    preconditions: {uid: uid-owner, resourceVersion: asRead}
  - settle: true
  - create: {apiVersion: v1, kind: ConfigMap, metadata: {name: owner}}
    user: alice
    after: [{user: user, steps: 3}]
  - {update: Widget/dep, addFinalizer: example.com/hold, user: bob}
  - {update: Widget/dep, removeFinalizer: example.com/hold, put: true, uid: uid-dep, user: bob}
  - {update: Widget/dep, setFinalizers: [a.b/c, orphan], resourceVersion: asRead, user: bob}
  - {update: Widget/dep, removeOwner: Pod/ghost, user: bob}
  - {update: Widget/dep, addOwner: secrets/owner.shop, user: bob}
  - {update: Widget/dep, setOwnerReferences: [{apiVersion: v1, kind: Secret, name: owner, uid: x}], user: bob}
  - {update: Widget/dep, user: bob}
environment:
  deleteWorkers: 2
  orphanWorkers: 3
  caches: cold
  relists: {cm: 2}
  finalizers: {a.b/c: stuck}
properties: [nothing is stuck, orphaning completes]
expect:
  states: 1
  depth: 2
  verdicts: {orphaning completes: violated}
  because: {orphaning completes: a link}
`;

describe('a scenario', () => {
  it('becomes the setup that it says', () => {
    const read = scenario(FULL);
    expect(read).toMatchObject({
      about: 'everything that the language has',
      source: 'https://example.com',
      protocol: 'v1.20',
      properties: ['nothing is stuck', 'orphaning completes'],
      expectation: {
        states: 1,
        depth: 2,
        verdicts: { 'orphaning completes': 'violated' },
        because: { 'orphaning completes': 'a link' },
      },
    });
    const { setup } = read;
    expect(setup).toMatchObject({
      name: 'x',
      deleteWorkers: 2,
      orphanWorkers: 3,
      caches: 'cold',
      relists: { ConfigMap: 2 },
      finalizers: { 'example.com/hold': 'cooperative', 'a.b/c': 'stuck' },
    });
    expect(setup.rules.cycleBreaking).toBe('none');
    expect(Object.keys(setup.kinds).sort()).toEqual([
      'ConfigMap',
      'Pod',
      'Secret',
      'Widget.example.com',
    ]);
  });

  it('gives uids by name, each one once, and finds the owners by name', () => {
    const { setup } = scenario(FULL);
    expect(setup.objects.map(({ uid }) => uid)).toEqual([
      'uid-owner',
      'uid-secret-owner',
      'uid-dep',
    ]);
    expect(setup.objects[2]!.ownerReferences).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'owner',
        uid: 'uid-owner',
        controller: true,
        blockOwnerDeletion: true,
      },
      { apiVersion: 'v1', kind: 'Pod', name: 'ghost', uid: 'u-ghost' },
    ]);
    const [again] = setup.users.alice!;
    expect(again!.request).toMatchObject({ do: 'create', object: { uid: 'uid-configmap-owner' } });
  });

  it('becomes the programs of its users', () => {
    const { users } = scenario(FULL).setup;
    const key = 'Widget.example.com/default/dep';
    expect(users.user!.map(({ request }) => request)).toEqual([
      { do: 'read', key: 'ConfigMap/default/owner' },
      {
        do: 'delete',
        key: 'ConfigMap/default/owner',
        options: {
          propagationPolicy: 'Orphan',
          gracePeriodSeconds: 0,
          preconditions: { uid: 'uid-owner', resourceVersion: true },
        },
      },
      { do: 'settle' },
    ]);
    expect(users.alice![0]!.after).toEqual([{ user: 'user', steps: 3 }]);
    const update = { do: 'update', key, put: false, uid: null, resourceVersion: false };
    const secret = { apiVersion: 'v1', kind: 'Secret', name: 'owner' };
    expect(users.bob!.map(({ request }) => request)).toEqual([
      { ...update, change: { do: 'addFinalizer', finalizer: 'example.com/hold' } },
      {
        ...update,
        put: true,
        uid: 'uid-dep',
        change: { do: 'removeFinalizer', finalizer: 'example.com/hold' },
      },
      {
        ...update,
        resourceVersion: true,
        change: { do: 'setFinalizers', finalizers: ['a.b/c', 'orphan'] },
      },
      { ...update, change: { do: 'removeOwners', uids: ['u-ghost'] } },
      {
        ...update,
        change: {
          do: 'setOwnerReferences',
          ownerReferences: [
            ...scenario(FULL).setup.objects[2]!.ownerReferences,
            { ...secret, uid: 'uid-secret-owner' },
          ],
        },
      },
      {
        ...update,
        change: { do: 'setOwnerReferences', ownerReferences: [{ ...secret, uid: 'x' }] },
      },
      { ...update, change: { do: 'nothing' } },
    ]);
  });

  it('does not know which of two created objects an owner is', () => {
    const created = '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}';
    const owned =
      '{apiVersion: v1, kind: Secret, metadata: {name: b, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a}]}}';
    const text = (times: number) =>
      `about: a\nobjects: [${owned}]\nrequests:\n${`  - create: ${created}\n`.repeat(times)}`;
    expect(scenario(text(1)).setup.objects[0]!.ownerReferences[0]!.uid).toBe('uid-a');
    expect(() => scenario(text(2))).toThrow('ConfigMap/a is created 2 times');
  });
});

describe('a manifest', () => {
  function object(text: string) {
    const [document] = [...documents({ file: 'x.yaml', text })];
    const rules = { kinds: new KindCatalogue(BUILT_IN_KINDS), strict: false, uidFor: null };
    return readManifest(document!.value, document!, [], rules).object;
  }

  it('of a pod keeps what its grace period depends on', () => {
    const pod = object(`apiVersion: v1
kind: Pod
metadata: {name: p, uid: u, deletionTimestamp: "2021-03-04T05:06:07Z", deletionGracePeriodSeconds: 30}
spec: {nodeName: n, terminationGracePeriodSeconds: 60, containers: []}
status: {phase: Succeeded}
`);
    expect(pod).toEqual({
      kind: 'Pod',
      namespace: 'default',
      name: 'p',
      uid: 'u',
      generation: 0,
      finalizers: [],
      ownerReferences: [],
      deletionTimestamp: 30,
      deletionGracePeriodSeconds: 30,
      pod: { terminationGracePeriodSeconds: 60, scheduled: true, finished: true },
    });
  });

  it('of a namespace keeps both lists of finalizers', () => {
    const namespace = object(`apiVersion: v1
kind: Namespace
metadata: {name: n, uid: u, finalizers: [example.com/hold]}
spec: {finalizers: [kubernetes]}
`);
    expect(namespace).toMatchObject({
      namespace: '',
      finalizers: ['example.com/hold'],
      specFinalizers: ['kubernetes'],
    });
  });

  it('of another kind has its deletion in the past, and a generation where the kind keeps one', () => {
    const text = (kind: string) => `apiVersion: ${kind === 'Deployment' ? 'apps/v1' : 'v1'}
kind: ${kind}
metadata: {name: n, uid: u, generation: 7, deletionTimestamp: 2021-03-04T05:06:07Z, deletionGracePeriodSeconds: 0, ownerReferences: null, finalizers: null}
`;
    expect(object(text('Deployment'))).toMatchObject({
      kind: 'Deployment.apps',
      generation: 7,
      deletionTimestamp: 0,
      deletionGracePeriodSeconds: 0,
    });
    expect(object(text('ConfigMap'))).toMatchObject({ generation: 0, deletionTimestamp: 0 });
  });

  it('of an unknown kind is cluster-scoped if it has no namespace', () => {
    const widget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, uid: u';
    expect(object(`${widget}}`)).toMatchObject({ kind: 'Widget.example.com', namespace: '' });
    expect(object(`${widget}, namespace: n}`)).toMatchObject({ namespace: 'n' });
  });
});

describe('the built-in scenarios', () => {
  it('can all be read, and are listed with what they are about', async () => {
    const { code, stdout } = await runCli(['list', 'scenarios', '--format', 'json']);
    expect(code).toBe(0);
    const entries = JSON.parse(stdout) as { name: string; about: string }[];
    expect(entries.map(({ name }) => name)).toEqual([...(await builtInScenarios()).keys()]);
    expect(entries.length).toBeGreaterThanOrEqual(20);
    for (const { about } of entries) expect(about).toMatch(/\S/);
  });
});

describe('list', () => {
  it.each(['properties', 'protocols', 'rules', 'actions'])(
    '%s, as text and as JSON',
    async (what) => {
      const json = await runCli(['list', what, '--format', 'json']);
      const entries = JSON.parse(json.stdout) as { id?: string; name: string }[];
      expect(entries.length).toBeGreaterThan(0);
      const { code, stdout } = await runCli(['list', what]);
      expect(code).toBe(0);
      for (const { id, name } of entries) {
        expect(stdout).toMatch(new RegExp(`^${id ?? name}(  |$)`, 'm'));
      }
    },
  );

  it('has words for just the actions that the built-in scenarios have, with their fairness', async () => {
    const nothing = (async function* () {})();
    const held = checkArguments({ input: [dump('ledger.yaml')], delete: ['cm/parent'] }, []);
    const deep = checkArguments(
      { input: [dump('deployment.yaml')], delete: ['deploy/web'], cascade: 'foreground' },
      [],
    );
    const world = { ...PLAIN_WORLD, finalizers: 'may' } as const;
    // The Deployment alone, and the last object with its owner.
    const shown = { deleted: [0, 1], waiting: [], left: [], kept: [], released: [], used: [] };
    const worlds = [
      { number: 0, shown: { ...shown, deleted: [] } },
      { number: 0, shown: { ...shown, deleted: [], left: [0] } },
      { number: 2, shown },
    ].map((part) => ({ ...PLAIN_WORLD, part: { division: 'pieces' as const, ...part } }));
    const plans = [
      ...(await gatherPlans(checkArguments({}, []), nothing)),
      ...(await gatherPlans(checkArguments({ museum: true }, []), nothing)),
      // Only a dump has owners of which nothing is known.
      ...(await gatherPlans({ ...held, overrides: { ...held.overrides, world } }, nothing)),
      // Only questions about dumps leave dependents and owners out.
      ...(
        await Promise.all(
          worlds.map((part) =>
            gatherPlans({ ...deep, overrides: { ...deep.overrides, world: part } }, nothing),
          ),
        )
      ).flat(),
    ];
    // Pods that use a claim, and dependents that wait for theirs, which are left out.
    const others = {
      otherUsers: { first: 'leave', second: 'mayStay' },
      otherDependents: { first: { blocking: 'mayStay', waiting: true } },
    } as const;
    const beside = plans.slice(0, 1).map(({ setup }) => ({ setup: { ...setup, ...others } }));
    const fairness = [...plans, ...beside].flatMap(({ setup }) =>
      Object.entries(modelOf(setup).actions).map(([name, action]) => [name, action.fairness]),
    );
    // Only models of `clusterModel` have what described controllers never do:
    // test/model/programs.test.ts.
    const known = new Set(fairness.map(([name]) => name));
    const words = Object.entries(ACTIONS).flatMap(([name, word]) =>
      Object.hasOwn(PROGRAMS.actions, name) && !known.has(name)
        ? []
        : [[name, word.fairness] as const],
    );
    // The scenarios come first: in questions about dumps, users finish.
    expect(Object.fromEntries(words)).toEqual(Object.fromEntries(fairness.reverse()));
  });
});

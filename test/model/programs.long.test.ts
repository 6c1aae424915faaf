import fc from 'fast-check';
import { check, type Model, successors } from 'reapcheck/checker';
import {
  type ApiObject,
  type Cluster,
  clusterModel,
  defineController,
  isBeingDeleted,
  setupFromYaml,
  type Task,
} from 'reapcheck/model';
import { expect, it } from 'vitest';
import { randomRuns } from '../checker/support/random-runs.ts';

/*
 * A controller in TypeScript does not repeat a request that has changed nothing, until something
 * changes (`vain`). The slow twin repeats it at any time: it reaches the same objects, and what
 * happens in the end is the same. Plans are random tables, also senseless ones.
 */

const FINALIZER = 'example.com/hold';
const SETUP = setupFromYaml(`
objects:
  - {apiVersion: example.com/v1, kind: Widget, metadata: {name: w, namespace: default}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: default}}
requests:
  - {delete: Widget/w, propagationPolicy: Background, user: alice}
`);

const state = (object: ApiObject | null): string =>
  object === null ? 'none' : isBeingDeleted(object) ? 'deleting' : 'there';

/** By what is seen of both objects: tasks by number. */
const KEYS = ['none', 'there', 'deleting'].flatMap((widget) =>
  ['none', 'there', 'deleting'].map((map) => `${widget} ${map}`),
);

const TASKS: readonly ((widget: ApiObject | null, map: ApiObject | null) => readonly Task[])[] = [
  (widget) =>
    widget === null
      ? [{ do: 'create', object: 'ConfigMap/c', mayFail: true }]
      : [{ do: 'create', object: 'ConfigMap/c', controller: widget }],
  () => [{ do: 'delete', object: 'ConfigMap/c' }],
  () => [{ do: 'createOutside', name: 'disk' }],
  () => [{ do: 'deleteOutside', name: 'disk' }],
  (widget) =>
    widget === null ? [] : [{ do: 'addFinalizer', object: 'Widget/w', finalizer: FINALIZER }],
  (widget) =>
    widget === null ? [] : [{ do: 'removeFinalizer', object: 'Widget/w', finalizer: FINALIZER }],
  (widget, map) =>
    widget === null || map === null ? [] : [{ do: 'adopt', object: 'ConfigMap/c', owner: widget }],
  (widget, map) =>
    widget === null || map === null
      ? []
      : [{ do: 'removeOwner', object: 'ConfigMap/c', owner: widget, with: 'patch' }],
  () => [{ do: 'remember', memory: 'x' }],
  () => [{ do: 'requeue' }],
];

interface Table {
  readonly live: boolean;
  readonly restarts: number;
  readonly rows: Readonly<Record<string, readonly number[]>>;
}

const tables: fc.Arbitrary<Table> = fc.record({
  live: fc.boolean(),
  restarts: fc.nat(1),
  rows: fc.record(
    Object.fromEntries(
      KEYS.map((key) => [key, fc.array(fc.nat(TASKS.length - 1), { maxLength: 2 })]),
    ),
  ) as fc.Arbitrary<Record<string, readonly number[]>>,
});

function modelOf({ live, restarts, rows }: Table) {
  return clusterModel(SETUP, {
    controllers: [
      defineController({
        name: 'random-operator',
        for: 'Widget',
        informers: ['ConfigMap'],
        reads: live ? 'live' : 'cache',
        finalizers: [FINALIZER],
        creates: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }],
        outside: ['disk'],
        incarnations: 1,
        restarts,
        plan(look, self) {
          const widget = look(self.object);
          const map = look('ConfigMap/c');
          const chosen = rows[`${state(widget)} ${state(map)}`] ?? [];
          return chosen.flatMap((number) => TASKS[number]?.(widget, map) ?? []);
        },
      }),
    ],
  });
}

/** The same model, which repeats what was in vain at any time. */
function twinOf(model: ReturnType<typeof modelOf>): Model<Cluster> {
  const actions = Object.fromEntries(
    Object.entries(model.actions).map(([name, action]) => [
      name,
      !name.startsWith('reconcileO')
        ? action
        : {
            ...action,
            reduce(draft: Parameters<typeof action.reduce>[0], parameters: never) {
              const own = draft.controllers['random-operator'] as { vain?: unknown } | undefined;
              if (own?.vain !== undefined) {
                delete own.vain;
                if (Object.keys(own).length === 1) delete draft.controllers['random-operator'];
              }
              action.reduce(draft, parameters);
            },
          },
    ]),
  );
  return { ...model, actions } as Model<Cluster>;
}

const MOST = 120;

/**
 * What is stored, what exists outside, and what is on its way, in every reachable state; null if
 * there are too many.
 */
function reached(model: Model<Cluster>): ReadonlySet<string> | null {
  const seen = new Map<string, Cluster>();
  const queue = [...model.initial];
  const shown = new Set<string>();
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const text = JSON.stringify(next);
    if (seen.has(text)) continue;
    seen.set(text, next);
    if (seen.size > MOST) return null;
    const { store, outside, unseen, graph } = next;
    shown.add(JSON.stringify([store, outside, unseen, graph]));
    for (const { state: after } of successors(model, next)) queue.push(after);
  }
  return shown;
}

it('repeats nothing that would change anything', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(tables, async (table) => {
      const model = modelOf(table);
      const twin = twinOf(model);
      const own = reached(model as Model<Cluster>);
      const slow = own && reached(twin);
      if (own === null || slow === null) return;
      compared += 1;
      expect([...own].sort()).toEqual([...slow].sort());
      const goals = [
        (cluster: Cluster) => cluster.outside?.disk === undefined,
        (cluster: Cluster) => Object.keys(cluster.store).length === 0,
        (cluster: Cluster) => cluster.store['ConfigMap/default/c'] !== undefined,
      ];
      const properties = goals.map((goal, index) => ({
        kind: 'eventually' as const,
        name: `goal ${index}`,
        trigger: ({ users }: Cluster) => users.alice === 1,
        goal,
      }));
      const verdicts = async (one: Model<Cluster>, engine: 'tracked' | 'naive') => {
        const result = await check({ model: one, properties, engine });
        return [result.outcome, ...result.properties.map(({ verdict }) => verdict)];
      };
      const found = await verdicts(model as Model<Cluster>, 'tracked');
      expect(found).toEqual(await verdicts(twin, 'tracked'));
      expect(found).toEqual(await verdicts(model as Model<Cluster>, 'naive'));
    }),
    { numRuns: randomRuns(25) },
  );
  expect(compared).toBeGreaterThan(12);
});

import { type CheckResult, check, simulate } from 'reapcheck/checker';
import {
  type Cluster,
  type Controller,
  type ControllerSpec,
  clusterModel,
  defineController,
  isBeingDeleted,
  type Look,
  type Setup,
  setupFromYaml,
  type Task,
  viewOf,
} from 'reapcheck/model';
import { propertiesFor } from 'reapcheck/properties';
import { describe, expect, it, test } from 'vitest';

/** What controllers in TypeScript can meet, each in the smallest model that shows it. */

const FINALIZER = 'example.com/hold';

function widget({
  finalizers = [] as readonly string[],
  requests = '[]',
  more = '',
  environment = '{}',
} = {}): Setup {
  return setupFromYaml(`
objects:
  - apiVersion: example.com/v1
    kind: Widget
    metadata: {name: w, namespace: default, finalizers: [${finalizers.join()}]}
${more}
requests: ${requests}
environment: ${environment}
`);
}

const DELETE = '[{delete: Widget/w, propagationPolicy: Background, user: alice}]';
const CONFIG_MAP = '  - {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: default}}';
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };

type Spec = ControllerSpec;
type Plan = Spec['plan'];

/** A plan that reads, and does nothing. */
const reads =
  (read: (look: Look) => unknown): Plan =>
  (look) => {
    read(look);
    return [];
  };

const controllerOf = (plan: Plan, more: Partial<Spec> = {}): Controller =>
  defineController({ name: 'widget-operator', for: 'Widget', plan, ...more });

const modelOf = (setup: Setup, ...controllers: readonly Controller[]) =>
  clusterModel(setup, { controllers });

/** Whether a state is reached; the model's counterexamples are the other questions. */
async function reaches(
  model: ReturnType<typeof modelOf>,
  reached: (cluster: Cluster) => boolean,
): Promise<boolean> {
  const result = await check({
    model,
    properties: [{ kind: 'witness', name: 'reached', reached }],
    auditEvery: 1,
  });
  expect(result.defect).toBeNull();
  expect(result.outcome).toBe('complete');
  return result.properties[0]?.verdict === 'holds';
}

async function sentencesTo(
  model: ReturnType<typeof modelOf>,
  reached: (cluster: Cluster) => boolean,
): Promise<readonly string[]> {
  const properties = [{ kind: 'witness', name: 'reached', reached } as const];
  const { properties: found } = await check({ model, properties, auditEvery: 1 });
  return found[0]?.trace?.steps.map(({ sentence }) => sentence) ?? [];
}

/** The defect that a plan is. */
async function defectOf(plan: Plan, more: Partial<Spec> = {}): Promise<string> {
  const model = modelOf(widget({ more: CONFIG_MAP }), controllerOf(plan, more));
  const properties = propertiesFor(model, ['nothing-stuck']);
  const { defect } = await check({ model, properties });
  return defect?.message ?? 'none';
}

describe('a plan is refused if', () => {
  const refused: readonly (readonly [string, Plan, RegExp])[] = [
    ['it returns nothing', (() => undefined) as unknown as Plan, /returns nothing: it must return/],
    ['it is no list', (() => ({})) as unknown as Plan, /returns \{\}/],
    [
      'it returns a promise',
      (() => Promise.resolve([])) as unknown as Plan,
      /widget-operator is async/,
    ],
    [
      'it changes an object',
      (look, self) => {
        const [first] = look.list('Widget');
        if (first !== undefined) (first.finalizers as string[]).push(self.name);
        return [];
      },
      /plan of widget-operator changes what it was given/,
    ],
    [
      'it changes itself',
      (_look, self) => {
        (self as { name: string }).name = 'x';
        return [];
      },
      /changes what it was given/,
    ],
    [
      'it catches what look throws',
      (look) => {
        try {
          look.live('ConfigMap/c');
          look.live('Widget/w');
        } catch {}
        return [];
      },
      /catches what look throws/,
    ],
    ['a task is unknown', () => [{ do: 'patch' }] as unknown as Task[], /do must be one of create/],
    [
      'a field is unknown',
      () => [{ do: 'delete', object: 'ConfigMap/c', force: true }] as unknown as Task[],
      /unknown field force/,
    ],
    [
      'it throws',
      (look) => [{ do: 'delete', object: look('Widget/none')?.name as string }],
      /plan of widget-operator names Widget\/none/,
    ],
    [
      'it has a mistake',
      (_look, self) => [{ do: 'delete', object: (self as unknown as { x: { y: string } }).x.y }],
      /plan of widget-operator throws: Cannot read/,
    ],
    ['it names what is not there', reads((look) => look('Widget/x')), /names Widget\/x, which/],
    ['it names another kind', reads((look) => look('Gadget/x')), /names the kind Gadget/],
    ['it has no cache of the kind', reads((look) => look('ConfigMap/c')), /no informer for it/],
    [
      'it creates what is not listed',
      () => [{ do: 'create', object: 'ConfigMap/c' }],
      /not in its list creates: empty/,
    ],
    [
      'it adds a finalizer that is not listed',
      (look, self) => {
        look(self.object);
        return [{ do: 'addFinalizer', object: self.object, finalizer: FINALIZER }];
      },
      /not in its list finalizers/,
    ],
    [
      'it updates what it has not read',
      (_look, self) => [{ do: 'removeFinalizer', object: self.object, finalizer: FINALIZER }],
      /which it has not read or not found/,
    ],
    ['it names something outside', reads((look) => look.outside('disk')), /list outside: empty/],
    [
      'it remembers what is not JSON',
      () => [{ do: 'remember', memory: new Date(0) as never }],
      /memory must be plain JSON/,
    ],
  ];
  test.each(refused)('%s', async (_, plan, message) => {
    expect(await defectOf(plan)).toMatch(message);
  });

  it('it is an async function, or a field is unknown', () => {
    const plan = (async () => []) as unknown as Plan;
    expect(() => modelOf(widget(), controllerOf(plan))).toThrow(/widget-operator is async/);
    const more = { finaliser: ['x'] } as Partial<Spec>;
    expect(() =>
      modelOf(
        widget(),
        controllerOf(() => [], more),
      ),
    ).toThrow(/unknown field finaliser/);
    expect(() =>
      modelOf(
        widget(),
        controllerOf(() => [], { for: 'Gadget' }),
      ),
    ).toThrow(/Gadget/);
  });

  it.each<[string, object, RegExp]>([
    [
      'the kind of runsIn is unknown',
      { runsIn: 'Deploymint/w' },
      /runsIn of widget-op.*Deploymint/,
    ],
    ['runsIn is not there', { runsIn: 'Widget/none' }, /runsIn of widget-op.*Widget\/none/],
    ['a kind of owners is unknown', { owners: ['Gadget'] }, /widget-operator.*Gadget/],
    [
      'a finalizer is there twice',
      { finalizers: ['a.b/c', 'a.b/c'] },
      /finalizers of.*a\.b\/c twice/,
    ],
    ['runsIn has no kind', { runsIn: 'w' }, /runsIn of widget-op.* w: write KIND\/NAME/],
    [
      'an informer is there twice',
      { informers: ['Widget', 'Widget'] },
      /informers of.*Widget twice/,
    ],
    ['outside has a name twice', { outside: ['b', 'b'] }, /outside of.*b twice/],
    [
      'an object is created twice',
      { creates: [configMap, configMap] },
      /creates of .* ConfigMap\/c twice/,
    ],
    ['finalizers is a text', { finalizers: 'a.b/c' }, /finalizers of .* must be a list of texts/],
    ['informers has a number', { informers: [1] }, /informers of .* must be a list of texts/],
  ])('%s: one clear error', (_what, more, message) => {
    const make = () =>
      modelOf(
        widget(),
        controllerOf(() => [], more as Partial<Spec>),
      );
    expect(make).toThrow(expect.objectContaining({ name: 'InputError' }));
    expect(make).toThrow(message);
  });
});

describe('an update', () => {
  const hold: Plan = (look, self) => {
    const object = look(self.object);
    if (object === null || isBeingDeleted(object)) return [];
    return [{ do: 'addFinalizer', object: self.object, finalizer: FINALIZER }];
  };
  const requests = '[{update: Widget/w, addFinalizer: example.com/other, user: bob}]';
  const has = (cluster: Cluster, finalizer: string) =>
    Object.values(cluster.store).some(({ finalizers }) => finalizers.includes(finalizer));

  it('of an old version is a conflict, and is tried again', async () => {
    const setup = widget({ requests, environment: '{finalizers: {example.com/other: stuck}}' });
    const model = modelOf(setup, controllerOf(hold, { finalizers: [FINALIZER] }));
    const both = (cluster: Cluster) => has(cluster, FINALIZER) && has(cluster, 'example.com/other');
    expect(await reaches(model, both)).toBe(true);
    const conflicts = await check({
      model,
      properties: [
        {
          kind: 'eventually',
          name: 'both are there in the end',
          trigger: (cluster: Cluster) => has(cluster, 'example.com/other'),
          goal: both,
        },
        {
          kind: 'invariant',
          name: 'no finalizer is lost',
          holds: (cluster: Cluster) =>
            cluster.users.bob !== 1 ||
            has(cluster, 'example.com/other') ||
            cluster.calls.bob !== undefined,
        },
      ],
      auditEvery: 1,
    });
    expect(conflicts.properties.map(({ verdict }) => verdict)).toEqual(['holds', 'holds']);
  });

  it('by a merge patch loses what others have written', async () => {
    const patch: Plan = (look, self) =>
      hold(look, self).map((task) => ({ ...task, with: 'patch' }) as Task);
    const setup = widget({ requests, environment: '{finalizers: {example.com/other: stuck}}' });
    const model = modelOf(setup, controllerOf(patch, { finalizers: [FINALIZER] }));
    const lost = (cluster: Cluster) =>
      cluster.users.bob === 1 && has(cluster, FINALIZER) && !has(cluster, 'example.com/other');
    expect(await reaches(model, lost)).toBe(true);
  });
});

describe('a request', () => {
  const disk = 'disk';
  const cleanUp: Plan = (look, self) =>
    look(self.object) === null && look.outside(disk) ? [{ do: 'deleteOutside', name: disk }] : [];

  const leaks = async (
    more: Partial<Spec>,
  ): Promise<CheckResult['properties'][number]['verdict']> => {
    const controllers = [controllerOf(cleanUp, { outside: [disk], ...more })];
    const model = clusterModel(widget({ requests: DELETE }), { controllers, outside: [disk] });
    const { object, outside } = viewOf(model);
    const { properties } = await check({
      model,
      properties: [
        {
          kind: 'eventually',
          name: 'it is cleaned up',
          trigger: (cluster: Cluster) => object(cluster, 'Widget/w') === null,
          goal: (cluster: Cluster) => !outside(cluster, disk),
        },
      ],
      auditEvery: 1,
    });
    return properties[0]!.verdict;
  };

  it('for an object that is gone comes with the event of its removal', async () => {
    expect(await leaks({})).toBe('holds');
  });

  it('is lost by a restart', async () => {
    expect(await leaks({ restarts: 1 })).toBe('violated');
  });

  it('is perhaps never handled by a controller that may stop', async () => {
    expect(await leaks({ mayStop: true })).toBe('violated');
  });

  it('comes from a child that names the object as its controller', async () => {
    const more = `  - apiVersion: v1
    kind: ConfigMap
    metadata:
      name: c
      ownerReferences: [{apiVersion: example.com/v1, kind: Gadget, name: g, uid: gone, controller: true}]
  - {apiVersion: example.com/v1, kind: Gadget, metadata: {name: g, namespace: default}}`;
    const requests = '[{delete: Gadget/g, propagationPolicy: Background}]';
    const setup = widget({ more, requests });
    const plan: Plan = (look, self) =>
      look(self.object) === null ? [{ do: 'createOutside', name: disk }] : [];
    const made = (informers: readonly string[]) => {
      // After the restart, only the child makes requests for what is gone.
      const controller = controllerOf(plan, {
        for: 'Gadget',
        informers,
        outside: [disk],
        restarts: 1,
      });
      const model = modelOf({ ...setup, caches: 'cold', deleteWorkers: 1 }, controller);
      return reaches(
        model,
        (cluster) =>
          cluster.budget['restart of widget-operator'] === undefined &&
          cluster.controllers['widget-operator']?.role === 'programmed',
      );
    };
    expect(await made(['ConfigMap'])).toBe(true);
    expect(await made([])).toBe(false);
  });
});

describe('the memory', () => {
  const count: Plan = (look, self) => {
    const seen = Number(self.memory as unknown);
    return look(self.object) !== null && seen < 2
      ? [{ do: 'remember', memory: (seen + 1) as never }]
      : [];
  };

  it('stays between requests, and a restart loses it', async () => {
    const verdict = async (restarts: number) => {
      const model = modelOf(widget(), controllerOf(count, { memory: 0, restarts }));
      const remembered = (cluster: Cluster) =>
        Number(viewOf(model).memory(cluster, 'widget-operator'));
      expect(await reaches(model, (cluster) => remembered(cluster) === 2)).toBe(true);
      const grows = {
        kind: 'step',
        name: 'nothing is forgotten',
        holds: (before: Cluster, _: unknown, after: Cluster) =>
          remembered(after) >= remembered(before),
      } as const;
      const { properties } = await check({ model, properties: [grows] });
      return properties[0]?.verdict;
    };
    expect(await verdict(0)).toBe('holds');
    expect(await verdict(1)).toBe('violated');
  });
});

describe('a restart', () => {
  it('leaves the request in flight, which the API server carries out later', async () => {
    // With a definition in the model, a POST is admitted and stored in two steps.
    const more = `  - apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: disks.example.com}
    spec: {group: example.com, scope: Namespaced, names: {kind: Disk, plural: disks}, versions: [{name: v1}]}`;
    const plan: Plan = (look, self) => {
      const owner = look.live(self.object);
      if (owner === null) return [];
      if (!isBeingDeleted(owner)) return [{ do: 'create', object: 'Disk/d' }];
      return look.live('Disk/d') === null
        ? [{ do: 'removeFinalizer', object: self.object, finalizer: FINALIZER }]
        : [{ do: 'delete', object: 'Disk/d' }];
    };
    const creates = [
      { apiVersion: 'example.com/v1', kind: 'Disk', metadata: { name: 'd', namespace: 'default' } },
    ];
    const setup = widget({ finalizers: [FINALIZER], more, requests: DELETE });
    const leaks = async (restarts: number) => {
      const spec = { creates, finalizers: [FINALIZER], incarnations: 1, restarts };
      const model = modelOf(setup, controllerOf(plan, spec));
      const { object } = viewOf(model);
      return reaches(
        model,
        (cluster) => object(cluster, 'Widget/w') === null && object(cluster, 'Disk/d') !== null,
      );
    };
    expect(await leaks(0)).toBe(false);
    expect(await leaks(1)).toBe(true);
  });
});

describe('live reads', () => {
  it('are one step each, so that the world can change between them', async () => {
    const requests = `
  - {delete: ConfigMap/c, propagationPolicy: Background, user: bob}
  - {delete: Widget/w, propagationPolicy: Background, user: bob}`;
    // Bob deletes the ConfigMap first: at no time is the Widget gone and the ConfigMap there.
    const plan: Plan = (look) => {
      const map = look.live('ConfigMap/c');
      const object = look.live('Widget/w');
      return map !== null && object === null ? [{ do: 'createOutside', name: 'doubt' }] : [];
    };
    const setup = widget({ more: CONFIG_MAP, requests });
    const model = modelOf(setup, controllerOf(plan, { outside: ['doubt'], reads: 'live' }));
    const doubts = (cluster: Cluster) => viewOf(model).outside(cluster, 'doubt');
    expect(await reaches(model, doubts)).toBe(true);
    expect((await sentencesTo(model, doubts)).join('\n')).toMatch(
      /reads, for Widget.*GET ConfigMap\/c -> there/,
    );
  });
});

describe('a controller', () => {
  it('works on one request at a time', async () => {
    const more =
      '  - {apiVersion: example.com/v1, kind: Widget, metadata: {name: v, namespace: default}}';
    const plan: Plan = (look, self) =>
      look.outside(self.name) ? [] : [{ do: 'createOutside', name: self.name }];
    const model = modelOf(widget({ more }), controllerOf(plan, { outside: ['w', 'v'] }));
    expect(Object.keys(model.actions)).toContain('reconcileOneOf');
    const { outside } = viewOf(model);
    const properties = [
      {
        kind: 'eventually',
        name: 'both are made',
        trigger: () => true,
        goal: (cluster: Cluster) => outside(cluster, 'w') && outside(cluster, 'v'),
      } as const,
    ];
    const result = await check({ model, properties, auditEvery: 1 });
    expect(result.properties[0]?.verdict).toBe('holds');
    // None, one begun, one done, the other begun, both done: from either of the two.
    expect(result.statistics.states).toBe(8);
  });

  it('adopts, and hands over', async () => {
    const plan: Plan = (look, self) => {
      const owner = look(self.object);
      if (owner === null) return [];
      // The cache may not show yet that the ConfigMap was adopted.
      const map = isBeingDeleted(owner) ? look.live('ConfigMap/c') : look('ConfigMap/c');
      if (map === null) return [];
      return isBeingDeleted(owner)
        ? [
            { do: 'removeOwner', object: 'ConfigMap/c', owner },
            { do: 'removeFinalizer', object: self.object, finalizer: FINALIZER },
          ]
        : [{ do: 'adopt', object: 'ConfigMap/c', owner }];
    };
    const setup = widget({ finalizers: [FINALIZER], more: CONFIG_MAP, requests: DELETE });
    const more = { informers: ['ConfigMap'], finalizers: [FINALIZER] };
    const model = modelOf(setup, controllerOf(plan, more));
    const { object } = viewOf(model);
    const isOwned = (cluster: Cluster) =>
      object(cluster, 'ConfigMap/c')?.ownerReferences.length === 1;
    expect(await reaches(model, isOwned)).toBe(true);
    const properties = [
      ...propertiesFor(model, ['every-deletion-finishes', 'nothing-stuck']),
      {
        kind: 'invariant',
        name: 'what is handed over stays',
        holds: (cluster: Cluster) => object(cluster, 'ConfigMap/c') !== null,
      } as const,
    ];
    const { properties: found } = await check({ model, properties, auditEvery: 1 });
    expect(found.map(({ verdict }) => verdict)).toEqual(['holds', 'holds', 'holds']);
  });

  it('creates again for ever, in finitely many states', async () => {
    const plan: Plan = (look, self) => {
      const owner = look(self.object);
      if (owner === null || look('ConfigMap/c') !== null) return [];
      return [{ do: 'create', object: 'ConfigMap/c', controller: owner }];
    };
    const requests = Array.from(
      { length: 4 },
      () => '\n  - {delete: ConfigMap/c, propagationPolicy: Background, user: bob}',
    ).join('');
    const more = { informers: ['ConfigMap'], creates: [configMap] };
    const model = modelOf(widget({ more: CONFIG_MAP, requests }), controllerOf(plan, more));
    const { object } = viewOf(model);
    const properties = [
      ...propertiesFor(model, ['nothing-stuck']),
      {
        kind: 'eventually',
        name: 'there is one again',
        trigger: (cluster: Cluster) => object(cluster, 'ConfigMap/c') === null,
        goal: (cluster: Cluster) => object(cluster, 'ConfigMap/c') !== null,
      } as const,
    ];
    const result = await check({ model, properties, auditEvery: 20 });
    expect(result.properties.map(({ verdict }) => verdict)).toEqual(['holds', 'holds']);
  });

  it('gives up nothing that is refused: it creates once the namespace is there', async () => {
    const more = `  - {apiVersion: v1, kind: Namespace, metadata: {name: shop}, spec: {finalizers: [kubernetes]}}`;
    const plan: Plan = (look, self) =>
      look(self.object) === null || look.live('ConfigMap/c.shop') !== null
        ? []
        : [{ do: 'create', object: 'ConfigMap/c.shop' }];
    const requests = `
  - {delete: Namespace/shop, propagationPolicy: Background}
  - {create: {apiVersion: v1, kind: Namespace, metadata: {name: shop, uid: again}, spec: {finalizers: [kubernetes]}}}`;
    const environment = '{namespaceController: true}';
    const creates = [{ ...configMap, metadata: { name: 'c', namespace: 'shop' } }];
    const model = modelOf(widget({ more, requests, environment }), controllerOf(plan, { creates }));
    const { object } = viewOf(model);
    const properties = [
      ...propertiesFor(model, ['nothing-stuck']),
      {
        kind: 'eventually',
        name: 'it is created',
        trigger: (cluster: Cluster) =>
          cluster.users.user === 2 && object(cluster, 'Namespace/shop')?.deletionTimestamp === null,
        goal: (cluster: Cluster) =>
          object(cluster, 'ConfigMap/c.shop') !== null ||
          object(cluster, 'Namespace/shop')?.deletionTimestamp !== null,
      } as const,
    ];
    const result = await check({ model, properties, limits: { states: 200_000 } });
    expect([result.outcome, ...result.properties.map(({ verdict }) => verdict)]).toEqual([
      'complete',
      'holds',
      'holds',
    ]);
  });

  it('is a model for random walks, with its own words', async () => {
    const plan: Plan = (look, self) =>
      look(self.object) === null ? [] : [{ do: 'delete', object: self.object }];
    const model = modelOf(widget(), controllerOf(plan));
    const properties = [
      {
        kind: 'invariant',
        name: 'it stays',
        holds: (cluster: Cluster) => Object.keys(cluster.store).length === 1,
      } as const,
    ];
    const walked = await simulate({ model, properties, walks: 20, steps: 20, seed: 1 });
    expect(walked.properties[0]?.trace?.steps[0]?.sentence).toBe(
      'widget-operator: decides, for Widget.example.com/w, to delete Widget.example.com/w',
    );
  });
});

it('does not compile with what a plan must not do', () => {
  const name = 'typed-operator';
  const specs = () => [
    // @ts-expect-error an unknown task
    defineController({ name, for: 'Widget', plan: () => [{ do: 'destroy', object: 'Widget/w' }] }),
    // @ts-expect-error a promise
    defineController({ name, for: 'Widget', plan: async () => [] }),
    // @ts-expect-error a task without its object
    defineController({ name, for: 'Widget', plan: () => [{ do: 'delete' }] }),
    defineController({
      name,
      for: 'Widget',
      plan(look, self) {
        // @ts-expect-error what was read is read-only
        look(self.object)?.finalizers.push('x');
        // @ts-expect-error it may be missing
        look(self.object).finalizers;
        return [];
      },
    }),
    defineController<{ readonly seen: number }>({
      name,
      for: 'Widget',
      memory: { seen: 0 },
      // @ts-expect-error another memory
      plan: (_look, { memory }) => [{ do: 'remember', memory: `${memory.seen}` }],
    }),
    // What it starts with is not all that it can remember.
    defineController({
      name,
      for: 'Widget',
      memory: { seen: 0, names: [] as readonly string[], on: false },
      plan: (_look, { memory }) => [
        { do: 'remember', memory: { ...memory, seen: memory.seen + 1, on: !memory.on } },
      ],
    }),
    defineController({
      name,
      for: 'Widget',
      memory: 0,
      plan: (_look, { memory }) => [{ do: 'remember', memory: memory + 1 }],
    }),
    // @ts-expect-error a misspelt field
    defineController({ name, for: 'Widget', finaliser: [], plan: () => [] }),
  ];
  expect(specs).toBeTypeOf('function');
});

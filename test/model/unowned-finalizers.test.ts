import { check } from 'reapcheck/checker';
import { clusterModel, defineController, setupFromYaml } from 'reapcheck/model';
import { propertiesFor } from 'reapcheck/properties';
import { expect, it, test } from 'vitest';

/*
 * Where nothing is said of a finalizer, a scenario has an owner that removes it. Beside controllers, that
 * would turn a deletion green that hangs.
 */

const HOLD = 'example.com/hold';

const setupWith = (finalizer: string, environment = '{}') =>
  setupFromYaml(`
objects:
  - apiVersion: example.com/v1
    kind: Widget
    metadata: {name: w, namespace: default, finalizers: [${finalizer}]}
requests:
  - {delete: Widget/w, propagationPolicy: Background, user: alice}
environment: ${environment}
`);

const operatorFor = (kind: string) =>
  defineController({
    name: 'widget-operator',
    for: kind,
    finalizers: [HOLD],
    plan: (look, self) =>
      look(self.object)?.finalizers.includes(HOLD)
        ? [{ do: 'removeFinalizer', object: self.object, finalizer: HOLD }]
        : [],
  });

const modelOf = (setup: ReturnType<typeof setupWith>, kind = 'Widget') =>
  clusterModel(setup, { controllers: [operatorFor(kind)] });

async function verdictOf(model: ReturnType<typeof modelOf>): Promise<string | undefined> {
  const properties = propertiesFor(model, ['every-deletion-finishes']);
  return (await check({ model, properties })).properties[0]?.verdict;
}

it('a finalizer that no controller has is refused, unless the scenario says who removes it', async () => {
  const misspelt = 'example.com/holt';
  expect(() => modelOf(setupWith(misspelt))).toThrow(
    /Widget.example.com\/w has the finalizer example.com\/holt, which no controller has: .*cooperative/,
  );
  const said = setupWith(misspelt, `{finalizers: {${misspelt}: cooperative}}`);
  expect(await verdictOf(modelOf(said))).toBe('holds');
  expect(await verdictOf(modelOf(setupWith(HOLD)))).toBe('holds');
});

it('a controller that looks after another kind leaves its finalizer where it is', async () => {
  expect(await verdictOf(modelOf(setupWith(HOLD), 'Secret'))).toBe('violated');
});

test.each([
  [{ controllers: [], controler: [] }, /clusterModel has no option controler/],
  [{ controller: operatorFor('Widget') }, /clusterModel has no option controller/],
  [{}, /controllers of clusterModel is not a list/],
])('options that nothing reads are refused', (options, message) => {
  const make = () => clusterModel(setupWith(HOLD), options as never);
  expect(make).toThrow(expect.objectContaining({ name: 'InputError' }));
  expect(make).toThrow(message);
});

test('two controllers of one name', () => {
  const operator = operatorFor('Widget');
  expect(() => clusterModel(setupWith(HOLD), { controllers: [operator, operator] })).toThrow(
    /two actors have the name "widget-operator"/,
  );
});

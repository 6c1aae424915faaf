import { expect, it } from 'vitest';
import { type ActionInstance, check, type Property } from '../../checker/index.ts';
import { type Cluster, deletionModel, type Setup } from '../../model/index.ts';
import { deletionProperties } from '../../properties/index.ts';
import { ServedCluster } from '../../serve/cluster/cluster.ts';
import { namingOf } from '../../serve/http/naming.ts';
import { serverOf } from '../../serve/http/server.ts';
import { ReplaySchedule } from '../../serve/schedule/replay.ts';
import { runStart } from '../../serve/start.ts';
import { type NamedScenario, scenarios } from '../scenarios/read.ts';
import { programClient, until } from './programs.ts';

/** Requests that a client of the server can send as the model's users do. */
const SENT = ['create', 'delete', 'update', 'settle', 'await'];

/** What a scenario violates in a run without a loop. */
function violatedIn({ setup, expectation }: NamedScenario): readonly Property<Cluster>[] {
  return deletionProperties(setup).filter(
    ({ kind, name }) =>
      (kind === 'invariant' || kind === 'step') && expectation.verdicts[name] === 'violated',
  );
}

const violated = (scenario: NamedScenario): boolean =>
  violatedIn(scenario).length > 0 &&
  Object.values(scenario.setup.users).every((steps) =>
    steps.every(
      ({ request }) =>
        SENT.includes(request.do) && !('resourceVersion' in request && request.resourceVersion),
    ),
  );

/**
 * Once the definition is gone, the server itself knows its kind no more, and does not ask the
 * model.
 */
const NOT_SERVED = ['definition-found-in-old-cache'];

const chosen = scenarios()
  .filter(violated)
  .filter(({ name }) => !NOT_SERVED.includes(name));

it('there are counterexamples to repeat', () => {
  expect(chosen.length).toBeGreaterThan(5);
});

it.each(chosen.map((scenario) => [scenario.name, scenario] as const))(
  'clients that do what the users do see the whole counterexample of %s',
  async (_name, scenario) => {
    const { setup } = scenario;
    const model = deletionModel(setup);
    const properties = violatedIn(scenario);
    const result = await check({ model, properties, stopWhenDecided: true });
    const found = result.properties.flatMap(({ verdict, trace }) =>
      verdict === 'violated' && trace !== null ? [trace] : [],
    );
    for (const { initial, steps } of found) {
      const states = [initial, ...steps.map(({ state }) => state)];
      const actions = steps.map(({ action: name, parameters }) => ({ name, parameters }));
      expect((await repeated(setup, states, actions)).at(-1)).toMatch(/^the run is complete/);
    }
  },
);

/** What the schedule says while clients send what the users send. */
async function repeated(
  setup: Setup,
  states: readonly Cluster[],
  actions: readonly ActionInstance[],
): Promise<readonly string[]> {
  const said: string[] = [];
  const start = runStart(setup, 'v1.20', []);
  const cluster = new ServedCluster(start.setup, start.objects, start.bodies, () => 0);
  const schedule = new ReplaySchedule(cluster, { setup, states, actions }, (text) => {
    said.push(text);
  });
  const naming = namingOf(null);
  const app = serverOf({
    cluster,
    schedule,
    protocol: 'v1.20',
    address: '127.0.0.1',
    naming: {
      ...naming,
      newUid: (kind, body) => schedule.uidFor(kind, body) ?? naming.newUid(kind, body),
    },
    audit: null,
    onDefect: (error) => {
      throw error;
    },
  });
  const client = programClient(app, cluster);
  schedule.wake();
  const hasEnded = (): boolean => / from here on /.test(said.at(-1) ?? '');
  for (const [index, { name, parameters }] of actions.entries()) {
    if (name !== 'request') continue;
    const user = String(parameters.user);
    const request = setup.users[user]?.[states[index]?.users[user] ?? 0]?.request;
    if (request === undefined || request.do === 'settle' || request.do === 'await') continue;
    const waits = `waits at step ${index + 1} of `;
    await until(() => hasEnded() || said.at(-1)?.startsWith(waits) === true);
    // Its answer may need steps of the run that follow other requests.
    void client.perform(user, request);
  }
  await until(hasEnded);
  await app.close();
  return said;
}

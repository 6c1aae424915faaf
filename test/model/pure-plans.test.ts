import { check } from 'reapcheck/checker';
import { clusterModel, defineController, type Look, setupFromYaml } from 'reapcheck/model';
import { describe, expect, it } from 'vitest';
import { CHANGING as REFUSED_TO_MODELS } from '../../checker/engine/second-runs.ts';
import { Answers, CHANGING } from '../../model/actors/programs/purity.ts';

/** A plan must be a pure function: what it says may depend on `look` and `self` alone. */

const setup = setupFromYaml(`
objects:
  - apiVersion: example.com/v1
    kind: Widget
    metadata: {name: w, namespace: default, finalizers: [example.com/hold]}
requests:
  - {delete: Widget/w, user: alice}
environment: {finalizers: {example.com/hold: cooperative}}
`);

/** What a check says of a plan that makes a disk outside of the cluster if `wants` says so. */
async function defectOf(wants: (look: Look) => boolean): Promise<string | undefined> {
  const operator = defineController({
    name: 'widget-operator',
    for: 'Widget',
    outside: ['disk'],
    plan: (look) => (wants(look) ? [{ do: 'createOutside', name: 'disk' }] : []),
  });
  const model = clusterModel(setup, { controllers: [operator] });
  const witness = { kind: 'witness', name: 'a state', reached: () => false } as const;
  const { outcome, defect } = await check({ model, properties: [witness] });
  expect(outcome).toBe(defect === null ? 'complete' : 'defect');
  return defect?.message;
}

const isGoing = (look: Look): boolean => look('Widget/w')?.deletionTimestamp !== null;

it('refuses to plans what the checker refuses to models', () => {
  expect(CHANGING).toEqual(REFUSED_TO_MODELS);
});

describe('a plan is refused that', () => {
  it.each<[string, () => unknown]>([
    ['Date.now', () => Date.now()],
    ['new Date', () => new Date()],
    ['Date', () => Date()],
    ['Math.random', () => Math.random()],
    ['performance.now', () => performance.now()],
    ['crypto.randomUUID', () => crypto.randomUUID()],
    ['process.hrtime', () => process.hrtime()],
    ['process.hrtime', () => process.hrtime.bigint()],
  ])('calls %s, and does nothing with it', async (name, call) => {
    const message = await defectOf((look) => {
      call();
      return isGoing(look);
    });
    expect(message).toContain(`the plan of widget-operator calls ${name}, which gives another`);
    expect(() => call()).not.toThrow();
  });

  it.each([1, 2, 3, 4, 5, 6])('says something else after %i calls', async (limit) => {
    let calls = 0;
    expect(await defectOf(() => calls++ >= limit)).toMatch(/different tasks/);
  });

  it('keeps what it has seen', async () => {
    let hasGone = false;
    const message = await defectOf((look) => {
      if (isGoing(look)) hasGone = true;
      return hasGone;
    });
    expect(message).toMatch(/different tasks for what is the same/);
  });

  it('reads something else the second time', async () => {
    let calls = 0;
    const message = await defectOf((look) => calls++ > 0 && look.live('Widget/w') === null);
    expect(message).toMatch(/different tasks for what is the same/);
  });
});

it('a plan may use times that it was given, and what never changes', async () => {
  const started = new Date(0);
  const message = await defectOf(
    (look) =>
      isGoing(look) && new Date(started.getTime() + 1).getTime() === 1 && Math.abs(-1) === 1,
  );
  expect(message).toBeUndefined();
});

it('every earlier question is asked again, in turn', () => {
  const answers = new Answers();
  const asked: string[] = [];
  const ask = (question: string) => () => {
    asked.push(question);
    return '[]';
  };
  for (const question of ['a', 'b', 'c', 'a', 'a', 'a']) {
    expect(answers.agree(question, '[]', ask(question))).toBe(true);
  }
  // Each new question at once; and after each, one of those that there are.
  expect(asked).toEqual(['a', 'a', 'b', 'b', 'c', 'c', 'a', 'b', 'c']);
});

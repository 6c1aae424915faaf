import { expect, test } from 'vitest';
import {
  apply,
  check,
  combinations,
  defineModel,
  defineProperty,
  enabled,
  type StateOf,
  symmetryOf,
} from '../../../checker/index.ts';

/*
 * What must not compile. `npm run types` fails if a line below an `@ts-expect-error` compiles. A
 * directive covers one line, so that each names one mistake.
 */

interface Shop {
  readonly jobs: Readonly<Record<string, 'waiting' | 'printed'>>;
  readonly lines: Readonly<Record<string, readonly string[]>>;
  readonly paid: Readonly<Record<string, true>>;
  readonly jammed: boolean;
}

const start: Shop = { jobs: {}, lines: { printer: [] }, paid: {}, jammed: false };
const jobs = combinations({ job: ['a', 'b'] });
const slots = { jobs: 'entries', lines: 'queues', paid: 'flags', jammed: 'value' } as const;
const about = { name: 'shop', initial: [start], slots } as const;

const shopWith = (faulty: boolean) =>
  defineModel({
    ...about,
    actions: {
      submit: {
        parameters: jobs,
        reduce(draft, { job }) {
          if (job in draft.jobs) return;
          draft.jobs[job] = 'waiting';
          draft.lines.printer?.push(job);
        },
      },
      print: {
        fairness: 'weak',
        reduce(draft) {
          const job = draft.lines.printer?.shift();
          if (job !== undefined) draft.jobs[job] = 'printed';
        },
      },
      bill: {
        parameters: [
          { job: 'a', price: 1 },
          { job: 'b', price: 2 },
        ],
        reduce(draft, { job, price }) {
          const both: 'a' | 'b' = job;
          const cheap: 1 | 2 = price;
          if (cheap === 1) draft.paid[both] = true;
        },
      },
      // Left out of the model if there are no faults. No `any` is needed.
      jam: faulty
        ? {
            reduce(draft) {
              draft.jammed = true;
            },
          }
        : undefined,
    },
  });

const shop = shopWith(true);

const printed = defineProperty(shop, {
  kind: 'eventually',
  name: 'a job that was submitted is printed',
  parameters: jobs,
  trigger: ({ jobs }, { job }) => job in jobs,
  goal: ({ jobs }, { job }) => jobs[job] === 'printed',
});

const submitsAdd = defineProperty(shop, {
  kind: 'step',
  name: 'only submit and print change jobs',
  actions: ['bill', 'jam'],
  holds: (before, action, after) => {
    const name: 'bill' | 'jam' = action.name;
    const price: 1 | 2 | undefined = action.name === 'bill' ? action.parameters.price : undefined;
    return name === 'jam' || price === undefined || before.jobs.a === after.jobs.a;
  },
});

test('a typed model runs', async () => {
  const result = await check({ model: shop, properties: [printed, submitsAdd] });
  expect(result.properties.map(({ verdict }) => verdict)).toEqual(['holds', 'holds']);
  const unpaid = defineProperty(shop, {
    kind: 'invariant',
    name: 'nothing is paid',
    holds: ({ paid }) => !paid.a,
  });
  const [found] = (await check({ model: shop, properties: [unpaid] })).properties;
  const paid: true | undefined = found?.trace?.steps.at(-1)?.state.paid.a;
  expect(paid).toBe(true);
  const { stateGraph } = await check({ model: shop, properties: [unpaid], stateGraph: 100 });
  if (stateGraph?.kind !== 'recorded') throw new Error('there is no graph');
  const jams: readonly boolean[] = stateGraph.states.map(({ state }) => state.jammed);
  expect(new Set(jams)).toEqual(new Set([false, true]));
  const initial: StateOf<typeof shop> | undefined = found?.trace?.initial;
  expect(initial).toEqual(start);
});

test('a typed step is taken', () => {
  const after = apply(shop, start, { name: 'bill', parameters: { job: 'a', price: 1 } });
  expect(after.paid.a).toBe(true);
  const [first] = enabled(shop, after);
  const name: 'submit' | 'print' | 'bill' | 'jam' | undefined = first?.name;
  expect(name).toBe('submit');
  if (first !== undefined) expect(apply(shop, after, first).jobs).toEqual({ a: 'waiting' });
  expect(apply(shop, after, { name: 'jam' }).jammed).toBe(true);
});

test('the mistakes below are compiled and never run', () => {
  expect([
    mistakesInModels,
    mistakesInProperties,
    mistakesWithResults,
    mistakesInSteps,
  ]).toHaveLength(4);
});

test('an action that is undefined is left out', () => {
  expect(Object.keys(shopWith(false).actions)).toEqual(['submit', 'print', 'bill']);
});

function mistakesInModels(): void {
  const mistaken = (draft: { jammed: boolean }) => {
    draft.jammed = true;
  };
  defineModel({
    ...about,
    actions: {
      wrongType: {
        parameters: jobs,
        // @ts-expect-error: the parameter is a string.
        reduce(draft, { job }: { job: number }) {
          draft.jammed = job > 1;
        },
      },
    },
  });
  defineModel({
    ...about,
    actions: {
      tooNarrow: {
        parameters: jobs,
        // @ts-expect-error: it may be b, too.
        reduce(draft, { job }: { job: 'a' }) {
          draft.paid[job] = true;
        },
      },
    },
  });
  defineModel({
    ...about,
    actions: {
      misspelt: {
        parameters: jobs,
        // @ts-expect-error: there is no parameter jop.
        reduce(draft, { jop }) {
          draft.paid[jop] = true;
        },
      },
      missing: {
        // @ts-expect-error: the action has no parameters.
        reduce(draft, { job }) {
          draft.paid[job] = true;
        },
      },
      misspeltSlot: {
        reduce(draft) {
          // @ts-expect-error: the state has no slot jamed.
          draft.jamed = true;
        },
      },
    },
  });
  defineModel({
    ...about,
    actions: {
      // @ts-expect-error: a promise would be lost.
      later: { reduce: async (draft) => mistaken(draft) },
    },
  });
  defineModel({
    ...about,
    actions: {
      // @ts-expect-error: a new state would be lost.
      returned: { reduce: (draft) => ({ ...draft, jammed: true }) },
    },
  });
  const actions = { jam: { reduce: mistaken } };
  // @ts-expect-error: jobs is not a record of lists.
  defineModel({ ...about, slots: { ...slots, jobs: 'queues' }, actions });
  // @ts-expect-error: jobs is not a record of true.
  defineModel({ ...about, slots: { ...slots, jobs: 'flags' }, actions });
  // @ts-expect-error: a boolean has no entries.
  defineModel({ ...about, slots: { ...slots, jammed: 'entries' }, actions });
  // @ts-expect-error: the slot jammed is missing.
  defineModel({ ...about, slots: { jobs: 'entries', lines: 'queues', paid: 'flags' }, actions });
  // @ts-expect-error: there is no such fairness.
  defineModel({ ...about, actions: { jam: { fairness: 'week', reduce: mistaken } } });
  const visits = { visit: { parameters: jobs, reduce: mistaken }, jam: { reduce: mistaken } };
  defineModel({ ...about, actions: visits, fairness: [{ weak: ['jam', 'visit'], each: 'job' }] });
  // @ts-expect-error: there is no action visits.
  defineModel({ ...about, actions: visits, fairness: [{ weak: ['jam', 'visits'] }] });
  // @ts-expect-error: no action has a parameter jop.
  defineModel({ ...about, actions: visits, fairness: [{ weak: ['visit'], each: 'jop' }] });
  const alike = { jobs: ['a', 'b'] };
  const both = symmetryOf(alike, { except: ['jammed', 'job'], separator: '>' });
  defineModel({ ...about, actions: visits, symmetry: both });
  // @ts-expect-error: there is neither a section nor a parameter jamed.
  defineModel({ ...about, actions: visits, symmetry: symmetryOf(alike, { except: ['jamed'] }) });
  // @ts-expect-error: a group is either weakly or strongly fair.
  defineModel({ ...about, actions: visits, fairness: [{ weak: ['jam'], strong: ['visit'] }] });
}

function mistakesInProperties(): void {
  const name = 'mistaken';
  defineProperty(shop, {
    kind: 'invariant',
    name,
    holds(state) {
      // @ts-expect-error: a predicate must not change the state.
      state.jammed = false;
      return true;
    },
  });
  defineProperty(shop, {
    kind: 'invariant',
    name,
    // @ts-expect-error: nor what is inside of it.
    holds: ({ lines }) => lines.printer?.push('a') === 1,
  });
  defineProperty(shop, {
    kind: 'invariant',
    name,
    parameters: jobs,
    // @ts-expect-error: there is no parameter jop.
    holds: ({ paid }, { jop }) => paid[jop] !== true,
  });
  defineProperty(shop, {
    kind: 'eventually',
    name,
    // @ts-expect-error: the goal below claims a number, and these are strings.
    parameters: jobs,
    goal: ({ paid }, { job }: { job: number }) => paid[job] !== true,
  });
  defineProperty(shop, {
    kind: 'step',
    name,
    // @ts-expect-error: the model has no action jams.
    actions: ['jams'],
    holds: () => false,
  });
  defineProperty(shop, {
    kind: 'step',
    name,
    actions: ['jam'],
    // @ts-expect-error: only jam is judged.
    holds: (_, action) => action.name === 'submit',
  });
  defineProperty(shop, {
    kind: 'step',
    name,
    actions: ['submit'],
    // @ts-expect-error: submit has no price.
    holds: (_, { parameters }) => parameters.price === 1,
  });
  defineProperty(shop, {
    kind: 'witness',
    name,
    // @ts-expect-error: a promise is always true.
    reached: async ({ jammed }) => jammed,
  });
}

async function mistakesWithResults(): Promise<void> {
  const { properties } = await check({ model: shop, properties: [printed] });
  // @ts-expect-error: the state has no slot jamed.
  properties[0]?.trace?.steps[0]?.state.jamed;
  const other = defineModel({
    name: 'other',
    initial: [{ count: 0 }],
    slots: { count: 'value' },
    actions: { jam: { reduce: (draft) => ++draft.count } },
  });
  // @ts-expect-error: the property is one of another model.
  await check({ model: other, properties: [printed] });
}

function mistakesInSteps(): void {
  // @ts-expect-error: the model has no action jams.
  apply(shop, start, { name: 'jams' });
  // @ts-expect-error: there is no job c.
  apply(shop, start, { name: 'submit', parameters: { job: 'c' } });
  // @ts-expect-error: submit has a parameter.
  apply(shop, start, { name: 'submit' });
  // @ts-expect-error: this is no state of the model.
  enabled(shop, { jammed: true });
}

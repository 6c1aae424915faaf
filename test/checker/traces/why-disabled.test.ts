import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineModel } from '../../../checker/authoring/define.ts';
import { instancesOf } from '../../../checker/instances.ts';
import type { StateReading } from '../../../checker/traces/read-recorder.ts';
import { whyDisabled } from '../../../checker/traces/why-disabled.ts';
import { canonicalText, fromCanonicalText } from '../../../checker/values/canonical.ts';
import { explore } from '../support/oracle.ts';
import type { RandomState } from '../support/random-language.ts';
import { modelOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';

const MOST_STATES = 60;

function at(state: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    state,
  );
}

function shape(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' && value !== null ? 'record' : String(value !== undefined);
}

function text(value: unknown): string {
  return value === undefined ? 'absent' : canonicalText(value);
}

/** Whether the reading has the same result in another state. */
function agrees(state: unknown, { path, aspect, value }: StateReading): boolean {
  const other = at(state, path);
  switch (aspect) {
    case 'presence':
      return shape(other) === shape(value);
    case 'keys':
      return Object.keys(other ?? {}).join('\n') === Object.keys(value ?? {}).join('\n');
    case 'value':
    case 'whole':
    case 'written':
      return text(other) === text(value);
    default:
      return aspect satisfies never;
  }
}

it('is disabled in every state that agrees on the readings, in random models', () => {
  const seen = { disabled: 0, agreeing: 0, written: 0 };
  fc.assert(
    fc.property(randomCases, (random) => {
      const model = modelOf(random);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null);
      const states = space.texts.map((canonical) => fromCanonicalText(canonical) as RandomState);
      const enabled = new Set(space.transitions.map(({ from, instance }) => `${from} ${instance}`));
      for (const { number, identity } of instancesOf(model)) {
        for (const [index, state] of states.entries()) {
          const found = whyDisabled(model, state, identity);
          expect(found === null).toBe(enabled.has(`${index} ${number}`));
          if (found === null) continue;
          seen.disabled++;
          if (found.deciding?.aspect === 'written') seen.written++;
          for (const { path, value } of found.readings) {
            expect(text(value)).toBe(text(at(state, path)));
          }
          for (const [other, there] of states.entries()) {
            if (other === index || !found.readings.every((one) => agrees(there, one))) continue;
            seen.agreeing++;
            expect(enabled.has(`${other} ${number}`)).toBe(false);
          }
        }
      }
    }),
    { numRuns: randomRuns(60) },
  );
  expect(seen.disabled).toBeGreaterThan(120);
  expect(seen.agreeing).toBeGreaterThan(120);
  expect(seen.written).toBeGreaterThan(4);
});

interface Shelf {
  readonly entries: Record<string, number>;
  readonly queues: Record<string, number[]>;
}

it.each<[string, (draft: Shelf) => void, Partial<StateReading>]>([
  [
    'an entry that is there already',
    ({ entries }) => {
      entries.a = 1;
    },
    { path: ['entries', 'a'], value: 1 },
  ],
  [
    'an entry that is not there anyway',
    ({ entries }) => {
      delete entries.b;
    },
    { path: ['entries', 'b'], value: undefined },
  ],
  [
    'an element, as a part of its queue',
    ({ queues }) => {
      queues.q![1] = 8;
    },
    { path: ['queues', 'q'], value: [7, 8] },
  ],
  [
    'an element taken and put back',
    ({ queues }) => {
      queues.q!.push(queues.q!.pop()!);
    },
    { path: ['queues', 'q'], value: [7, 8] },
  ],
])('says what was written and is as it was: %s', (_, reduce, deciding) => {
  const model = defineModel<Shelf>({
    name: 'shelf',
    slots: { entries: 'entries', queues: 'queues' },
    initial: [{ entries: { a: 1 }, queues: { q: [7, 8] } }],
    actions: { write: { fairness: 'none', reduce } },
  });
  const found = whyDisabled(model, model.initial[0]!, { name: 'write', parameters: {} });
  expect(found?.deciding).toEqual({ ...deciding, aspect: 'written' });
});

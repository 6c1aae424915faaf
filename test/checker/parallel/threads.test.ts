import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { check } from '../../../checker/check.ts';
import type { Model } from '../../../checker/model.ts';
import type { CheckOptions, Limits } from '../../../checker/options.ts';
import type { Property } from '../../../checker/property.ts';
import type { CheckResult } from '../../../checker/result.ts';
import { PACKAGE_FOLDER } from '../../../input/package-files.ts';
import { countingClock } from '../../clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'reapcheck-threads-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A module as a user writes it. The threads run it compiled, with the compiled checker. */
function moduleOf(name: string, ...lines: readonly string[]): URL {
  const file = join(folder, name);
  const checker = pathToFileURL(join(PACKAGE_FOLDER, 'dist', 'checker', 'index.js')).href;
  writeFileSync(file, [`import { takePart } from '${checker}';`, ...lines].join('\n'));
  return pathToFileURL(file);
}

const MODEL = `
const names = [...'abcdefghij'];
const each = names.map((cup) => ({ cup }));
export const model = {
  name: 'cups',
  slots: { cups: 'entries' },
  initial: [{ cups: {} }],
  actions: {
    fill: { parameters: each, reduce(draft, { cup }) { draft.cups[cup] ??= 'full'; } },
    break: {
      parameters: each,
      reduce(draft, { cup }) { if (draft.cups[cup] === 'full') draft.cups[cup] = 'broken'; },
    },
  },
};
export const properties = [
  { kind: 'invariant', name: 'known', parameters: each,
    trigger: ({ cups }, { cup }) => cup in cups,
    holds: ({ cups }, { cup }) => ['full', 'broken'].includes(cups[cup]) },
  { kind: 'invariant', name: 'the first cups stay whole',
    holds: ({ cups }) => !names.slice(0, 4).every((cup) => cups[cup] === 'broken') },
];
`;

interface Searched {
  readonly model: Model<object>;
  readonly properties: readonly Property<object>[];
}

/** The result without times. */
async function resultOf(options: CheckOptions<object>): Promise<unknown> {
  const { statistics, ...rest } = await check(options);
  const { cpuSeconds: _, wallSeconds: _wall, ...counts } = statistics;
  return { ...rest, counts };
}

it('the result is the same for any number of threads', async () => {
  const module = moduleOf('cups.mjs', MODEL, 'takePart({ model, properties });');
  const source = moduleOf('model.mjs', MODEL);
  const { model, properties } = (await import(source.href)) as Searched;
  const options = { model, properties, limits: {}, auditEvery: 5000 };
  const alone = await resultOf(options);
  expect(alone).toMatchObject({ outcome: 'complete', counts: { states: 3 ** 10 } });
  for (const count of [1, 2, 3]) {
    const threads = { count, module, fromStates: 100 };
    expect(await resultOf({ ...options, threads })).toEqual(alone);
  }
});

/** It never ends, so it ends only because of what its thread does. */
const endless: Pick<CheckOptions<{ count: number }>, 'model' | 'properties' | 'limits'> = {
  model: {
    name: 'endless',
    slots: { count: 'value' },
    initial: [{ count: 0 }],
    actions: {
      add: {
        reduce(draft) {
          draft.count++;
        },
      },
    },
  },
  properties: [{ kind: 'invariant', name: 'counts', holds: () => true }],
  limits: {},
};

it.each([
  ['ends', 'process.exit(3);', 'a thread of the search has failed: it has ended (exit code 3)'],
  ['throws', 'throw new Error("no");', 'a thread of the search has failed: no'],
  ['searches another model', `${MODEL} takePart({ model, properties });`, 'lacks the property'],
])('a thread that %s ends the search with an error', async (name, text, message) => {
  const module = moduleOf(`${name.replaceAll(' ', '-')}.mjs`, text);
  const threads = { count: 2, module, fromStates: 1 };
  await expect(check({ ...endless, threads })).rejects.toThrow(message);
});

describe('limits with threads', () => {
  const source = moduleOf('limited-model.mjs', MODEL);
  const module = moduleOf('limited.mjs', MODEL, 'takePart({ model, properties });');

  async function limitedBy(limits: Limits): Promise<CheckResult> {
    const { model, properties } = (await import(source.href)) as Searched;
    const ends = vi.spyOn(Worker.prototype, 'terminate');
    onTestFinished(() => void ends.mockRestore());
    const threads = { count: 2, module, fromStates: 100 };
    const result = await check({ model, properties, limits, threads });
    expect(ends).toHaveBeenCalledTimes(1);
    return result;
  }

  it('the time is up while they search: what was found stays, and they end', async () => {
    // A millisecond for each question about the time.
    countingClock(1);
    const { limit, statistics, properties } = await limitedBy({ seconds: 0.4 });
    expect(limit).toMatchObject({ kind: 'time', value: 0.4 });
    expectSome(statistics);
    expect(properties.map(({ verdict }) => verdict)).toContain('inconclusive');
  });

  it('the memory is full while they search: the same', async () => {
    countingClock(1);
    // Ten megabytes more for each question about the memory.
    let megabytes = 100;
    const rss = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
      megabytes += 10;
      return megabytes * 1e6;
    });
    onTestFinished(() => void rss.mockRestore());
    const { limit, statistics, properties } = await limitedBy({ megabytes: 200 });
    expect(limit).toMatchObject({ kind: 'memory', value: 200 });
    expectSome(statistics);
    expect(properties.map(({ verdict }) => verdict)).toContain('inconclusive');
  });

  function expectSome({ states }: CheckResult['statistics']): void {
    expect(states).toBeGreaterThan(100);
    expect(states).toBeLessThan(3 ** 10);
  }
});

it('refuses what threads do not go with', async () => {
  const module = moduleOf('unused.mjs');
  const threads = { count: 2, module };
  const store = { blocks: () => [], append: () => undefined };
  const refused = (more: object) => check({ ...endless, threads, ...more });
  await expect(refused({ engine: 'naive' })).rejects.toThrow(/do not go with the naive engine/);
  await expect(refused({ checkpoint: { store } })).rejects.toThrow(/do not go with checkpoints/);
  await expect(refused({ threads: { count: 0, module } })).rejects.toThrow(/count is 0/);
  await expect(refused({ threads: { count: 2, module: 'x' } })).rejects.toThrow(/URL of a module/);
});

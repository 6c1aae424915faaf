import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { chosenTrace } from '../../report/document/traces.ts';
import { itfValue, renderItf } from '../../report/formats/itf.ts';
import { documentOf } from '../cli/run-cli.ts';
import { expectGoldenFile } from './golden-file.ts';
import { plainValue, readItf } from './itf-reader.ts';
import { choice, withTraces } from './shown-trace.ts';

const RUNS: Readonly<Record<string, { scenario: string; property: string }>> = {
  path: {
    scenario: 'finalizer-races-delete',
    property: 'nothing leaves with a finalizer on it',
  },
  stutter: { scenario: 'self-owner-foreground', property: 'every deletion finishes' },
  lasso: { scenario: 'unserved-owner-kind', property: 'no object stays whose owners are all gone' },
};

describe('a trace in the Informal Trace Format', () => {
  for (const [shape, { scenario, property }] of Object.entries(RUNS)) {
    it(`of shape ${shape} reads back as it was`, async () => {
      const document = await documentOf([scenario, '--property', property]);
      const text = renderItf(document, { choice });
      expectGoldenFile(`${scenario}.itf.json`, text);
      const { trace } = chosenTrace(document, choice).shown;
      expect(trace.shape).toBe(shape);
      const read = readItf(text);
      const clusters = read.states.map(({ action: _, ...cluster }) => cluster);
      expect(clusters).toEqual([trace.initial, ...trace.steps.map(({ state }) => state)]);
      expect(read.states.slice(1).map(({ action }) => action)).toEqual(
        trace.steps.map(({ action, parameters }) => ({ name: action, parameters })),
      );
      expectLoop(read, trace);
    });
  }

  it('keeps keys that mean something to the format, or to JavaScript', async () => {
    const document = await documentOf([RUNS.path!.scenario, '--property', RUNS.path!.property]);
    const hostile = JSON.parse(
      '{"#meta": 1, "__proto__": {"#bigint": "7"}, "#map": [], "constructor": null}',
    );
    const text = renderItf(withInitial(document, { store: hostile }), { choice });
    expect(JSON.stringify(readItf(text).states[0]!.store)).toBe(JSON.stringify(hostile));
  });

  it('says so when a state is none of a cluster', async () => {
    const document = await documentOf([RUNS.path!.scenario, '--property', RUNS.path!.property]);
    const strange = withInitial(document, { '#meta': 1 });
    expect(() => renderItf(strange, { choice })).toThrow(/the unknown part "#meta"/);
  });

  it('writes any value so that it reads back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        // JSON knows one zero only where states come from.
        fc.pre(!JSON.stringify(value).includes('-0'));
        const read = plainValue(JSON.parse(JSON.stringify(itfValue(value))));
        expect(JSON.stringify(read)).toBe(JSON.stringify(value));
      }),
    );
  });
});

/** What follows the last state is a step that the trace takes from there. */
function expectLoop(
  { loop, states }: ReturnType<typeof readItf>,
  { shape, loopStart, steps }: ReturnType<typeof chosenTrace>['shown']['trace'],
): void {
  const last = steps.length;
  if (shape === 'path') expect(loop).toBeNull();
  if (shape === 'stutter') expect(loop).toBe(last);
  if (shape !== 'lasso') return;
  const { action: _, ...end } = states[last]!;
  const { action: __, ...before } = states[loop! - 1]!;
  expect(end).toEqual(before);
  expect(loop).toBe(loopStart! + 1);
}

function withInitial(document: ResultDocument, initial: object): ResultDocument {
  return withTraces(document, (trace) => ({ ...trace, initial }));
}

import { readFileSync } from 'node:fs';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import type { Log, Result } from 'sarif';
import { describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../report/document/documents.ts';
import { renderSarif } from '../../report/formats/sarif.ts';
import { documentOf } from '../cli/run-cli.ts';
import { FACTS, GATE, TRACES, VERDICTS } from './documents.ts';
import { expectGoldenFile } from './golden-file.ts';
import { HOSTILE_DOCUMENTS } from './hostile-documents.ts';

const SCHEMA = new URL(
  '../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  import.meta.url,
);

const ajv = new Ajv.default({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object);

function readBack(document: ReportDocument) {
  const text = renderSarif(document);
  const log = JSON.parse(text) as Log;
  validate(log);
  expect(validate.errors).toBeNull();
  const run = log.runs[0]!;
  return { text, run, rules: run.tool.driver.rules ?? [], results: run.results ?? [] };
}

function lineOf({ locations }: Result): string {
  const place = locations?.[0]?.physicalLocation;
  return `${place?.artifactLocation?.uri}:${place?.region?.startLine}`;
}

describe('sarif', () => {
  for (const [name, document] of Object.entries({ VERDICTS, FACTS, TRACES, GATE })) {
    it(`fits the schema and stays what it is: ${name}`, () => {
      expectGoldenFile(`report-${name.toLowerCase()}.sarif.json`, readBack(document).text);
    });
  }

  it('points at the line of the scenario, and only what is known is suppressed', () => {
    const { results, rules } = readBack(VERDICTS);
    const shown = results.map((result) => [
      result.level,
      rules[result.ruleIndex!]?.id === result.ruleId && result.ruleId,
      lineOf(result),
      result.suppressions?.[0]?.justification ?? null,
    ]);
    const known = 'a documented limitation: https://github.com/kubernetes/kubernetes/issues/26120';
    const file = 'scenarios/shop.yaml';
    const none = 'undefined:undefined';
    expect(shown).toEqual([
      ['error', 'live-owner-protects-dependent', `${file}:31`, null],
      ['note', 'orphans-survive', `${file}:9`, known],
      ['error', 'nothing-stuck', `${file}:9`, null],
      ['error', 'the-state-space-has-the-expected-size', `${file}:9`, null],
      ['warning', 'nothing-stuck', `${file}:9`, null],
      ['warning', 'orphaning-completes', none, null],
      ['warning', 'nothing-stuck', none, null],
      ['error', 'the-model-has-no-defect', none, null],
    ]);
  });

  it('has no result without a file that there is none for, and suppressions with all or none', () => {
    const { run, results } = readBack(VERDICTS);
    const told = run.invocations?.[0]?.toolExecutionNotifications ?? [];
    expect(told.map(({ level, message }) => [level, message.text])).toEqual([
      ['warning', expect.stringMatching(/: not run: interrupted before$/)],
    ]);
    expect(results.every(({ suppressions }) => suppressions !== undefined)).toBe(true);
    for (const { results } of [FACTS, TRACES, GATE].map(readBack)) {
      expect(results.filter((result) => lineOf(result).startsWith('undefined'))).toEqual([]);
    }
  });

  it('has the trace as a code flow, a location for each step', () => {
    const { results } = readBack(VERDICTS);
    const [path, lasso] = results.map(({ codeFlows }) => codeFlows?.[0]);
    const steps = path?.threadFlows[0]?.locations ?? [];
    expect(steps).toHaveLength(3);
    expect(steps[0]?.location?.message?.text).toMatch(/^kubectl: DELETE ConfigMap\/owner .*\(Con/);
    expect(steps[0]?.location?.physicalLocation?.region?.startLine).toBe(31);
    expect(lasso?.message?.text).toMatch(/Back to the state before step 2/);
    const loop = lasso?.threadFlows[0]?.locations[1]?.location?.message?.text;
    expect(loop).toMatch(/^From here it repeats for ever\. watch/);
  });

  it('tells what replays a trace', async () => {
    const { results } = readBack(
      await documentOf(['late-dependent-orphan', '--protocol', 'v1.20']),
    );
    const [message] = results.flatMap(({ codeFlows }) => codeFlows?.[0]?.message?.text ?? []);
    expect(message).toMatch(/^Counterexample in 15 steps\. Replay: reapcheck replay rt1:\S+$/);
  });

  it('tells a result from others by check and property, not by its line', () => {
    const prints = (document: ReportDocument) =>
      readBack(document).results.map(({ partialFingerprints }) => partialFingerprints);
    for (const document of [VERDICTS, GATE]) {
      const all = prints(document).map((print) => JSON.stringify(print));
      expect(new Set(all).size).toBe(all.length);
    }
    const moved = VERDICTS.checks.map((check) => ({
      ...check,
      place: check.place === null ? null : { ...check.place, line: 77 },
    }));
    expect(prints({ ...VERDICTS, checks: moved })).toEqual(prints(VERDICTS));
  });

  it.each(Object.entries(HOSTILE_DOCUMENTS))('has no link but text: %s', (_, document) => {
    const { results, text } = readBack(document);
    expect(text).not.toMatch(/\]\(javascript/);
    expect(results[0]?.message.text).toContain('[text] (javascript:alert(3))');
    expect(results[0]?.message.text).toContain('{{0}} {name}');
    const uri = results[0]?.locations?.[0]?.physicalLocation?.artifactLocation?.uri;
    expect(uri).toMatch(/^[\w%./()'*!~-]+$/);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { FORMAT_NAMES, type FormatName } from '../../report/format-names.ts';
import { renderersOf } from '../../report/formats.ts';
import { PLAIN } from '../../text/layout.ts';
import { documentOf, expectError, runCli, temporaryFile, temporaryFolder } from '../cli/run-cli.ts';
import { GATE } from './documents.ts';
import { graphviz } from './graphviz.ts';
import { choice, documentWith, withSteps, withTraces } from './shown-trace.ts';

/** What all formats with room for one trace, or for the states of one check, have in common. */

const OF_TRACES: readonly FormatName[] = ['itf', 'mermaid', 'dot'];
const OF_STATES: readonly FormatName[] = ['dot-states', 'mermaid-states'];

const RENDERERS = await renderersOf(FORMAT_NAMES);
const options = { colors: PLAIN, traces: false, full: false, choice } as const;

describe.each(OF_TRACES)('%s', (name) => {
  it('shows a trace without steps', async () => {
    const document = withTraces(await documentWith('stutter'), (trace) => ({
      ...trace,
      steps: [],
    }));
    const text = RENDERERS.get(name)!.render(document, options);
    if (name === 'dot') expect((await graphviz(text)).objects.length).toBeGreaterThan(1);
    expect(text).toContain('every deletion finishes');
  });

  it.each([
    ['from a step that there is not', 2],
    ['from no step', null],
    ['from before the first step', -1],
  ])('refuses a loop %s', async (_, loopStart) => {
    const document = withTraces(await documentWith('lasso'), (trace) => ({ ...trace, loopStart }));
    expect(() => RENDERERS.get(name)!.render(document, options)).toThrow(/loops back to a step/);
  });

  it('is refused without a trace, which costs no other report, and as a report says so or is not written', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'picture');
    const line = ['check', 'background-at-once', '--property', 'every deletion finishes'];
    const other = join(folder, 'junit.xml');
    const asked = [...line, '--report', `junit=${other}`, '--format', name];
    expectError(await runCli(asked), /has no trace/);
    expect(readFileSync(other, 'utf8')).toContain('every deletion finishes');
    expectError(await runCli([...line, '--format', name, '--output', file]), /has no trace/);
    expect(existsSync(file)).toBe(false);
    const { code, stderr } = await runCli([...line, '--report', `${name}=${file}`]);
    expect(code).toBe(0);
    expect(stderr).toContain('has no trace');
    if (name === 'itf') expect(existsSync(file)).toBe(false);
    else expect(readFileSync(file, 'utf8')).toContain('the document has no trace');
  });
});

describe.each(OF_STATES)('%s', (name) => {
  let both: ResultDocument;
  let file: string;
  beforeAll(async () => {
    both = await documentOf(['finalizer-races-delete', 'unserved-owner-kind', '--state-graph']);
  });

  it('shows the first check, and another one by its title, and says what else there is', async () => {
    file = temporaryFile('both.json', JSON.stringify(both));
    const first = await runCli(['render', file, '--format', name]);
    expect(first.stdout).toContain('all 15 states');
    expect(first.stderr).toMatch(/shows the states of finalizer-races-delete; there is 1 more/);
    const line = ['render', file, '--format', name, '--check', 'unserved-owner-kind'];
    expect((await runCli(line)).stdout).toContain('all 2 states');
  });

  it('marks the trace of the chosen property, and knows no other', async () => {
    file = temporaryFile('both.json', JSON.stringify(both));
    const line = ['render', file, '--format', name, '--property'];
    const violated = await runCli([...line, 'nothing leaves with a finalizer on it']);
    expect(violated.stdout).toContain('counterexample to');
    const witness = await runCli([...line, 'outcome: the finalizer is in time']);
    expect(witness.stdout).toContain('example for');
    expectError(await runCli([...line, 'nothing']), /no trace of "nothing"/);
  });
});

// There is no such file, which would be said first if anything had been read.
it.each([
  [['gate', './nowhere.yaml'], OF_STATES],
  [['simulate', './nowhere.yaml'], OF_STATES],
  [['replay', './nowhere.json', '--extend'], OF_STATES],
  [
    ['conform', 'facts', './nowhere.json'],
    [...OF_STATES, ...OF_TRACES],
  ],
  [
    ['conform', 'trace', './nowhere.log'],
    [...OF_STATES, ...OF_TRACES],
  ],
])('%j: what it never has to show is refused before anything is read', async (words, formats) => {
  for (const name of formats) {
    expectError(await runCli([...words, '--format', name]), new RegExp(`has no format ${name}`));
  }
});

it.each(OF_STATES)('%s says of documents of other commands that they have no states', (name) => {
  for (const check of [null, 'cycle.yaml']) {
    const shown = () =>
      RENDERERS.get(name)!.render(GATE, { ...options, choice: { ...choice, check } });
    expect(shown).toThrow(/has no graph of states/);
  }
});

it('a trace of thousands of steps is a picture still', async () => {
  const document = withSteps(await documentWith('lasso'), (steps) =>
    Array.from({ length: 2000 }, (_, index) => steps[index % 2]!),
  );
  for (const name of OF_TRACES) {
    expect(RENDERERS.get(name)!.render(document, options).length).toBeGreaterThan(10_000);
  }
});

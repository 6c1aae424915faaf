import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { distinguishing, type RecordedGraph } from '../../report/document/state-graphs.ts';
import { renderDotStates } from '../../report/pictures/dot-states.ts';
import { renderMermaidStates } from '../../report/pictures/mermaid-states.ts';
import { escaped } from '../../text/escape.ts';
import { documentOf, expectError, runCli, temporaryFile } from '../cli/run-cli.ts';
import { chromiumPath, cleared, launched } from '../report-page/chromium.ts';
import { expectGoldenFile } from './golden-file.ts';
import { graphviz } from './graphviz.ts';
import { type Drawn, mermaidPage } from './mermaid-page.ts';
import { choice, HOSTILE } from './shown-trace.ts';

/** Null: there is none here, and what it would draw is left out. */
const chromium = chromiumPath();

const SCENARIO = 'finalizer-races-delete';

const graphOf = (document: ResultDocument): RecordedGraph => {
  const { stateGraph } = document.checks[0]!.result;
  if (stateGraph?.kind !== 'recorded') throw new Error('no graph');
  return stateGraph;
};

const withGraph = (document: ResultDocument, stateGraph: RecordedGraph): ResultDocument => ({
  ...document,
  checks: document.checks.map((report) => ({
    ...report,
    result: { ...report.result, stateGraph },
  })),
});

const small = documentOf([SCENARIO, '--state-graph']);

/** A chain of so many states with the given words everywhere. */
const chain = (states: number, words: string): RecordedGraph => ({
  kind: 'recorded',
  renamings: 2,
  states: Array.from({ length: states }, (_, number) => ({
    initial: number === 0,
    state: { number },
    lines: [`${words}, number ${number}`],
    broken: [],
  })),
  transitions: Array.from({ length: states - 1 }, (_, from) => ({
    ...{ from, to: from + 1, action: 'go', parameters: {}, actor: words },
    ...{ sentence: `${words}: goes`, broken: [] },
  })),
  runs: [],
});

/** All characters, however the lines are broken. */
const words = (text: string): string => text.replaceAll(/\s+/g, '');

it.each([
  [
    'what all states have is left out',
    [
      ['Pod/a', 'Pod/b'],
      ['Pod/a, being deleted', 'Pod/b'],
    ],
    [['Pod/a'], ['Pod/a, being deleted']],
  ],
  [
    'what is missing is named, what only waits is not',
    [['Pod/a', 'undelivered: ADDED Pod/a'], []],
    [['Pod/a', 'undelivered: ADDED Pod/a'], ['no Pod/a']],
  ],
])('labels: %s', (_, all, labels) => {
  expect(distinguishing(all)).toEqual(labels);
});

describe('graphs of states for Graphviz', () => {
  it('are as they were', async () => {
    expectGoldenFile('states.dot', renderDotStates(await small, { choice }));
  });

  it('are drawn state by state and step by step', async () => {
    const document = await small;
    const { states, transitions, runs } = graphOf(document);
    const drawn = await graphviz(renderDotStates(document, { choice }));
    expect(drawn.objects).toHaveLength(states.length);
    expect(drawn.edges).toHaveLength(transitions.length);
    for (const { from, to, sentence } of transitions) {
      const edge = drawn.edges.find(({ tail, head }) => tail === `s${from}` && head === `s${to}`);
      expect(words(edge?.label ?? '')).toContain(words(sentence));
    }
    const red = drawn.objects.flatMap(({ name, penwidth, color }) =>
      penwidth === '2' && color === '#b3261e' ? [name] : [],
    );
    expect(red.sort()).toEqual([...new Set(runs[0]!.states)].map((state) => `s${state}`).sort());
  });

  it.each(HOSTILE)('show text as text: %j', async (hostile) => {
    const drawn = await graphviz(
      renderDotStates(withGraph(await small, chain(3, hostile)), { choice }),
    );
    expect(drawn.objects).toHaveLength(3);
    expect(drawn.edges).toHaveLength(2);
    const shown = words(escaped(hostile));
    expect(words(drawn.words).split(shown).length - 1).toBeGreaterThanOrEqual(2 * (3 + 2));
  });

  it('say of many states only what those are like that matter', async () => {
    const text = renderDotStates(withGraph(await small, chain(400, 'Pod/a')), { choice });
    const drawn = await graphviz(text);
    expect(drawn.objects.filter(({ label }) => label?.includes('number'))).toHaveLength(2);
    expect(text).toContain('differ by one of 2 renamings');
  });
});

describe.skipIf(chromium === null)('graphs of states, drawn by Mermaid in Chromium', () => {
  let browser: Browser;
  let draw: (diagram: string) => Promise<Drawn>;
  beforeAll(async () => {
    browser = await launched(chromium ?? '');
    draw = await mermaidPage(browser);
  });
  afterAll(() => cleared(browser));

  it('show every state and every step', async () => {
    const diagram = renderMermaidStates(await small, { choice });
    expectGoldenFile('states.mmd', diagram);
    const { states, transitions } = graphOf(await small);
    const text = words((await draw(diagram)).text);
    states.forEach((_, number) => {
      expect(text).toContain(`state${number}`);
    });
    for (const { sentence } of transitions) expect(text).toContain(words(sentence));
    expect(text).toContain(words('broken: nothing leaves with a finalizer on it'));
  });

  it.each(HOSTILE)('show text as text: %j', async (hostile) => {
    const document = withGraph(await small, chain(3, hostile));
    const { text, elements } = await draw(renderMermaidStates(document, { choice }));
    expect(words(text).split(words(escaped(hostile))).length - 1).toBe(3 + 2);
    expect(elements).not.toContain('img');
    expect(elements).not.toContain('em');
  });

  it('say of many states only what those are like that matter', async () => {
    const document = withGraph(await small, chain(100, 'Pod/a'));
    const { text } = await draw(renderMermaidStates(document, { choice }));
    expect(text.split('number')).toHaveLength(1 + 2);
    expect(text).toContain('state 98');
  });

  it('are not written if Mermaid would refuse to draw them', async () => {
    const larger = withGraph(await small, chain(502, 'Pod/a'));
    const refusal = /too large for Mermaid: 501 arrows/;
    expect(() => renderMermaidStates(larger, { choice })).toThrow(refusal);
  });
});

describe('on the command line', () => {
  it('a format that needs the states has them written down', async () => {
    const { stdout, code } = await runCli(['check', SCENARIO, '--format', 'dot-states']);
    expect(code).toBe(0);
    expect(stdout).toBe(renderDotStates(await small, { choice }));
  });

  it('verdicts and counts are the same with and without', async () => {
    const judged = ({ checks }: ResultDocument) =>
      checks.map(({ result, exitCode }) => [result.properties, result.actions, exitCode]);
    expect(judged(await small)).toEqual(judged(await documentOf([SCENARIO])));
  });

  it.each<[string, readonly string[], RegExp]>([
    [
      'too many states',
      ['check', 'two-workers-chain', '-q'],
      /graph of states: There are \d+ states/,
    ],
    ['a search cut short', ['check', SCENARIO, '--max-depth', '2'], /ended before it had found/],
  ])('says why there is no picture: %s', async (_, line, why) => {
    expectError(await runCli([...line, '--format', 'dot-states']), why);
  });

  it('says of a JSON document why it has no states', async () => {
    const line = ['check', SCENARIO, '--state-graph', '--max-depth', '2', '--format', 'json'];
    const { stdout, stderr } = await runCli(line);
    expect(JSON.parse(stdout).checks[0].result.stateGraph.kind).toBe('omitted');
    expect(stderr).toContain('no graph of states of finalizer-races-delete: The search ended');
    expect((await runCli([...line, '--quiet'])).stderr).toBe('');
  });

  it('says that nobody has asked for the states, or who shows them', async () => {
    const { stdout } = await runCli(['check', SCENARIO, '--format', 'json']);
    const file = temporaryFile('result.json', stdout);
    expectError(await runCli(['render', file, '--format', 'dot-states']), /--state-graph adds one/);
    expectError(
      await runCli(['check', SCENARIO, '--state-graph']),
      /has no effect with --format text/,
    );
  });

  it('says when a document names states that there are not', async () => {
    const graph = chain(3, 'x');
    const strange = { ...graph, runs: [{ property: 'p', states: [0, 7] }] };
    const file = temporaryFile('result.json', JSON.stringify(withGraph(await small, strange)));
    const outcome = await runCli(['render', file, '--format', 'mermaid-states']);
    expectError(outcome, /refers to state 7, but has only 3 states/);
  });
});

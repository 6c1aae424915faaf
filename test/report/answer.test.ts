import { describe, expect, it } from 'vitest';
import { answerSections } from '../../report/answer/sections.ts';
import { mergedRows, surveyDetails, surveySentence } from '../../report/answer/survey-words.ts';
import { isGreen } from '../../report/cases/cases.ts';
import { suitesOf } from '../../report/cases/suites.ts';
import type { Answer } from '../../report/document/answer.ts';
import { ANY_TRACE } from '../../report/document/traces.ts';
import { FORMAT_NAMES, type FormatName } from '../../report/format-names.ts';
import { renderersOf } from '../../report/formats.ts';
import { PLAIN } from '../../text/layout.ts';
import { ANSWERS, answered } from './answers.ts';
import { expectGoldenFile } from './golden-file.ts';
import { graphviz } from './graphviz.ts';
import { HOSTILE_DOCUMENTS } from './hostile-documents.ts';

const OPTIONS = { colors: PLAIN, traces: false, full: false, choice: ANY_TRACE };

type Question = keyof typeof ANSWERS;
const QUESTIONS = Object.keys(ANSWERS) as Question[];
const DRAWN = QUESTIONS.filter((question) => question !== 'survey');

const RENDERERS = await renderersOf(FORMAT_NAMES);

const rendered = (name: FormatName, question: Question): string =>
  RENDERERS.get(name)!.render(answered(ANSWERS[question]), OPTIONS);

/** Text without tags, entities and the breaks of lines, so that formats can be compared. */
function plain(text: string): string {
  return text
    .replaceAll(/<(https:[^>]*)>/g, '$1')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&apos;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

function said(answer: Answer): readonly string[] {
  if (answer.survey !== undefined) {
    const odd = answer.survey.filter(({ verdict }) => verdict !== 'plain');
    const rows = mergedRows(odd);
    const details = rows.flatMap((row) => [row.object, row.command, ...surveyDetails(row)]);
    return [surveySentence(answer.survey), ...details];
  }
  return answerSections(answered(answer), answer, { details: true }).flatMap(
    ({ items, commands = [] }) => [
      ...items.flatMap((item) => [item.text, item.option ?? '', ...(item.commands ?? [])]),
      ...commands,
    ],
  );
}

describe('an answer', () => {
  it('counts notes of which there are many', () => {
    const besides = Array.from({ length: 23 }, (_, index) => `note ${index}`);
    const text = RENDERERS.get('text')!.render(answered({ ...ANSWERS.delete, besides }), OPTIONS);
    expect(text).toMatch(/note 19\n +and 3 notes more/);
  });

  it.each(['dot', 'mermaid', 'svg', 'markdown', 'junit', 'github'] as const)(
    'is as it was: %s',
    (name) => {
      expectGoldenFile(`answer.${name}`, rendered(name, 'delete'));
    },
  );

  it.each([
    ['explain', 'text'],
    ['explain', 'markdown'],
    ['explain', 'junit'],
    ['uninstall', 'svg'],
    ['uninstall', 'dot'],
    ['uninstall', 'mermaid'],
    ['compare', 'text'],
    ['compare', 'markdown'],
    ['survey', 'markdown'],
  ] as const)('to %s is as it was: %s', (question, name) => {
    expectGoldenFile(`answer-${question}.${name}`, rendered(name, question));
  });

  it.each(QUESTIONS)('is whole in the page and in Markdown: %s', (question) => {
    const all = said(ANSWERS[question]);
    expect(all.length).toBeGreaterThan(3);
    for (const name of ['html', 'markdown'] as const) {
      const text = plain(rendered(name, question));
      expect(all.filter((words) => !text.includes(words))).toEqual([]);
    }
  });

  it.each(QUESTIONS)('is never green where the exit code is not 0: %s', (question) => {
    const suites = suitesOf(answered(ANSWERS[question]));
    expect(suites.flatMap(({ cases }) => cases).every(isGreen)).toBe(false);
    expect(rendered('junit', question)).toMatch(/<(failure|error) /);
    expect(rendered('github', question)).toMatch(/^::(error|warning) /);
  });

  it.each(DRAWN)('is a picture with as many nodes as it has objects or steps: %s', async (name) => {
    const { objects, steps = [], stuckOrders = [] } = ANSWERS[name];
    const wanted = objects.length + (steps.length > 0 ? steps.length : stuckOrders.length);
    const drawn = await graphviz(rendered('dot', name));
    expect(drawn.objects.filter(({ name: id }) => /^n\d+$/.test(id ?? ''))).toHaveLength(wanted);
    expect(rendered('svg', name).match(/<rect /g)?.length).toBeGreaterThan(wanted);
  });

  it('is a tree for Graphviz, with a sign and a word for each fate', async () => {
    const drawn = await graphviz(rendered('dot', 'delete'));
    for (const words of ['! hangs', '- goes', '~ depends', '? unknown', '= stays']) {
      expect(drawn.objects.filter(({ label }) => label.includes(words))).toHaveLength(2);
    }
    expect(drawn.edges).toHaveLength(4);
  });

  it('is an image that viewers can show, which counts what it leaves out', () => {
    const { objects, outcomes } = ANSWERS.delete;
    const object = objects[0]!;
    const many = Array.from({ length: 700 }, (_, index) => ({
      ...{ ...object, name: `Secret/s${index}.shop`, uid: `s${index}` },
      parent: index === 0 ? null : index - 1,
    }));
    const fates = many.map(() => outcomes[0]!.fates[0]!);
    const deep = { ...ANSWERS.delete, objects: many, outcomes: [{ ...outcomes[0]!, fates }] };
    const image = RENDERERS.get('svg')!.render(answered(deep), OPTIONS);
    expect(image).toContain('200 objects more, not drawn');
    expect(Number(/ width="(\d+)"/.exec(image)?.[1])).toBeLessThan(16_384);
  });

  it.each(['dot', 'svg', 'mermaid'] as const)('to a survey is no picture: %s', (name) => {
    expect(() => rendered(name, 'survey')).toThrow('a survey is a table');
  });

  it.each(DRAWN)('shows names as text, whatever they are: %s', async (question) => {
    const hostile = HOSTILE_DOCUMENTS[question];
    const drawn = (name: FormatName): string => RENDERERS.get(name)!.render(hostile, OPTIONS);
    expect(await graphviz(drawn('dot'))).toBeDefined();
    for (const name of ['svg', 'html', 'markdown', 'dot'] as const) {
      expect(drawn(name)).not.toMatch(/\u202e|\u001b/);
      if (name !== 'dot') expect(drawn(name)).not.toMatch(/<img|<script>alert/);
    }
    // The second line is a comment, which Mermaid skips.
    const chart = drawn('mermaid').split('\n').toSpliced(1, 1).join('\n');
    expect(chart).not.toMatch(/<(?!br\/>)|javascript:|\u202e|\u001b/);
    expect(drawn('svg')).not.toMatch(/[\u0000-\u0009\ufffe\uffff]/);
  });

  it('comes first on the page, with a copyable command for what is unknown', () => {
    const page = rendered('html', 'delete');
    expect(page).toContain('<section id="answer"');
    expect(page).toContain('<div class="copyable"><code>kubectl get pods -n shop</code></div>');
  });
});

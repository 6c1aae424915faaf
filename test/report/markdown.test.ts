import fc from 'fast-check';
import { Marked, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { LONGEST_COMMENT, limitedMarkdown, renderMarkdown } from '../../report/formats/markdown.ts';
import { inline, preformatted } from '../../report/formats/markdown-text.ts';
import { escaped } from '../../text/escape.ts';
import { FACTS, GATE, TRACES, VERDICTS } from './documents.ts';
import { expectGoldenFile } from './golden-file.ts';
import { HOSTILE, HOSTILE_DOCUMENTS } from './hostile-documents.ts';
import { document, property, report, trace } from './stored-result.ts';

const marked = new Marked({ gfm: true });

/** The tags of the page that a reader of Markdown makes of it. */
function tagsOf(markdown: string): readonly string[] {
  const html = marked.parse(markdown, { async: false });
  return [...new Set(html.match(/<[^>]*>/g))];
}

const OURS = /^<\/?(h3|table|thead|tbody|tr|th|td|code|strong|details|summary|pre|sub|ul|li|p|a)>$/;

/** Text as a browser shows it. */
function shown(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string) =>
      code === undefined ? (NAMED[name] ?? '') : String.fromCodePoint(Number(code)),
    );
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };

function tablesIn(markdown: string): readonly Tokens.Table[] {
  return marked.lexer(markdown).filter((token): token is Tokens.Table => token.type === 'table');
}

function tableIn(markdown: string): Tokens.Table {
  const [found] = tablesIn(markdown);
  if (found === undefined) throw new Error('no table');
  return found;
}

describe('markdown', () => {
  for (const [name, one] of Object.entries({ VERDICTS, FACTS, TRACES, GATE })) {
    it(`stays what it is: ${name}`, () => {
      expectGoldenFile(`report-${name.toLowerCase()}.md`, renderMarkdown(one));
    });
  }

  it('is a table of what needs reading, worst first', () => {
    const rows = tableIn(renderMarkdown(VERDICTS)).rows.map((row) => row[0]?.text);
    expect(rows).toEqual([
      '**defect**',
      ...Array(3).fill('**failed**'),
      ...Array(3).fill('**inconclusive**'),
      '**vacuous**',
    ]);
    expect(renderMarkdown(VERDICTS)).toMatch(/<summary>1 known and accepted<\/summary>\n\n\|/);
  });

  it.each(Object.entries(HOSTILE_DOCUMENTS))('lets no markup in: %s', (_, one) => {
    const markdown = renderMarkdown(one);
    expect(tagsOf(markdown).filter((tag) => !OURS.test(tag))).toEqual([]);
    const tables = tablesIn(markdown);
    for (const { rows, header } of tables) {
      for (const row of rows) expect(row).toHaveLength(header.length);
    }
    // The steps of an uninstall are no table.
    const told =
      tables.length === 0
        ? markdown.split('\n\n')
        : tables.flatMap(({ rows }) => rows.flat().map(({ text }) => text));
    const words = told.map((text) => shown(marked.parseInline(text, { async: false })));
    expect(words.join('')).toContain(escaped(HOSTILE).slice(0, 300));
  });

  it('shows every text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (one, other) => {
        const text = `${one}${other}`;
        const html = marked.parseInline(`a ${inline(text)} b`, { async: false });
        expect(shown(html)).toBe(`a ${escaped(text)} b`);
        const block = marked.parse(preformatted([text, '', other]), { async: false });
        expect(shown(block).trim()).toBe(
          `${text.split('\n').map(escaped).join('\n')}\n\n${other.split('\n').map(escaped).join('\n')}`.trim(),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('has room for a comment, and says what it leaves out', () => {
    const steps = Array.from({ length: 400 }, () => trace().steps[0]!);
    const properties = Array.from({ length: 30 }, (_, index) =>
      property(`property ${index}`, { verdict: 'violated', trace: trace({ steps }) }),
    );
    const many = document(report('many', { properties }));
    const comment = renderMarkdown(many);
    expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(LONGEST_COMMENT);
    expect(comment).toMatch(/\d+ parts left out: there is no room for more here\.\n$/);
    expect(tableIn(comment).rows).toHaveLength(30);
    expect(Buffer.byteLength(limitedMarkdown(many, 2000))).toBeLessThanOrEqual(2000);
    expect(limitedMarkdown(many, 1e7)).not.toContain('left out');
    expect(tagsOf(comment).filter((tag) => !OURS.test(tag))).toEqual([]);
  });
});

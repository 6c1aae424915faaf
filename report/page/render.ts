import { createHash } from 'node:crypto';
import type { Trace } from '../../checker/index.ts';
import type { ReportDocument } from '../document/documents.ts';
import { leadingTrace } from './answer-evidence.ts';
import { answerMarkup } from './answer-markup.ts';
import { type Child, element, embedded, type Markup, slugger } from './markup.ts';
import type { Page, Section, Tone } from './page.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-assets.ts';
import { pageOf } from './pages.ts';
import { notesMarkup, sectionMarkup } from './section-markup.ts';
import { isSvg } from './states.ts';
import { statusMarkup } from './table.ts';

/**
 * A page that works without a network. Its markup has the whole text; the script only shows it step
 * by step and draws the states.
 */
export function renderHtml(document: ReportDocument): string {
  const page = pageOf(document);
  const slugOf = slugger(['index', 'main', 'answer']);
  const sections = worstFirst(page.sections).map((section) => ({
    section,
    slug: slugOf(section.title),
  }));
  const lead = leadOf(document);
  const index = sections.length > 1 ? indexMarkup(sections) : null;
  const html = element(
    'html',
    { lang: 'en' },
    element(
      'head',
      {},
      element('meta', { charset: 'utf-8' }),
      element('meta', { 'http-equiv': 'Content-Security-Policy', content: policyOf(page) }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      element('meta', { name: 'color-scheme', content: 'light dark' }),
      element('meta', { name: 'referrer', content: 'no-referrer' }),
      element('meta', { name: 'generator', content: `reapcheck ${page.version}` }),
      element('title', {}, titleOf(page)),
      embedded('style', PAGE_STYLE),
    ),
    element(
      'body',
      {},
      bannerMarkup(page),
      element(
        'main',
        { id: 'main' },
        ...(lead.markup === null ? [index, notesMarkup(page.notes)] : [lead.markup]),
        ...sections.map(({ section, slug }) => sectionMarkup(section, slug, lead.trace)),
        ...(lead.markup === null ? [] : [index, notesMarkup(page.notes)]),
      ),
      embedded('script', PAGE_SCRIPT),
    ),
  );
  return `<!doctype html>\n${html.html}\n`;
}

/** An answer comes first, then its trace; the checks are its evidence. */
function leadOf(document: ReportDocument): { markup: Child; trace: Trace | null } {
  if (document.schema !== 'reapcheck.result/v1' || document.answer === null) {
    return { markup: null, trace: null };
  }
  const { answer } = document;
  const trace = leadingTrace(document, answer);
  return { markup: answerMarkup(document, answer, trace !== null), trace };
}

const WORST_FIRST: readonly Tone[] = ['defect', 'bad', 'warn', 'good', 'goes', 'stays', 'muted'];

function worstFirst(sections: readonly Section[]): readonly Section[] {
  return WORST_FIRST.flatMap((tone) => sections.filter(({ status }) => status.tone === tone));
}

/** The page loads nothing, sends nothing and runs no script but its own. */
const POLICY: readonly string[] = [
  "default-src 'none'",
  `script-src ${digestOf(PAGE_SCRIPT)}`,
  `style-src ${digestOf(PAGE_STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/** Pictures of authors are images in the page itself. */
function policyOf({ sections }: Page): string {
  const hasImages = sections
    .flatMap(({ runs }) => runs.flatMap(({ trace }) => [trace.initialPicture ?? '']))
    .some(isSvg);
  return [...POLICY, ...(hasImages ? ['img-src data:'] : [])].join('; ');
}

function digestOf(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
}

function titleOf({ sections, summary }: Page): string {
  const [only] = sections;
  const what = sections.length === 1 && only !== undefined ? only.title : summary;
  return `${what} – reapcheck`;
}

function bannerMarkup(page: Page): Markup {
  return element(
    'header',
    { class: 'banner' },
    element('h1', {}, element('a', { href: '#' }, 'reapcheck')),
    element('p', { class: `summary ${page.tone}` }, page.summary),
    element('code', { class: 'command' }, page.title),
    // The script puts its buttons here.
    element('div', { class: 'tools' }),
  );
}

interface PlacedSection {
  readonly section: Section;
  readonly slug: string;
}

function indexMarkup(sections: readonly PlacedSection[]): Child {
  return element(
    'nav',
    { id: 'index', 'aria-label': 'All results' },
    element(
      'ul',
      { class: 'index' },
      ...sections.map(({ section, slug }) =>
        element(
          'li',
          { 'data-tone': section.status.tone, 'data-word': section.status.word },
          statusMarkup(section.status),
          element('a', { href: `#${slug}` }, section.title),
          element('span', { class: 'index-summary' }, section.summary),
        ),
      ),
    ),
  );
}

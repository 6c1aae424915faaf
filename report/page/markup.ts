import { UNSAFE } from '../../text/escape.ts';

/** HTML that is safe in a page. Only this module makes it, so that no text stays unescaped. */
export interface Markup {
  readonly [MADE_HERE]: true;
  readonly html: string;
}

declare const MADE_HERE: unique symbol;

/** Text is escaped; null adds nothing. */
export type Child = Markup | string | null;

/** `true`: an attribute without a value; `null` and `false`: no attribute. */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

const VOID: readonly string[] = ['meta', 'img'];

export function element(
  tag: string,
  attributes: Attributes = {},
  ...children: readonly Child[]
): Markup {
  const written = Object.entries(attributes).flatMap(([name, value]) => {
    if (value === null || value === false) return [];
    if (/^on|^style$/i.test(name)) throw new Error(`attribute ${name} would need unsafe-inline`);
    return [value === true ? ` ${name}` : ` ${name}="${escapedHtml(String(value))}"`];
  });
  const open = `<${tag}${written.join('')}>`;
  return VOID.includes(tag) ? raw(open) : raw(`${open}${htmlOf(children)}</${tag}>`);
}

/** Several children in a row, without an element around them. */
export function together(...children: readonly Child[]): Markup {
  return raw(htmlOf(children));
}

/** Constant code of the page: its script or its style sheet. */
export function embedded(tag: 'script' | 'style', code: string): Markup {
  if (/<\/(script|style)|<!--/i.test(code)) throw new Error(`the ${tag} would end too early`);
  return raw(`<${tag}>${code}</${tag}>`);
}

/**
 * Data for the page's script, which browsers do not execute. Nothing in it can end the element,
 * start
 * a comment or break a line.
 */
export function embeddedJson(attributes: Attributes, value: unknown): Markup {
  const text = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const { html } = element('script', { type: 'application/json', ...attributes });
  return raw(html.replace('></script>', () => `>${text}</script>`));
}

/** Escapes HTML, and characters that control a terminal or reorder a line. */
export function escapedHtml(text: string): string {
  return written(text).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function written(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function htmlOf(children: readonly Child[]): string {
  return children
    .map((child) => {
      if (child === null) return '';
      return typeof child === 'string' ? escapedHtml(child) : child.html;
    })
    .join('');
}

function raw(html: string): Markup {
  return { html } as Markup;
}

const LONGEST = 64;

/** Returns a function that makes short, readable and unique names for links; none of `taken`. */
export function slugger(taken: readonly string[] = []): (text: string) => string {
  const given = new Set(taken);
  return (text) => {
    const words = text
      .toLowerCase()
      .replaceAll(/[^a-z0-9.]+/g, '-')
      .slice(0, LONGEST)
      .replaceAll(/^-+|-+$/g, '');
    const base = words === '' ? 'unnamed' : words;
    let slug = base;
    for (let number = 2; given.has(slug); number += 1) slug = `${base}-${number}`;
    given.add(slug);
    return slug;
  };
}

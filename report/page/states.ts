import type { Trace } from '../../checker/index.ts';
import { type Child, element, type Markup } from './markup.ts';

/**
 * The states of a run of an author's model: the author's picture, or a tree in which the changes
 * are marked. Needs no script, which only shows one state at a time.
 */
export function statesMarkup({ initial, initialPicture, steps }: Trace): Markup {
  const states = [
    { state: initial, picture: initialPicture, title: 'At first' },
    ...steps.map(({ state, picture }, index) => ({
      ...{ state, picture },
      title: `After step ${index + 1}`,
    })),
  ];
  return element(
    'div',
    { class: 'states' },
    ...states.map(({ state, picture, title }, index) =>
      element(
        'section',
        { class: 'state' },
        element('h4', {}, title),
        pictureMarkup(picture, title),
        element('ul', { class: 'parts' }, ...partsOf(states[Math.max(0, index - 1)]!.state, state)),
      ),
    ),
  );
}

/**
 * An SVG is shown as an image: a browser runs no script of an image, and loads nothing for it. So
 * it needs no sanitizer.
 */
function pictureMarkup(picture: string | undefined, title: string): Child {
  if (picture === undefined) return null;
  if (!isSvg(picture)) return element('pre', { class: 'drawn' }, picture);
  const svg = picture.includes('xmlns=')
    ? picture
    : picture.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
  const data = Buffer.from(svg).toString('base64');
  return element('img', {
    class: 'drawn',
    alt: `Picture of the state: ${title}`,
    src: `data:image/svg+xml;base64,${data}`,
  });
}

/** Whether a picture is an SVG document and not text. */
export function isSvg(picture: string): boolean {
  return /^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(picture);
}

type Fields = Readonly<Record<string, unknown>>;

/** The parts of a record, with what changed since `before`. */
function partsOf(before: unknown, after: unknown): readonly Markup[] {
  if (!isFields(before) || !isFields(after)) return [leafMarkup('state', before, after)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.map((name) => partMarkup(name, before[name], after[name]));
}

function partMarkup(name: string, before: unknown, after: unknown): Markup {
  const isTree = isFields(after) && Object.keys(after).length > 0;
  if (!isTree || (before !== undefined && !isFields(before))) {
    return leafMarkup(name, before, after);
  }
  const hasChanged = text(before) !== text(after);
  return element(
    'li',
    {},
    element(
      'details',
      { open: true },
      element('summary', { class: hasChanged ? 'changed' : null }, name),
      element('ul', {}, ...partsOf(before ?? {}, after)),
    ),
  );
}

function leafMarkup(name: string, before: unknown, after: unknown): Markup {
  const [old, now] = [text(before), text(after)];
  const head = element('span', { class: 'name' }, name);
  if (old === now) return element('li', {}, head, ' ', now ?? '');
  return element(
    'li',
    { class: 'changed' },
    head,
    ...(old === undefined ? [] : [' ', element('del', {}, old)]),
    ...(now === undefined ? [] : [' ', element('ins', {}, now)]),
  );
}

function text(value: unknown): string | undefined {
  return JSON.stringify(value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Makes elements one by one, so that no text is parsed as markup. */

type Attributes = Readonly<Record<string, string | number | boolean | null>>;

const SVG = 'http://www.w3.org/2000/svg';

export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  assign(made, attributes);
  made.append(...children);
  return made;
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(SVG, tag);
  assign(made, attributes);
  made.append(...children);
  return made;
}

function assign(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** An element that every page has. */
export function found<Wanted extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Wanted {
  const element = within.querySelector<Wanted>(selector);
  if (element === null) throw new Error(`the page lacks ${selector}`);
  return element;
}

import { html } from './dom.ts';

/**
 * Adds a button before each name that has names below it, to fold them. Within the tree, the arrow
 * keys work as in any tree: up and down between what can be folded, right opens, left closes.
 */
export function foldable(tree: Element): void {
  const rows = [...tree.querySelectorAll<HTMLElement>('tr[data-depth]')];
  const depths = rows.map(({ dataset }) => Number(dataset.depth));
  const folded = new Set(rows.filter(({ dataset }) => dataset.folded !== undefined));
  const buttons = new Map<HTMLElement, HTMLElement>();
  for (const [index, row] of rows.entries()) {
    if ((depths[index + 1] ?? 0) <= (depths[index] ?? 0)) continue;
    const name = row.querySelector('th > :not(.branch)')?.textContent ?? '';
    const button = html('button', { type: 'button', class: 'fold', 'aria-label': `below ${name}` });
    button.addEventListener('click', () => turn(row, folded.has(row)));
    row.querySelector('.branch')?.after(button);
    buttons.set(row, button);
  }
  tree.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || !obey(event.key)) return;
    event.preventDefault();
    // These keys also move from step to step.
    event.stopPropagation();
  });
  show();

  function obey(key: string): boolean {
    const at = document.activeElement;
    const row = at?.closest<HTMLElement>('tr[data-depth]') ?? null;
    if (at === null || row === null || !at.matches('.fold, summary')) return false;
    switch (key) {
      case 'ArrowDown':
        return move(row, 1);
      case 'ArrowUp':
        return move(row, -1);
      case 'ArrowRight':
        return isOpen(row) ? move(row, 1) : open(row, true);
      case 'ArrowLeft':
        return isOpen(row) ? open(row, false) : move(row, -1, (depths[rows.indexOf(row)] ?? 0) - 1);
      default:
        return false;
    }
  }

  function isOpen(row: HTMLElement): boolean {
    return buttons.has(row) ? !folded.has(row) : row.querySelector('details')?.open === true;
  }

  function open(row: HTMLElement, opens: boolean): boolean {
    if (buttons.has(row)) turn(row, opens);
    else row.querySelector('details')?.toggleAttribute('open', opens);
    return true;
  }

  /** To the next row that can be folded; the key does nothing else, even at the end. */
  function move(from: HTMLElement, by: 1 | -1, depth?: number): boolean {
    for (let index = rows.indexOf(from) + by; rows[index] !== undefined; index += by) {
      const row = rows[index];
      if (row === undefined || row.hidden || (depth !== undefined && depths[index] !== depth)) {
        continue;
      }
      const target = row.querySelector<HTMLElement>('.fold, summary');
      if (target === null) continue;
      target.focus();
      break;
    }
    return true;
  }

  function turn(row: HTMLElement, opens: boolean): void {
    if (opens) folded.delete(row);
    else folded.add(row);
    show();
  }

  function show(): void {
    let hiding = Number.POSITIVE_INFINITY;
    for (const [index, row] of rows.entries()) {
      const depth = depths[index] ?? 0;
      if (depth <= hiding) hiding = Number.POSITIVE_INFINITY;
      row.hidden = depth > hiding;
      const isFolded = folded.has(row);
      if (isFolded && !row.hidden) hiding = depth;
      const button = buttons.get(row);
      button?.setAttribute('aria-expanded', String(!isFolded));
      if (button) button.textContent = isFolded ? '▸' : '▾';
    }
  }
}

/** Adds a button that copies the command. */
export function copyButton(place: HTMLElement, say: (words: string) => void): void {
  const code = place.querySelector('code');
  if (code === null) return;
  const label = 'Copy';
  const button = html('button', { type: 'button', class: 'copy' }, label);
  button.addEventListener('click', async () => {
    const done = (await copied(code)) ? 'Copied' : 'Selected: press Ctrl+C';
    button.textContent = done;
    say(done);
    button.addEventListener('blur', () => (button.textContent = label), { once: true });
  });
  place.append(button);
}

/** A page from a file may have no clipboard; then the text is selected at least. */
async function copied(code: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    try {
      return document.execCommand('copy');
    } catch {
      return false;
    }
  }
}

import { html } from './dom.ts';

/** Adds a button before each name that has names below it, to fold them. */
export function foldable(tree: Element): void {
  const rows = [...tree.querySelectorAll<HTMLElement>('tr[data-depth]')];
  const depths = rows.map(({ dataset }) => Number(dataset.depth));
  const folded = new Set(rows.filter(({ dataset }) => dataset.folded !== undefined));
  for (const [index, row] of rows.entries()) {
    if ((depths[index + 1] ?? 0) <= (depths[index] ?? 0)) continue;
    const name = row.querySelector('th > :not(.branch)')?.textContent ?? '';
    const button = html('button', { type: 'button', class: 'fold', 'aria-label': `below ${name}` });
    button.addEventListener('click', () => {
      if (!folded.delete(row)) folded.add(row);
      show();
    });
    row.querySelector('.branch')?.after(button);
  }
  show();

  function show(): void {
    let hiding = Number.POSITIVE_INFINITY;
    for (const [index, row] of rows.entries()) {
      const depth = depths[index] ?? 0;
      if (depth <= hiding) hiding = Number.POSITIVE_INFINITY;
      row.hidden = depth > hiding;
      const isFolded = folded.has(row);
      if (isFolded && !row.hidden) hiding = depth;
      const button = row.querySelector('.fold');
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

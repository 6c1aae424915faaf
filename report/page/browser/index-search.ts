import { html } from './dom.ts';

export interface IndexSearch {
  focus(): void;
}

/** Adds a search field and a filter by verdict above the list of all results. */
export function indexSearch(index: HTMLElement): IndexSearch {
  const items = [...index.querySelectorAll<HTMLElement>('.index > li')];
  const words = [...new Set(items.map(({ dataset }) => dataset.word ?? ''))];
  const wanted = new Set<string>();
  const field = html('input', {
    type: 'search',
    placeholder: 'Search (/)',
    'aria-label': 'Search the results',
    autocomplete: 'off',
    spellcheck: false,
  });
  const count = html('output', { class: 'found' });
  const filters = words.map((word) => {
    const tone = items.find(({ dataset }) => dataset.word === word)?.dataset.tone ?? '';
    const number = items.filter(({ dataset }) => dataset.word === word).length;
    const button = html(
      'button',
      { type: 'button', class: `pill ${tone}`, 'aria-pressed': 'false' },
      `${number} ${word}`,
    );
    button.addEventListener('click', () => {
      if (!wanted.delete(word)) wanted.add(word);
      button.setAttribute('aria-pressed', String(wanted.has(word)));
      filter();
    });
    return button;
  });
  field.addEventListener('input', filter);
  index.prepend(html('div', { class: 'search', role: 'search' }, field, ...filters, count));
  filter();
  return { focus: () => field.focus() };

  function filter(): void {
    const parts = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of items) {
      const text = (item.textContent ?? '').toLowerCase();
      const fits = wanted.size === 0 || wanted.has(item.dataset.word ?? '');
      item.hidden = !fits || !parts.every((part) => text.includes(part));
      if (!item.hidden) shown += 1;
    }
    count.textContent = shown === items.length ? `${shown} results` : `${shown} of ${items.length}`;
  }
}

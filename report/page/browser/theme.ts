const THEMES = ['auto', 'dark', 'light'] as const;
type Theme = (typeof THEMES)[number];

const STORED_AS = 'reapcheck.theme';
const LABELS: Readonly<Record<Theme, string>> = {
  auto: 'Theme: system',
  dark: 'Theme: dark',
  light: 'Theme: light',
};
const SYMBOLS: Readonly<Record<Theme, string>> = { auto: '◐', dark: '☾', light: '☀' };

/** A button that switches the theme; the browser stores the choice if it may. */
export function themeButton(button: HTMLButtonElement): void {
  let theme = stored();
  show();
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
    show();
    store(theme);
  });

  function show(): void {
    document.documentElement.dataset.theme = theme;
    button.textContent = SYMBOLS[theme];
    button.setAttribute('aria-label', LABELS[theme]);
    button.title = `${LABELS[theme]} (t)`;
  }
}

function stored(): Theme {
  try {
    const value = localStorage.getItem(STORED_AS);
    return THEMES.find((theme) => theme === value) ?? 'auto';
  } catch {
    return 'auto';
  }
}

function store(theme: Theme): void {
  try {
    localStorage.setItem(STORED_AS, theme);
  } catch {
    // A page from a file may have no storage.
  }
}

/** The light and the dark theme. The default follows the system. */
import { useState } from 'preact/hooks';

const KEY = 'theme';
type Theme = 'light' | 'dark';

/** A browser may forbid storage. Then the choice lasts until the page is closed. */
const stored = (): Theme | undefined => {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === 'light' || theme === 'dark' ? theme : undefined;
  } catch {
    return undefined;
  }
};

const keep = (theme: Theme): void => {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage is forbidden: see above.
  }
};

/** Call it before anything is drawn, to prevent a flash. */
export const applyTheme = (): void => {
  const theme = stored();
  if (theme !== undefined) document.documentElement.dataset['theme'] = theme;
};

const systemTheme = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

export const ThemeToggle = () => {
  const [theme, setTheme] = useState<Theme>(() => stored() ?? systemTheme());
  const other = theme === 'dark' ? 'light' : 'dark';
  const change = (): void => {
    document.documentElement.dataset['theme'] = other;
    keep(other);
    setTheme(other);
  };
  return (
    <button type="button" class="button icon-button" onClick={change} aria-label={`Switch to the ${other} theme`}>
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.5" />
        <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
      </svg>
    </button>
  );
};

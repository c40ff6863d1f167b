// Makes the page at /docs easier to use. Without it, the page shows all programs, and uses the theme of the system.

const root = document.documentElement;

/** A browser may forbid storage. Then a choice lasts until the page is closed. */
const storage = {
  read: (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  write: (key, value) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Storage is forbidden: see above.
    }
  },
};

// The console has the same choice of theme. It is applied before anything is drawn.
const chosen = storage.read('theme');
if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;

const themeButton = (button) => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const label = () => {
    button.ariaLabel = `Switch to the ${isDark() ? 'light' : 'dark'} theme`;
  };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    storage.write('theme', root.dataset.theme);
    label();
  });
  system.addEventListener('change', label);
  button.hidden = false;
  label();
};

const languageChoice = (radios) => {
  const kept = storage.read('docs-language');
  for (const radio of radios) {
    if (radio.value === kept) radio.checked = true;
    radio.addEventListener('change', () => storage.write('docs-language', radio.value));
  }
};

/** Shows the result of copying for a moment, on the button and to screen readers. */
const copy = async (button, text) => {
  // The button may be clicked again while it still shows the result.
  button.dataset.label ??= button.textContent;
  const said = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Copying is not allowed',
  );
  const status = document.querySelector('[role="status"]');
  button.textContent = said;
  status.textContent = said;
  setTimeout(() => {
    button.textContent = button.dataset.label;
    status.textContent = '';
  }, 1_500);
};

const copyButtons = () => {
  // Browsers offer a clipboard only to pages over HTTPS or from this machine.
  if (navigator.clipboard === undefined) return;
  for (const button of document.querySelectorAll('.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => copy(button, button.parentElement.querySelector('code').textContent));
  }
  const all = document.querySelector('.copy-all');
  all.hidden = false;
  all.addEventListener('click', () => {
    const { value } = document.querySelector('input[name="language"]:checked');
    const steps = [...document.querySelectorAll(`[data-language="${value}"] code`)];
    const program = steps.filter((code) => code.closest('figure') !== null).map((code) => code.textContent);
    copy(all, `${program.join('\n\n')}\n`);
  });
};

/** Marks the current section in the table of contents. */
const followReading = (contents) => {
  const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        for (const link of links.values()) link.removeAttribute('aria-current');
        const link = links.get(target.id);
        link.setAttribute('aria-current', 'true');
        if (!contents.matches(':popover-open')) link.scrollIntoView({ block: 'nearest' });
      }
    },
    // A line below the header.
    { rootMargin: '-20% 0px -79% 0px' },
  );
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    // If the parts of a group are in the contents, they are marked instead of the group.
    const hasParts = [...section.querySelectorAll(':scope > section')].some((part) => links.has(part.id));
    if (!hasParts) seen.observe(section);
  }
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement && contents.matches(':popover-open')) contents.hidePopover();
  });
};

addEventListener('DOMContentLoaded', () => {
  for (const origin of document.querySelectorAll('.origin')) origin.textContent = location.origin;
  themeButton(document.querySelector('.theme'));
  languageChoice(document.querySelectorAll('input[name="language"]'));
  copyButtons();
  followReading(document.querySelector('#contents'));
});

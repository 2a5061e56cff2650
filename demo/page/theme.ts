/** The page's theme, which its elements follow. */
import { h } from './dom.ts';

const THEMES = { System: 'auto', Light: 'light', Dark: 'dark' };
const KEY = 'demo-theme';
/** Except those with a theme of their own. */
const ELEMENTS =
  ':is(link-wallets, manage-wallets, transfer-dialog, sign-request, swap-panel):not(.preview *)';

function chosen(): keyof typeof THEMES {
  const kept = localStorage.getItem(KEY) ?? '';
  return Object.hasOwn(THEMES, kept) ? (kept as keyof typeof THEMES) : 'System';
}

export function applyTheme(): void {
  const theme = THEMES[chosen()];
  document.documentElement.dataset['theme'] = theme;
  for (const element of document.querySelectorAll(ELEMENTS)) element.setAttribute('theme', theme);
}

export function themeSwitch(): HTMLElement {
  const options = Object.keys(THEMES).map((name) =>
    h(
      'label',
      {},
      h('input', {
        type: 'radio',
        name: 'theme',
        value: name,
        checked: chosen() === name,
        change: () => {
          localStorage.setItem(KEY, name);
          applyTheme();
        },
      }),
      name,
    ),
  );
  return h('div', { class: 'seg demo-theme', role: 'radiogroup', 'aria-label': 'Theme' }, ...options);
}

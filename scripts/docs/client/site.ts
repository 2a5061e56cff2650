/** In the page: search, theme and copying. Without scripts, every page can be read all the same. */
import MiniSearch, { type SearchResult } from 'minisearch';
import { SEARCH, type SearchEntry } from '../search.ts';

const MOST = 12;
const COPIED_MS = 2000;
const root = document.documentElement.dataset['root'] ?? './';

function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A field whose list of places one goes through by the arrow keys. `/` leads to it from anywhere. */
class Search {
  readonly #list = element('ul', { id: 'results', role: 'listbox', 'aria-label': 'Places', hidden: '' });
  readonly #status = element('p', { class: 'sr', role: 'status' });
  readonly #field = element('input', {
    type: 'search',
    role: 'combobox',
    'aria-label': 'Search the docs',
    'aria-controls': 'results',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    'aria-keyshortcuts': '/',
    placeholder: 'Search',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  #index: Promise<MiniSearch<SearchEntry>> | undefined;
  #chosen = -1;

  constructor(place: HTMLElement) {
    place.append(this.#field, this.#list, this.#status);
    this.#field.addEventListener('focus', () => void this.#load());
    this.#field.addEventListener('input', () => void this.#search());
    this.#field.addEventListener('keydown', (event) => this.#onKey(event));
    place.addEventListener('focusout', ({ relatedTarget }) => {
      if (!place.contains(relatedTarget as Node | null)) this.#close();
    });
    document.addEventListener('keydown', (event) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey) return;
      if ((target as HTMLElement).closest('input, textarea, select, [contenteditable]')) return;
      event.preventDefault();
      this.#field.focus();
    });
  }

  #load(): Promise<MiniSearch<SearchEntry>> {
    this.#index ??= fetch(`${root}search.json`).then(async (answer) =>
      MiniSearch.loadJSON<SearchEntry>(await answer.text(), SEARCH),
    );
    return this.#index;
  }

  async #search(): Promise<void> {
    const words = this.#field.value.trim();
    if (!words) return this.#close();
    const index = await this.#load();
    // Something else was typed meanwhile.
    if (words !== this.#field.value.trim()) return;
    this.#show(index.search(words).slice(0, MOST));
  }

  #show(results: readonly SearchResult[]): void {
    this.#list.replaceChildren(...results.map((result, place) => this.#row(result, place)));
    this.#list.hidden = results.length === 0;
    this.#field.setAttribute('aria-expanded', String(results.length > 0));
    this.#status.textContent = results.length === 0 ? 'Nothing found' : `${results.length} places`;
    this.#status.classList.toggle('sr', results.length > 0);
    this.#choose(results.length === 0 ? -1 : 0);
  }

  #row({ id, title, page }: SearchResult, place: number): HTMLElement {
    const link = element(
      'a',
      { href: root + String(id), tabindex: '-1' },
      element('b', {}, String(title)),
      ...(page === title ? [] : [element('span', {}, String(page))]),
    );
    return element('li', { id: `result-${place}`, role: 'option' }, link);
  }

  #choose(place: number): void {
    this.#chosen = place;
    const rows = [...this.#list.children];
    for (const [index, row] of rows.entries()) row.setAttribute('aria-selected', String(index === place));
    rows[place]?.scrollIntoView({ block: 'nearest' });
    if (place < 0) this.#field.removeAttribute('aria-activedescendant');
    else this.#field.setAttribute('aria-activedescendant', `result-${place}`);
  }

  #onKey(event: KeyboardEvent): void {
    const count = this.#list.hidden ? 0 : this.#list.children.length;
    if (event.key === 'Escape') {
      this.#close();
      return;
    }
    if (count === 0) return;
    if (event.key === 'ArrowDown') this.#choose((this.#chosen + 1) % count);
    else if (event.key === 'ArrowUp') this.#choose((this.#chosen + count - 1) % count);
    else if (event.key === 'Enter') this.#list.children[this.#chosen]?.querySelector('a')?.click();
    else return;
    event.preventDefault();
  }

  #close(): void {
    this.#list.hidden = true;
    this.#field.setAttribute('aria-expanded', 'false');
    this.#status.textContent = '';
    this.#choose(-1);
  }
}

const THEMES = { auto: 'System', light: 'Light', dark: 'Dark' };

function themeSelect(place: HTMLElement): void {
  const select = element(
    'select',
    { 'aria-label': 'Theme' },
    ...Object.entries(THEMES).map(([value, name]) => element('option', { value }, name)),
  );
  const apply = (theme: string): void => {
    document.documentElement.dataset['theme'] = theme;
    for (const live of document.querySelectorAll('.live > div > :last-child'))
      live.setAttribute('theme', theme);
  };
  select.value = document.documentElement.dataset['theme'] ?? 'auto';
  select.addEventListener('change', () => {
    localStorage.setItem('docs-theme', select.value);
    apply(select.value);
  });
  apply(select.value);
  place.append(select);
}

function copyButton(code: Element): HTMLElement {
  const button = element('button', { type: 'button', class: 'copy', 'aria-live': 'polite' }, 'Copy');
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(code.textContent ?? '').then(() => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
    });
  });
  return button;
}

new Search(document.getElementById('search')!);
themeSelect(document.getElementById('theme')!);
for (const code of document.querySelectorAll('.code > pre > code'))
  code.parentElement!.after(copyButton(code));
// Wide windows have the list of pages beside the text.
const menu = document.querySelector<HTMLDetailsElement>('.menu')!;
const wide = matchMedia('(min-width: 860px)');
const follow = (): void => {
  menu.open = wide.matches;
};
wide.addEventListener('change', follow);
follow();

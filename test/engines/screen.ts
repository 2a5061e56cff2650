/** A page, or the wallet, as a person finds their way in it: by roles and names. */
import { poll } from '../waiting.ts';
import type { Tab } from './engine.ts';

export type Role = 'button' | 'textbox' | 'heading' | 'unticked' | 'radio' | 'combobox' | 'option' | 'frame';

/** A name in full, or what it looks like. */
type Name = string | RegExp;

/** Runs in the page. Of those in sight that work the last one: a dialog comes after what it covers. */
function find(role: Role, name: string, isPattern: boolean): Element | undefined {
  const SELECTORS: Record<Role, string> = {
    button: 'button, [role=button]',
    textbox: 'input:not([type=checkbox], [type=radio], [role=combobox]), textarea',
    heading: 'h1, h2, h3, [role=heading]',
    unticked: 'input[type=checkbox]:not(:checked)',
    radio: 'input[type=radio]',
    combobox: '[role=combobox]',
    option: '[role=option]',
    frame: 'dialog[open] iframe',
  };
  const plain = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();
  /** Without what is drawn for the eye alone. */
  const spoken = (node: Node): string => {
    if (node instanceof Text) return node.data;
    return !(node instanceof Element) || node.ariaHidden === 'true'
      ? ''
      : [...node.childNodes].map(spoken).join('');
  };
  const nameOf = (element: Element): string => {
    const root = element.getRootNode() as Document | ShadowRoot;
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labels = [...((element as HTMLInputElement).labels ?? [])];
    return (
      plain(ids.map((id) => root.getElementById(id)?.textContent).join(' ')) ||
      plain(element.ariaLabel) ||
      plain(labels.map(spoken).join(' ')) ||
      plain(spoken(element))
    );
  };
  const isInert = (element: Element): boolean => {
    for (let at: Node | null = element; at; at = at instanceof ShadowRoot ? at.host : at.parentNode)
      if (at instanceof HTMLElement && at.inert) return true;
    return false;
  };
  const isMeant = (element: Element): boolean => {
    if (!element.matches(SELECTORS[role])) return false;
    // A consent takes no press before it was in plain sight for a while.
    if (element.matches(':disabled, [aria-disabled=true]') || isInert(element)) return false;
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    return isPattern ? new RegExp(name).test(nameOf(element)) : nameOf(element) === name;
  };
  const roots: (Document | ShadowRoot)[] = [document];
  const found: Element[] = [];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (isMeant(element)) found.push(element);
    }
  return found.at(-1);
}

/** Runs in the page: its text through every shadow root. */
function text(): string {
  const roots: (Document | ShadowRoot)[] = [document];
  const texts: (string | null)[] = [];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode.textContent);
  }
  return texts.join(' ').replace(/\s+/g, ' ');
}

export class Screen {
  constructor(readonly tab: Tab) {}

  has(role: Role, name: Name): Promise<boolean> {
    return this.tab.finds(find, ...given(role, name));
  }

  async sees(role: Role, name: Name): Promise<void> {
    // A frame that has just been opened moves on to the wallet's page.
    const has = (): Promise<boolean> => this.has(role, name).catch(() => false);
    await poll(async () => (await has()) || undefined, `the ${role} ${name}`);
  }

  async press(name: Name, role: Role = 'button'): Promise<void> {
    await this.sees(role, name);
    await this.tab.click(find, ...given(role, name));
  }

  async type(name: Name, words: string, role: Role = 'textbox'): Promise<void> {
    await this.sees(role, name);
    await this.tab.type(words, find, ...given(role, name));
  }

  /** The wallet in this page's dialog. */
  async inDialog(): Promise<Screen> {
    await this.sees('frame', /^/);
    return new Screen(await this.tab.inside(find, ...given('frame', /^/)));
  }

  text(): Promise<string> {
    return this.tab.evaluate(text);
  }

  async says(words: string | RegExp): Promise<void> {
    const has = (all: string): boolean => (typeof words === 'string' ? all.includes(words) : words.test(all));
    // As in `sees`.
    const shown = (): Promise<string> => this.text().catch(() => '');
    await poll(async () => has(await shown()) || undefined, `the text ${words}`);
  }
}

function given(role: Role, name: Name): Parameters<typeof find> {
  return typeof name === 'string' ? [role, name, false] : [role, name.source, true];
}

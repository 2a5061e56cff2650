import { expect, fixture, html } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import '../../../src/frame/shell/shell.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { Shell } from '../../../src/frame/shell/shell.ts';
import type { FrameView } from '../../../src/frame/ui/view.ts';
import { frame } from '../turns.ts';

/** Generated for these tests; nobody's wallet. */
export const WORDS =
  'harbor violin copper meadow gentle rocket lantern wisdom pepper glide amateur stone'.split(' ');
export const HASH = '0x5e1d3a76fbf824220eafc8c79ad578ad2b67d01b0c2425eb1f1347e8f50882ab';
export const RECIPIENT = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';

/** As most views show it. */
export const MAIN_WALLET: Wallet = {
  id: 'main',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  walletType: 'BROWSER',
  secretType: 'ETHEREUM',
  createdAt: [2026, 11, 21, 10, 4, 0, 0],
  archived: false,
  alias: 'Main wallet',
  description: '',
  primary: true,
  hasCustomPin: false,
  status: 'ACTIVE',
};

export interface Scene<V extends FrameView> {
  shell: Shell;
  view: V;
  /** Announcements so far. */
  said: string[];
  /** Types of the view's events so far, without announcements. */
  events: string[];
  /** Lets everything redraw. */
  settle(): Promise<void>;
}

const EVENTS =
  'back change-pin check close continue create current dismiss done finish import language later lock passkey phrase pin reject resize restore retry send show-words theme unlocked window';

/** The view in a shell of 400 × 640, as the dialog of a page shows it. */
export async function show<V extends FrameView>(
  view: V,
  theme: 'light' | 'dark' = 'light',
  width = 400,
  height = 640,
): Promise<Scene<V>> {
  await setViewport({ width, height });
  const said: string[] = [];
  const events: string[] = [];
  for (const name of EVENTS.split(' ')) view.addEventListener(`cbf-${name}`, () => events.push(name));
  view.addEventListener('cbf-announce', ({ detail }) => said.push(detail.text));
  const box = await fixture<HTMLElement>(html`<div
    ><cbf-shell .origin=${'https://pay.shop.example'} .theme=${theme} .settings=${true} .closable=${true} .view=${html`${view}`}></cbf-shell
  ></div>`);
  box.style.cssText = `position: fixed; inset: 0 auto auto 0; inline-size: ${width}px; block-size: ${height}px`;
  const shell = box.querySelector('cbf-shell') as Shell;
  const settle = async (): Promise<void> => {
    // Views, their components, and those components' own.
    for (let depth = 0; depth < 4; depth++) {
      await view.updateComplete;
      await shell.updateComplete;
      await frame();
    }
  };
  await settle();
  return { shell, view, said, events, settle };
}

/** The element that has focus, through shadow roots. */
export function focused(): Element | null {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

/** Everything that assistive technology, a style sheet or a script could read: text and attributes, also in shadow roots. */
export function visible(root: Node): string {
  const parts: string[] = [];
  const walk = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) parts.push(node.textContent ?? '');
    if (node instanceof Element) {
      for (const { name, value } of node.attributes) parts.push(`${name}=${value}`);
      if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) parts.push(node.value);
      if (node.shadowRoot) walk(node.shadowRoot);
    }
    for (const child of node.childNodes) walk(child);
  };
  walk(root);
  return parts.join('\n');
}

/** Finds by selector through shadow roots. */
export function deep<E extends Element>(root: Element | ShadowRoot, selector: string): E {
  const found = deepAll<E>(root, selector)[0];
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

export function deepAll<E extends Element>(root: Element | ShadowRoot, selector: string): E[] {
  const here = [...root.querySelectorAll<E>(selector)];
  const roots = [root, ...root.querySelectorAll('*')].flatMap((e) =>
    e instanceof Element && e.shadowRoot ? [e.shadowRoot] : [],
  );
  return [...here, ...roots.flatMap((inner) => deepAll<E>(inner, selector))];
}

/** The first address that is drawn in full. */
export function addressIn(root: Element): HTMLElement {
  return deep(root, '.groups');
}

/** A button, link or input by its accessible name. */
export function named<E extends HTMLElement>(root: Element, name: string): E {
  const found = deepAll<E>(root, 'button, a, input, textarea, select, [role]').find((element) => {
    const labels = (element as unknown as HTMLInputElement).labels;
    return (
      (element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent)?.trim() === name
    );
  });
  if (!found) throw new Error(`nothing is named ${name}`);
  return found;
}

/** What a button says is still missing, before it can be pressed. Null if nothing is. */
export function reasonOf(root: Element, name: string): string | null {
  const button = named(root, name);
  expect(button.getAttribute('aria-disabled') === 'true').to.equal(button.hasAttribute('data-text'));
  expect(button.getAttribute('aria-description')).to.equal(button.getAttribute('data-text'));
  return button.getAttribute('data-text');
}

/** Types like a user into a text field. */
export function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.focus();
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

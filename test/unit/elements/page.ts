/** Puts an element on the page and records its events. */
import { fixture, html } from '@open-wc/testing';
import '../../../src/elements/index.ts';
// Lazy parts are fetched ahead, so that tests wait for updates and not for a server.
import '../../../src/elements/mistakes.ts';
import '../../../src/ui/combobox.ts';
import '../../../src/elements/link-wallets/link-wallets-view.ts';
import '../../../src/elements/manage-wallets/manage-wallets-rest.ts';
import '../../../src/elements/manage-wallets/manage-wallets-view.ts';
import '../../../src/elements/recover.ts';
import '../../../src/elements/scan-dialog.ts';
import '../../../src/elements/sent-lines.ts';
import '../../../src/elements/sign-request/sign-request-view.ts';
import '../../../src/elements/speech.ts';
import '../../../src/ui/swap/swap-assets.ts';
import '../../../src/ui/swap/swap-offers.ts';
import '../../../src/elements/swap-panel/swap-outcome.ts';
import '../../../src/elements/swap-panel/swap-panel-view.ts';
import '../../../src/elements/transfer-dialog/transfer-asides.ts';
import '../../../src/elements/transfer-dialog/transfer-dialog-view.ts';
import '../../../src/elements/transfer-dialog/transfer-fiat.ts';
import '../../../src/elements/page-network.ts';
import '../../../src/elements/trouble.ts';
import '../../../src/elements/worth.ts';
import '../../../src/ui/payment-code.ts';
import '../../../src/ui/recipient-check.ts';
import '../../../src/chains/bitcoin/profile.ts';
import '../../../src/chains/ethereum/profile.ts';
import '../../../src/chains/utxo/address.ts';
import '../../../src/chains/evm/address.ts';
import '../../../src/chains/vechain/address.ts';
import type { ConnectElement } from '../../../src/elements/connect-element.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import { pause, poll } from '../../waiting.ts';
import { frame, turns } from '../turns.ts';
import { FakeConnect } from './fake-connect.ts';

export interface Shown<E extends ConnectElement> {
  element: E;
  connect: FakeConnect;
  /** Names of the events so far, progress left out. */
  events: string[];
}

const OUTCOMES = ['connect-request', 'connect-result', 'connect-cancel', 'connect-error'];

/** Sets `properties`, links `wallets`, and waits until everything is loaded and drawn. */
export async function show<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  wallets: Wallet[] = [],
  connect = new FakeConnect(),
): Promise<Shown<HTMLElementTagNameMap[K] & ConnectElement>> {
  connect.linked = wallets;
  const element = document.createElement(tag) as HTMLElementTagNameMap[K] & ConnectElement;
  Object.assign(element, { connect }, properties);
  const events: string[] = [];
  for (const name of OUTCOMES)
    element.addEventListener(name, () => events.push(name.slice('connect-'.length)));
  const page = await fixture(html`<main></main>`);
  page.append(element);
  await settle(element);
  // A busy machine takes longer to load what shows wallets.
  const { shows } = element as unknown as { shows?(linked: Wallet[]): unknown };
  if (shows?.call(element, wallets)) await until(element, () => element.view !== undefined);
  return { element, connect, events };
}

/** Resolves once promises and updates are done: nothing changed in three frames in a row. What loads or takes time needs `until`. */
export async function settle(element: ConnectElement): Promise<void> {
  let quiet = 0;
  const observer = new MutationObserver(() => {
    quiet = -1;
  });
  observer.observe(element.renderRoot, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  // Something that moves all the time is never quiet.
  for (let frames = 0; quiet < 3 && frames < 30; frames++) {
    await element.updateComplete;
    await frame();
    await turns(1);
    await pause(0);
    quiet++;
  }
  observer.disconnect();
  // The contrast of half-faded colours does not count.
  for (const animation of element.shadowRoot?.getAnimations() ?? [])
    if (animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY) animation.finish();
}

/** Resolves once it is so, and drawn. */
export async function until(element: ConnectElement, isSo: () => boolean | undefined): Promise<void> {
  if (isSo()) return;
  await poll(isSo, String(isSo)).catch((error: Error) => {
    throw new Error(`${error.message}, in: ${text(element)}`);
  });
  await settle(element);
}

/** Loads a lazy view ahead of its first use, so that only updates remain to wait for. */
export async function loaded(element: ConnectElement): Promise<void> {
  await element.showView();
  await settle(element);
}

export function all<E extends Element = HTMLElement>(element: Element, selector: string): E[] {
  return [...(element.shadowRoot?.querySelectorAll<E>(selector) ?? [])];
}

/** The visible control with this accessible name. */
export function control(element: Element, name: string): HTMLElement {
  const found = all(element, 'button, input, textarea, summary').find(
    (each) => nameOf(each) === name && each.getClientRects().length,
  );
  if (!found)
    throw new Error(`No “${name}” among: ${all(element, 'button, input, textarea').map(nameOf).join(' | ')}`);
  return found;
}

export function maybe(element: Element, name: string | RegExp): HTMLElement | undefined {
  const isNamed = (each: Element): boolean =>
    typeof name === 'string' ? nameOf(each) === name : name.test(nameOf(each));
  return all(element, 'button, input, textarea').find(
    (each) => isNamed(each) && each.getClientRects().length,
  );
}

export function nameOf(each: Element): string {
  const root = each.getRootNode() as ShadowRoot;
  const labelledBy = each
    .getAttribute('aria-labelledby')
    ?.split(' ')
    .map((id) => textOf(root.getElementById(id)));
  const label = each.id && root.querySelector(`label[for="${each.id}"]`);
  return each.getAttribute('aria-label') ?? labelledBy?.join(' ') ?? (label ? textOf(label) : spoken(each));
}

/** The text that is not hidden from assistive technology. */
function spoken(each: Element): string {
  const copy = each.cloneNode(true) as Element;
  for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
  return textOf(copy);
}

export function textOf(node: Element | null): string {
  return (node?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

export function text(element: Element): string {
  return textOf(element.shadowRoot as unknown as Element);
}

export function type(field: HTMLElement, value: string): void {
  (field as HTMLInputElement).value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The focused node, also inside shadow roots. */
export function focused(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

/** The rejection's code, or `resolved`. */
export function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'resolved',
    (error) => error.code ?? String(error),
  );
}

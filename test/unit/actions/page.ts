/** Shared by the tests of the page's side. The fixture's frame is on another site: `127.0.0.1`, not `localhost`. */
import { createConnect } from '../../../src/actions/connect.ts';
import { askEmbedding } from '../../../src/channel/choose-surface.ts';
import type { ConnectError } from '../../../src/base/errors.ts';
import { DEADLINE_MS, poll } from '../../waiting.ts';

// Controls are found by their English names, whatever language the browser is in.
document.documentElement.lang = 'en';

const base = new URL('../channel/fixture/', import.meta.url);
base.hostname = base.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
export const FRAME = base.href;
export const STORE = `carabiner:${base.origin}`;

const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
export const TRANSFER = { walletId: 'wallet-1', to: TO, value: '1.5', secretType: 'ETHEREUM' } as const;

const realTimeout = window.setTimeout;
// The page's limits, such as that for a frame to speak, are too short for a busy machine: see `Limit` in `src/base/clock.ts`.
window.setTimeout = ((work: () => void, milliseconds?: number, ...given: unknown[]) =>
  realTimeout(work, given[0] === 'limit' ? DEADLINE_MS : milliseconds, ...given)) as typeof window.setTimeout;

const realFetch = window.fetch;
/** The operator's list of pages that may embed the wallet, which the test server cannot serve. */
window.fetch = async (...all) =>
  String(all[0]).endsWith('/embed.json')
    ? new Response(JSON.stringify({ embed: [location.origin] }))
    : realFetch(...all);

/** Before the page knows whether it may embed the wallet, a click opens a window. */
export const knowsPlace = (frame: string): Promise<boolean> => askEmbedding(new URL(`${frame}/frame/`)).known;
await knowsPlace(FRAME.replace(/\/$/, ''));

/** The test server compiles the frame at the first request, which may take longer than a page waits for a frame. */
export async function warmFrame(): Promise<void> {
  const connect = createConnect({ frame: FRAME, surface: 'iframe' });
  await connect.transfer(TRANSFER).catch(() => {});
  connect.destroy();
  await forgetAll();
}

/** Clears everything that the page remembers. */
export async function forgetAll(): Promise<void> {
  localStorage.clear();
  for (const { name } of await indexedDB.databases())
    if (name?.startsWith('carabiner:'))
      await new Promise((resolve) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = request.onerror = resolve;
      });
}

export async function failure(promise: Promise<unknown>): Promise<ConnectError> {
  try {
    await promise;
  } catch (error) {
    return error as ConnectError;
  }
  throw new Error('it did not fail');
}

export function roots(): ShadowRoot[] {
  return [...document.body.children].flatMap((element) =>
    element.shadowRoot?.querySelector('iframe') ? [element.shadowRoot] : [],
  );
}

/** Lets the flow of a frame go on that is at its gate. */
export function openGate(win: Window | null = roots()[0]!.querySelector('iframe')!.contentWindow): void {
  win!.postMessage('open the gate', '*');
}

export const dialogs = (): HTMLDialogElement[] =>
  roots().flatMap((root) => root.querySelector('dialog') ?? []);

type Look<T> = T | undefined | false | null | 0 | '';

/** Polls, because other processes send no event. */
export function until<T>(look: () => Look<T> | Promise<Look<T>>): Promise<T> {
  return poll(async () => (await look()) || undefined, String(look));
}

export async function openDialog(): Promise<{
  dialog: HTMLDialogElement;
  iframe: HTMLIFrameElement;
  close: HTMLButtonElement;
}> {
  const dialog = await until(() =>
    dialogs().find((it) => it.querySelector<HTMLElement>('[role=status]')?.hidden),
  );
  return { dialog, iframe: dialog.querySelector('iframe')!, close: dialog.querySelector('button')! };
}

/** Presses a button of the page's own dialog, "Connect a wallet", once it is there. */
export async function choose(name = 'Create a wallet'): Promise<void> {
  const button = await until(() =>
    [...document.body.children]
      .flatMap((element) => [...(element.shadowRoot?.querySelectorAll('dialog:has(h2) button') ?? [])])
      .find((each) => each.ariaLabel === name),
  );
  (button as HTMLButtonElement).click();
}

export const stored = (): { undelivered: Record<string, unknown>; unlinked: string[]; wallets: unknown[] } =>
  JSON.parse(localStorage.getItem(STORE) ?? '{"undelivered":{},"unlinked":[],"wallets":[]}');

/**
 * From a site's dialog or window to the wallet's own page, where alone a copy is restored: a site that could lead to it in its own view would
 * make the user receive into a vault of somebody who planted a passkey.
 */
import { msg } from '../../base/localize.ts';
import { iconPasskey } from '../../ui/icons.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { badgeQuestion, type QuestionView } from '../ui/question-view.ts';
import { ownPageLink } from '../ui/rows.ts';
import type { OpenOptions } from '../ui/screen.ts';

/** A Web Lock, held while the user is led: it ends with its document, and no site can hold it. */
const LEADS = 'carabiner:restore';

/** Waits until the user has restored the wallet in its own window, which the click has opened. False on Back. */
export async function leadToOwnPage({ stage }: Frame, vault: Vault, options: OpenOptions): Promise<boolean> {
  const screen = stage.open(leadQuestion(), options);
  let end = (): void => {};
  const led = new Promise<void>((resolve) => (end = resolve));
  void navigator.locks?.request(LEADS, { mode: 'shared' }, () => led);
  try {
    return await stage.lends(async () => {
      if (await screen.leavable((signal) => untilThere(vault, signal))) return true;
      await screen.next('cbf-back');
      return false;
    });
  } finally {
    end();
  }
}

/** Whether the user has just pressed "Use my passkey" for a site, whose request waits. */
export async function isLedHere(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name === LEADS);
}

/** Until there are wallets: the vault comes first. */
function untilThere(vault: Vault, signal: AbortSignal): Promise<true> {
  return new Promise((resolve) => {
    const look = (): void =>
      void vault.wallets().then(
        ({ length }) => length && resolve(true),
        () => {},
      );
    signal.addEventListener('abort', vault.onChange(look));
    look();
  });
}

/** While the user is in the other window. */
export function leadQuestion(): QuestionView<'cbf-back'> {
  return badgeQuestion<'cbf-back'>('cbf-back', () => ({
    badge: ['acc', iconPasskey()],
    back: true,
    heading: msg('Use your passkey in your wallet’s own window'),
    text: msg('Wallets are only brought back there, out of any site’s reach. Then this goes on by itself.'),
    buttons: [],
    details: ownPageLink(),
    stacked: true,
  }));
}

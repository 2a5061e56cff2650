/**
 * "Use my passkey": a copy is found, opened and shown before it is adopted. Only the wallet's own page has this code: a site that could lead to
 * it would make the user receive into a vault of somebody who planted a passkey.
 */
import { msg } from '../../base/localize.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { FoundCopy, KeptCopy } from '../../sync/kept-copy.ts';
import type { HeldWallet, Unlocked, Vault } from '../../wallets/types.ts';
import type { Frame, OwnTurn } from '../frame.ts';
import { homeOn, homesOf } from '../set-up/choose-network-flow.ts';
import { using } from '../set-up/set-up-flow.ts';
import { choosePin } from '../set-up/way-in-flow.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { askPin } from '../unlock/ask-pin-flow.ts';
import { foundQuestion, otherQuestion } from './copy-views.ts';
import { copyOf } from './keep-flow.ts';
import { findCopy } from './passkeys.ts';

/** The vault of a copy: its first wallet on one of these chains, or one made on the first of them. Undefined on Back. */
export async function findWallet(
  frame: Frame,
  vault: Vault,
  chains: readonly SecretType[],
  options: OpenOptions,
): Promise<HeldWallet | undefined> {
  const unlocked = await restoreFromCopy(frame, vault, options);
  return (
    unlocked &&
    using(frame, vault, unlocked, async () => {
      const wallets = await vault.wallets();
      const wallet = wallets.find(({ secretType }) => chains.includes(secretType));
      if (wallet) return wallet;
      const [home] = homesOf(frame.networks, chains[0]!);
      return vault.createWallet(unlocked, chains[0]!, undefined, home && homeOn(frame.networks, home));
    })
  );
}

/** Makes the vault of a browser that has none from a copy. Undefined on Back. */
async function restoreFromCopy(
  frame: Frame,
  vault: Vault,
  request: OpenOptions,
): Promise<Unlocked | undefined> {
  const copy = await copyOf(frame, vault);
  if (!copy) return undefined;
  let turn: OwnTurn | undefined;
  try {
    turn = await frame.stage.asks('settings', request);
    const options = { ...request, signal: turn.signal, own: true, settings: false };
    const theirs = await findCopy(frame, copy, options);
    return theirs && (await adopt(frame, copy, theirs, options).finally(() => theirs.close()));
  } finally {
    turn?.end();
  }
}

/** Shows what was found, and makes the vault from it, with the passkey or with a PIN besides. Undefined on Back. */
async function adopt(
  frame: Frame,
  copy: KeptCopy,
  theirs: FoundCopy,
  options: OpenOptions,
): Promise<Unlocked | undefined> {
  const view = foundQuestion(theirs, theirs.passkey.secret !== undefined);
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-passkey', 'cbf-pin', 'cbf-back');
    if (type === 'cbf-back') return undefined;
    view.state = { busy: true };
    const unlocked =
      type === 'cbf-pin'
        ? await choosePin(frame, options, 0, (pin, signal) => copy.restore(theirs, pin, signal), {
            drop: close,
          })
        : await copy.restore(theirs);
    if (unlocked) return unlocked;
    view.state = {};
  }
}

/**
 * From Settings, in a browser that has a wallet: a copy of the same wallet is merged with it and kept from then on. One of another wallet is
 * shown, and never mixed with this one. False if nothing was changed.
 */
export async function joinCopy(frame: Frame, vault: Vault, options: OpenOptions): Promise<boolean> {
  const copy = await copyOf(frame, vault);
  const theirs = copy && (await findCopy(frame, copy, options));
  if (!theirs) return false;
  try {
    const unlocked = await askPin(frame, vault, msg('To compare the copy with this wallet.'), options);
    if (!unlocked) return false;
    try {
      if (!(await copy.isOwn(unlocked, theirs)))
        return await replaceWith(frame, vault, copy, theirs, options);
      await copy.join(unlocked, theirs);
    } finally {
      unlocked.close();
    }
    frame.stage.shell.say({ text: msg('The encrypted copy is kept.') });
    return true;
  } finally {
    theirs.close();
  }
}

/** Two wallets are never mixed: this browser's stays, or is replaced once a back-up is known to bring it back. */
async function replaceWith(
  frame: Frame,
  vault: Vault,
  copy: KeptCopy,
  theirs: FoundCopy,
  options: OpenOptions,
): Promise<boolean> {
  const view = otherQuestion(theirs);
  for (;;) {
    const { type } = await frame.stage.open(view, options).next('cbf-back', 'cbf-replace');
    if (type === 'cbf-back') return false;
    if ((await vault.unsaved()).size) {
      const { showWords } = await import('../settings/settings-flow.ts');
      await showWords(frame, vault, options);
      view.state = (await vault.unsaved()).size
        ? {
            error: msg(
              'First back up the wallet of this browser: its words, or the keys of imported wallets.',
            ),
          }
        : {};
      continue;
    }
    const unlocked = await choosePinIfNeeded(frame, theirs, options, (pin, signal) =>
      copy.replace(theirs, pin, signal),
    );
    if (!unlocked) continue;
    unlocked.close();
    return true;
  }
}

/** With the passkey alone, where it can open the vault. Undefined on Back. */
function choosePinIfNeeded(
  frame: Frame,
  { passkey }: FoundCopy,
  options: OpenOptions,
  use: (pin: string | undefined, signal?: AbortSignal) => Promise<Unlocked>,
): Promise<Unlocked | undefined> {
  return passkey.secret ? use(undefined) : choosePin(frame, options, 0, use, { drop: close });
}

function close(late: Unlocked): void {
  late.close();
}

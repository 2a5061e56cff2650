/**
 * "Use my passkey": a copy is found, opened and shown before it is adopted. Only the wallet's own views lead here, in the wallet's own turn: a
 * site that could would make the user receive into a vault of somebody who planted a passkey.
 */
import { inTime } from '../../base/clock.ts';
import { ConnectError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { FoundCopy, KeptCopy } from '../../sync/kept-copy.ts';
import { SyncError } from '../../sync/sync-error.ts';
import type { Unlocked, Vault } from '../../wallets/types.ts';
import type { Frame, OwnTurn } from '../frame.ts';
import { choosePin } from '../set-up/way-in-flow.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { askPin } from '../unlock/ask-pin-flow.ts';
import { findQuestion, foundQuestion, otherQuestion, problemText } from './copy-views.ts';
import { copyOf } from './keep-flow.ts';

/** Without any authenticator, browsers do not answer at all. */
const PATIENCE_MS = 120_000;

/** Makes the vault of a browser that has none from a copy. Undefined on Back. */
export async function restoreFromCopy(
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

/** Asks for the passkey at once: the user has just pressed for it. Undefined on Back. */
export async function findCopy(
  frame: Frame,
  copy: KeptCopy,
  options: OpenOptions,
  another = false,
): Promise<FoundCopy | undefined> {
  const view = findQuestion(another);
  view.state = { busy: true };
  for (;;) {
    const screen = frame.stage.open(view, options);
    if (view.state.busy) {
      const find = (signal: AbortSignal): Promise<FoundCopy> =>
        inTime(frame.clock, PATIENCE_MS, (late) => copy.find(AbortSignal.any([signal, late])));
      try {
        const theirs = await screen.leavable(find, (late) => late.close());
        if (theirs) return theirs;
      } catch (error) {
        view.state = { error: findError(error) };
        continue;
      }
    }
    const { type } = await screen.next('cbf-passkey', 'cbf-back');
    if (type === 'cbf-back') return undefined;
    view.state = { busy: true };
  }
}

function findError(error: unknown): string {
  if (error instanceof SyncError) return problemText(error.code);
  if (!(error instanceof ConnectError)) throw error;
  return error.code === 'user.rejected'
    ? msg('No passkey was used. Try again, or go back and use the 12 words or the file.')
    : msg('This passkey cannot open a copy. The 12 words and the file still help.');
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
export async function joinCopy(
  frame: Frame,
  vault: Vault,
  copy: KeptCopy,
  options: OpenOptions,
): Promise<boolean> {
  const theirs = await findCopy(frame, copy, options);
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

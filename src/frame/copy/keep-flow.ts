/** Keeping an encrypted copy: the offer, what is written afterwards, and its place in Settings. */
import { msg } from '../../base/localize.ts';
import { KeptCopy } from '../../sync/kept-copy.ts';
import { SyncError } from '../../sync/sync-error.ts';
import type { OpenCopy } from '../../sync/vault-sync.ts';
import type { Unlocked, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { noteCopy } from '../ui/backup-reminder.ts';
import type { OpenOptions, Screen } from '../ui/screen.ts';
import { intentToOpen } from '../unlock/ask-pin-flow.ts';
import { unlockOrLeave } from '../unlock/unlock.ts';
import { keepQuestion, problemText, statusQuestion, turnOffQuestion } from './copy-views.ts';

/** Undefined without a wallet service. */
export async function copyOf({ networks, clock }: Frame, vault: Vault): Promise<KeptCopy | undefined> {
  const { service: url } = networks;
  return url === undefined ? undefined : new KeptCopy(await vault.parts(), { url, clock, onKept: noteCopy });
}

/** After a passkey was made: `unlocked` is the vault that it opens. Resolves whatever the user answers. */
export async function offerCopy(
  frame: Frame,
  vault: Vault,
  unlocked: Unlocked,
  options: OpenOptions,
): Promise<void> {
  const copy = await copyOf(frame, vault);
  if (!copy || !(await copy.canEnrol()) || (await copy.state())) return;
  await keepCopy(frame, vault, copy, { ...options, own: true, settings: false }, unlocked);
}

/** Brings the copy up to date with a vault that was opened by its passkey. What goes wrong is shown in Settings. */
export async function keepUp(frame: Frame, vault: Vault, unlocked: Unlocked): Promise<void> {
  const copy = await copyOf(frame, vault);
  const state = await copy?.state();
  if (!state) return;
  const isRecent = frame.clock.date() - state.writtenAt < RECENT_MS;
  if (state.isCurrent && state.problem === undefined && isRecent) return;
  await copy!.update(unlocked).catch(() => {});
}

/** What others wrote in so short a time can wait for the next unlock. */
const RECENT_MS = 60_000;

/** "Encrypted copy" in Settings. Resolves with whether something was saved. */
export async function showCopy(frame: Frame, vault: Vault, options: OpenOptions): Promise<boolean> {
  const copy = await copyOf(frame, vault);
  if (!copy) return false;
  const state = await copy.state();
  if (!state) return keepCopy(frame, vault, copy, options);
  const view = statusQuestion(state);
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-update', 'cbf-passkeys', 'cbf-off', 'cbf-back');
    if (type === 'cbf-back') return false;
    if (type === 'cbf-off') {
      if (await turnOff(frame, vault, copy, options)) return true;
      continue;
    }
    view.state = { ...view.state, busy: true, error: '' };
    if (type === 'cbf-passkeys') {
      const opened: { copy?: OpenCopy } = {};
      const error = await withPasskey(frame, vault, screen, options, async (unlocked) => {
        opened.copy = await copy.open(unlocked);
      });
      view.state = { ...view.state, busy: false, error: error ?? '' };
      const { showPasskeys } = await import('./passkeys.ts');
      if (opened.copy) await showPasskeys(frame, copy, opened.copy, options);
      continue;
    }
    const { problem } = view.state;
    const error = await withPasskey(frame, vault, screen, options, (unlocked, signal) =>
      problem === 'copy.unknown' || problem === 'copy.removed'
        ? copy.enrol(unlocked, signal)
        : copy.update(unlocked, problem === 'copy.rolled-back'),
    );
    const now = (await copy.state()) ?? state;
    // What the copy remembers is told with it.
    view.state = { ...now, error: now.problem === undefined ? (error ?? '') : '' };
    if (error === undefined) frame.stage.shell.say({ text: msg('Saved') });
  }
}

/** Offers the copy, and makes it with the passkey. `opened`: the vault, if it is open already. False on Not now. */
async function keepCopy(
  frame: Frame,
  vault: Vault,
  copy: KeptCopy,
  options: OpenOptions,
  opened?: Unlocked,
): Promise<boolean> {
  const { joinCopy } = frame;
  const view = keepQuestion(opened ? undefined : joinCopy ? 'here' : 'own page');
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-keep', 'cbf-find', 'cbf-back', 'cbf-close');
    if (type === 'cbf-find') {
      if (await joinCopy?.(vault, options)) return true;
      continue;
    }
    if (type !== 'cbf-keep') return false;
    view.state = { busy: true };
    const enrol = (unlocked: Unlocked, signal: AbortSignal): Promise<void> => copy.enrol(unlocked, signal);
    const error = await withPasskey(frame, vault, screen, options, enrol, opened);
    view.state = { error: error ?? '' };
    if (error !== undefined) continue;
    frame.stage.shell.say({ text: msg('The encrypted copy is kept.') });
    return true;
  }
}

/** True once the copy is gone from the server and forgotten here. */
async function turnOff(frame: Frame, vault: Vault, copy: KeptCopy, options: OpenOptions): Promise<boolean> {
  const view = turnOffQuestion();
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-off', 'cbf-back');
    if (type === 'cbf-back') return false;
    view.state = { busy: true };
    const error = await withPasskey(frame, vault, screen, options, (unlocked) => copy.remove(unlocked));
    if (error === undefined) return true;
    view.state = { error };
  }
}

/**
 * Opens the vault with its passkey, in the same click, for work with the copy. Undefined once it is done, else what went wrong; empty if the
 * passkey was not used, or the user left meanwhile.
 */
export async function withPasskey(
  frame: Frame,
  vault: Vault,
  screen: Screen,
  options: OpenOptions,
  work: (unlocked: Unlocked, signal: AbortSignal) => Promise<void>,
  opened?: Unlocked,
): Promise<string | undefined> {
  let problem = '';
  const run = async (signal: AbortSignal): Promise<true> => {
    const unlocked = opened ?? (await vault.unlockWithPasskey(intentToOpen(options), signal));
    try {
      signal.throwIfAborted();
      await work(unlocked, signal);
      return true;
    } finally {
      if (!opened) unlocked.close();
    }
  };
  try {
    const isDone = await unlockOrLeave(frame, vault, screen, (text) => (problem = text), run);
    return isDone ? undefined : problem;
  } catch (error) {
    if (error instanceof SyncError) return problemText(error.code);
    throw error;
  }
}

/** Which passkeys open the encrypted copy: another one is added, or one is removed, after which the copy has a new key. */
import { inTime } from '../../base/clock.ts';
import { ConnectError } from '../../base/errors.ts';
import { msg, str } from '../../base/localize.ts';
import type { FoundCopy, KeptCopy } from '../../sync/kept-copy.ts';
import { SyncError } from '../../sync/sync-error.ts';
import type { OpenCopy } from '../../sync/vault-sync.ts';
import type { Unlocked, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { findQuestion, problemText, removeQuestion } from './copy-views.ts';
import { copyOf, withPasskey } from './keep-flow.ts';
import { html, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { iconPasskey } from '../../ui/icons.ts';
import { spinStyles } from '../../ui/styles.ts';
import { head } from '../ui/head.ts';
import { listStyles, optionButton, optionCard, optionRow, optionStyles } from '../ui/rows.ts';
import { errorLine, FrameView } from '../ui/view.ts';

/** Without any authenticator, browsers do not answer at all. */
const PATIENCE_MS = 120_000;

/** Lists them until Back. The vault's own passkey has opened `copy`, which this closes. */
export async function showPasskeys(
  frame: Frame,
  kept: KeptCopy,
  copy: OpenCopy,
  options: OpenOptions,
): Promise<void> {
  const view = new PasskeysView();
  let current = copy;
  let error = '';
  try {
    for (;;) {
      const passkeys = await kept.passkeysOf(current);
      Object.assign(view, { passkeys, error, busy: false });
      const screen = frame.stage.open(view, options);
      const { type, detail } = await screen.next('cbf-add', 'cbf-remove', 'cbf-back');
      if (type === 'cbf-back') return;
      error = '';
      try {
        if (type === 'cbf-remove') {
          const passkey = passkeys[detail.index]!;
          if (await isRemovalMeant(frame, passkey, options))
            current = await kept.removePasskey(current, passkey.id);
          continue;
        }
        view.busy = true;
        const added = await screen.leavable((signal) => kept.addPasskey(current, signal));
        if (added) current = added;
      } catch (failure) {
        error = errorText(failure);
      }
    }
  } finally {
    current.close();
  }
}

async function isRemovalMeant(frame: Frame, { name }: ListedPasskey, options: OpenOptions): Promise<boolean> {
  const { type } = await frame.stage.open(removeQuestion(name), options).next('cbf-remove', 'cbf-back');
  return type === 'cbf-remove';
}

function errorText(error: unknown): string {
  if (error instanceof SyncError) return problemText(error.code);
  if (!(error instanceof ConnectError)) throw error;
  if (error.code === 'user.rejected') return msg('No passkey was made. Try again.');
  return problemText('copy.unsteady');
}

/**
 * Before the vault's passkey is removed in Settings: the copy goes on with another passkey, which opens the vault from then on, or is removed.
 * `none`: there is no copy; `gone`: it is removed; `replaced`: the vault has another passkey now. Undefined if the user keeps it.
 */
export async function leaveCopy(
  frame: Frame,
  vault: Vault,
  options: OpenOptions,
): Promise<'none' | 'gone' | 'replaced' | undefined> {
  const kept = await copyOf(frame, vault);
  if (!kept || !(await kept.state())) return 'none';
  const view = removeQuestion();
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-remove', 'cbf-back');
    if (type === 'cbf-back') return undefined;
    view.state = { busy: true };
    let result: 'gone' | 'replaced' | undefined;
    const error = await withPasskey(frame, vault, screen, options, async (unlocked) => {
      if (await hasOthers(kept, unlocked)) result = await replaceBy(frame, kept, unlocked, options);
      else {
        await kept.remove(unlocked);
        result = 'gone';
      }
    });
    if (error === undefined && result) return result;
    view.state = { error: error ?? '' };
  }
}

/** False if the server has no copy any more. */
async function hasOthers(kept: KeptCopy, unlocked: Unlocked): Promise<boolean> {
  try {
    const copy = await kept.open(unlocked);
    const passkeys = await kept.passkeysOf(copy);
    copy.close();
    return passkeys.some(({ isOwn }) => !isOwn);
  } catch (error) {
    if (error instanceof SyncError && (error.code === 'copy.unknown' || error.code === 'copy.removed'))
      return false;
    throw error;
  }
}

async function replaceBy(
  frame: Frame,
  kept: KeptCopy,
  unlocked: Unlocked,
  options: OpenOptions,
): Promise<'replaced' | undefined> {
  const another = await findCopy(frame, kept, options, true);
  if (!another) return undefined;
  try {
    await kept.replacePasskey(unlocked, another);
    return 'replaced';
  } finally {
    another.close();
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
  if (error instanceof SyncError) {
    const isNone = error.code === 'copy.unknown' || error.code === 'copy.removed';
    return isNone ? `${problemText(error.code)} ${otherWays()}` : problemText(error.code);
  }
  if (!(error instanceof ConnectError)) throw error;
  return error.code === 'user.rejected'
    ? msg('No passkey was used. Try again, or go back and use the 12 words or the file.')
    : msg('This passkey cannot open a copy. The 12 words and the file still help.');
}

function otherWays(): string {
  return msg('Try another passkey, or go back and use the 12 words or the file.');
}

export interface ListedPasskey {
  /** As the device lists it. */
  name: string;
  /** It opens the wallet of this browser. */
  isOwn: boolean;
}

export interface PasskeysEvents {
  'cbf-add': null;
  /** The place in the list. */
  'cbf-remove': { index: number };
  /** Back, Esc. */
  'cbf-back': null;
}

/** The passkeys that open the encrypted copy. */
@customElement('cbf-copy-passkeys')
export class PasskeysView extends FrameView<PasskeysEvents> {
  static override styles = [FrameView.styles, listStyles, optionStyles, spinStyles];

  @property({ attribute: false }) passkeys: readonly ListedPasskey[] = [];
  @property({ attribute: false }) busy = false;
  @property({ attribute: false }) error = '';

  protected override readonly escape = 'cbf-back';

  #row({ name, isOwn }: ListedPasskey, index: number): TemplateResult {
    const act = (): void => this.emit('cbf-remove', { index });
    const control = isOwn ? html`` : optionButton(msg('Remove'), act, msg(str`Remove ${name}`));
    return optionRow(
      iconPasskey(),
      name,
      isOwn ? msg('Opens this browser’s wallet') : msg('From another device'),
      control,
    );
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Passkeys that open it'))}
        <p class="muted sm">${msg('Each of them finds the encrypted copy in another browser, and opens it.')}</p>
        ${optionCard(this.passkeys.map((passkey, index) => this.#row(passkey, index)))}`,
      foot: html`${errorLine(this.error)}<button
        type="button"
        class="btn secondary lg block"
        ?disabled=${this.busy}
        @click=${() => this.emit('cbf-add')}
      >${this.busy ? html`<span class="spin"></span>` : ''}<span>${msg('Add another passkey')}</span></button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-copy-passkeys': PasskeysView;
  }
}

import type { PinKeeper, PinState } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { msg, plural, str } from '../../base/localize.ts';
import { clock, Countdown } from '../../ui/countdown.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { icon, iconLock } from '../../ui/icons.ts';
import { statusStyles } from '../../ui/status.ts';
import { FrameView } from '../ui/view.ts';

export interface LockedEvents {
  /** The lock has expired: the PIN can be tried again. */
  'cbf-unlocked': null;
  /** Restore with 12 words, Use recovery code. */
  'cbf-restore': null;
  /** Use passkey: return to the view that asks for it. */
  'cbf-passkey': null;
  /** Reject, Esc. */
  'cbf-reject': null;
}

/** Too many wrong PINs. The remaining time is announced each minute and in the last ten seconds. */
@customElement('cbf-locked')
export class LockedView extends FrameView<LockedEvents> {
  static override styles = [
    FrameView.styles,
    statusStyles,
    css`
      .hero .muted { max-inline-size: 290px; }
      .countdown { font-size: 44px; font-weight: 620; letter-spacing: -.03em; font-variant-numeric: tabular-nums; line-height: 1; }
    `,
  ];

  /** Epoch milliseconds; Infinity for a lock that only the words or the recovery code lift. */
  @property({ attribute: false }) until = 0;
  /** A recovery code lifts the lock, instead of the words. */
  @property({ attribute: false }) recovery: unknown;

  /** The user has typed the words from their paper once. */
  @property({ attribute: false }) backedUp = true;
  /** A passkey opens the wallet despite the lock. */
  @property({ attribute: false }) passkey = false;

  protected override readonly escape = 'cbf-reject';

  readonly #countdown = new Countdown(
    this,
    (seconds) => {
      if (seconds === 0) this.emit('cbf-unlocked');
      else if (seconds <= 10) this.announce(String(seconds));
      else if (seconds % 60 === 0) {
        const minutes = seconds / 60;
        this.announce(plural(minutes, msg('1 minute left'), msg(str`${minutes} minutes left`)));
      }
    },
    () => this.clock,
  );

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('until')) this.#countdown.start(this.until);
  }

  protected override render(): TemplateResult {
    const hard = this.until === Number.POSITIVE_INFINITY;
    const restore = html`<button
      type="button"
      class="btn ${hard && !this.passkey ? 'primary' : 'secondary'} lg block"
      @click=${() => this.emit('cbf-restore')}
    >
      <span>${this.recovery ? msg('Use recovery code') : msg('Restore with 12 words')}</span>
    </button>`;
    return this.layout({
      mid: true,
      plain: true,
      body: html`<div class="hero">
        <span class="badge-round warn">${icon(iconLock())}</span>
        <h1 class="h1" tabindex="-1">${hard ? msg('Locked') : msg('Locked for a while')}</h1>
        ${
          hard
            ? nothing
            : html`<p class="countdown" role="timer" aria-label=${msg('Time left')}>${clock(
                this.#countdown.seconds,
              )}</p>`
        }
        <p class="muted">${this.recovery ? withCode(hard) : withWords(hard, this.backedUp)}</p>
      </div>`,
      foot: html`${
        this.passkey
          ? html`<button type="button" class="btn primary lg block" @click=${() => this.emit('cbf-passkey')}>
              <span>${msg('Use passkey')}</span>
            </button>`
          : nothing
      }${restore}
        <button type="button" class="btn ghost block" @click=${() => this.emit('cbf-reject')}>
          <span>${msg('Reject')}</span>
        </button>`,
    });
  }
}

function withWords(hard: boolean, backedUp: boolean): string {
  if (hard) return msg('Too many wrong PINs. Restore the wallet with your 12 words to use it again.');
  return backedUp
    ? msg('Too many wrong PINs. Try again when the time is up, or restore the wallet with your 12 words.')
    : msg('Too many wrong PINs. Try again when the time is up. This wallet is not backed up.');
}

function withCode(hard: boolean): string {
  return hard
    ? msg('Too many wrong PINs. Choose a new one with your recovery code to use your service wallets again.')
    : msg('Too many wrong PINs. Try again when the time is up, or choose a new PIN with your recovery code.');
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-locked': LockedView;
  }
}

const loadAccount = () => import('../service/service-account-flow.ts');

/**
 * Shows the lock until it expires, the recovery phrase or code lifts it, or the user goes back to the passkey. Enrols a device that may not
 * sign for its user yet. Rejects with `user.rejected`.
 */
export async function untilOpen(frame: Frame, keeper: PinKeeper, options: OpenOptions): Promise<void> {
  for (;;) {
    const { lockedUntil, recovery, enrolled, passkey, backedUp = true } = await keeper.state();
    if (lockedUntil === null || lockedUntil <= frame.clock.date()) {
      if (enrolled === false) await (await loadAccount()).enrol(frame, options);
      return;
    }
    const view = Object.assign(new LockedView(), {
      clock: frame.clock,
      until: lockedUntil,
      recovery,
      passkey,
      backedUp,
    });
    const { type } = await frame.stage.open(view, options).next('cbf-restore', 'cbf-unlocked', 'cbf-passkey');
    if (type === 'cbf-passkey') return;
    if (type !== 'cbf-restore') continue;
    if (recovery) await (await loadAccount()).recover(frame, options, recovery.walletId);
    else await (await import('../set-up/restore.ts')).restore(frame, await frame.vault(), options);
  }
}

/** The user completed the device's dialog, but the result does not open the wallet. */
export function passkeyProblem(answered: boolean, { pin, recovery }: PinState): string {
  if (answered) return msg('The passkey’s answer was not to what was asked. Nothing was signed.');
  if (recovery)
    return msg('This passkey cannot approve here. Remove it in Settings with your recovery code.');
  return pin
    ? msg('This passkey cannot open the wallet. Use your PIN.')
    : msg('This passkey cannot open the wallet. Restore it with your 12 words in Settings.');
}

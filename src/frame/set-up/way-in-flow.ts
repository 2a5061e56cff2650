/** How a new vault is opened: with a passkey if this device supports one and the user wants it, otherwise with a PIN. */
import { css } from 'lit';
import { ConnectError } from '../../base/errors.ts';
import { iconPasskey } from '../../ui/icons.ts';
import { badgeQuestion, type QuestionButton } from '../ui/question-view.ts';
import { msg } from '../../base/localize.ts';
import type { KeyStore, Unlocked } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { ChoosePinView, type PinUse } from './choose-pin-view.ts';

/** `signal` aborts when the user goes back; nothing is created after that. */
export interface Making {
  withPin(pin: string, signal: AbortSignal): Promise<Unlocked>;
  withPasskey(signal: AbortSignal): Promise<Unlocked>;
}

/** Creates the vault. Undefined on Back. `steps` as in `choosePin`. `onShown`: starts loading the code for the next step. */
export async function makeVault(
  frame: Frame,
  vault: KeyStore,
  options: OpenOptions,
  steps: number,
  making: Making,
  onShown?: () => void,
): Promise<Unlocked | undefined> {
  const withPin = (note = ''): Promise<Unlocked | undefined> =>
    choosePin(frame, options, steps, making.withPin, { onShown, note, drop: close });
  if (!(await vault.passkeyAvailable())) return withPin();
  const view = makePasskey();
  void view.updateComplete.then(onShown);
  for (;;) {
    const screen = frame.stage.open(view, options);
    const { type } = await screen.next('cbf-passkey', 'cbf-pin', 'cbf-back');
    if (type === 'cbf-back') return undefined;
    view.state = {};
    let note = '';
    let problem = '';
    if (type === 'cbf-passkey') {
      view.state = { busy: true };
      try {
        const unlocked = await screen.leavable(making.withPasskey, close);
        if (unlocked) return unlocked;
        continue;
      } catch (error) {
        if (!(error instanceof ConnectError)) throw error;
        if (error.code === 'user.rejected') {
          problem = msg('No passkey was made. Try again, or use a PIN.');
          continue;
        }
        if (error.details['reason'] !== 'passkey') throw error;
        note = msg('The passkeys of this device cannot open a wallet. A PIN can.');
      } finally {
        view.state = { error: problem };
      }
    }
    const unlocked = await withPin(note);
    if (unlocked) return unlocked;
  }
}

/** Asks for the passkey in the same click. */
export function passkeyButton(busy: boolean): QuestionButton<'cbf-passkey'> {
  return {
    text: msg('Continue with passkey'),
    event: 'cbf-passkey',
    look: 'primary',
    glyph: iconPasskey(),
    disabled: busy,
    spins: busy,
  };
}

/** How a new wallet is opened: with a passkey, made in the same click, unless the user wants a PIN. */
export function makePasskey() {
  return badgeQuestion<'cbf-passkey' | 'cbf-pin' | 'cbf-back'>(
    'cbf-back',
    ({ busy = false, error }) => ({
      badge: ['acc', iconPasskey()],
      back: true,
      heading: msg('Make your wallet with a passkey'),
      text: msg(
        'Your fingerprint, face or screen lock opens it. The keys stay in this browser, and no site can read them.',
      ),
      error,
      buttons: [
        passkeyButton(busy),
        { text: msg('Use a PIN instead'), event: 'cbf-pin', look: 'ghost', disabled: busy },
      ],
      stacked: true,
    }),
    css`
      .hero { margin-block: auto; gap: 12px; }
      .err { justify-content: center; }
    `,
  );
}

export interface PinChoice<T> {
  onShown?: (() => void) | undefined;
  purpose?: PinUse;
  /** Why it has to be a PIN. */
  note?: string;
  /** Receives a result that came after the user had gone back. */
  drop?: (late: T) => void;
}

/**
 * Asks for a new PIN and calls `use` with it. Undefined on Back. While this browser's PIN is being set, Back leads to choosing another; a
 * call to the service cannot be cancelled. `steps`: total number of steps, for the progress line.
 */
export async function choosePin<T>(
  frame: Frame,
  options: OpenOptions,
  steps: number,
  use: (pin: string, signal: AbortSignal) => Promise<T>,
  { onShown, purpose = 'browser', note = '', drop }: PinChoice<T> = {},
): Promise<T | undefined> {
  const view = Object.assign(new ChoosePinView(), { progressOf: steps, use: purpose, note });
  const screen = frame.stage.open(view, options);
  void view.updateComplete.then(onShown);
  for (;;) {
    const { type } = await screen.next('cbf-pin', 'cbf-back');
    if (type === 'cbf-back') {
      if (!view.busy) return undefined;
      view.restart();
      continue;
    }
    view.busy = true;
    const { pin } = view;
    if (purpose !== 'browser') return use(pin, options.signal);
    const result = await screen.leavable((signal) => use(pin, signal), drop);
    if (result !== undefined) return result;
  }
}

function close(late: Unlocked): void {
  late.close();
}

/** The user's own settings, over whatever was on screen. */
import { ConnectError } from '../../errors.ts';
import { msg } from '../../ui/localize.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Theme } from '../views/settings.ts';
import { askPin } from './ask-pin.ts';
import type { Frame } from './frame.ts';
import { checkCopy } from './set-up.ts';
import type { OpenOptions, Screen } from './stage.ts';
import { unlock, waitOutLock } from './unlock.ts';

export async function settings(frame: Frame, under: Screen): Promise<void> {
  const vault = await frame.vault();
  const { SettingsView } = await import('../views/settings.ts');
  const options: OpenOptions = { ...under.options, own: true, settings: false };
  const view = Object.assign(new SettingsView(), { clock: frame.clock });
  const refresh = async (): Promise<void> => {
    const [{ exists, backedUp, passkey, pinChangedAt }, available, account] = await Promise.all([
      vault.state(),
      vault.passkeyAvailable(),
      vault.service?.account().catch(() => undefined),
    ]);
    view.browser = exists;
    view.service = account?.hasMasterPin
      ? { changedAt: account.pinChangedAt, enrolled: account.enrolled }
      : undefined;
    view.backedUp = backedUp;
    view.pinChangedAt = pinChangedAt;
    view.passkey = passkey ? 'on' : available ? 'off' : 'unavailable';
  };
  view.chosenTheme = vault.settings.theme();
  let saved = false;
  try {
    await refresh();
    for (;;) {
      const screen = frame.stage.open(view, options);
      // Said once it is on screen again.
      if (saved) void frame.stage.shell.updateComplete.then(() => view.saved());
      saved = false;
      const { type, detail } = await screen.next(
        'cbf-back',
        'cbf-change-pin',
        'cbf-passkey',
        'cbf-show-words',
        'cbf-theme',
        'cbf-language',
        'cbf-lock',
        ...(Object.keys(SERVICE) as (keyof typeof SERVICE)[]),
      );
      view.passkeyAdded = false;
      switch (type) {
        case 'cbf-back':
          return;
        case 'cbf-theme': {
          const { theme } = detail as { theme: Theme };
          await vault.settings.setTheme(theme);
          frame.stage.theme = theme;
          saved = true;
          break;
        }
        case 'cbf-passkey':
          view.passkeyAdded = await setPasskey(frame, vault, (detail as { on: boolean }).on, options);
          await refresh();
          break;
        case 'cbf-change-pin':
          saved = await changePin(frame, vault, options);
          await refresh();
          break;
        case 'cbf-show-words':
          await showWords(frame, vault, options);
          await refresh();
          break;
        case 'cbf-lock':
          under.view.dispatchEvent(new CustomEvent('cbf-reject'));
          return;
        case 'cbf-language':
          break;
        default:
          saved = await SERVICE[type](frame, options);
          await refresh();
      }
    }
  } finally {
    // Rejected and Close end the request below too: it decides what is shown next.
    if (!under.options.signal.aborted) {
      frame.stage.show(under);
      // The words may be backed up now, or a passkey be there.
      under.view.dispatchEvent(new CustomEvent('cbf-settings-closed'));
    }
  }
}

const loadAccount = () => import('./service-account.ts');

/** What the view offers of the wallet service. Each answers whether it was done. */
const SERVICE = {
  'cbf-service-pin': async (...on: [Frame, OpenOptions]) => (await loadAccount()).changeServicePin(...on),
  'cbf-service-code': async (...on: [Frame, OpenOptions]) => (await loadAccount()).renewCode(...on),
  'cbf-service-forgot': async (...on: [Frame, OpenOptions]) => (await loadAccount()).recover(...on),
  'cbf-service-enrol': async (...on: [Frame, OpenOptions]) => (await loadAccount()).enrolIfWanted(...on),
  'cbf-service-devices': async (...on: [Frame, OpenOptions]) =>
    (await import('./devices.ts')).showDevices(...on),
};

async function changePin(frame: Frame, vault: Vault, options: OpenOptions): Promise<boolean> {
  await waitOutLock(frame, vault, options);
  const { ChangePinView } = await import('../views/change-pin.ts');
  const view = new ChangePinView();
  const screen = frame.stage.open(view, options);
  const tell = (error: string): void => {
    view.busy = false;
    view.error = error;
  };
  for (;;) {
    const { type } = await screen.next('cbf-current', 'cbf-pin', 'cbf-back');
    if (type === 'cbf-back') return false;
    view.busy = true;
    if (type === 'cbf-current') {
      const unlocked = await unlock(frame, vault, screen, tell, () => vault.unlock(view.current));
      unlocked?.close();
      if (unlocked) view.accept();
      continue;
    }
    await vault.changePin(view.current, view.pin);
    return true;
  }
}

async function showWords(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  await waitOutLock(frame, vault, options);
  const [{ ShowWordsView }, { backedUp }] = await Promise.all([
    import('../views/show-words.ts'),
    vault.state(),
  ]);
  const view = Object.assign(new ShowWordsView(), { clock: frame.clock, backedUp });
  const screen = frame.stage.open(view, options);
  const tell = (error: string): void => {
    view.busy = false;
    view.error = error;
  };
  let words: string[] = [];
  try {
    for (;;) {
      const { type } = await screen.next('cbf-pin', 'cbf-check', 'cbf-back');
      if (type === 'cbf-back') return;
      if (type === 'cbf-check') {
        if (await checkCopy(frame, vault, words, options, 0)) return;
        frame.stage.show(screen);
        continue;
      }
      view.busy = true;
      const unlocked = await unlock(frame, vault, screen, tell, () => vault.unlock(view.pin));
      if (!unlocked) continue;
      try {
        words = await vault.phrase(unlocked);
      } finally {
        unlocked.close();
      }
      view.busy = false;
      view.reveal = () => words;
    }
  } finally {
    words.fill('');
  }
}

/** Whether one was added. */
async function setPasskey(frame: Frame, vault: Vault, on: boolean, options: OpenOptions): Promise<boolean> {
  if (!on) {
    await vault.removePasskey();
    return false;
  }
  const unlocked = await askPin(frame, vault, msg('To set up a passkey.'), options);
  if (!unlocked) return false;
  try {
    await vault.addPasskey(unlocked);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectError) || error.code !== 'user.rejected') throw error;
    return false;
  } finally {
    unlocked.close();
  }
}

/** The user's own settings, opened over the current view. */
import { css, html, nothing } from 'lit';
import { ConnectError } from '../../base/errors.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { iconCheck, iconLock } from '../../ui/icons.ts';
import { iconExport } from '../../ui/list-icons.ts';
import { badgeQuestion, type QuestionView } from '../ui/question-view.ts';
import { msg, str } from '../../base/localize.ts';
import type { Unlocked, Vault } from '../../wallets/types.ts';
import { download, fileName } from '../ui/download.ts';
import type { Frame, OwnTurn } from '../frame.ts';
import { checkCopy, offerCopy, release } from '../set-up/set-up-flow.ts';
import { choosePin } from '../set-up/way-in-flow.ts';
import { siteName } from '../shell/origin.ts';
import type { OpenOptions, Screen } from '../ui/screen.ts';
import { linkedSites, showSites } from './sites-flow.ts';
import type { CopyRow, PasskeySwitch, SettingsEvents, SettingsView } from './settings-view.ts';
import type { CoveredEvents, LeaveEvents } from '../ui/view.ts';
import { askPin, openFor } from '../unlock/ask-pin-flow.ts';
import { unlockOrLeave, waitOutLock } from '../unlock/unlock.ts';
import { remindsFrom, setRemindsFrom } from '../ui/backup-reminder.ts';

export async function settings(frame: Frame, under: Screen): Promise<void> {
  const vault = await frame.vault();
  const [{ SettingsView }, language, { redraw }] = await Promise.all([
    import('./settings-view.ts'),
    import('../language.ts'),
    import('../../ui/languages.ts'),
  ]);
  const prices =
    frame.networks.fiat === undefined ? undefined : (await import('../ui/worth.ts')).pricesOf(frame);
  const view = Object.assign(new SettingsView(), {
    clock: frame.clock,
    chosenTheme: vault.settings.theme(),
    language: vault.settings.language(),
    languages: language.OFFERED,
    remindsFrom: remindsFrom(),
    locks: frame.link.origin !== location.origin,
    ...(prices && { currencies: prices.currencies, currency: prices.currency }),
  });
  let turn: OwnTurn | undefined;
  try {
    turn = await frame.stage.asks('settings', under.options);
    const options: OpenOptions = { ...under.options, signal: turn.signal, own: true, settings: false };
    const setters: Setters = {
      setCurrency(currency) {
        if (prices) prices.currency = view.currency = currency;
      },
      async setLanguage(tag) {
        vault.settings.setLanguage(tag);
        await language.speakTo(frame.link.locale, (view.language = tag));
        redraw();
      },
    };
    const isLocked = await new OpenSettings(frame, vault, view, options, setters, under).run();
    if (isLocked) under.view.dispatchEvent(new CustomEvent('cbf-reject' satisfies keyof LeaveEvents));
  } finally {
    turn?.end();
    // Reject and Close also end the request below, which then decides what is shown next.
    if (!under.options.signal.aborted) {
      frame.stage.show(under);
      // It may have been rendered in another language.
      redraw(under.view);
      // The words may be backed up now, or a passkey added.
      under.view.dispatchEvent(new CustomEvent('cbf-settings-closed' satisfies keyof CoveredEvents));
    }
  }
}

type LeaveCopy = typeof import('../copy/passkeys.ts').leaveCopy;
type Setting = Exclude<keyof SettingsEvents, 'cbf-back' | 'cbf-lock'>;

/** How to set what more than the wallet reads. */
interface Setters {
  setCurrency(currency: string): void;
  setLanguage(tag: string): Promise<void>;
}

/** The settings, until the user leaves them. */
class OpenSettings {
  readonly #frame: Frame;
  readonly #vault: Vault;
  readonly #view: SettingsView;
  readonly #options: OpenOptions;
  readonly #setters: Setters;
  /** The site that asks for wallets below the settings. */
  readonly #asker: string | undefined;

  constructor(
    frame: Frame,
    vault: Vault,
    view: SettingsView,
    options: OpenOptions,
    setters: Setters,
    under: Screen,
  ) {
    this.#frame = frame;
    this.#vault = vault;
    this.#view = view;
    this.#options = options;
    this.#setters = setters;
    this.#asker = under.view.localName === 'cbf-link' ? siteName(frame.link.origin) : undefined;
  }

  /** False on Back; true after Lock now. */
  async run(): Promise<boolean> {
    const view = this.#view;
    const { stage } = this.#frame;
    let isSaved = false;
    await this.#refresh();
    for (;;) {
      const screen = stage.open(view, this.#options);
      // Announced once the view is back on screen.
      if (isSaved) void stage.shell.updateComplete.then(() => view.saved());
      const { type, detail } = await screen.next(
        'cbf-back',
        'cbf-lock',
        ...(Object.keys(this.#steps) as Setting[]),
      );
      view.passkeyAdded = view.passkeyFailed = false;
      if (type === 'cbf-back') return false;
      if (type === 'cbf-lock') {
        await this.#sayLocked();
        return true;
      }
      isSaved = await (this.#steps[type] as (detail: unknown) => Promise<boolean>)(detail);
    }
  }

  /** Each resolves with whether something was saved. */
  readonly #steps: { [K in Setting]: (detail: SettingsEvents[K]) => Promise<boolean> } = {
    'cbf-theme': async ({ theme }) => {
      await this.#vault.settings.setTheme(theme);
      this.#frame.stage.theme = theme;
      return true;
    },
    'cbf-currency': async ({ currency }) => {
      this.#setters.setCurrency(currency);
      return true;
    },
    'cbf-remind': async ({ from }) => {
      setRemindsFrom((this.#view.remindsFrom = from));
      return true;
    },
    'cbf-language': async ({ language }) => {
      await this.#setters.setLanguage(language);
      return true;
    },
    'cbf-passkey': async ({ on }) =>
      this.#showPasskey('browser', await setPasskey(this.#frame, this.#vault, on, this.#options)),
    'cbf-service-passkey': async ({ on }) =>
      this.#showPasskey('service', await setServicePasskey(this.#frame, on, this.#options)),
    'cbf-change-pin': () =>
      this.#refreshed(
        (this.#view.hasPin ? changePin : chooseFirstPin)(this.#frame, this.#vault, this.#options),
      ),
    'cbf-show-words': () =>
      this.#refreshed(showWords(this.#frame, this.#vault, this.#options).then(() => false)),
    'cbf-save-file': () => saveFile(this.#frame, this.#vault, this.#options),
    'cbf-copy': async () => {
      const { showCopy } = await import('../copy/keep-flow.ts');
      return this.#refreshed(showCopy(this.#frame, this.#vault, this.#options));
    },
    'cbf-recipients': async () => {
      const { showBook } = await import('../recipients/book-flow.ts');
      return this.#refreshed(showBook(this.#frame, this.#vault, this.#options).then(() => false));
    },
    'cbf-sites': () => this.#refreshed(showSites(this.#frame, this.#vault, this.#options).then(() => false)),
    'cbf-elsewhere': async () => {
      const { showOwnAddress } = await import('./own-address-flow.ts');
      await showOwnAddress(this.#frame, this.#view, this.#options);
      return false;
    },
    'cbf-service-pin': async () =>
      this.#refreshed((await loadAccount()).changeServicePin(this.#frame, this.#options)),
    'cbf-service-code': async () =>
      this.#refreshed((await loadAccount()).renewCode(this.#frame, this.#options)),
    'cbf-service-forgot': async () =>
      this.#refreshed((await loadAccount()).recover(this.#frame, this.#options)),
    'cbf-service-enrol': async () =>
      this.#refreshed((await loadAccount()).enrolIfWanted(this.#frame, this.#options)),
    'cbf-service-devices': async () => {
      const { showDevices } = await import('../service/devices-flow.ts');
      return this.#refreshed(showDevices(this.#frame, this.#options));
    },
  };

  /** The result of `work`, once the view shows what it changed. */
  async #refreshed(work: Promise<boolean>): Promise<boolean> {
    const isSaved = await work;
    await this.#refresh();
    return isSaved;
  }

  async #refresh(): Promise<void> {
    const vault = this.#vault;
    const [
      { exists, backedUp, passkey, pin, pinChangedAt },
      savedFile,
      copy,
      saved,
      sites,
      available,
      account,
    ] = await Promise.all([
      vault.state(),
      hasFile(vault),
      this.#copy(),
      vault.recipients(),
      linkedSites(this.#frame, vault),
      vault.passkeyAvailable(),
      vault.service?.account().catch(() => undefined),
    ]);
    const switchOf = (on: boolean): PasskeySwitch => (on ? 'on' : available ? 'off' : 'unavailable');
    Object.assign(this.#view, {
      browser: exists,
      service: account?.hasMasterPin
        ? {
            changedAt: account.pinChangedAt,
            enrolled: account.enrolled,
            passkey: switchOf(account.passkeyRequired),
          }
        : undefined,
      backedUp,
      recipients: saved.length,
      sites: sites.length,
      hasPin: pin,
      pinChangedAt,
      passkey: switchOf(passkey),
      savedFile,
      copy,
    });
  }

  /** Undefined without a wallet service, and without a passkey that could open it. */
  async #copy(): Promise<CopyRow | undefined> {
    if (this.#frame.networks.service === undefined) return undefined;
    const copy = await (await import('../copy/keep-flow.ts')).copyOf(this.#frame, this.#vault);
    const state = await copy?.state();
    if (state) return state;
    return (await copy?.canEnrol()) ? 'off' : undefined;
  }

  async #showPasskey(of: 'browser' | 'service', result: 'added' | 'failed' | undefined): Promise<false> {
    const view = this.#view;
    view.passkeyAdded = result === 'added' && of;
    view.passkeyFailed = result === 'failed';
    await this.#refresh();
    // The user has flipped the switch: rerender it in its real state.
    view.requestUpdate();
    return false;
  }

  /** The view below is covered meanwhile, so nothing in it can be approved. */
  async #sayLocked(): Promise<void> {
    const view = lockedNow(this.#asker);
    await this.#frame.stage.open(view, this.#options).next('cbf-done', 'cbf-close');
  }
}

async function hasFile(vault: Vault): Promise<boolean> {
  const { Keys } = await import('../../wallets/keys.ts');
  return Keys.of(await vault.parts()).hasFile();
}

/** Explains what "Lock now" did. No key is held between approvals, so it only ends the request. `site`: whose request that was. */
export function lockedNow(site: string | undefined): QuestionView<'cbf-done'> {
  return badgeQuestion('cbf-done', () => ({
    badge: ['good', iconLock()],
    heading: msg('Your wallet is locked'),
    text: site
      ? msg(
          str`What ${site} asked for ends here, and none of it was approved. The next approval needs your PIN or passkey again.`,
        )
      : msg('Every approval needs your PIN or passkey.'),
    buttons: [{ text: msg('Done'), event: 'cbf-done', look: 'primary', start: true }],
    stacked: true,
  }));
}

const loadAccount = () => import('../service/service-account-flow.ts');

async function changePin(frame: Frame, vault: Vault, options: OpenOptions): Promise<boolean> {
  await waitOutLock(frame, vault, options);
  const { ChangePinView } = await import('./change-pin-view.ts');
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
      const check = async () => (await vault.unlock(view.current)).close();
      if (await unlockOrLeave(frame, vault, screen, tell, () => check().then(() => true))) view.accept();
      continue;
    }
    const change = (signal: AbortSignal) => vault.changePin(view.current, view.pin, signal);
    if (await screen.leavable((signal) => change(signal).then(() => true))) return true;
  }
}

/** For a wallet that was created with a passkey. */
async function chooseFirstPin(frame: Frame, vault: Vault, options: OpenOptions): Promise<boolean> {
  const unlocked = await askPin(frame, vault, msg('Then you choose a PIN.'), options);
  if (!unlocked) return false;
  try {
    // Restoring with the words, instead of the passkey, has set a PIN.
    if ((await vault.state()).pin) return true;
    const chosen = await choosePin(frame, options, 0, async (pin, signal) => {
      await vault.choosePin(unlocked, pin, signal);
      return true;
    });
    return chosen ?? false;
  } finally {
    await release(frame, vault, unlocked);
  }
}

export async function showWords(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  await waitOutLock(frame, vault, options);
  const [{ ShowWordsView }, { backedUp, passkey }] = await Promise.all([
    import('./show-words-view.ts'),
    vault.state(),
  ]);
  const view = Object.assign(new ShowWordsView(), { clock: frame.clock, backedUp, passkey });
  let words: string[] = [];
  const read = async (unlocked: Unlocked, signal: AbortSignal): Promise<string[]> => {
    try {
      signal.throwIfAborted();
      return await vault.phrase(unlocked);
    } finally {
      await release(frame, vault, unlocked);
    }
  };
  const reveal = (all: string[]): void => {
    words = all;
    view.reveal = () => words;
  };
  if (passkey) {
    const all = await openFor(frame, vault, msg('To show your 12 words.'), options, read);
    if (!all) return;
    reveal(all);
  }
  const screen = frame.stage.open(view, options);
  const tell = (error: string): void => {
    view.busy = false;
    view.error = error;
  };
  try {
    for (;;) {
      const { type } = await screen.next('cbf-pin', 'cbf-check', 'cbf-back');
      if (type === 'cbf-back') return;
      if (type === 'cbf-check') {
        if (!(await checkCopy(frame, vault, words, options, 0))) {
          frame.stage.show(screen);
          continue;
        }
        words.fill('');
        await frame.stage.open(backedUpNow(), options).next('cbf-done');
        return;
      }
      view.busy = true;
      const opened = async (signal: AbortSignal) => read(await vault.unlock(view.pin), signal);
      const all = await unlockOrLeave(frame, vault, screen, tell, opened, (late) => late.fill(''));
      if (!all) continue;
      reveal(all);
      view.busy = false;
    }
  } finally {
    words.fill('');
  }
}

/** The user has shown that they have the words. */
export function backedUpNow(): QuestionView<'cbf-done'> {
  return badgeQuestion('cbf-done', () => ({
    badge: ['good', iconCheck()],
    heading: msg('Backed up'),
    text: msg('If you lose this browser, these words bring your wallet back.'),
    buttons: [{ text: msg('Done'), event: 'cbf-done', look: 'primary', start: true }],
    stacked: true,
  }));
}

/**
 * Hands the encrypted backup file to the browser's downloads. Browsers do not tell a page whether a download arrived, so the file counts as
 * a backup only once the user confirms that they have it. False on Back, and without that confirmation.
 */
export async function saveFile(frame: Frame, vault: Vault, options: OpenOptions): Promise<boolean> {
  const backup = await openFor(
    frame,
    vault,
    msg('To save an encrypted back-up file.'),
    options,
    async (unlocked) => {
      try {
        return await Promise.all([vault.backUp(unlocked), vault.state()]);
      } finally {
        await release(frame, vault, unlocked);
      }
    },
  );
  if (!backup) return false;
  const [{ text, confirm }, { backedUp, passkey }] = backup;
  const file = new Blob([text], { type: 'application/json' });
  const name = fileName(frame.clock, 'backup', 'json');
  download(frame.clock, file, name);
  const view = fileSaved(name, backedUp || passkey);
  const { type } = await frame.stage.open(view, options).next('cbf-done', 'cbf-back');
  if (type === 'cbf-back') return false;
  await confirm();
  return true;
}

/**
 * Shown after the backup file was handed to the browser's downloads: only the user can see whether it arrived. `opens`: the 12 words were
 * checked, or a passkey opens the file, too.
 */
export function fileSaved(name: string, opens: boolean): QuestionView<'cbf-done' | 'cbf-back'> {
  return badgeQuestion(
    'cbf-back',
    () => ({
      badge: ['acc', iconExport()],
      heading: msg('Is the file saved?'),
      text: msg(
        html`Look for ${html`<bdi class="file">${name}</bdi>`} in your downloads, and keep it where you can find it without this browser.`,
      ),
      details: opens
        ? nothing
        : alert('caution', {
            title: msg('Write down the 12 words too'),
            text: msg('Your PIN does not open this file: only your 12 words open it.'),
          }),
      buttons: [
        { text: msg('I have the file'), event: 'cbf-done', look: 'primary' },
        { text: msg('Not yet'), event: 'cbf-back', look: 'ghost' },
      ],
      stacked: true,
    }),
    alertStyles,
    // Inline-block: broken across lines, the name could be read as two.
    css`.file { display: inline-block; max-inline-size: 100%; overflow-wrap: anywhere; color: var(--_text); }`,
  );
}

async function leaveCopy(...of: Parameters<LeaveCopy>): ReturnType<LeaveCopy> {
  return (await import('../copy/passkeys.ts')).leaveCopy(...of);
}

async function setServicePasskey(
  frame: Frame,
  on: boolean,
  options: OpenOptions,
): Promise<'added' | 'failed' | undefined> {
  const { addServicePasskey, removeServicePasskey } = await import('../service/passkey-flow.ts');
  if (on) return addServicePasskey(frame, options);
  await removeServicePasskey(frame, options);
  return undefined;
}

/** Undefined if nothing was added and nothing failed. */
async function setPasskey(
  frame: Frame,
  vault: Vault,
  on: boolean,
  options: OpenOptions,
): Promise<'added' | 'failed' | undefined> {
  if (!on) {
    // Without the passkey a PIN has to open the wallet.
    if (!(await vault.state()).pin && !(await chooseFirstPin(frame, vault, options))) return undefined;
    const copy = await (frame.networks.service === undefined ? 'none' : leaveCopy(frame, vault, options));
    if (copy === 'none' || copy === 'gone') await vault.removePasskey(copy === 'gone');
    return undefined;
  }
  let opened: Unlocked | undefined;
  const result = await openFor(
    frame,
    vault,
    msg('To set up a passkey.'),
    options,
    async (unlocked, signal): Promise<'added' | 'failed' | 'dismissed'> => {
      try {
        await vault.addPasskey(unlocked, signal);
        opened = unlocked;
        return 'added';
      } catch (error) {
        unlocked.close();
        if (!(error instanceof ConnectError)) throw error;
        if (error.details['reason'] === 'passkey') return 'failed';
        if (error.code !== 'user.rejected') throw error;
        return 'dismissed';
      }
    },
  );
  if (opened && result === 'added')
    try {
      await offerCopy(frame, vault, opened, options);
    } finally {
      await release(frame, vault, opened);
    }
  return result === 'dismissed' ? undefined : result;
}

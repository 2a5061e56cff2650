import { css, html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { NO_CURRENCY } from '../../prices/no-currency.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { icon, iconCheck, iconLock, iconPad, iconPasskey } from '../../ui/icons.ts';
import { iconExport, iconGlobe, iconKey, iconLayers, iconPerson, iconWindow } from '../../ui/list-icons.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { fieldStyles, segmentStyles } from '../../ui/field-styles.ts';
import { language, msg, plural, spoken, str } from '../../base/localize.ts';
import type { CopyState } from '../../sync/kept-copy.ts';
import { numbers } from '../../ui/amount-text.ts';
import { REMIND_FROM, remindValue } from '../ui/backup-reminder.ts';
import { head } from '../ui/head.ts';
import { listStyles, optionButton, optionCard, optionRow, optionStyles } from '../ui/rows.ts';
import { FrameView, type PlainEvent } from '../ui/view.ts';

export type Theme = 'auto' | 'light' | 'dark';

export interface Language {
  /** BCP 47. */
  code: string;
  /** In its own language. */
  name: string;
}

export interface ServicePin {
  /** Epoch milliseconds; null if it was never changed. */
  changedAt: number | null;
  /** This device may sign. */
  enrolled: boolean;
  /** As for the browser's own wallets. */
  passkey: PasskeySwitch;
}

/** `unavailable`: this browser has no passkeys that can open a wallet; the row is omitted. */
export type PasskeySwitch = 'unavailable' | 'off' | 'on';

/** The encrypted copy of the wallet that this browser keeps. */
export type CopyRow = 'off' | Pick<CopyState, 'writtenAt' | 'isCurrent' | 'problem'>;

export interface SettingsEvents {
  'cbf-change-pin': null;
  /** Set `passkey` to the outcome. */
  'cbf-passkey': { on: boolean };
  /** The same for the user's account at the wallet service. */
  'cbf-service-passkey': { on: boolean };
  'cbf-show-words': null;
  /** The encrypted copy. */
  'cbf-copy': null;
  /** Known recipients. */
  'cbf-recipients': null;
  /** Sites. */
  'cbf-sites': null;
  /** Shows the address of the wallet's own page. */
  'cbf-elsewhere': null;
  /** Save a back-up file. */
  'cbf-save-file': null;
  /** Change the PIN of the wallet service. */
  'cbf-service-pin': null;
  /** New recovery code. */
  'cbf-service-code': null;
  /** The service PIN is forgotten. */
  'cbf-service-forgot': null;
  /** Use it on this device. */
  'cbf-service-enrol': null;
  /** The devices that may use it. */
  'cbf-service-devices': null;
  'cbf-language': { language: string };
  'cbf-theme': { theme: Theme };
  /** ISO 4217, or `none`. */
  'cbf-currency': { currency: string };
  /** The value of wallets without a backup from which every opening reminds the user; 0 for never. */
  'cbf-remind': { from: number };
  /** Lock now. */
  'cbf-lock': null;
  'cbf-back': null;
}

/** The user's settings, shown under the wallet's own origin. */
@customElement('cbf-settings')
export class SettingsView extends FrameView<SettingsEvents> {
  static override styles = [
    FrameView.styles,
    alertStyles,
    listStyles,
    fieldStyles,
    segmentStyles,
    optionStyles,
    css`
      .switch { appearance: none; inline-size: 44px; block-size: 26px; margin: 0; flex: none; border-radius: var(--_r-full); background: var(--_border-strong); position: relative; cursor: pointer; transition: background-color var(--_t); }
      .switch::after { content: ""; position: absolute; inset-block-start: 3px; inset-inline-start: 3px; inline-size: 20px; block-size: 20px; border-radius: 50%; background: #fff; box-shadow: 0 1px 2px rgb(0 0 0 / .3); transition: inset-inline-start var(--_t) var(--_ease); }
      .switch:checked { background: var(--_accent); }
      .switch:checked::after { inset-inline-start: 21px; background: var(--_on-accent); }
      .ways { inline-size: 100%; border-collapse: collapse; line-height: 1.3; }
      .ways caption { text-align: start; color: var(--_text-2); font-weight: 600; padding-block-end: 6px; }
      .ways :is(th, td) { padding: 6px 4px; border-block-end: 1px solid var(--_border); text-align: center; }
      .ways thead th { font-weight: 400; color: var(--_text-2); }
      .ways tbody th { text-align: start; font-weight: 400; }
      .ways tbody th > * { display: block; }
      .ways .i { color: var(--_success); }
      @media (forced-colors: active) { .switch { appearance: auto; } .switch::after { display: none; } }
    `,
  ];

  /** If false, only the passkey opens the wallet. */
  @property({ attribute: false }) hasPin = true;
  /** Epoch milliseconds; absent if unknown. */
  @property({ attribute: false }) pinChangedAt: number | undefined;
  @property({ attribute: false }) passkey: PasskeySwitch = 'unavailable';
  /** The passkey was added just now. */
  @property({ attribute: false }) passkeyAdded: false | 'browser' | 'service' = false;
  /** The passkey just created cannot open a wallet. */
  @property({ attribute: false }) passkeyFailed = false;
  @property({ attribute: false }) backedUp = false;
  /** The user has a back-up file. */
  @property({ attribute: false }) savedFile = false;
  /** Absent where none can be kept. */
  @property({ attribute: false }) copy: CopyRow | undefined;
  /** Recipients in the address book. */
  @property({ attribute: false }) recipients = 0;
  /** Of sites that see wallets. */
  @property({ attribute: false }) sites = 0;
  /** There is a request that "Lock now" would end. */
  @property({ attribute: false }) locks = true;
  /** There is a wallet in this browser. */
  @property({ attribute: false }) browser = true;
  /** The user's PIN at the wallet service; undefined if there is none. */
  @property({ attribute: false }) service: ServicePin | undefined;
  @property({ attribute: false }) languages: readonly Language[] = [];
  /** Empty: same as the site. */
  @property({ attribute: false }) language = '';
  @property({ attribute: false }) chosenTheme: Theme = 'auto';
  /** Currencies for values; empty without a price source. */
  @property({ attribute: false }) currencies: readonly string[] = [];
  @property() currency = '';
  /** As in `cbf-remind`. */
  @property({ attribute: false }) remindsFrom = 100;

  protected override readonly escape = 'cbf-back';

  /** Announces "Saved" to screen readers. */
  saved(): void {
    this.announce(msg('Saved'));
  }

  #button(text: string, event: PlainEvent<SettingsEvents>, name = text): TemplateResult {
    return optionButton(text, () => this.emit(event), name);
  }

  #service({ changedAt, enrolled, passkey }: ServicePin): TemplateResult {
    const note = changedAt ? this.#ago(changedAt) : msg('4 to 6 digits');
    return html`<h2 class="sect">${msg('Wallet service')}</h2>
      ${optionCard(
        enrolled
          ? html`${optionRow(iconPad(), msg('Service PIN'), note, this.#button(msg('Change'), 'cbf-service-pin', msg('Change service PIN')))}
            ${this.#passkeyRow(
              passkey,
              msg('Service passkey'),
              passkey === 'on' ? msg('Needed for every approval') : msg('So that a PIN alone is not enough'),
              'cbf-service-passkey',
            )}
            ${optionRow(iconKey(), msg('Recovery code'), msg('Replaces a forgotten PIN'), this.#button(msg('New'), 'cbf-service-code', msg('New recovery code')))}
            ${optionRow(iconLock(), msg('PIN forgotten'), msg('Needs your recovery code'), this.#button(msg('Recovery code'), 'cbf-service-forgot', msg('Use recovery code')))}
            ${optionRow(iconWindow(), msg('Devices'), msg('May approve with service wallets'), this.#button(msg('Show'), 'cbf-service-devices', msg('Show devices')))}`
          : optionRow(
              iconLock(),
              msg('This device'),
              msg('Cannot approve with service wallets yet'),
              this.#button(msg('Allow'), 'cbf-service-enrol', msg('Allow this device')),
            ),
      )}`;
  }

  #ago(at: number): string {
    return ago(at, this.clock.date());
  }

  #pinNote(): string {
    if (!this.hasPin) return msg('Not chosen yet');
    return this.pinChangedAt ? this.#ago(this.pinChangedAt) : msg('4 to 6 digits');
  }

  #passkeyRow(
    state: PasskeySwitch,
    name: string,
    note: string,
    event: 'cbf-passkey' | 'cbf-service-passkey',
  ): TemplateResult | typeof nothing {
    if (state === 'unavailable') return nothing;
    return optionRow(
      iconPasskey(),
      name,
      note,
      html`<input type="checkbox" role="switch" class="switch" aria-label=${name} .checked=${live(state === 'on')}
        @change=${({ target }: Event) => this.emit(event, { on: (target as HTMLInputElement).checked })} />`,
    );
  }

  #added(): TemplateResult | typeof nothing {
    if (!this.passkeyAdded) return nothing;
    const text =
      this.passkeyAdded === 'browser'
        ? msg('You can now approve with your device lock. Your PIN still works.')
        : msg('From now on, service wallets approve only with it, on every device.');
    return alert('good', { title: msg('Passkey added'), text });
  }

  #currency(): TemplateResult {
    const names = new Intl.DisplayNames(language, { type: 'currency' });
    const option = (code: string, name: string): TemplateResult =>
      html`<option value=${code} ?selected=${code === this.currency}>${name}</option>`;
    return html`<div class="field">
      <label for="currency">${msg('Currency')}</label>
      <select
        class="input"
        id="currency"
        @change=${(event: Event) => this.emit('cbf-currency', { currency: (event.target as HTMLSelectElement).value })}
      >
        ${this.currencies.map((code) => option(code, `${code} · ${names.of(code) ?? code}`))} ${option(NO_CURRENCY, msg('Do not show prices'))}
      </select>
    </div>`;
  }

  #reminder(): TemplateResult {
    const format = numbers({ style: 'currency', currency: this.currency, maximumFractionDigits: 0 });
    const name = (from: number): string => {
      const amount = format.format(remindValue(from, this.currency));
      return from ? msg(str`Each time it opens, from ${amount} on`) : msg('Once a day');
    };
    return html`<div class="field">
      <label for="remind">${msg('Remind me of wallets that are not backed up')}</label>
      <select
        class="input"
        id="remind"
        @change=${(event: Event) => this.emit('cbf-remind', { from: Number((event.target as HTMLSelectElement).value) })}
      >
        ${REMIND_FROM.map(
          (from) => html`<option
            value=${from}
            ?selected=${from === this.remindsFrom}
          >${name(from)}</option>`,
        )}
      </select>
    </div>`;
  }

  #theme(theme: Theme, name: string): TemplateResult {
    return html`<label
      ><input type="radio" name="theme" .checked=${this.chosenTheme === theme} @change=${() => {
        this.chosenTheme = theme;
        this.emit('cbf-theme', { theme });
      }} />${name}</label
    >`;
  }

  /** What there is if this browser loses its data. */
  #waysBack(): TemplateResult {
    const yes = html`<span class="sr">${msg('Yes')}</span>${icon(iconCheck(), 's')}`;
    const no = html`<span class="sr">${msg('No')}</span><span aria-hidden="true">–</span>`;
    const row = (name: string, state: string, ...brings: boolean[]): TemplateResult =>
      html`<tr>
        <th scope="row"><span class="strong">${name}</span><span class="muted">${state}</span></th>
        ${brings.map((each) => html`<td>${each ? yes : no}</td>`)}
      </tr>`;
    return html`<table class="ways sm">
      <caption>${msg('What brings your wallets back')}</caption>
      <thead>
        <tr>
          <td></td>
          ${[msg('Wallets'), msg('Imported'), msg('Names')].map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${waysBack(this).map(({ name, state, brings }) => row(name, state, ...brings))}
        ${row(this.passkey === 'unavailable' ? msg('PIN') : msg('PIN or passkey alone'), '', false, false, false)}
      </tbody>
    </table>`;
  }

  /** Whom the user pays, and who sees the wallets. */
  #others(): TemplateResult {
    return optionCard(html`${optionRow(
      iconPerson(),
      msg('Known recipients'),
      this.recipients
        ? plural(this.recipients, msg('1 saved'), msg(str`${this.recipients} saved`))
        : msg('None saved yet'),
      this.#button(msg('Show'), 'cbf-recipients', msg('Show known recipients')),
    )}
        ${optionRow(
          iconGlobe(),
          msg('Sites'),
          this.sites
            ? plural(
                this.sites,
                msg('1 site sees your wallets'),
                msg(str`${this.sites} sites see your wallets`),
              )
            : msg('No site sees your wallets.'),
          this.#button(msg('Show'), 'cbf-sites', msg('Show sites')),
        )}
        ${
          this.browser
            ? optionRow(
                iconWindow(),
                msg('Use on another device'),
                msg('By a code with the address of your wallet'),
                this.#button(msg('Show code'), 'cbf-elsewhere'),
              )
            : nothing
        }`);
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Settings'))}
        ${this.#added()}
        ${this.passkeyFailed ? alert('caution', { text: msg('The passkeys of this device cannot open a wallet. A PIN can.') }) : nothing}
        ${this.browser && this.service ? html`<h2 class="sect">${msg('This browser')}</h2>` : nothing}
        ${
          this.browser
            ? optionCard(html`${optionRow(iconPad(), msg('PIN'), this.#pinNote(), this.#button(this.hasPin ? msg('Change PIN') : msg('Choose a PIN'), 'cbf-change-pin'))}
                ${this.#passkeyRow(
                  this.passkey,
                  msg('Passkey'),
                  this.passkeyAdded === 'browser'
                    ? msg('On this device')
                    : msg('Approve with face, finger or device lock'),
                  'cbf-passkey',
                )}
                ${optionRow(
                  iconKey(),
                  msg('Back-up'),
                  this.backedUp ? msg('12 words, checked') : msg('12 words, not checked yet'),
                  this.#button(msg('Show words'), 'cbf-show-words'),
                )}
                ${optionRow(
                  iconExport(),
                  msg('Back-up file'),
                  this.passkey === 'on'
                    ? msg('Your passkey or 12 words open it')
                    : msg('Your 12 words open it'),
                  this.#button(msg('Save'), 'cbf-save-file', msg('Save back-up file')),
                )}
                ${
                  this.copy
                    ? optionRow(
                        iconLayers(),
                        msg('Encrypted copy'),
                        copyNote(this.copy),
                        this.#button(msg('Show'), 'cbf-copy', msg('Show encrypted copy')),
                      )
                    : nothing
                }`)
            : nothing
        }
        ${this.browser ? this.#waysBack() : nothing}
        ${this.service ? this.#service(this.service) : nothing}
        ${this.#others()}
        <div class="card padded stack">
          <div class="field">
            <label for="language">${msg('Language')}</label>
            <select
              class="input"
              id="language"
              @change=${(event: Event) => this.emit('cbf-language', { language: (event.target as HTMLSelectElement).value })}
            >
              <option value="" ?selected=${!this.language}>${msg('Automatic')}</option>
              ${this.languages.map(
                ({ code, name }) => html`<option
                  value=${code}
                  lang=${code}
                  ?selected=${code === this.language}
                >${name}</option>`,
              )}
            </select>
          </div>
          ${this.currencies.length ? this.#currency() : nothing}
          ${this.browser && this.currencies.length && this.currency !== NO_CURRENCY ? this.#reminder() : nothing}
          <div class="field">
            <span class="label" id="theme">${msg('Theme')}</span>
            <div class="seg" role="radiogroup" aria-labelledby="theme">
              ${this.#theme('auto', msg('Automatic'))} ${this.#theme('light', msg('Light'))} ${this.#theme('dark', msg('Dark'))}
            </div>
          </div>
        </div>`,
      foot: this.locks
        ? html`<button type="button" class="btn secondary lg block" @click=${() => this.emit('cbf-lock')}>
            ${icon(iconLock(), 's')}<span>${msg('Lock now')}</span>
          </button>`
        : undefined,
    });
  }
}

/** Something that brings the wallets back after this browser is lost. */
export interface WayBack {
  name: string;
  state: string;
  /** What it takes besides, where it is used. */
  needs?: string;
  /** The user has it, as far as it is known. */
  isThere: boolean;
  /** Wallets, imported ones, and names. */
  brings: readonly [boolean, boolean, boolean];
}

export type Backups = Pick<SettingsView, 'backedUp' | 'savedFile' | 'copy'>;

/** Each that this wallet may have, the words first. */
export function waysBack({ backedUp, savedFile, copy }: Backups): WayBack[] {
  const words: WayBack = {
    name: msg('12 words'),
    state: backedUp ? msg('Checked') : msg('Not checked'),
    isThere: backedUp,
    brings: [true, false, false],
  };
  const file: WayBack = {
    name: msg('Back-up file'),
    state: savedFile ? msg('Saved') : msg('Not saved'),
    isThere: savedFile,
    brings: [true, true, true],
  };
  if (!copy) return [words, file];
  const isLost = copy !== 'off' && (copy.problem === 'copy.unknown' || copy.problem === 'copy.removed');
  const kept: WayBack = {
    name: msg('Encrypted copy'),
    state: copy === 'off' ? msg('Not kept') : isLost ? msg('Something went wrong') : msg('Kept'),
    needs: msg('Your passkey opens it'),
    isThere: copy !== 'off' && !isLost,
    brings: [true, true, true],
  };
  return [words, file, kept];
}

function copyNote(copy: CopyRow): string {
  if (copy === 'off') return msg('Not kept');
  if (copy.problem !== undefined) return msg('Something went wrong');
  if (!copy.isCurrent) return msg('The last changes are not in it');
  return msg(
    str`Written ${new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(copy.writtenAt)}`,
  );
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365],
  ['month', 30],
  ['week', 7],
  ['day', 1],
];

function ago(at: number, now: number): string {
  const days = Math.floor((now - at) / 86_400_000);
  const [unit, size] = UNITS.find(([, of]) => days >= of) ?? ['day', 1];
  const when = new Intl.RelativeTimeFormat(`${spoken?.lang ?? 'en'}-u-nu-latn`, { numeric: 'auto' }).format(
    -Math.floor(days / size),
    unit,
  );
  return msg(str`Changed ${when}`);
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-settings': SettingsView;
  }
}

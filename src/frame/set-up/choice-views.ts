/** How to begin, and where a new wallet is kept: large rows to choose from. */
import { css, html, nothing, type SVGTemplateResult, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { icon, iconCarabiner, iconPasskey, iconPlus } from '../../ui/icons.ts';
import { iconChevronEnd, iconExternal, iconGlobe, iconImport, iconWindow } from '../../ui/list-icons.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { head } from '../ui/head.ts';
import { listStyles, servedNote } from '../ui/rows.ts';
import { FrameView, type PlainEvent } from '../ui/view.ts';

export const choiceStyles = css`
  .choice { position: relative; display: flex; align-items: center; gap: var(--_s3); inline-size: 100%; padding: var(--_s4); border: 1px solid var(--_border-strong); border-radius: var(--_r-md); background: var(--_surface); box-shadow: var(--_shadow-1); }
  .choice:hover { background: var(--_surface-2); }
  .choice :is(button, a) { position: absolute; inset: -1px; border: 0; border-radius: inherit; background: none; cursor: pointer; }
  .choice .ic { inline-size: 40px; block-size: 40px; border-radius: var(--_r-sm); display: grid; place-items: center; background: var(--_accent-soft); color: var(--_accent-text); flex: none; }
`;

/** A large row: icon, title, note. */
export interface Choice {
  label: string;
  note: string;
  mark: SVGTemplateResult;
  id: string;
  /** Receives initial focus. */
  start?: boolean;
  /** A page that it opens in a window of its own. */
  href?: string;
  act(): void;
}

/** The button or link covers the row. Its accessible name is only the title; the note is its description. Needs `listStyles`. */
export function choice({ label, note, mark, id, start = false, href, act }: Choice): TemplateResult {
  return html`<div class="choice">
    <span class="ic">${icon(mark)}</span>
    <span
      class="row-main"
      aria-hidden="true"
    ><span class="strong">${label}</span><span class="sm muted" id=${id}>${note}</span></span>
    ${href ? icon(iconExternal()) : icon(iconChevronEnd(), 'flip')}
    ${
      href
        ? html`<a href=${href} target="_blank" rel="noopener noreferrer" aria-label=${label} aria-describedby=${id} ?data-start=${start} @click=${act}></a>`
        : html`<button type="button" aria-label=${label} aria-describedby=${id} ?data-start=${start} @click=${act}></button>`
    }
  </div>`;
}

export interface FirstUseEvents {
  /** Create wallet. */
  'cbf-create': null;
  /** Import wallet. */
  'cbf-import': null;
  /** Use my passkey. */
  'cbf-find': null;
  /** Esc. */
  'cbf-reject': null;
}

/** No wallet in this browser yet. */
@customElement('cbf-first-use')
export class FirstUseView extends FrameView<FirstUseEvents> {
  static override styles = [
    FrameView.styles,
    listStyles,
    statusStyles,
    choiceStyles,
    css`
      .hero { gap: 12px; padding-block: 8px 12px; }
      .hero .stack { max-inline-size: none; }
    `,
  ];

  /** Wallets can be created at the wallet service, too. */
  @property({ attribute: false }) service = false;
  /** A passkey may open an encrypted copy of another browser. */
  @property({ attribute: false }) copies = false;
  /** Where alone it is opened: the address of the wallet's own page, empty there. */
  @property({ attribute: false }) ownPage = '';
  /** Names of the sites that have the user's wallets of the service, on the wallet's own page. */
  @property({ attribute: false }) servedAt: readonly string[] = [];
  /** The user has a wallet already. */
  @property({ attribute: false }) hasOne = false;

  protected override readonly escape = 'cbf-reject';

  #choice(
    label: string,
    note: string,
    mark: SVGTemplateResult,
    event: PlainEvent<FirstUseEvents>,
    start: boolean,
    href = '',
  ): TemplateResult {
    return choice({ label, note, mark, id: event, start, href, act: () => this.emit(event) });
  }

  #passkeyChoice(): TemplateResult {
    const note = this.ownPage
      ? msg('It opens your encrypted copy, in your wallet’s own window')
      : msg('It opens the encrypted copy of another browser');
    return this.#choice(msg('Use my passkey'), note, iconPasskey(), 'cbf-find', this.hasOne, this.ownPage);
  }

  protected override render(): TemplateResult {
    return this.layout({
      mid: true,
      plain: true,
      body: html`${hero(
        'acc',
        iconCarabiner(),
        msg('Set up your wallet'),
        this.service
          ? msg('Your keys are locked with a passkey or a PIN. No site can read them.')
          : msg(
              'Your keys are made and kept in this browser, locked with a passkey or a PIN. No site can read them.',
            ),
      )}
      ${this.hasOne ? nothing : this.#choice(msg('Create wallet'), this.service ? msg('In this browser or at the wallet service') : msg('New 12-word back-up'), iconPlus(), 'cbf-create', true)}
      ${this.copies ? this.#passkeyChoice() : nothing}
      ${this.#choice(msg('Import wallet'), msg('12 words or a private key'), iconImport(), 'cbf-import', false)} ${servedNote(this.servedAt)}`,
      foot: html`<p class="xs faint center">${msg('A site only sees wallets that you link to it.')}</p>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-first-use': FirstUseView;
  }
}

export interface ChooseHolderEvents {
  /** This browser. */
  'cbf-browser': null;
  /** The wallet service. */
  'cbf-service': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** Chooses who holds the key of a new wallet. */
@customElement('cbf-choose-holder')
export class ChooseHolderView extends FrameView<ChooseHolderEvents> {
  static override styles = [FrameView.styles, listStyles, choiceStyles];

  protected override readonly escape = 'cbf-back';

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Where do you want to keep the wallet?'))}
        ${choice({
          label: msg('In this browser'),
          note: msg('Only you have it. The 12 words bring it back if you lose this device.'),
          mark: iconWindow(),
          id: 'cbf-browser',
          start: true,
          act: () => this.emit('cbf-browser'),
        })}
        ${choice({
          label: msg('At the wallet service'),
          note: msg(
            'On every device where you sign in. It opens with your PIN; a recovery code replaces the PIN.',
          ),
          mark: iconGlobe(),
          id: 'cbf-service',
          act: () => this.emit('cbf-service'),
        })}`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-choose-holder': ChooseHolderView;
  }
}

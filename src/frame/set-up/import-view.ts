import { css, html, nothing, type TemplateResult } from 'lit';
import { msg, str } from '../../base/localize.ts';
import type { Network, NetworkKind } from '../../chains/network.ts';
import { CARDS, type SecretType } from '../../chains/secret-type.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { fieldStyles, segmentStyles } from '../../ui/field-styles.ts';
import { icon, iconLock } from '../../ui/icons.ts';
import { head, mainButton, mainButtonStyles } from '../ui/head.ts';
import { errorLine, FrameView } from '../ui/view.ts';
import './phrase-field.ts';
import type { CheckWord, PhraseField } from './phrase-field.ts';

/** The browser's own button in a file input. */
export const fileStyles = css`
  input::file-selector-button { margin-inline-end: var(--_s3); padding: 6px var(--_s3); border: 0; border-radius: var(--_r-xs); background: var(--_surface-3); color: var(--_text); font: inherit; font-size: var(--_fs-sm); font-weight: 560; cursor: pointer; }
  @media (forced-colors: active) { input::file-selector-button { border: 1px solid ButtonText; } }
`;

export type ImportKind = 'phrase' | 'key' | 'keystore';

/** What the user entered. It exists only in this view's fields: discard the view after use. */
export interface ImportSecret {
  kind: ImportKind;
  /** The words, the private key, or the key file's JSON. */
  text: string;
  /** The key file's password. */
  password?: string | undefined;
}

/** In bytes. Key files are a few hundred bytes; anything larger than this is not one. */
const MAX_FILE = 64 * 1024;

/** First letter of test network WIF keys, on every chain. */
const TEST_WIF = ['c'];

export interface ImportEvents {
  /** Import wallet: read `secret`. Set `busy` while it is tried, then `error`. */
  'cbf-import': null;
  /** Restore from a file, if there is no wallet yet. */
  'cbf-file': null;
  /** Back. */
  'cbf-back': null;
}

/** Imports a wallet: from 12 words, a private key, or a key file with its password. */
@customElement('cbf-import')
export class ImportView extends FrameView<ImportEvents> {
  static override styles = [
    FrameView.styles,
    alertStyles,
    fieldStyles,
    fileStyles,
    segmentStyles,
    ...mainButtonStyles,
  ];

  /** The kinds offered, in order. A browser that already has a wallet accepts no other recovery phrase. */
  @property({ attribute: false }) kinds: readonly ImportKind[] = ['phrase', 'key', 'keystore'];
  @property({ attribute: false }) secretType: SecretType = 'ETHEREUM';
  /** The networks possible for the wallet, the default first. */
  @property({ attribute: false }) networks: readonly Network[] = [];
  @property({ attribute: false }) check: CheckWord | undefined;
  @property({ attribute: false }) error = '';
  @property({ attribute: false }) busy = false;

  @state() private chosen: ImportKind | undefined;
  @state() private chosenNetwork: Network | undefined;
  @state() private ready = false;
  @query('cbf-phrase-field') private phrase!: PhraseField | null;
  @query('#key') private key!: HTMLTextAreaElement | null;
  @query('#password') private password!: HTMLInputElement | null;
  #file = '';

  protected override readonly escape = 'cbf-back';

  get kind(): ImportKind {
    return this.chosen ?? this.kinds[0] ?? 'phrase';
  }

  get network(): Network | undefined {
    return this.chosenNetwork ?? this.networks[0];
  }

  get secret(): ImportSecret {
    const { kind } = this;
    if (kind === 'phrase') return { kind, text: this.phrase?.value ?? '' };
    if (kind === 'key') return { kind, text: this.key?.value.trim() ?? '' };
    return { kind, text: this.#file, password: this.password?.value ?? '' };
  }

  #choose(kind: ImportKind): void {
    this.chosen = kind;
    this.error = '';
    this.ready = false;
    this.#file = '';
  }

  #edited(): void {
    this.error = '';
    const { kind, text, password } = this.secret;
    if (kind === 'key' && isPhrase(text)) {
      this.ready = false;
      this.error = this.kinds.includes('phrase')
        ? msg('These are the words of a recovery phrase. Choose “12 words” above.')
        : msg('These are the words of a recovery phrase. Only a private key can be imported here.');
      return;
    }
    this.requestUpdate();
    this.ready = kind === 'phrase' ? !!this.phrase?.complete : text !== '' && (kind === 'key' || !!password);
  }

  async #readFile(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? [];
    this.#file = file && file.size <= MAX_FILE ? await file.text() : '';
    this.#edited();
    if (file && !this.#file)
      this.error = msg('This is not a key file. Choose the JSON file that your other wallet saved.');
  }

  /** What is still missing. */
  get #why(): string | undefined {
    if (this.ready) return undefined;
    if (this.kind === 'phrase') return this.phrase?.missing ?? msg('Type your 12 words');
    if (this.kind === 'key') return msg('Type your private key');
    return this.#file ? msg('Type the password of the file') : msg('Choose a key file');
  }

  #submit = (event?: KeyboardEvent): void => {
    if (event && event.key !== 'Enter') return;
    if (this.ready && !this.busy) this.emit('cbf-import');
  };

  #names(): Record<ImportKind, string> {
    return { phrase: msg('12 words'), key: msg('Private key'), keystore: msg('Key file') };
  }

  #fields(): TemplateResult {
    const { error, busy } = this;
    const invalid = error ? 'true' : 'false';
    const described = error ? 'error form' : 'form';
    switch (this.kind) {
      case 'phrase':
        return html`<cbf-phrase-field
          .check=${this.check}
          .keyBeside=${this.kinds.includes('key')}
          .error=${error}
          .disabled=${busy}
          @cbf-phrase-input=${() => this.#edited()}
        ></cbf-phrase-field>`;
      case 'key':
        return html`<div class="field">
          <label for="key">${msg('Private key')}</label>
          <textarea
            class="input mono"
            id="key"
            dir="ltr"
            rows="3"
            spellcheck="false"
            autocomplete="off"
            autocapitalize="none"
            translate="no"
            aria-invalid=${invalid}
            aria-describedby=${described}
            ?disabled=${busy}
            @input=${() => this.#edited()}
          ></textarea>
          ${errorLine(error)}
          <p class="help" id="form">${keyForm(this.secretType, this.network?.kind)}</p>
        </div>`;
      case 'keystore':
        return html`<div class="field">
            <label for="file">${msg('Key file')}</label>
            <input
              class="input"
              id="file"
              type="file"
              accept=".json,application/json"
              aria-invalid=${invalid}
              aria-describedby=${described}
              ?disabled=${busy}
              @change=${(event: Event) => this.#readFile(event.target as HTMLInputElement)}
            />
            <p class="help" id="form">${msg('The JSON file that your other wallet saved.')}</p>
          </div>
          <div class="field">
            <label for="password">${msg('Password of the file')}</label>
            <input
              class="input masked"
              id="password"
              dir="ltr"
              autocomplete="off"
              autocapitalize="none"
              spellcheck="false"
              aria-invalid=${invalid}
              aria-describedby=${error ? 'error' : nothing}
              ?disabled=${busy}
              @input=${() => this.#edited()}
              @keydown=${this.#submit}
            />
            ${errorLine(error)}
          </div>`;
    }
  }

  #ways(): TemplateResult {
    const names = this.#names();
    return html`<div class="seg" role="radiogroup" aria-label=${msg('Import from')}>
          ${this.kinds.map(
            (kind) => html`<label
              ><input
                type="radio"
                name="kind"
                .checked=${kind === this.kind}
                ?disabled=${this.busy}
                @change=${() => this.#choose(kind)}
              />${names[kind]}</label
            >`,
          )}
        </div>`;
  }

  #networkField(): TemplateResult {
    return html`<div class="field">
      <label for="network">${msg('Network')}</label>
      <select class="input" id="network" ?disabled=${this.busy} @change=${(event: Event) => {
        this.chosenNetwork = this.networks[(event.target as HTMLSelectElement).selectedIndex];
        this.#edited();
      }}>
        ${this.networks.map(
          (network) => html`<option
            value=${network.id}
            ?selected=${network === this.network}
          >${network.name}</option>`,
        )}
      </select>
    </div>`;
  }

  #promise(): string {
    if (this.kind === 'phrase') return msg('The words stay in this browser. No site can see them.');
    if (this.kind === 'key') return msg('The key stays in this browser. No site can see it.');
    return msg('The file and its password stay in this browser. No site can see them.');
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Import wallet'))}
        ${this.kinds.length > 1 ? this.#ways() : nothing}
        ${this.#fields()} ${this.networks.length > 1 ? this.#networkField() : nothing} ${alert('plain', { text: this.#promise(), icon: icon(iconLock()) })}
        ${
          this.kinds.includes('phrase')
            ? html`<button
              type="button"
              class="btn text"
              ?disabled=${this.busy}
              @click=${() => this.emit('cbf-file')}
            >${msg('Restore from a file')}</button>`
            : nothing
        }`,
      foot: mainButton({
        label: msg('Import wallet'),
        why: this.#why,
        wait: this.busy ? msg('Importing…') : undefined,
        press: () => this.#submit(),
      }),
    });
  }
}

/** No private key has this many words. */
function isPhrase(text: string): boolean {
  return /^\p{L}+(\s+\p{L}+){5,}$/u.test(
    text
      .normalize('NFKD')
      .replace(/\d+[.):]?\s|,/g, ' ')
      .trim(),
  );
}

/** What a chain's private keys look like. */
function keyForm(secretType: SecretType, kind: NetworkKind = 'mainnet'): string {
  const { wif, secret } = CARDS[secretType].privateKey;
  if (wif) {
    const [first, other] = kind === 'mainnet' ? wif : TEST_WIF;
    const letters = other ? msg(str`${first} or ${other}`) : first;
    return msg(str`A WIF key, which begins with ${letters}, or 64 hex digits.`);
  }
  return secret
    ? msg(str`A secret that begins with ${secret}, or 64 or 128 hex digits.`)
    : msg('64 hex digits, with or without 0x.');
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-import': ImportView;
  }
}

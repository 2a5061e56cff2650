/** The recipient field of the wallet's own Send: an address, an e-mail, a name to look up, or a payment code that fills the form. */
import { css, html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { addressFacts, differences } from '../../chains/approval/known.ts';
import { isLookedUp } from '../../chains/requests/foreign-address.ts';
import type { Network } from '../../chains/network.ts';
import { CHAIN_NAMES } from '../../chains/secret-type.ts';
import type { Clock } from '../../base/clock.ts';
import type { ConnectError } from '../../base/errors.ts';
import { fullAddress, shortText } from '../../ui/address.ts';
import { alert } from '../../ui/alert.ts';
import { icon, iconCheck, iconClose, iconDanger, iconInfo } from '../../ui/icons.ts';
import { iconPaste, iconPerson, iconScan } from '../../ui/list-icons.ts';
import { language, msg, str } from '../../base/localize.ts';
import { pastedText, pasteHint } from '../../ui/paste.ts';
import { listOf } from '../../ui/text.ts';
import type { TransferFields } from '../../ui/transfer-checks.ts';
import type { KnownRecipient } from '../../wallets/types.ts';
import { knownAs } from '../recipients/search.ts';

/** The address that a name resolves to, the network of the register, and when it was looked up. */
export interface NameFound {
  name: string;
  address: string;
  network: string;
  at: number;
}

/** Why a name does not resolve, as text for the user. */
export interface NameMissed {
  why: string;
}

/** The form around the field. */
export interface RecipientForm extends ReactiveControllerHost {
  readonly fields: TransferFields;
  readonly wallet: Wallet;
  readonly network: Network;
  /** The networks that the wallet is on. */
  readonly places: readonly Network[];
  readonly known: readonly KnownRecipient[];
  /** Whether the camera can be requested here. */
  readonly camera: boolean;
  readonly clock: Clock;
  readonly renderRoot: ParentNode;
  /** Looks a name up in its register. Rejects if no node answers. */
  lookUp(name: string): Promise<NameFound | NameMissed>;
  /** Fills the form from a payment code. If that fails, resolves with the reason. */
  readCode(code: string): Promise<string | undefined>;
  /** Fills the field. */
  fill(to: string): void;
  /** Why the last attempt was not sent. */
  error: ConnectError | undefined;
}

/** A payment code as text, such as `ethereum:0x…@1?value=…`, as opposed to a bare address. */
const CODE = /^[a-z]+:/i;

/** Debounce in milliseconds before a typed name is looked up or a code is read. */
const PAUSE = 400;

/** To follow `addressStyles`, `alertStyles`, `cardStyles` and `fieldStyles`, which the field needs, too. */
export const recipientStyles = css`
  .control { padding-inline-end: 2px; gap: 0; }
  .control > input:placeholder-shown { text-overflow: ellipsis; }
  .control.mono > input { font-family: var(--_mono); font-size: max(16px, .93em); font-variant-ligatures: none; }
  .found { display: grid; gap: 4px; padding: 8px 12px; background: var(--_surface-2); }
  .twin { display: grid; gap: 2px; margin-block-start: 6px; }
  .alert.danger .twin b { display: inline; color: var(--_text); font-size: inherit; }
  .alert.danger .twin b:has(mark) { color: inherit; }
  .below { align-self: start; display: none; }
  @container frame (max-width: 339px) { .control > .known { display: none; } .below { display: inline-flex; } }
  .help.line { gap: 6px; }
  .help.good { color: var(--_success); }
`;

export class RecipientField {
  /** What the name in the field resolves to. */
  found: NameFound | undefined;
  readonly #form: RecipientForm;
  #looking = false;
  /** How to paste by hand, after the button failed. */
  #pasteHint = '';
  /** Cancels the pending debounce. */
  #cancel = (): void => {};
  #asked: Promise<void> | undefined;

  constructor(form: RecipientForm) {
    this.#form = form;
    form.addController(this);
  }

  hostDisconnected(): void {
    this.#cancel();
  }

  /** The address to pay, once known. */
  get address(): string {
    return this.found?.address ?? this.#text;
  }

  /** A name whose address is not yet known. */
  get isUnresolved(): boolean {
    return this.#isName && !this.found;
  }

  get isCode(): boolean {
    return CODE.test(this.#text);
  }

  /** A known recipient whose address looks like this one but differs. */
  get twin(): KnownRecipient | undefined {
    const { known, fields } = this.#form;
    const { address } = this;
    if (!address || fields.recipient?.error(address) || knownAs(known, address)) return undefined;
    const knownAddresses = known.map((each) => each.address);
    const { close, resembles } = addressFacts(address, {
      used: [],
      own: [],
      seen: knownAddresses,
      reported: [],
    });
    return close ? knownAs(known, resembles) : undefined;
  }

  get #text(): string {
    return this.#form.fields.to.trim();
  }

  get #isName(): boolean {
    return isLookedUp(this.#text) && !this.#text.includes('@');
  }

  /** Call when the recipient or the network has changed. */
  changed(): void {
    this.#cancel();
    this.#asked = undefined;
    this.found = undefined;
    this.#looking = false;
    this.#pasteHint = '';
    this.#form.requestUpdate();
    const { clock, fields } = this.#form;
    if (this.#isName) this.#cancel = clock.after(PAUSE, () => void this.#lookUp());
    if (!this.isCode) return;
    fields.errors.delete('to');
    this.#cancel = clock.after(PAUSE, () => void this.readCode());
  }

  /** The error of the field; for a code, only once it has been read. */
  check(): string | undefined {
    const { fields } = this.#form;
    return this.isCode ? fields.errors.get('to') : fields.check('to');
  }

  async readCode(): Promise<void> {
    this.#cancel();
    const { fields } = this.#form;
    const { to } = fields;
    const why = await this.#form.readCode(to.trim()).catch(() => undefined);
    // The code has filled the form, or something else was typed meanwhile.
    if (fields.to !== to) return;
    if (why) fields.errors.set('to', why);
    else fields.check('to');
    this.#form.requestUpdate();
  }

  /** Resolves once the name is looked up; with false if something else was typed meanwhile. */
  async lookedUp(): Promise<boolean> {
    const { fields } = this.#form;
    const { to } = fields;
    await (this.#asked ?? this.#lookUp());
    return fields.to === to;
  }

  #lookUp(): Promise<void> {
    this.#cancel();
    const { network } = this.#form;
    const name = this.#text;
    this.#looking = true;
    this.#form.requestUpdate();
    const answer = this.#form.lookUp(name).then(
      (result) => this.#answered(name, network, result),
      () => this.#answered(name, network, { why: msg('The network did not answer. Try again in a while.') }),
    );
    return (this.#asked ??= answer);
  }

  #answered(name: string, network: Network, answer: NameFound | NameMissed): void {
    const form = this.#form;
    if (this.#text !== name || form.network !== network) return;
    this.#looking = false;
    this.#asked = undefined;
    if ('why' in answer) form.fields.errors.set('to', answer.why);
    else this.found = answer;
    form.requestUpdate();
  }

  #typed(event: Event): void {
    const { fields } = this.#form;
    fields.to = (event.target as HTMLInputElement).value;
    // An error disappears as soon as it is corrected.
    if (fields.errors.has('to')) this.check();
    this.#form.error = undefined;
    this.changed();
  }

  #left(): void {
    if (this.#form.fields.to) this.check();
    this.#form.requestUpdate();
  }

  #clear(): void {
    const { fields } = this.#form;
    fields.to = '';
    fields.errors.delete('to');
    this.changed();
    this.#focus();
  }

  async #paste(): Promise<void> {
    const text = await pastedText();
    if (text) return this.#form.fill(text);
    this.#pasteHint = pasteHint();
    this.#form.fields.errors.delete('to');
    this.#form.requestUpdate();
    this.#focus();
  }

  #focus(): void {
    this.#form.renderRoot.querySelector<HTMLElement>('#to')?.focus();
  }

  /** `open`: the list of known recipients, or the camera. */
  draw(open: (what: 'cbf-known' | 'cbf-scan') => void): TemplateResult {
    const { fields, camera } = this.#form;
    const tool = (name: string, mark: TemplateResult, act: () => void, kind = '') =>
      html`<button type="button" class="btn icon ${kind}" aria-label=${name} @click=${act}>${mark}</button>`;
    const list = () => open('cbf-known');
    return html`<div class="field">
      <label for="to">${msg('Recipient')}</label>
      <div class="control ${fields.errors.has('to') || this.twin ? 'invalid' : ''} ${fields.to && !/[@.]/.test(fields.to) ? 'mono' : ''}">
        <input
          id="to"
          data-start
          dir=${fields.to ? 'ltr' : nothing}
          placeholder=${msg('Address, name or e-mail')}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-describedby="to-note"
          aria-invalid=${fields.errors.has('to') ? 'true' : 'false'}
          .value=${fields.to}
          @input=${(event: Event) => this.#typed(event)}
          @change=${() => this.#left()}
        />
        ${
          fields.to
            ? tool(msg('Clear recipient'), icon(iconClose()), () => this.#clear())
            : html`${tool(msg('Paste'), icon(iconPaste()), () => void this.#paste())}
              ${camera ? tool(msg('Scan QR code'), icon(iconScan()), () => open('cbf-scan')) : nothing}
              ${tool(msg('Known recipients'), icon(iconPerson()), list, 'known')}`
        }
      </div>
      ${
        fields.to
          ? nothing
          : html`<button
            type="button"
            class="btn text below"
            @click=${list}
          ><span>${msg('Known recipients')}</span></button>`
      }
      <div id="to-note" aria-live="polite">${this.#about()}</div>
    </div>`;
  }

  /** What is known about the recipient, below the field. */
  #about(): unknown {
    const { found } = this;
    const { fields, known, network, wallet } = this.#form;
    const error = fields.errors.get('to');
    if (error) return html`<p class="err">${icon(iconDanger(), 's')}<span>${error}</span></p>`;
    const to = this.#text;
    if (!to) return this.#pasteHint ? html`<p class="help">${this.#pasteHint}</p>` : nothing;
    const { twin } = this;
    if (twin) return this.#lookAlike(twin);
    const { name = '' } = knownAs(known, this.address) ?? {};
    if (found) {
      const at = new Date(found.at).toLocaleTimeString(language, { timeStyle: 'short' });
      return html`<div class="card found">
        <p class="between sm"><span class="strong"><bdi dir="ltr">${found.name}</bdi></span>${name ? html`<span class="tag good">${icon(iconCheck(), 's')}${msg(str`Known as ${name}`)}</span>` : nothing}</p>
        ${fullAddress(found.address)}
        ${this.#paidElsewhere()}
        <p class="xs faint">${msg(str`Looked up on ${found.network} at ${at}. We look again before you approve.`)}</p>
      </div>`;
    }
    if (this.#isName)
      return this.#looking
        ? html`<p class="help">${msg(str`Looking the name up on ${network.name}…`)}</p>`
        : nothing;
    if (isLookedUp(to)) return html`<p class="help">${msg('Your wallet looks this e-mail address up.')}</p>`;
    if (fields.recipient?.error(to)) return nothing;
    const chain = CHAIN_NAMES[wallet.secretType];
    return html`<p class="help line good">${icon(iconCheck(), 's')}<span>${name ? msg(str`Valid ${chain} address · ${name}`) : msg(str`Valid ${chain} address`)}</span></p>
      <div class="card found">${fullAddress(to)}${this.#paidElsewhere()}</div>`;
  }

  /** Coins that arrive where nobody looks are hard to find. */
  #paidElsewhere(): TemplateResult | typeof nothing {
    const { known, network, places } = this.#form;
    const { networks: paid = [] } = knownAs(known, this.address) ?? {};
    if (paid.includes(network.id)) return nothing;
    const names = paid.flatMap((id) => places.find((one) => one.id === id)?.name ?? []);
    if (!names.length) return nothing;
    return html`<p class="help line">${icon(iconInfo(), 's')}<span>${msg(str`You paid this address on ${listOf(names)} before.`)}</span></p>`;
  }

  #lookAlike({ address, name }: KnownRecipient): TemplateResult {
    const who = name || shortText(address);
    return alert('danger', {
      title: msg(str`Looks like ${who}, but is not`),
      text: msg('Start and end match, the middle differs.'),
      action: html`<div class="twin"><span class="xs muted">${msg('This one')}</span>${fullAddress(this.address, differences(this.address, address))}
        <span class="xs muted">${who}</span>${fullAddress(address)}</div>
        <button
          type="button"
          class="btn secondary mini"
          @click=${() => this.#form.fill(address)}
        ><span>${msg(str`Use the address of ${who}`)}</span></button>`,
    });
  }
}

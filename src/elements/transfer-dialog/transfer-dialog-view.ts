import { css, html, nothing, type TemplateResult } from 'lit';
import { FrameUnreachableError, UserRejectedError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { TransactionResult } from '../../channel/messages.ts';
import { icon, iconClose } from '../../ui/icons.ts';
import { type Face, ignore, type Status } from '../connect-element.ts';
import { formStyles } from '../../ui/form-styles.ts';
import { ElementView } from '../view.ts';
import type * as Asides from './transfer-asides.ts';
import type { TransferDialog } from './transfer-dialog.ts';
import { TransferForm } from './transfer-form.ts';

/** Styles of the dialog. Needs `formStyles`. */
const transferFormStyles = css`
  .dialog { inline-size: min(100% - 16px, 440px); max-inline-size: none; max-block-size: calc(100dvb - 16px); padding: 0; overflow: auto; overscroll-behavior: contain; border: 1px solid var(--_border); border-radius: var(--_r-lg); background: var(--_surface); box-shadow: var(--_shadow-3); color: var(--_text); }
  .dialog[open] { animation: rise var(--_t-slow) var(--_ease); }
  .dialog::backdrop { background: var(--_overlay); }
  @keyframes rise { from { opacity: 0; translate: 0 8px; } }
  .head { display: flex; align-items: center; gap: var(--_s2); min-block-size: 56px; padding-block: var(--_s2) 0; padding-inline: min(var(--_s5), 4vi) var(--_s2); }
  .body { display: flex; flex-direction: column; gap: var(--_s4); padding: var(--_s2) min(var(--_s5), 4vi) var(--_s5); container-type: inline-size; }
  #from-wallet > *, .balance > .num { display: block; }
  .balance { text-align: end; }
  .late { block-size: var(--_hit); }
  /* A line of their own, whatever the amounts above. */
  .parts { display: flex; flex: 0 0 100%; justify-content: end; min-block-size: 28px; }
  .amount .sub:has(.parts) { min-block-size: 56px; align-content: end; }
  .body > .lg { position: sticky; bottom: 0; }
  @media (width < 480px) { .dialog { inline-size: 100%; margin: auto 0 0; border-radius: 18px 18px 0 0; } }
`;

interface Caller {
  resolve(result: TransactionResult): void;
  reject(error: unknown): void;
}

/** The dialog of `<transfer-dialog>`, from form to outcome. */
export class TransferDialogView extends ElementView<TransferDialog> {
  static override styles = [...ElementView.styles, formStyles, transferFormStyles];

  /** The caller that awaits the form's first outcome. */
  #caller: Caller | undefined;
  #form: TransferForm | undefined;
  #asides: typeof Asides | undefined;
  /** What had the focus before the form opened. */
  #opener: Element | null = null;
  /** Whether the user has been asked to discard what they entered. */
  #asked = false;
  /** The recipient when a press of Continue began: reading a payment code may replace it before the press ends. */
  #pressed: string | undefined;

  /** Opens the form. Resolves at broadcast. */
  ask(): Promise<TransactionResult> {
    this.#form ??= new TransferForm(this.host);
    this.#load().catch(ignore);
    this.#asked = false;
    this.host.status = { kind: 'idle' };
    this.host.requestUpdate();
    this.host.updateComplete.then(
      () => this.root.querySelector<HTMLElement>('#to:not([readonly])')?.focus(),
      ignore,
    );
    return new Promise((resolve, reject) => {
      this.#caller = { resolve, reject };
    });
  }

  /** Loads what the form needs once something is typed. */
  async #load(): Promise<void> {
    this.#asides ??= await import('./transfer-asides.ts');
    this.adopt(...this.#asides.asideStyles);
    this.host.requestUpdate();
    await this.host.updateComplete;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.root.querySelector('dialog');
  }

  override hostUpdate(): void {
    super.hostUpdate();
    if (this.host.open) this.#form?.follow();
  }

  override hostUpdated(): void {
    super.hostUpdated();
    const dialog = this.#dialog;
    const { open, isAway } = this.host;
    if (!dialog?.isConnected || dialog.open === (open && !isAway)) return;
    if (isAway) this.hostDisconnected();
    else if (open) {
      this.#opener = document.activeElement;
      while (this.#opener?.shadowRoot?.activeElement) this.#opener = this.#opener.shadowRoot.activeElement;
      dialog.showModal();
    } else {
      dialog.close();
      this.#form = undefined;
      // The page may have cleared `open`.
      if (this.#busy) this.host.cancel();
      this.#dismiss();
    }
  }

  /** If the form's dialog closes while the wallet is open over the page, it cannot restore the focus itself. */
  override focusTarget(): HTMLElement | undefined {
    const opener = this.#opener as HTMLElement | null;
    const back = !this.host.open && opener !== document.body && opener?.getClientRects().length;
    return back ? opener : (this.root.querySelector<HTMLElement>('[aria-invalid]') ?? super.focusTarget());
  }

  /** A request continues without its element; a form does not. Hidden with the element, the dialog would still block the page. */
  hostDisconnected(): void {
    this.#dialog?.close();
    if (this.host.open && !this.#busy) this.#dismiss();
  }

  protected override settled({ kind }: Status): void {
    if (kind === 'done') this.host.open = false;
  }

  get #busy(): boolean {
    const { kind } = this.host.status;
    return kind === 'waiting' || kind === 'blocked';
  }

  #close(): void {
    if (this.#busy) this.host.cancel();
    else if (this.#asked || !this.#form?.edited || !this.#asides) this.#dismiss();
    else {
      this.#asked = true;
      this.host.requestUpdate();
    }
  }

  #dismiss(): void {
    const caller = this.#caller;
    this.#caller = undefined;
    this.host.open = false;
    if (!caller) return; // its outcome has been reported
    const error = new UserRejectedError('The form was closed.');
    this.host.fail('transfer', error);
    caller.reject(error);
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    // Nothing is sent unchecked. If the checks load late, the browser may require another click for the wallet's window.
    if (this.#asides) this.#send();
    else
      this.#load().then(
        () => this.#send(),
        (cause) =>
          this.host.fail('transfer', new FrameUnreachableError('The form could not be loaded.', { cause })),
      );
  };

  #send(): void {
    const form = this.#form;
    const asides = this.#asides;
    if (!form || !asides) return;
    const wrong = asides.check(form);
    this.host.requestUpdate();
    const isSeen = (this.#pressed ?? form.fields.to) === form.fields.to;
    this.#pressed = undefined;
    if (!isSeen) return;
    if (wrong) {
      if (wrong === 'to') void asides.readTyped(form);
      this.root.querySelector<HTMLElement>(`#${wrong}`)?.focus();
      return;
    }
    const caller = this.#caller;
    // If it fails, the form stays for another try, whose outcome only events report.
    this.#caller = undefined;
    this.host.transfer(asides.paramsOf(form)).then(
      (result) => caller?.resolve(result),
      (error) => {
        if (error.code === 'user.rejected') this.host.open = false;
        asides.failed(form, error);
        caller?.reject(error);
      },
    );
  }

  face(): Face | undefined {
    return this.host.open ? undefined : this.busyFace('primary');
  }

  override hides(): boolean {
    return super.hides() && !this.host.open;
  }

  override after(): unknown {
    return this.host.open ? nothing : super.after();
  }

  below(): TemplateResult {
    const { open } = this.host;
    const cancel = (event: Event) => {
      event.preventDefault();
      this.#close();
    };
    // Chromium closes a dialog on a second Esc even if `cancel` was prevented.
    const closed = () => {
      if (!this.host.open || this.host.isAway || this.#dialog?.open) return;
      if (this.#busy) this.host.cancel();
      this.#dismiss();
    };
    return html`${open ? nothing : this.#aside()}<dialog
      class="dialog"
      part="dialog"
      aria-labelledby="title"
      @cancel=${cancel}
      @close=${closed}
    >${
      open
        ? html`<div class="head"><h2 part="heading" class="title grow" id="title">${msg('Send')}</h2><button
          type="button"
          part="close"
          class="btn icon"
          aria-label=${msg('Close')}
          @click=${() => this.#close()}
        >${icon(iconClose())}</button></div>${this.#body()}`
        : nothing
    }</dialog>${this.live()}`;
  }

  /** The state of a request that needed no form. */
  #aside(): TemplateResult | typeof nothing {
    const trouble = this.trouble(msg('Could not send'));
    const blocked = this.host.status.kind === 'blocked';
    return trouble === nothing ? nothing : html`<div class=${blocked ? '' : 'after'}>${trouble}</div>`;
  }

  #body(): TemplateResult | typeof nothing {
    const { status, linked } = this.host;
    if (status.kind === 'blocked') return html`<div class="body">${this.trouble()}</div>`;
    if (status.kind === 'waiting') return this.#asides?.waiting(this.host) ?? nothing;
    const form = this.#form;
    if (!form) return nothing;
    if (linked && !form.fields.wallet) return this.#asides?.unlinked(this.host) ?? nothing;
    const { to, value } = form.fields;
    const keep = () => {
      this.#asked = false;
      this.host.requestUpdate();
    };
    return html`<form class="body" novalidate @submit=${this.#submit}>
      ${this.#asked ? this.#asides?.discard(keep, () => this.#close()) : nothing}${form.render(this.#asides)}${this.trouble(msg('Could not send'), false)}
      <button
        type="submit"
        part="button button-primary"
        class="btn primary lg block ${to && value ? '' : 'faint'}"
        @pointerdown=${() => (this.#pressed = to)}
      ><span>${msg('Continue')}</span></button>
    </form>`;
  }
}

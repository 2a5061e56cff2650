/** A dialog over the form that scans a code with the camera, or reads it from a picture that the user chooses. */
import { css, html, render } from 'lit';
import { systemClock } from '../actions/engine.ts';
import { icon, iconClose, iconDanger } from '../ui/icons.ts';
import { iconImage } from '../ui/list-icons.ts';
import { msg } from '../base/localize.ts';
import type { NoPayment, Payment } from '../ui/payment-code.ts';
import { readPicture, watchCamera } from '../ui/qr-reader.ts';
import { adopt } from '../ui/parts.ts';

const styles = css`
  .scan .picture { position: relative; inline-size: min(100%, 320px); margin-inline: auto; aspect-ratio: 1; border-radius: var(--_r-md); background: #14181f; color: #fff; overflow: hidden; display: grid; place-items: center; }
  .scan video { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; object-fit: cover; }
  .scan .picture svg { position: relative; inline-size: 62%; fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linecap: round; }
  .scan input { position: absolute; inline-size: 1px; block-size: 1px; opacity: 0; }
  .scan p { text-align: center; }
  .scan .actions { display: grid; grid-template-columns: 1fr 1fr; gap: var(--_s2); }
`;

export class ScanDialog {
  readonly #dialog = document.createElement('dialog');
  #error = '';
  #busy = false;
  #resolve!: (payment: Payment | undefined) => void;

  constructor(
    private readonly root: ShadowRoot,
    private readonly readPayment: (text: string) => Promise<Payment | NoPayment>,
  ) {
    adopt(root, styles);
    this.#dialog.className = 'dialog scan';
    this.#dialog.setAttribute('aria-label', msg('Scan QR code'));
  }

  /** Undefined if the user closes it. */
  async ask(): Promise<Payment | undefined> {
    const dialog = this.#dialog;
    const answer = new Promise<Payment | undefined>((resolve) => (this.#resolve = resolve));
    dialog.addEventListener('close', (event) => {
      event.stopPropagation();
      this.#resolve(undefined);
    });
    this.root.append(dialog);
    this.#draw();
    dialog.showModal();
    const camera = watchCamera(
      dialog.querySelector('video')!,
      systemClock,
      (text) => void this.#read(text),
    ).catch(() => {
      this.#fail(msg('The camera cannot be used here. Choose a picture of the code, or paste the address.'));
      return undefined;
    });
    const payment = await answer;
    void camera.then((open) => open?.stop());
    dialog.remove();
    return payment;
  }

  async #read(text: string): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    const payment = await this.readPayment(text);
    this.#busy = false;
    if ('why' in payment) this.#fail(payment.why);
    else this.#resolve(payment);
  }

  #fail(error: string): void {
    this.#error = error;
    this.#draw();
  }

  async #choose({ target }: Event): Promise<void> {
    const input = target as HTMLInputElement;
    const [file] = input.files ?? [];
    input.value = '';
    const text = file && (await readPicture(file));
    if (text) await this.#read(text);
    else if (file) this.#fail(msg('No code was found in this picture.'));
  }

  #draw(): void {
    const dialog = this.#dialog;
    const close = () => dialog.close();
    render(
      html`<div class="head"><h2 class="title grow">${msg('Scan QR code')}</h2><button
        type="button"
        class="btn icon"
        aria-label=${msg('Close')}
        @click=${close}
      >${icon(iconClose())}</button></div>
        <div class="body">
          <div class="picture"><video
            muted
            playsinline
            aria-hidden="true"
          ></video><svg viewBox="0 0 100 100" aria-hidden="true"><path d="M4 26V12a8 8 0 0 1 8-8h14m48 0h14a8 8 0 0 1 8 8v14m0 48v14a8 8 0 0 1-8 8H74m-48 0H12a8 8 0 0 1-8-8V74"/></svg></div>
          <p class="sm muted">${msg('Hold the code inside the marks. The picture stays on this device.')}</p>
          <div role="alert">${this.#error ? html`<p class="err">${icon(iconDanger(), 's')}<span>${this.#error}</span></p>` : ''}</div>
          <div class="actions">
            <button type="button" class="btn secondary lg" @click=${close}>${msg('Cancel')}</button>
            <button
              type="button"
              class="btn quiet lg"
              @click=${() => dialog.querySelector('input')!.click()}
            >${icon(iconImage())}${msg('Choose a picture')}</button>
            <input
              type="file"
              accept="image/*"
              tabindex="-1"
              aria-hidden="true"
              @change=${(event: Event) => void this.#choose(event)}
            />
          </div>
        </div>`,
      dialog,
    );
  }
}

/** Fills the wallet's own Send form from a payment code, scanned or pasted. */
import { formatAmount } from '../../base/amount.ts';
import { listedToken } from '../../chains/contracts/listed-token.ts';
import type { Network } from '../../chains/network.ts';
import type { Asset } from '../../ui/assets.ts';
import { chainIdIn, readCode } from '../../ui/payment-code.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';
import { customElement, property, query } from '../../ui/decorators.ts';
import { icon } from '../../ui/icons.ts';
import { iconImage } from '../../ui/list-icons.ts';
import { readPicture, watchCamera } from '../../ui/qr-reader.ts';
import { head } from '../ui/head.ts';
import { errorLine, FrameView } from '../ui/view.ts';

export interface ScanEvents {
  /** The content of a code. */
  'cbf-scanned': { text: string };
  /** Cancel, Back, Esc. */
  'cbf-back': null;
}

/** Scans for a code with the camera, or in an image that the user chooses. */
@customElement('cbf-scan')
export class ScanView extends FrameView<ScanEvents> {
  static override styles = [
    FrameView.styles,
    css`
      .picture { position: relative; align-self: center; inline-size: min(100%, 320px); aspect-ratio: 1; border-radius: var(--_r-md); background: #14181f; color: #fff; overflow: hidden; display: grid; place-items: center; }
      video { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; object-fit: cover; }
      .picture svg { position: relative; inline-size: 62%; fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linecap: round; }
      input { position: absolute; inline-size: 1px; block-size: 1px; opacity: 0; }
      @media (forced-colors: active) { .picture { forced-color-adjust: none; } }
    `,
  ];

  /** Why a code cannot be used. */
  @property() error = '';
  @query('video') private video!: HTMLVideoElement;
  @query('input') private input!: HTMLInputElement;
  #camera: Promise<{ stop(): void } | undefined> | undefined;

  protected override readonly escape = 'cbf-back';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    void this.#camera?.then((camera) => camera?.stop());
    this.#camera = undefined;
  }

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    this.#start();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#start();
  }

  #start(): void {
    this.#camera ??= watchCamera(this.video, this.clock, (text) => this.emit('cbf-scanned', { text })).catch(
      () => {
        this.error = msg(
          'The camera cannot be used here. Choose a picture of the code, or paste the address.',
        );
        return undefined;
      },
    );
  }

  async #choose(): Promise<void> {
    const [file] = this.input.files ?? [];
    if (!file) return;
    this.input.value = '';
    const text = await readPicture(file);
    if (text) this.emit('cbf-scanned', { text });
    else this.error = msg('No code was found in this picture.');
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Scan QR code'))}
        <div class="picture">
          <video muted playsinline aria-hidden="true"></video>
          <svg viewBox="0 0 100 100" aria-hidden="true"><path d="M4 26V12a8 8 0 0 1 8-8h14m48 0h14a8 8 0 0 1 8 8v14m0 48v14a8 8 0 0 1-8 8H74m-48 0H12a8 8 0 0 1-8-8V74"/></svg>
        </div>
        <p class="sm muted center">${msg('Hold the code inside the marks. The picture stays on this device.')}</p>
        ${this.error ? errorLine(this.error) : nothing}`,
      foot: html`<div class="actions even">
        <button
          type="button"
          class="btn secondary lg"
          @click=${() => this.emit('cbf-back')}
        ><span>${msg('Cancel')}</span></button>
        <button
          type="button"
          class="btn quiet lg"
          @click=${() => this.input.click()}
        >${icon(iconImage())}<span>${msg('Choose a picture')}</span></button>
        <input type="file" accept="image/*" tabindex="-1" aria-hidden="true" @change=${() => void this.#choose()} />
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-scan': ScanView;
  }
}

interface Form {
  readonly network: Network;
  /** The networks that the wallet is on. */
  readonly places: readonly Network[];
  readonly assets: readonly Asset[];
  /** Switches to another of these networks. */
  choose(network: Network): void;
  fill(to: string, value?: string, asset?: Asset): void;
}

/** Resolves once a code has filled the form, or the user went back. A code for a network that the wallet is not on is refused, naming that. */
export async function scan(frame: Frame, options: OpenOptions, form: Form): Promise<void> {
  const view = Object.assign(new ScanView(), { clock: frame.clock });
  const screen = frame.stage.open(view, options);
  for (;;) {
    const { type, detail } = await screen.next('cbf-scanned', 'cbf-back');
    if (type === 'cbf-back') return;
    const why = await fillFrom(detail.text, form);
    if (why === undefined) return;
    view.error = why;
  }
}

/** Fills the form from a code, on the network that the code names. If that fails, resolves with the reason, as text for the user. */
export async function fillFrom(code: string, form: Form): Promise<string | undefined> {
  const before = form.network;
  const chainId = chainIdIn(code);
  const network =
    chainId === undefined || before.chainId === chainId
      ? before
      : (form.places.find((one) => one.chainId === chainId) ?? before);
  const payment = await readCode(code, network);
  if ('why' in payment) return payment.why;
  const { to, value, token, raw } = payment;
  const listed = token === undefined ? undefined : listedToken(network.tokens, token);
  if (token !== undefined && !listed) return msg('This code is for a token that this wallet does not list.');
  if (network !== form.network) form.choose(network);
  if (!listed) {
    form.fill(to, value, value === undefined ? undefined : form.assets[0]);
    return undefined;
  }
  const { address, symbol, decimals } = listed;
  const asset = form.assets.find((one) => one.address === address) ?? {
    address,
    symbol,
    decimals,
    raw: null,
  };
  form.fill(to, raw === undefined ? undefined : formatAmount(raw, decimals), asset);
  return undefined;
}

import { ContextProvider } from '@lit/context';
import { type PropertyDeclarations, type PropertyValues, ReactiveElement } from 'lit';
import { createConnect } from '../../actions/connect.ts';
import type { Connect, ConnectOptions } from '../../actions/types.ts';
import { connectContext } from '../connect-element.ts';
import { speakIn } from '../language.ts';

/** The options of `createConnect` that are attributes. */
const OPTIONS = ['frame', 'site', 'surface', 'returnTo', 'locale', 'currency', 'theme'] as const;

/**
 * Provides one connect to the elements inside it. Draws nothing itself.
 *
 * @element connect-provider
 * @attr {string} frame - Base URL of the wallet's origin; the page's default when absent.
 * @attr {string} site - The registrable domain that page and wallet share.
 * @attr {'auto'|'iframe'|'popup'|'redirect'} surface - Where the wallet opens; `auto` when absent: a dialog if the page may embed it, else a window.
 * @attr {string} return-to - With `redirect`: the registered address at which the wallet answers; the page's own without its query when absent.
 * @attr {string} locale - BCP 47 tag: the language of the elements, and of the wallet if the browser has it and its user chose none.
 * @attr {string} currency - ISO 4217: the currency of values beside amounts; that of `locale` when absent.
 * @attr {'auto'|'light'|'dark'} theme - Theme of the dialog around the wallet.
 * @attr {boolean} defer-hydration - Set when rendered on a server: until it is removed, no connect is made.
 * @slot - The elements that use it.
 * @fires {ConnectRequestEvent} connect-request - From the elements inside it: before anything opens; cancelable.
 * @fires {ConnectProgressEvent} connect-progress - From the elements inside it.
 * @fires {ConnectResultEvent} connect-result - From the elements inside it; `result` is what the promise of `action` resolves to.
 * @fires {ConnectCancelEvent} connect-cancel - From the elements inside it.
 * @fires {ConnectErrorEvent} connect-error - From the elements inside it.
 */
export class ConnectProvider extends ReactiveElement {
  static override properties: PropertyDeclarations = {
    connect: { attribute: false },
    getAccessToken: { attribute: false },
    frame: {},
    site: {},
    surface: {},
    returnTo: { attribute: 'return-to' },
    locale: {},
    currency: {},
    theme: {},
    deferHydration: { type: Boolean, attribute: 'defer-hydration' },
  };

  /** Created from the attributes unless it is set. */
  declare connect: Connect | undefined;
  /** As in `createConnect`. A new function takes effect the next time the wallet opens; the connect stays the same. */
  declare getAccessToken: ConnectOptions['getAccessToken'];
  declare frame: string | undefined;
  declare site: string | undefined;
  declare surface: ConnectOptions['surface'];
  declare returnTo: string | undefined;
  declare locale: string | undefined;
  declare currency: string | undefined;
  declare theme: ConnectOptions['theme'];
  /** @internal */
  declare deferHydration: boolean;

  #made: Connect | undefined;
  readonly #provider = new ContextProvider(this, { context: connectContext });

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // A provider that is only moved keeps its connect.
    queueMicrotask(() => {
      if (!this.isConnected) this.#drop();
    });
  }

  #drop(): void {
    this.#made?.destroy();
    this.#made = undefined;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<ConnectProvider>): void {
    if (!this.isConnected) return;
    if (changed.has('locale')) speakIn(this.locale ?? null);
    if (this.deferHydration) return;
    if (this.connect || OPTIONS.some((name) => changed.has(name))) this.#drop();
    const options = OPTIONS.filter((name) => this[name]).map((name) => [name, this[name]]);
    this.#made ??= this.connect ? undefined : createConnect(Object.fromEntries(options));
    if (this.#made) this.#made.getAccessToken = this.getAccessToken;
    const connect = this.connect ?? this.#made;
    if (connect) this.#provider.setValue(connect);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-provider': ConnectProvider;
  }
}

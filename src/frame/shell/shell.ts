import {
  css,
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type SVGTemplateResult,
  type TemplateResult,
} from 'lit';
import type { Announcement } from '../../ui/status.ts';
import { icon, iconCarabiner, iconCaution, iconClose, iconLock, iconSettings } from '../../ui/icons.ts';
import { baseStyles } from '../../ui/styles.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';
import { tokens } from '../../ui/tokens.ts';
import type { Subject } from '../ui/bare-view.ts';
import { describeOrigin, type OriginParts } from './origin.ts';

/**
 * The frame around every view: the header, which no site can style, the current view below it, and the live regions. It defines the design
 * tokens, which views inherit, and the container `frame`, whose size their styles query. It fills its parent's height.
 *
 * A view sets its text in the header with `cbf-subject`; it is cleared with the view.
 *
 * @fires cbf-settings - Settings was pressed.
 * @fires cbf-close - Close was pressed.
 */
@customElement('cbf-shell')
export class Shell extends LitElement {
  static override styles = [
    tokens,
    baseStyles,
    css`
      :host { display: block; block-size: 100%; container-type: size; font: 400 var(--_fs-md)/1.45 var(--_font); font-variant-ligatures: none; color: var(--_text); background: var(--_surface); -webkit-font-smoothing: antialiased; }
      :host(:is([back]:dir(ltr), :not([back]):dir(rtl))) { --_come: -12px; }
      /* Without spaces a line would break within a word. */
      section:lang(ja) { word-break: auto-phrase; }
      section { block-size: 100%; display: flex; flex-direction: column; overflow: hidden; }
      .main { flex: 1 1 0; min-block-size: 0; display: flex; flex-direction: column; }
      .main > :not(:last-child) { display: none; }
      header { flex: none; display: flex; align-items: center; gap: var(--_s2); min-block-size: 52px; padding-block: 4px; padding-inline: var(--_s3) 4px; background: var(--_surface-2); border-block-end: 1px solid var(--_border); }
      header .icon + .icon { margin-inline-start: -8px; }
      header > span:last-child { margin-inline-end: 12px; }
      .below { display: flex; align-items: center; gap: 6px; font-size: var(--_fs-xs); line-height: 17px; color: var(--_text-2); }
      .warn { padding-inline: 5px; white-space: nowrap; border-radius: var(--_r-xs); background: var(--_caution-soft); color: var(--_caution); font-weight: 560; line-height: 15px; }
      .mark { inline-size: 30px; block-size: 30px; border-radius: var(--_r-xs); display: grid; place-items: center; background: var(--_surface); box-shadow: inset 0 0 0 1px var(--_border); color: var(--_text-2); flex: none; }
      /* Nothing is approved here: only the way out has to fit. */
      @media (max-height: 219.98px) {
        header { min-block-size: 44px; padding-block: 0; }
        .mark, .below { display: none; }
      }
      .outside { flex: none; padding: 4px 16px; font-size: var(--_fs-xs); color: var(--_text-2); background: var(--_surface-2); border-block-end: 1px solid var(--_border); }
      .mark.bad { color: var(--_caution); }
      .origin { display: block; line-height: 1.2; direction: ltr; unicode-bidi: isolate; color: var(--_text-2); overflow-wrap: anywhere; }
      .origin:dir(rtl) { text-align: right; }
      b { display: inline-block; max-inline-size: 100%; unicode-bidi: isolate; color: var(--_text); font-weight: 640; }
      @container frame (max-width: 339px) { section { --_gutter: 12px; } }
      @container frame (max-width: 559px) and (max-height: 559px) { header { min-block-size: 44px; padding-block: 0; } }
      @container frame (min-width: 560px) and (max-height: 559px) {
        section { display: grid; grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr) auto; }
        .main { display: contents; }
        .main > * { grid-area: 3 / 1; }
      }
    `,
  ];

  /** `event.origin` of the requesting page. */
  @property() origin = '';
  /** Shows "Your wallet" and the frame's own host instead: settings, export. */
  @property({ type: Boolean }) own = false;
  /** Offers Settings. */
  @property({ type: Boolean }) settings = false;
  /** The position among waiting requests: "2 of 3". Takes precedence over the view's own. */
  @property({ attribute: false }) queue: unknown;
  /** Offers Close: there is a page to return to. */
  @property({ type: Boolean }) closable = false;
  /** The user's own choice, which the host cannot set; absent follows the system. */
  @property({ reflect: true }) theme: 'light' | 'dark' | undefined;
  /** Part of this window is off screen. */
  @property({ type: Boolean }) outside = false;
  @property({ attribute: false }) view: TemplateResult | typeof nothing = nothing;

  /** The view was reached by Back: it slides in from the other side. */
  @property({ type: Boolean, reflect: true }) back = false;
  #goesBack = false;
  @state() private subject: Subject = {};
  @state() private host: string | undefined;
  @state() private polite = '';
  @state() private assertive = '';

  constructor() {
    super();
    this.addEventListener('cbf-announce', ({ detail }) => this.say(detail));
    // In the capture phase: the flow that waits for the event stops its propagation.
    this.addEventListener('cbf-back', () => (this.#goesBack = true), true);
    this.addEventListener('cbf-subject', ({ detail }) => (this.subject = detail));
    // Once the user goes on, whoever browses the view would only find at its end what is over.
    for (const type of ['click', 'keydown'])
      this.addEventListener(type, () => (this.polite = this.assertive = ''), true);
  }

  /** Announces text to screen readers, even if it repeats the previous one. */
  say({ text, assertive }: Announcement): void {
    const slot = assertive ? 'assertive' : 'polite';
    this[slot] = this[slot] === text ? `${text}\u00a0` : text;
  }

  protected override willUpdate(changed: PropertyValues): void {
    // Inline, for the views' styles: in WebKit, a container name set by `:host` is visible only in this shadow tree.
    this.style.containerName = 'frame';
    if (changed.has('view') && contentOf(changed.get('view')) !== contentOf(this.view)) {
      this.subject = {};
      this.back = this.#goesBack;
      this.#goesBack = false;
    }
    if (changed.has('origin')) {
      this.host = undefined;
      const origin = this.origin;
      // Decoding is loaded only for internationalised names; until then the ASCII form is shown, which is safe.
      if (origin.includes('xn--'))
        void import('./origin-unicode.ts').then(({ readableHost }) => {
          if (this.origin === origin) this.host = readableHost(new URL(origin).hostname);
        });
    }
  }

  #button(label: string, event: string, mark: SVGTemplateResult): TemplateResult {
    const fire = () => this.dispatchEvent(new CustomEvent(event));
    return html`<button type="button" class="btn icon" aria-label=${label} @click=${fire}>
      ${icon(mark)}
    </button>`;
  }

  #header({ scheme, prefix, domain, port, ...parts }: OriginParts): TemplateResult {
    const { own, subject } = this;
    const secure = parts.secure || own;
    const mark = own ? iconCarabiner() : secure ? iconLock() : iconCaution();
    const name = html`<span class=${secure ? 'sr' : ''}>${scheme}://</span>${prefix}<b>${domain}</b>${port}`;
    const caution = secure ? nothing : html`<span class="warn">${msg('Not secure')}</span>`;
    const below = own ? html`<span class="origin">${name}</span>` : subject.below;
    return html`<header>
      <span class="mark ${secure ? '' : 'bad'}">${icon(mark)}</span>
      <div class="grow">
        <span
          class="origin"
          data-seen="origin"
          data-what=${own ? nothing : this.origin}
        >${own ? html`<b>${msg('Your wallet')}</b>` : name}</span>
        <span class="below">${caution}${below}</span>
      </div>
      ${this.queue ?? subject.step}
      ${this.settings ? this.#button(msg('Settings'), 'cbf-settings', iconSettings()) : nothing}
      ${this.closable ? this.#button(msg('Close'), 'cbf-close', iconClose()) : nothing}
    </header>`;
  }

  protected override render(): TemplateResult {
    const parts = this.own ? describeOrigin(location.origin) : describeOrigin(this.origin, this.host);
    return html`<section aria-label=${msg('Carabiner wallet')}>
      ${this.#header(parts)}
      ${this.outside ? html`<p class="outside">${msg('Part of this window is outside the screen')}</p>` : nothing}
      <div class="main">${this.view}</div>
      <p class="sr" role="status">${this.polite}</p>
      <p class="sr" role="alert">${this.assertive}</p>
    </section>`;
  }
}

function contentOf(view: unknown): unknown {
  return (view as Partial<TemplateResult> | undefined)?.values?.[0];
}

/**
 * A view as content of the shell. All callers share this template, so that a view shown again by another caller stays in the DOM, with
 * its input. `over`: drawn in its place meanwhile.
 */
export function holding(view: Element, over?: Element): TemplateResult {
  return html`${view}${over}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-shell': Shell;
  }
}

/** Shown before a request that the user may take for another one. */
import { css, html, nothing, type SVGTemplateResult, type TemplateResult } from 'lit';
import { systemClock } from '../../base/clock.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { iconClock, iconReplace, iconWindow } from '../../ui/list-icons.ts';
import { msg, plural, str } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { cardStyles, partyStyles } from '../ui/card-styles.ts';
import { ConsentView } from '../ui/consent-view.ts';
import { FrameView } from '../ui/view.ts';

/** A press that starts sooner, in milliseconds, was meant for the previous content. */
const PRESS = 800;
/** A pause between keys this long, in milliseconds, means that the user has stopped typing. */
const KEYS = 1000;

export interface NoticeEvents {
  /** Show the new request. */
  'cbf-show': null;
  'cbf-reject': null;
}

interface Notice {
  mark: SVGTemplateResult;
  title: string;
  text: string;
  /** Of the button that shows the request. */
  action: string;
}

/** The request is drawn only after a press that cannot have been meant for another one, or for a digit of its PIN. */
abstract class NoticeView extends ConsentView<NoticeEvents> {
  static override styles = [
    FrameView.styles,
    statusStyles,
    cardStyles,
    partyStyles,
    css`.card { inline-size: 100%; text-align: start; } s { color: var(--_text-2); }`,
  ];

  /** The site that asks: here, or in the other window. */
  @property() site = '';
  /** The title of the previous request; empty if it is not known. */
  @property() gone = '';

  protected override readonly escape = 'cbf-reject';
  #since = 0;
  #pressed = -Infinity;
  #key = { at: 0, name: '', quiet: false };
  #byTab = false;

  constructor(override readonly clock = systemClock) {
    super();
  }

  protected abstract notice(): Notice;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#since = this.clock.now();
    this.#pressed = -Infinity;
    this.#key = { at: this.#since, name: '', quiet: false };
    this.#byTab = false;
    document.addEventListener('keydown', this.#onKey, true);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#onKey, true);
  }

  readonly #onKey = ({ key, repeat }: KeyboardEvent): void => {
    const at = this.clock.now();
    this.#key = { at, name: key, quiet: !repeat && at - this.#key.at >= KEYS };
  };

  /** A press that brings this window to the front does not count either. */
  #onPress(): void {
    this.#pressed = this.armed ? this.clock.now() : -Infinity;
  }

  #onClick(event: Event): void {
    const byPointer = event instanceof PointerEvent && event.pointerType !== '';
    const meant = byPointer ? this.#pressed - this.#since >= PRESS : this.#byTab && this.#key.quiet;
    if (this.allows(event, meant && this.armed)) this.emit('cbf-show');
  }

  protected override render(): TemplateResult {
    const { mark, title, text, action } = this.notice();
    return this.layout({
      mid: true,
      body: html`${hero('warn', mark, title, text)}
        <dl class="card">
          ${
            this.gone
              ? html`<div class="party"><dt class="k">${msg('Withdrawn')}</dt><dd><s>${this.gone}</s></dd></div>`
              : nothing
          }
          <div class="party"><dt class="k">${msg('New')}</dt><dd class="muted">${msg('Not shown yet')}</dd></div>
        </dl>`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-reject')}>
          <span>${msg('Reject')}</span>
        </button>
        <button type="button" class="btn primary lg" aria-disabled=${this.armed ? 'false' : 'true'}
          @pointerdown=${this.#onPress}
          @focus=${() => (this.#byTab = this.#key.name === 'Tab')}
          @click=${this.#onClick}><span>${action}</span></button>
      </div>`,
    });
  }
}

/** The site took back its previous request. */
@customElement('cbf-replaced')
export class ReplacedView extends NoticeView {
  protected override notice(): Notice {
    return {
      mark: iconReplace(),
      title: msg('The site replaced its request'),
      text: msg(
        str`${this.site} took back the request you were looking at and sent another one. Nothing was approved, and the PIN you typed was cleared.`,
      ),
      action: msg('Show the new request'),
    };
  }
}

/** The previous request was another site's. */
@customElement('cbf-moved')
export class MovedView extends NoticeView {
  @property() from = '';
  /** In this window, not in another one. */
  @property({ attribute: false }) here = false;

  protected override notice(): Notice {
    const { site, from, here } = this;
    return {
      mark: iconReplace(),
      title: here ? msg(str`This window now belongs to ${site}`) : msg(str`Now ${site} is asking`),
      text: here
        ? msg(str`Until now it was used by ${from}. Whatever you typed for ${from} does not count here.`)
        : msg(
            str`A moment ago a request of ${from} was on screen. Whatever you typed for it does not count here.`,
          ),
      action: msg('Show the new request'),
    };
  }
}

/** Another window of the wallet is asking. */
@customElement('cbf-elsewhere')
export class ElsewhereView extends NoticeView {
  /** The user began it, on the wallet's own page. */
  @property({ attribute: false }) own = false;

  protected override notice(): Notice {
    const site = this.site || msg('another site');
    return {
      mark: iconWindow(),
      title: this.own
        ? msg('You began something in another window of your wallet')
        : msg(str`Another window of your wallet is asking for ${site}`),
      text: msg('One request can be approved at a time. If you go on here, the other one is taken back.'),
      action: msg('Go on here'),
    };
  }
}

export interface PausedEvents {
  /** Close, Esc. */
  'cbf-close': null;
}

/** The site has replaced its requests too often. */
@customElement('cbf-paused')
export class PausedView extends FrameView<PausedEvents> {
  static override styles = [FrameView.styles, statusStyles];

  @property() site = '';
  /** Remaining minutes of the pause. */
  @property({ attribute: false }) minutes = 10;

  protected override readonly escape = 'cbf-close';

  protected override render(): TemplateResult {
    const { minutes } = this;
    const wait = plural(minutes, msg('1 minute'), msg(str`${minutes} minutes`));
    return this.layout({
      mid: true,
      plain: true,
      body: hero(
        'warn',
        iconClock(),
        msg(str`${this.site} is paused`),
        msg(
          str`It replaced its request three times within a minute, so all of them were rejected. It can ask again in ${wait}.`,
        ),
      ),
      foot: html`<button type="button" class="btn primary lg block" @click=${() => this.emit('cbf-close')}>
        <span>${msg('Close')}</span>
      </button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-elsewhere': ElsewhereView;
    'cbf-moved': MovedView;
    'cbf-replaced': ReplacedView;
    'cbf-paused': PausedView;
  }
}

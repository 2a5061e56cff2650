/** A heading, a text and buttons: what most questions to the user are. Each is made beside the flow that asks it. */
import {
  adoptStyles,
  type CSSResultGroup,
  html,
  nothing,
  type SVGTemplateResult,
  type TemplateResult,
} from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { icon } from '../../ui/icons.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { spinStyles } from '../../ui/styles.ts';
import type { BareView } from './bare-view.ts';
import { backButton, head } from './head.ts';
import { errorLine, FrameView, type LeaveEvents } from './view.ts';

export interface QuestionButton<K extends string> {
  text: string;
  /** The event that it fires. */
  event: K;
  look: 'primary' | 'secondary' | 'ghost';
  glyph?: SVGTemplateResult;
  disabled?: boolean;
  /** Spins in place of the glyph. */
  spins?: boolean;
  /** Receives initial focus. */
  start?: boolean;
}

export interface Question<K extends string> {
  /** A round badge, with the heading and the text centred below it. Without one, Back stands before the heading. */
  badge?: readonly [tone: Parameters<typeof hero>[0], mark: SVGTemplateResult];
  /** Back above the badge. */
  back?: boolean;
  heading: unknown;
  text?: unknown;
  /** Below the text. */
  details?: unknown;
  /** Above the buttons. */
  error?: string | undefined;
  buttons: readonly QuestionButton<K>[];
  /** The buttons stand one below the other. */
  stacked?: boolean;
}

/** What most questions change while they are open. */
export interface AskState {
  busy?: boolean;
  error?: string;
}

/** `K`: the events that the user answers with. `S`: what changes while the question is open. */
@customElement('cbf-question')
export class QuestionView<K extends string = string, S extends object = AskState> extends FrameView<
  Record<K, null>
> {
  readonly #question: (state: S) => Question<K>;
  readonly #styles: CSSResultGroup;
  protected override readonly escape: keyof LeaveEvents;

  @property({ attribute: false }) state = {} as S;

  /** `question` is called on every update: the language may have changed. */
  constructor(escape: keyof LeaveEvents, question: (state: S) => Question<K>, styles: CSSResultGroup) {
    super();
    this.escape = escape;
    this.#question = question;
    this.#styles = styles;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    adoptStyles(root as ShadowRoot, QuestionView.finalizeStyles([FrameView.styles, this.#styles]));
    return root;
  }

  /** As if the user had pressed the button of this event. */
  answer(event: K): void {
    this.dispatchEvent(new CustomEvent(event, { bubbles: true, composed: true }));
  }

  #button(button: QuestionButton<K>, block: boolean): TemplateResult {
    const { text, event, look, glyph, disabled, spins, start } = button;
    const mark = spins ? html`<span class="spin"></span>` : glyph && icon(glyph, 's');
    return html`<button
      type="button"
      class="btn ${look} lg ${block ? 'block' : ''}"
      ?data-start=${start}
      ?disabled=${disabled}
      @click=${() => this.answer(event)}
    >${mark ?? nothing}<span>${text}</span></button>`;
  }

  protected override render(): TemplateResult {
    const {
      badge,
      back,
      heading,
      text,
      details,
      error,
      buttons,
      stacked = false,
    } = this.#question(this.state);
    const self = this as unknown as BareView<Pick<LeaveEvents, 'cbf-back'>>;
    const row = buttons.map((button) => this.#button(button, stacked));
    return this.layout({
      mid: !!badge,
      plain: !!badge,
      body: badge
        ? html`${back ? html`<div class="view-head">${backButton(self)}</div>` : nothing}
          ${hero(...badge, heading, text)} ${details}`
        : html`${head(self, heading)} ${text ? html`<p class="muted">${text}</p>` : nothing} ${details}`,
      foot: stacked
        ? html`${errorLine(error)} ${row}`
        : html`${errorLine(error)}<div class="actions">${row}</div>`,
    });
  }
}

/** A question below a badge. */
export function badgeQuestion<K extends string, S extends object = AskState>(
  escape: keyof LeaveEvents,
  question: (state: S) => Question<K>,
  ...styles: CSSResultGroup[]
): QuestionView<K, S> {
  return new QuestionView(escape, question, [statusStyles, spinStyles, ...styles]);
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-question': QuestionView;
  }
}

/**
 * What is too long to draw at once, drawn piece by piece: the next piece when the reader nears the end of what is drawn. So no animation
 * frame draws more than one piece, and the end appears only after everything before it.
 */
import { css, html, nothing, render, type TemplateResult } from 'lit';
import { bytesOf } from '../../../base/bytes.ts';
import { msg } from '../../../base/localize.ts';
import { INVISIBLE } from '../../../base/text.ts';
import type { Summary } from '../../../chains/approval/summary.ts';
import { visibleText } from '../../../ui/text.ts';

/** Limits of a piece: total characters, and characters that each become an element. */
export const PIECE = { characters: 2000, boxes: 100 };
const BOXED = new RegExp(`[${INVISIBLE}]|\\p{M}`, 'gu');

/** At most so many characters of it become elements. */
export function boxesIn(text: string): number {
  return text.match(BOXED)?.length ?? 0;
}

/** Never splits a character or a CRLF. Splits after a line break if the second half of the piece has one. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = endOf(text, start);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function endOf(text: string, start: number): number {
  let at = start;
  let boxes = 0;
  let line = 0;
  while (at < text.length && at - start < PIECE.characters && boxes < PIECE.boxes) {
    const character = String.fromCodePoint(text.codePointAt(at)!);
    boxes += boxesIn(character);
    at += character.length;
    if (character === '\r' && text[at] === '\n') at++;
    if (text[at - 1] === '\n') line = at;
  }
  return at < text.length && line > start + (at - start) / 2 ? line : at;
}

/** The number of lines, without trailing empty ones. */
export function linesIn(text: string): number {
  return text.trimEnd().split('\n').length;
}

export interface Piece {
  draw: () => unknown;
  /** Its share of the whole, in any unit. */
  size: number;
}

/**
 * `must`: its end has to be seen.
 *
 * @fires cbf-drawn - After each piece.
 */
export class InPieces extends HTMLElement {
  /** Whether this frame has drawn a piece. */
  static #drawnNow = false;
  #pieces: readonly Piece[] = [];
  #drawn = 0;
  #observer: IntersectionObserver | undefined;
  readonly #end = document.createElement('span');

  constructor() {
    super();
    this.#end.className = 'end';
  }

  /** Drawn anew only if it is another list. */
  set pieces(pieces: readonly Piece[]) {
    if (pieces === this.#pieces) return;
    this.#pieces = pieces;
    this.#drawn = 0;
    // Hidden until everything before it is drawn.
    this.#end.hidden = true;
    this.replaceChildren(this.#end);
    this.#draw();
  }

  /** Whether all of it is drawn. */
  get whole(): boolean {
    return this.#drawn >= this.#pieces.length;
  }

  /** The fraction that is drawn, 0 to 1. */
  get share(): number {
    if (this.whole) return 1;
    const sizeOf = (pieces: readonly Piece[]) => pieces.reduce((sum, { size }) => sum + size, 0);
    return sizeOf(this.#pieces.slice(0, this.#drawn)) / sizeOf(this.#pieces);
  }

  connectedCallback(): void {
    if (this.hasAttribute('must')) this.#end.dataset['seen'] = 'end';
    // Draws one viewport height ahead of the reader.
    this.#observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) this.#next();
      },
      { root: this.closest('.body'), rootMargin: '0px 0px 100% 0px' },
    );
    this.#watch();
  }

  disconnectedCallback(): void {
    this.#observer?.disconnect();
  }

  /** One piece a frame, of all that is in view. */
  #next(): void {
    if (InPieces.#drawnNow) {
      requestAnimationFrame(() => this.#watch());
      return;
    }
    InPieces.#drawnNow = true;
    requestAnimationFrame(() => (InPieces.#drawnNow = false));
    this.#draw();
  }

  #watch(): void {
    this.#observer?.disconnect();
    const last = this.#end.previousElementSibling;
    if (!this.whole && last) this.#observer?.observe(last);
  }

  #draw(): void {
    const piece = this.#pieces[this.#drawn];
    if (piece !== undefined) {
      const part = document.createElement('span');
      render(piece.draw(), part);
      this.#end.before(part);
      this.#drawn++;
    }
    this.#end.hidden = !this.whole;
    this.#watch();
    this.dispatchEvent(new CustomEvent('cbf-drawn', { bubbles: true }));
  }
}

export class LongText extends InPieces {
  #text: string | undefined;

  set text(text: string) {
    if (text === this.#text) return;
    this.#text = text;
    this.pieces = piecesOf(text).map((part) => ({ draw: () => visibleText(part), size: part.length }));
  }

  get text(): string {
    return this.#text ?? '';
  }

  override connectedCallback(): void {
    // Set before this module was loaded.
    const early = Object.getOwnPropertyDescriptor(this, 'text')?.value as string | undefined;
    if (early !== undefined) {
      delete (this as { text?: string }).text;
      this.text = early;
    }
    super.connectedCallback();
  }
}

customElements.define('cbf-in-pieces', InPieces);
customElements.define('cbf-long-text', LongText);

declare global {
  interface HTMLElementTagNameMap {
    'cbf-in-pieces': InPieces;
    'cbf-long-text': LongText;
  }
}

export const memoStyles = css`
  .memo { max-block-size: 180px; overflow: auto; }
  .memo .message + .message { padding-block-start: 0; }
`;

/** The note that a transaction carries to its recipient, as anybody can read it. Needs `memoStyles`. */
export function memo({ facts }: Summary): TemplateResult | typeof nothing {
  const value = facts?.find(({ code }) => code === 'memo')?.value;
  if (value === undefined) return nothing;
  const text = textIn(value);
  return html`<section class="stack tight">
    <h2 class="sect"><span>${msg('Note to the recipient')}</span><span class="xs faint">${msg('everybody can read it')}</span></h2>
    <div class="card memo" tabindex="0" role="region" aria-label=${msg('Note to the recipient')}>
      <p class="message" dir="auto">${inPieces(value)}</p>
      ${text ? html`<p class="message"><span class="sm muted">${msg('As text:')}</span> <bdi>${inPieces(text)}</bdi></p>` : nothing}
    </div>
  </section>`;
}

/** The text of a memo given as bytes, as chains do for text with invisible characters. */
function textIn(value: string): string | undefined {
  if (!/^0x([0-9a-f]{2})+$/.test(value)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(value));
  } catch {
    return undefined;
  }
}

function inPieces(text: string): TemplateResult {
  return html`<cbf-long-text .text=${text}></cbf-long-text>`;
}

/**
 * Long text, drawn piece by piece: the next piece when the reader nears the end of what is drawn. So no animation frame draws more than
 * one piece, and the end appears only after everything before it.
 */
import { render } from 'lit';
import { INVISIBLE } from '../../../inert-text.ts';
import { visibleText } from '../../../ui/visible-text.ts';

/** Limits of a piece: total characters, and characters that each become an element. */
export const PIECE = { characters: 2000, boxes: 100 };
const BOXED = new RegExp(`[${INVISIBLE}]|\\p{M}`, 'u');

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
    if (BOXED.test(character)) boxes++;
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

/**
 * `must`: its end has to be seen.
 *
 * @fires cbf-drawn - After each piece.
 */
export class LongText extends HTMLElement {
  #pieces: string[] = [];
  #text = '';
  #drawn = 0;
  #observer: IntersectionObserver | undefined;
  readonly #end = document.createElement('span');

  constructor() {
    super();
    this.#end.className = 'end';
  }

  set text(text: string) {
    if (text === this.#text && this.#drawn) return;
    this.#text = text;
    this.#pieces = piecesOf(text);
    this.#drawn = 0;
    // Hidden until everything before it is drawn.
    this.#end.hidden = true;
    this.replaceChildren(this.#end);
    this.#draw();
  }

  get text(): string {
    return this.#text;
  }

  /** Whether all of it is drawn. */
  get whole(): boolean {
    return this.#drawn >= this.#pieces.length;
  }

  /** The fraction of the text that is drawn, 0 to 1. */
  get share(): number {
    if (this.whole) return 1;
    const drawn = this.#pieces.slice(0, this.#drawn).reduce((sum, piece) => sum + piece.length, 0);
    return drawn / this.#text.length;
  }

  connectedCallback(): void {
    if (this.hasAttribute('must')) this.#end.dataset['seen'] = 'end';
    // Draws one viewport height ahead of the reader.
    this.#observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) this.#draw();
      },
      { root: this.closest('.body'), rootMargin: '0px 0px 100% 0px' },
    );
    this.#watch();
  }

  disconnectedCallback(): void {
    this.#observer?.disconnect();
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
      render(visibleText(piece), part);
      this.#end.before(part);
      this.#drawn++;
    }
    this.#end.hidden = !this.whole;
    this.#watch();
    this.dispatchEvent(new CustomEvent('cbf-drawn'));
  }
}

customElements.define('cbf-long-text', LongText);

declare global {
  interface HTMLElementTagNameMap {
    'cbf-long-text': LongText;
  }
}

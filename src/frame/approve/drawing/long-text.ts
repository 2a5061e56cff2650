/**
 * Text that may be long, drawn a piece at a time: the next one when the reader comes near the end of what is there. So one frame never
 * draws more than a piece, and the end is on screen only after all before it was.
 */
import { render } from 'lit';
import { INVISIBLE } from '../../../inert-text.ts';
import { visibleText } from '../../../ui/visible-text.ts';

/** So many characters at most in a piece, and so many of those that become an element of their own. */
export const PIECE = { characters: 2000, boxes: 100 };
const BOXED = new RegExp(`[${INVISIBLE}]|\\p{M}`, 'u');

/** Never inside a character, or between the two of a line break; at the end of a line where there is one. */
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

/** How many lines the text itself has. What is empty at its end is none. */
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
    // Out of sight until all before it is there.
    this.#end.hidden = true;
    this.replaceChildren(this.#end);
    this.#draw();
  }

  get text(): string {
    return this.#text;
  }

  /** All of it is drawn. */
  get whole(): boolean {
    return this.#drawn >= this.#pieces.length;
  }

  /** The share of the text that is drawn, of 1. */
  get share(): number {
    if (this.whole) return 1;
    const drawn = this.#pieces.slice(0, this.#drawn).reduce((sum, piece) => sum + piece.length, 0);
    return drawn / this.#text.length;
  }

  connectedCallback(): void {
    if (this.hasAttribute('must')) this.#end.dataset['seen'] = 'end';
    // A window's height ahead of what is read.
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

/** The chooser's building blocks: its buttons, the list of external wallets, and what is shown while one of them asks its user. */
import type { Clock } from '../base/clock.ts';
import { msg, spoken, str } from '../base/localize.ts';
import { CHAIN_NAMES, type SecretType } from '../chains/secret-type.ts';
import { icon } from '../channel/dialog-style.ts';
import type { Found, Pairing } from '../external/types.ts';

// The paths of `iconChevronEnd` and others in `src/ui/icons.ts` and `src/ui/list-icons.ts`, which need Lit.
const CHEVRON = 'm9.5 6.5 5.5 5.5-5.5 5.5';

interface Choice {
  className: string;
  label: string;
  /** The accessible name, if it is not the label. */
  name?: string;
  note: string;
  mark: Node;
  onClick: () => void;
}

let notes = 0;

/** The button covers the row, so that its accessible name is the label alone, and the note is its description. */
export function choice<K extends 'div' | 'li'>(
  tag: K,
  { className, label, name = label, note, mark, onClick }: Choice,
): HTMLElementTagNameMap[K] {
  const row = element(tag, `choice ${className}`);
  const description = element('span', 'note', note);
  description.id = `note${notes++}`;
  const text = element('span', 'text');
  text.ariaHidden = 'true';
  text.append(element('span', 'label', label), description);
  const badge = element('span', 'mark');
  badge.append(mark);
  const chevron = icon(CHEVRON);
  chevron.classList.add('chevron');
  const button = element('button');
  button.type = 'button';
  button.ariaLabel = name;
  button.setAttribute('aria-describedby', description.id);
  button.onclick = onClick;
  row.append(badge, text, chevron, button);
  return row;
}

/** One of two buttons side by side. */
export function action(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', `action ${className}`, text);
  button.type = 'button';
  button.onclick = onClick;
  return button;
}

export function element<
  K extends 'button' | 'div' | 'h2' | 'h3' | 'img' | 'li' | 'p' | 'section' | 'span' | 'ul',
>(name: K, className = '', text = ''): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

/** "Use a wallet in this browser", and the list of wallets elsewhere. Empty if none is found. */
export function externalList(
  wallets: readonly Found[],
  linked: ReadonlySet<string>,
  secretTypes: readonly SecretType[],
  choose: (wallet: Found) => void,
): HTMLElement[] {
  const here = wallets.filter(({ pairs }) => !pairs);
  const elsewhere = wallets.filter(({ pairs }) => pairs);
  const rowOf = (wallet: Found): HTMLElement => {
    const chains = wallet.secretTypes.filter((each) => !secretTypes.length || secretTypes.includes(each));
    const note = wallet.pairs
      ? msg('Scan a code with a wallet app')
      : new Intl.ListFormat(spoken?.lang ?? 'en', { style: 'narrow' }).format(
          chains.map((each) => CHAIN_NAMES[each]),
        );
    return choice('li', {
      className: 'other',
      label: wallet.name,
      name: wallet.pairs ? wallet.name : msg(str`${wallet.name}, browser wallet`),
      note: linked.has(wallet.by) ? msg('Linked here before') : note,
      mark: wallet.pairs ? codeMark() : pictureOf(wallet),
      onClick: () => choose(wallet),
    });
  };
  return [
    ...listOf('others', msg('Use a wallet in this browser'), here.map(rowOf)),
    ...listOf('elsewhere', msg('Use a wallet on your phone'), elsewhere.map(rowOf)),
  ];
}

function listOf(id: string, name: string, rows: HTMLElement[]): HTMLElement[] {
  if (!rows.length) return [];
  const section = element('section', 'others');
  const title = element('h3', '', name);
  title.id = id;
  const list = element('ul');
  list.setAttribute('aria-labelledby', id);
  list.append(...rows);
  section.append(title, list);
  return [section];
}

// The corners of a QR code, and some modules.
const CODE =
  'M4.5 9V6a1.5 1.5 0 0 1 1.5-1.5h3M15 4.5h3A1.5 1.5 0 0 1 19.5 6v3M19.5 15v3a1.5 1.5 0 0 1-1.5 1.5h-3M9 19.5H6A1.5 1.5 0 0 1 4.5 18v-3M9 9h2.5v2.5H9zM14.5 9v2M9 14.5h2m2.5-1v1.5H15';

function codeMark(): HTMLElement {
  const mark = element('span', 'ext');
  mark.append(icon(CODE));
  return mark;
}

/** If the page's CSP blocks `data:` pictures, the letter stays. */
function pictureOf({ name, icon }: Found): HTMLElement {
  const letter = element('span', 'ext', [...name][0]);
  letter.ariaHidden = 'true';
  if (!icon) return letter;
  const picture = element('img', 'ext');
  picture.alt = '';
  picture.onerror = () => picture.replaceWith(letter);
  // Pictures cannot run scripts in an <img>.
  picture.src = icon;
  return picture;
}

/** When to show a hint: an extension's window may open behind the page, or not at all while it is locked. */
const HINT_MS = 20_000;

/** What a step needs in which another wallet asks its user. */
export interface Waiting {
  clock: Clock;
  /** Those to link. */
  secretTypes: readonly SecretType[];
  /** Asks the user there; `pairing` shows the code by which a wallet elsewhere finds this page. Rejects with what the user should be told. */
  link: (pairing?: Pairing) => Promise<void>;
  linked: () => void;
  /** What went wrong, in the user's words. */
  reason: (error: unknown) => string;
  back: () => void;
}

export interface Step {
  readonly view: HTMLElement;
  /** Later answers of the wallet are ignored. */
  leave(): void;
}

/** "Continue in …". */
export class WaitingStep implements Step {
  readonly view = element('section', 'waiting');
  readonly #waiting: Waiting;
  readonly #status = statusLine();
  #attempts = 0;
  #cancelHint = (): void => {};

  constructor(wallet: Found, waiting: Waiting) {
    this.#waiting = waiting;
    const picture = pictureOf(wallet);
    picture.classList.add('large');
    const actions = element('div', 'actions');
    actions.append(
      action('secondary', msg('Back'), waiting.back),
      action('quiet', msg('Ask again'), () => this.#ask()),
    );
    this.view.append(
      picture,
      heading(msg(str`Continue in ${wallet.name}`)),
      element('p', '', msg('You are asked there. This dialog closes once you have answered.')),
      this.#status,
      actions,
    );
    this.#ask();
  }

  leave(): void {
    this.#attempts++;
    this.#cancelHint();
  }

  #ask(): void {
    const attempt = ++this.#attempts;
    const { clock, link, linked, reason } = this.#waiting;
    this.#cancelHint();
    say(this.#status, msg('Waiting for the extension'), true);
    this.#cancelHint = clock.after(HINT_MS, () =>
      say(this.#status, msg('Nothing opened? Click the extension’s icon next to the address bar.'), true),
    );
    link().then(
      () => attempt === this.#attempts && linked(),
      (error: unknown) => {
        if (attempt !== this.#attempts) return;
        this.#cancelHint();
        say(this.#status, reason(error), false);
      },
    );
  }
}

export function heading(text: string): HTMLElement {
  const title = element('h3', '', text);
  title.tabIndex = -1;
  return title;
}

export function statusLine(): HTMLElement {
  const status = element('p', 'live');
  status.ariaLive = 'polite';
  return status;
}

export function say(status: HTMLElement, text: string, busy: boolean): void {
  status.textContent = text;
  status.classList.toggle('busy', busy);
}

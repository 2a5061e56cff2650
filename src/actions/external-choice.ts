/** The chooser's external wallets in this browser, and what is shown while one of them asks its user. */
import { CHAIN_NAMES, type SecretType } from '../chains/secret-type.ts';
import type { Clock } from '../base/clock.ts';
import type { Found } from '../external/types.ts';
import { msg, str } from '../base/localize.ts';
import { action, choice, element, icon } from './chooser-parts.ts';

/** "Use a wallet in this browser", and the list of wallets elsewhere. Empty if none is found. */
export function externalList(
  found: readonly Found[],
  linked: ReadonlySet<string>,
  asked: readonly SecretType[],
  choose: (found: Found) => void,
): HTMLElement[] {
  const here = found.filter(({ pairs }) => !pairs);
  const elsewhere = found.filter(({ pairs }) => pairs);
  const rowOf = (wallet: Found): HTMLElement => {
    const chains = wallet.secretTypes.filter((each) => !asked.length || asked.includes(each));
    const note = wallet.pairs
      ? msg('Scan a code with a wallet app')
      : chains.map((each) => CHAIN_NAMES[each]).join(', ');
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

interface Waiting {
  clock: Clock;
  /** Asks the user there. Rejects with what the user should be told. */
  link: () => Promise<void>;
  linked: () => void;
  /** What went wrong, in the user's words. */
  reason: (error: unknown) => string;
  back: () => void;
}

/** "Continue in …". After `leave`, later answers of the wallet are ignored. */
export function waitingFor(
  found: Found,
  { clock, link, linked, reason, back }: Waiting,
): { view: HTMLElement; leave: () => void } {
  const view = element('section', 'waiting');
  const heading = element('h3', '', msg(str`Continue in ${found.name}`));
  heading.tabIndex = -1;
  const status = element('p', 'live');
  status.ariaLive = 'polite';
  const actions = element('div', 'actions');
  const again = action('quiet', msg('Ask again'), () => ask());
  const picture = pictureOf(found);
  picture.classList.add('large');
  actions.append(action('secondary', msg('Back'), back), again);
  view.append(
    picture,
    heading,
    element('p', '', msg('It asks you there. This dialog closes when it has answered.')),
    status,
    actions,
  );

  let run = 0;
  let cancel = (): void => {};
  const say = (text: string, busy: boolean): void => {
    status.textContent = text;
    status.classList.toggle('busy', busy);
  };
  const ask = (): void => {
    const mine = ++run;
    cancel();
    say(msg('Waiting for the extension'), true);
    cancel = clock.after(HINT_MS, () =>
      say(msg('Nothing opened? Look for its button next to the address bar.'), true),
    );
    link().then(
      () => mine === run && linked(),
      (error: unknown) => {
        if (mine !== run) return;
        cancel();
        say(reason(error), false);
      },
    );
  };
  ask();
  return {
    view,
    leave() {
      run++;
      cancel();
    },
  };
}

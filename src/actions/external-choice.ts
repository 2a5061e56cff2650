/** Of the chooser: the wallets of others that this browser has, and what is shown while one of them asks its user. */
import { CHAIN_NAMES, type SecretType } from '../chains/secret-type.ts';
import type { Clock } from '../clock.ts';
import type { Found } from '../external/types.ts';
import { msg, str } from '../localize.ts';
import { action, choice, element } from './chooser-parts.ts';

/** "Use a wallet in this browser"; nothing where none is found. */
export function externalList(
  found: readonly Found[],
  linked: ReadonlySet<string>,
  asked: readonly SecretType[],
  choose: (found: Found) => void,
): HTMLElement[] {
  if (!found.length) return [];
  const section = element('section', 'others');
  const list = element('ul');
  const title = element('h3', '', msg('Use a wallet in this browser'));
  title.id = 'others';
  list.setAttribute('aria-labelledby', title.id);
  for (const wallet of found) {
    const chains = wallet.secretTypes.filter((each) => !asked.length || asked.includes(each));
    const row = choice('li', {
      className: 'other',
      label: wallet.name,
      name: msg(str`${wallet.name}, browser wallet`),
      note: linked.has(wallet.by)
        ? msg('Linked here before')
        : chains.map((each) => CHAIN_NAMES[each]).join(', '),
      mark: pictureOf(wallet),
      onClick: () => choose(wallet),
    });
    list.append(row);
  }
  section.append(title, list);
  return [section];
}

/** A page's policy may keep `data:` pictures out: then the letter stays. */
function pictureOf({ name, icon }: Found): HTMLElement {
  const letter = element('span', 'ext', [...name][0]);
  letter.ariaHidden = 'true';
  if (!icon) return letter;
  const picture = element('img', 'ext');
  picture.alt = '';
  picture.onerror = () => picture.replaceWith(letter);
  // In an <img> no picture runs a script.
  picture.src = icon;
  return picture;
}

/** An extension's window may open behind the page, or not at all where it is locked. */
const HINT_MS = 20_000;

interface Waiting {
  clock: Clock;
  /** Asks the user there. Rejects with what they are to know. */
  link: () => Promise<void>;
  linked: () => void;
  /** What went wrong, in the user's words. */
  reason: (error: unknown) => string;
  back: () => void;
}

/** "Continue in …". `leave`: nothing that the wallet answers later counts. */
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

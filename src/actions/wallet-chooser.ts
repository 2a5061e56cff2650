/**
 * "Connect a wallet": what a page without linked wallets shows before the wallet opens. It belongs to the page, which must not learn
 * whether this browser has wallets that are not linked to it; the wallet itself shows those, whichever button was pressed. Elements of
 * the DOM, not Lit: a page that only uses promises may have a policy that keeps Lit out.
 */
import { msg, spoken } from '../localize.ts';
import { SECRET_TYPES } from '../chains/secret-type.ts';
import { dialogStyle } from '../channel/dialog-style.ts';
import type { Wallet } from '../api/wallet.ts';
import type { ParamsOf } from '../channel/schema.ts';
import { UserRejectedError } from '../errors.ts';
import type { Context } from './context.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';
import { chooserStyle } from './wallet-chooser-style.ts';

export type NewWallet = NonNullable<ParamsOf<'linkWallets'>['newWallet']>;

/**
 * `open` is called in the user's click, so that it may open a window; what it answers is the answer. None when the user closes the
 * chooser; `user.rejected` when the page takes it away.
 */
export async function chooseWallet(
  { theme, ended }: Context,
  { secretTypes = [] }: { secretTypes?: readonly unknown[] },
  options: CallOptions,
  open: (chosen: Pick<ParamsOf<'linkWallets'>, 'newWallet'>) => Promise<Wallet[]>,
): Promise<Wallet[]> {
  // As the wallet checks them, but before anything is shown.
  const unknown = secretTypes.findIndex((type) => !(SECRET_TYPES as readonly unknown[]).includes(type));
  if (unknown >= 0) throw invalid(`secretTypes.${unknown}`, `must be one of ${SECRET_TYPES.join(', ')}`);
  const signal = options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted());
    const host = document.createElement('div');
    Object.assign(host, spoken);
    if (theme && theme !== 'auto') host.className = theme;
    const root = host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [dialogStyle, chooserStyle].map((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return sheet;
    });

    const dialog = document.createElement('dialog');
    const leave = (): void => {
      signal.removeEventListener('abort', onAbort);
      dialog.onclose = null;
      // Gives the focus back to what had it, which the wallet's own dialog then finds.
      dialog.close();
      host.remove();
    };
    const onAbort = (): void => {
      leave();
      reject(aborted());
    };
    const close = (): void => {
      leave();
      resolve([]);
    };
    const choose = (newWallet: NewWallet): void => {
      leave();
      resolve(open({ newWallet }));
    };

    const title = element('h2', '', msg('Connect a wallet'));
    title.id = 'title';
    dialog.setAttribute('aria-labelledby', title.id);
    const shut = element('button', '', '×');
    shut.type = 'button';
    shut.ariaLabel = msg('Close');
    shut.onclick = close;
    dialog.onclose = close;
    dialog.append(
      title,
      choice('create', msg('Create a wallet'), msg('Ready in seconds, nothing to install'), PLUS, () =>
        choose('create'),
      ),
      choice('import', msg('I have one'), msg('12 words, a private key, or kept here'), IMPORT, () =>
        choose('import'),
      ),
      element('p', '', msg('This site sees nothing until you choose a wallet and link it.')),
      shut,
    );
    root.append(dialog);
    (document.body ?? document.documentElement).append(host);
    signal.addEventListener('abort', onAbort);
    dialog.showModal();
  });
}

// The paths of `iconPlus`, `iconImport` and `iconChevronEnd` in `src/ui/icons.ts`, which are Lit's.
const PLUS = 'M12 5v14M5 12h14';
const IMPORT = 'M12 4v10.5m-4.5-4 4.5 4.5 4.5-4.5M5 16.5V18a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-1.5';
const CHEVRON = 'm9.5 6.5 5.5 5.5-5.5 5.5';

/** The button covers the row, so that its accessible name is the label alone, and the note is its description. */
function choice(
  id: NewWallet,
  label: string,
  note: string,
  path: string,
  onClick: () => void,
): HTMLDivElement {
  const row = element('div', `choice ${id}`);
  const described = element('span', 'note', note);
  described.id = id;
  const text = element('span', 'text');
  text.ariaHidden = 'true';
  text.append(element('span', 'label', label), described);
  const mark = element('span', 'mark');
  mark.append(icon(path));
  const chevron = icon(CHEVRON);
  chevron.classList.add('chevron');
  const button = element('button');
  button.type = 'button';
  button.ariaLabel = label;
  button.setAttribute('aria-describedby', id);
  button.onclick = onClick;
  row.append(mark, text, chevron, button);
  return row;
}

function element<K extends 'button' | 'div' | 'h2' | 'p' | 'span'>(
  name: K,
  className = '',
  text = '',
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

function icon(path: string): SVGSVGElement {
  const SVG = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

function aborted(): UserRejectedError {
  return new UserRejectedError('The request was withdrawn before a wallet was chosen.');
}

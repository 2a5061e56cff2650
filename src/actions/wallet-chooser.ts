/**
 * "Connect a wallet": what a page without linked wallets shows before the wallet opens. It belongs to the
 * page, which must not learn whether this browser has wallets that are not linked to it; the wallet itself
 * shows those, whichever button was pressed. Names and pictures of other wallets come from the page, and stay
 * out of ours. Plain DOM, not Lit: a page that only uses promises may have a CSP that blocks Lit.
 */
import { msg, spoken } from '../base/localize.ts';
import { CARDS, SECRET_TYPES, type SecretType } from '../chains/secret-type.ts';
import { dialogSheet, dialogStyle } from '../channel/dialog-style.ts';
import type { Wallet } from '../api/wallet.ts';
import type { ParamsOf } from '../channel/schema.ts';
import { ConnectError, FrameUnreachableError, UserRejectedError } from '../base/errors.ts';
import type { Found, Pairing } from '../external/types.ts';
import { action, choice, element, icon } from './chooser-parts.ts';
import type { Context } from './context.ts';
import { externalList, waitingFor } from './external-choice.ts';
import { discoverFor, linkExternal } from './link-external.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';
import { chooserStyle } from './wallet-chooser-style.ts';
import { warn } from '../base/warn.ts';

export type NewWallet = NonNullable<ParamsOf<'linkWallets'>['newWallet']>;

interface Wished {
  secretTypes?: readonly unknown[];
  network?: string;
  external?: unknown;
}

/** External wallets for one of these chains, or for any; none where the page wants none. */
export function othersFor(context: Context, { secretTypes = [], external }: Wished): readonly Found[] {
  if (!offers(context, external)) return [];
  return discoverFor(context)
    .found()
    .filter((each) => !secretTypes.length || each.secretTypes.some((type) => secretTypes.includes(type)));
}

function offers(context: Context, external: unknown): boolean {
  return context.options.external !== 'off' && external !== 'off';
}

/**
 * `open` is called in the user's click, so that it may open a window. Resolves to its result plus the linked
 * external wallets; if the user closes the chooser or links an external wallet, to the wallets linked now.
 * Rejects with `user.rejected` if the page removes the chooser.
 */
export async function chooseWallet(
  context: Context,
  wished: Wished,
  options: CallOptions,
  open: (chosen?: Pick<ParamsOf<'linkWallets'>, 'newWallet'>) => Promise<Wallet[]>,
): Promise<Wallet[]> {
  const {
    options: { theme },
    ended,
    record,
    clock,
  } = context;
  const { secretTypes = [], network, external = 'on' } = wished;
  // The same check as the wallet's, but before anything is shown.
  const unknown = secretTypes.findIndex((type) => !(SECRET_TYPES as readonly unknown[]).includes(type));
  if (unknown >= 0) throw invalid(`secretTypes.${unknown}`, `must be one of ${SECRET_TYPES.join(', ')}`);
  if (external !== 'on' && external !== 'off') throw invalid('external', 'must be on or off');
  const asked = secretTypes as readonly SecretType[];
  const signal = options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted());
    const host = document.createElement('div');
    Object.assign(host, spoken);
    if (theme && theme !== 'auto') host.className = theme;
    const root = host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [dialogStyle, chooserStyle].map(dialogSheet);

    const dialog = document.createElement('dialog');
    let stopWaiting = (): void => {};
    let stopLooking = (): void => {};
    const leave = (): void => {
      stopWaiting();
      stopLooking();
      signal.removeEventListener('abort', onAbort);
      dialog.onclose = null;
      // Returns the focus, so that the wallet's own dialog later restores it to the right place.
      dialog.close();
      host.remove();
    };
    const onAbort = (): void => {
      leave();
      reject(aborted());
    };
    const close = (): void => {
      leave();
      resolve(linkedNow(context, wished));
    };
    const choose = (newWallet?: NewWallet): void => {
      leave();
      const theirs = ({ id }: Wallet): boolean => Object.hasOwn(record.read().external, id);
      resolve(
        open(newWallet && { newWallet }).then((ours) => [
          ...ours,
          ...linkedNow(context, wished).filter(theirs),
        ]),
      );
    };

    const title = element('h2', '', msg('Connect a wallet'));
    title.id = 'title';
    dialog.setAttribute('aria-labelledby', title.id);
    const shut = element('button', '', '×');
    shut.type = 'button';
    shut.ariaLabel = msg('Close');
    shut.onclick = close;
    dialog.onclose = close;

    /** Also for external wallets that announce themselves while the chooser is open. */
    const others = element('div');
    const showOthers = (): void => {
      const linked = new Set(Object.values(record.read().external).map(({ by }) => by));
      others.replaceChildren(...externalList(othersFor(context, wished), linked, asked, ask));
      others.hidden = !others.hasChildNodes();
    };

    const show = (): void => {
      const [ours] = record.read().wallets;
      dialog.replaceChildren(title, ...(ours ? returning(ours, choose) : first(choose)));
      showOthers();
      dialog.append(others);
      if (!ours)
        dialog.append(element('p', '', msg('This site sees nothing until you choose a wallet and link it.')));
      dialog.append(shut);
    };

    /** The user answers in the wallet that they chose. */
    const ask = (wallet: Found): void => {
      const wish = {
        secretTypes: wallet.secretTypes.filter((each) => !asked.length || asked.includes(each)),
        network,
      };
      const waiting = {
        clock,
        link: (pairing?: Pairing) => linkExternal(context, wallet, wish, pairing),
        linked: close,
        reason: reasonOf,
        back() {
          stopWaiting();
          show();
          dialog.querySelector<HTMLElement>('.other button')?.focus();
        },
      };
      const enter = (entered: ReturnType<typeof waitingFor>): void => {
        stopWaiting();
        stopWaiting = entered.leave;
        dialog.replaceChildren(title, entered.view, shut);
        entered.view.querySelector('h3')?.focus();
      };
      if (!wallet.pairs) return enter(waitingFor(wallet, waiting));
      import('./pairing.ts').then(
        ({ pairingFor }) => dialog.open && enter(pairingFor(waiting)),
        (cause: unknown) => {
          leave();
          reject(new FrameUnreachableError(`The dialog could not be loaded. Try again. ${cause}`));
        },
      );
    };

    show();
    root.append(dialog);
    (document.body ?? document.documentElement).append(host);
    signal.addEventListener('abort', onAbort);
    if (offers(context, external)) stopLooking = discoverFor(context).onFound(showOthers);
    dialog.showModal();
  });
}

// The paths of icons in `src/ui/icons.ts`, which need Lit.
const PLUS = 'M12 5v14M5 12h14';
const IMPORT = 'M12 4v10.5m-4.5-4 4.5 4.5 4.5-4.5M5 16.5V18a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-1.5';

type Choose = (newWallet?: NewWallet) => void;

function first(choose: Choose): HTMLElement[] {
  return [
    choice('div', {
      className: 'create',
      label: msg('Create a wallet'),
      note: msg('Ready in seconds, nothing to install'),
      mark: icon(PLUS),
      onClick: () => choose('create'),
    }),
    choice('div', {
      className: 'import',
      label: msg('I have one'),
      note: msg('12 words, a private key, or in this browser'),
      mark: icon(IMPORT),
      onClick: () => choose('import'),
    }),
  ];
}

/** A wallet of ours is linked to this site: the wallet shows it, with those that are not. */
function returning({ alias, address, secretType }: Wallet, choose: Choose): HTMLElement[] {
  const actions = element('div', 'actions');
  actions.append(
    action('quiet', msg('Create a wallet'), () => choose('create')),
    action('quiet', msg('I have one'), () => choose('import')),
  );
  const known = choice('div', {
    className: 'import',
    label: alias,
    note: `${address.slice(0, 6)}…${address.slice(-4)}`,
    mark: icon(CARDS[secretType].badge.path),
    onClick: () => choose(),
  });
  return [known, actions];
}

/** The linked wallets, ours and external ones. */
function linkedNow({ record }: Context, { secretTypes = [], network }: Wished): Wallet[] {
  return record
    .wallets()
    .filter(
      (wallet) =>
        (!secretTypes.length || secretTypes.includes(wallet.secretType)) &&
        (network === undefined || wallet.network === network),
    );
}

/** Only what the user can act on; the rest is for the developer. */
function reasonOf(error: unknown): string {
  const code = error instanceof ConnectError ? error.code : 'internal.error';
  if (code === 'user.rejected') return msg('Nothing was linked there.');
  if (code === 'request.conflict') return msg('It asks you already. Look for its window.');
  if (error instanceof ConnectError) warn(error);
  return msg('This wallet cannot be linked here.');
}

function aborted(): UserRejectedError {
  return new UserRejectedError('The request was withdrawn before a wallet was chosen.');
}

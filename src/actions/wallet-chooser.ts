/**
 * "Connect a wallet": what a page without linked wallets shows before the wallet opens. It belongs to the
 * page, which must not learn whether this browser has wallets that are not linked to it; the wallet itself
 * shows those, whichever button was pressed. Names and pictures of other wallets come from the page, and stay
 * out of ours. Plain DOM, not Lit: a page that only uses promises may have a CSP that blocks Lit.
 */
import type { Wallet } from '../api/wallet.ts';
import { ConnectError, FrameUnreachableError, UserRejectedError } from '../base/errors.ts';
import { msg, spoken } from '../base/localize.ts';
import { warn } from '../base/warn.ts';
import { CARDS, SECRET_TYPES, type SecretType } from '../chains/secret-type.ts';
import { CLOSE, dialogSheet, dialogStyle, icon, SHEET, themeOf } from '../channel/dialog-style.ts';
import type { ParamsOf } from '../channel/messages.ts';
import type { Found } from '../external/types.ts';
import {
  action,
  choice,
  element,
  externalList,
  type Step,
  type Waiting,
  WaitingStep,
} from './chooser-parts.ts';
import type { Context } from './context.ts';
import { discoverFor, linkExternal } from './link-external.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';

export type NewWallet = NonNullable<ParamsOf<'linkWallets'>['newWallet']>;

type Open = (chosen?: Pick<ParamsOf<'linkWallets'>, 'newWallet'>) => Promise<Wallet[]>;

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
  open: Open,
): Promise<Wallet[]> {
  const { secretTypes = [], external = 'on' } = wished;
  // The same check as the wallet's, but before anything is shown.
  const unknown = secretTypes.findIndex((type) => !(SECRET_TYPES as readonly unknown[]).includes(type));
  if (unknown >= 0) throw invalid(`secretTypes.${unknown}`, `must be one of ${SECRET_TYPES.join(', ')}`);
  if (external !== 'on' && external !== 'off') throw invalid('external', 'must be on or off');
  const { signal: ended } = context.ended;
  const signal = options.signal ? AbortSignal.any([options.signal, ended]) : ended;
  if (signal.aborted) throw aborted();
  return new Chooser(context, wished, signal, open).open();
}

class Chooser {
  readonly #context: Context;
  readonly #wished: Wished;
  readonly #signal: AbortSignal;
  readonly #openWallet: Open;
  readonly #host = document.createElement('div');
  readonly #dialog = document.createElement('dialog');
  readonly #title = element('h2');
  readonly #shut = element('button');
  readonly #others = element('div');
  #step: Step | undefined;
  #stopLooking = (): void => {};
  #resolve!: (wallets: Wallet[] | Promise<Wallet[]>) => void;
  #reject!: (error: ConnectError) => void;

  constructor(context: Context, wished: Wished, signal: AbortSignal, openWallet: Open) {
    this.#context = context;
    this.#wished = wished;
    this.#signal = signal;
    this.#openWallet = openWallet;
    this.#title.textContent = msg('Connect a wallet');
    this.#title.id = 'title';
    this.#dialog.setAttribute('aria-labelledby', this.#title.id);
    this.#dialog.onclose = this.#close;
    this.#shut.type = 'button';
    this.#shut.append(icon(CLOSE));
    this.#shut.ariaLabel = msg('Close');
    this.#shut.onclick = this.#close;
  }

  open(): Promise<Wallet[]> {
    const wallets = new Promise<Wallet[]>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const className = themeOf(this.#context.options.theme);
    Object.assign(this.#host, spoken, className && { className });
    const root = this.#host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [dialogStyle, chooserStyle].map(dialogSheet);
    this.#showChoices();
    root.append(this.#dialog);
    (document.body ?? document.documentElement).append(this.#host);
    this.#signal.addEventListener('abort', this.#onAbort);
    if (offers(this.#context, this.#wished.external))
      this.#stopLooking = discoverFor(this.#context).onFound(() => this.#listOthers());
    // Moves the focus, so a listener of the page may end it at once.
    this.#dialog.showModal();
    return wallets;
  }

  #showChoices(): void {
    const [ours] = this.#context.record.read().wallets;
    this.#dialog.replaceChildren(
      this.#title,
      ...(ours ? returning(ours, this.#choose) : first(this.#choose)),
    );
    this.#listOthers();
    this.#dialog.append(this.#others);
    if (!ours)
      this.#dialog.append(
        element('p', '', msg('This site sees nothing until you choose a wallet and link it.')),
      );
    this.#dialog.append(this.#shut);
  }

  /** Also for external wallets that announce themselves while the chooser is open. */
  #listOthers(): void {
    const linkedMakers = new Set(Object.values(this.#context.record.read().external).map(({ by }) => by));
    this.#others.replaceChildren(
      ...externalList(othersFor(this.#context, this.#wished), linkedMakers, this.#secretTypes, (wallet) =>
        this.#ask(wallet),
      ),
    );
    this.#others.hidden = !this.#others.hasChildNodes();
  }

  get #secretTypes(): readonly SecretType[] {
    return (this.#wished.secretTypes ?? []) as readonly SecretType[];
  }

  /** The user answers in the wallet that they chose. */
  #ask(wallet: Found): void {
    const waiting = this.#waitingFor(wallet);
    if (!wallet.pairs) return this.#enter(new WaitingStep(wallet, waiting));
    import('./pairing.ts').then(
      ({ PairingStep }) => this.#dialog.open && this.#enter(new PairingStep(waiting)),
      (cause: unknown) => {
        this.#leave();
        this.#reject(new FrameUnreachableError(`The dialog could not be loaded. Try again. ${cause}`));
      },
    );
  }

  #waitingFor(wallet: Found): Waiting {
    const context = this.#context;
    const wish = {
      secretTypes: wallet.secretTypes.filter(
        (each) => !this.#secretTypes.length || this.#secretTypes.includes(each),
      ),
      network: this.#wished.network,
    };
    return {
      clock: context.clock,
      secretTypes: wish.secretTypes,
      link: (pairing) => linkExternal(context, wallet, wish, pairing),
      linked: this.#close,
      reason: reasonOf,
      back: () => {
        this.#step?.leave();
        this.#step = undefined;
        this.#showChoices();
        this.#dialog.querySelector<HTMLElement>('.other button')?.focus();
      },
    };
  }

  #enter(step: Step): void {
    this.#step?.leave();
    this.#step = step;
    this.#dialog.replaceChildren(this.#title, step.view, this.#shut);
    step.view.querySelector('h3')?.focus();
  }

  readonly #choose: Choose = (newWallet) => {
    this.#leave();
    const theirs = ({ id }: Wallet): boolean => Object.hasOwn(this.#context.record.read().external, id);
    this.#resolve(
      this.#openWallet(newWallet && { newWallet }).then((ours) => [
        ...ours,
        ...linkedNow(this.#context, this.#wished).filter(theirs),
      ]),
    );
  };

  readonly #close = (): void => {
    this.#leave();
    this.#resolve(linkedNow(this.#context, this.#wished));
  };

  readonly #onAbort = (): void => {
    this.#leave();
    this.#reject(aborted());
  };

  #leave(): void {
    this.#step?.leave();
    this.#stopLooking();
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#dialog.onclose = null;
    // Returns the focus, so that the wallet's own dialog later restores it to the right place.
    this.#dialog.close();
    this.#host.remove();
  }
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
  const row = choice('div', {
    className: 'import',
    label: alias,
    note: `${address.slice(0, 6)}…${address.slice(-4)}`,
    mark: icon(CARDS[secretType].badge.path),
    onClick: () => choose(),
  });
  return [row, actions];
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
  if (code === 'request.conflict') return msg('It is already waiting for your answer. Look for its window.');
  if (error instanceof ConnectError) warn(error);
  return msg('This wallet cannot be linked here.');
}

function aborted(): UserRejectedError {
  return new UserRejectedError('The request was withdrawn before a wallet was chosen.');
}

/**
 * Follows `dialogStyle`: the same place and width as the wallet's dialog, as high as its contents. A cut-off
 * row, or a shade, shows that a long list continues: many browsers hide the scroll bar until the user
 * scrolls.
 */
const chooserStyle = `
dialog{block-size:fit-content;padding:0 16px 16px;gap:12px;overflow:auto}
dialog:lang(ja){word-break:auto-phrase}
h2{display:flex;align-items:center;min-block-size:52px;margin:0 44px -8px 0;font-size:1.1333em;font-weight:620;line-height:1.25;letter-spacing:-.01em}
h2:dir(rtl){margin:0 0 -8px 44px}
p{margin:0;text-align:center;font-size:.8em;color:var(--cb-color-text-3,light-dark(#616a7a,#98a1b0))}
.choice{position:relative;display:flex;align-items:center;gap:12px;box-sizing:border-box;min-block-size:60px;padding:8px 12px 8px 16px;border-radius:var(--cb-radius,12px)}
.choice button,.choice button:hover{inset:0;inline-size:100%;block-size:100%;margin:0;border-radius:inherit;background:none}
.choice button:focus-visible{outline-offset:2px}
.create{background:var(--cb-color-accent,light-dark(#2351b0,#8fb3f7));color:var(--cb-color-on-accent,light-dark(#fff,#0b1730))}
.create:hover{background:color-mix(in oklab,var(--cb-color-accent,light-dark(#2351b0,#8fb3f7)) 90%,var(--cb-color-text,light-dark(#14181f,#eef1f5)))}
.import{min-block-size:66px;padding-inline-start:12px;border:1px solid var(--cb-color-border-strong,light-dark(#808999,#717b8c));background:var(--cb-color-surface,light-dark(#fff,#161a21));color:var(--cb-color-text,light-dark(#14181f,#eef1f5));box-shadow:0 1px 2px rgb(0 0 0/.06)}
.import:hover{background:var(--cb-color-surface-2,light-dark(#f4f5f8,#1d222b))}
.mark{display:grid;place-items:center;flex:none}
.import .mark{inline-size:40px;block-size:40px;border-radius:calc(var(--cb-radius,12px)*.75);background:color-mix(in oklab,var(--cb-color-accent,light-dark(#2351b0,#8fb3f7)) 10%,transparent);color:var(--cb-color-accent,light-dark(#2351b0,#8fb3f7))}
.create .mark svg{inline-size:24px;block-size:24px}
.text{display:grid;flex:1;min-inline-size:0;line-height:1.35}
.label{font-weight:600}
.note{font-size:.8667em}
.import .note{color:var(--cb-color-text-2,light-dark(#4a5261,#b4bcc9))}
.chevron{inline-size:18px;block-size:18px}
.chevron:dir(rtl){transform:scaleX(-1)}
.others{display:grid;gap:6px}
h3{margin:0;font-size:.8667em;font-weight:600;color:var(--cb-color-text-2,light-dark(#4a5261,#b4bcc9))}
ul{margin:0;padding:0;list-style:none;max-block-size:clamp(140px,100dvh - 320px,308px);overflow:auto;background:linear-gradient(var(--_surface) 30%,transparent) 0 0/100% 32px no-repeat local,linear-gradient(transparent,var(--_surface) 70%) 0 100%/100% 32px no-repeat local,linear-gradient(var(--_shade),transparent) 0 0/100% 10px no-repeat scroll,linear-gradient(transparent,var(--_shade)) 0 100%/100% 10px no-repeat scroll;--_surface:var(--cb-color-surface,light-dark(#fff,#161a21));--_shade:light-dark(rgb(0 0 0/.18),rgb(0 0 0/.7));border:1px solid var(--cb-color-border,light-dark(#e0e4ea,#2a303b));border-radius:var(--cb-radius,12px)}
.other{min-block-size:56px;padding-inline-start:12px;border-radius:0}
.other+.other{border-block-start:1px solid var(--cb-color-border,light-dark(#e0e4ea,#2a303b))}
.other:hover{background:var(--cb-color-surface-2,light-dark(#f4f5f8,#1d222b))}
.other button:focus-visible{outline-offset:-2px}
.other .note{color:var(--cb-color-text-2,light-dark(#4a5261,#b4bcc9))}
.label,.note,.waiting h3{overflow-wrap:anywhere}
.ext{display:grid;place-items:center;inline-size:32px;block-size:32px;border-radius:9px;object-fit:cover;font-weight:650;background:var(--cb-color-surface-2,light-dark(#eceef2,#262c36));color:var(--cb-color-text,light-dark(#14181f,#eef1f5))}
.ext.large{inline-size:56px;block-size:56px;border-radius:15px;font-size:24px}
.waiting{display:grid;justify-items:center;gap:12px;padding-block-start:28px;text-align:center}
.waiting h3{font-size:1.1333em;font-weight:640;color:inherit;outline:none}
.waiting p{font-size:.8667em;color:var(--cb-color-text-2,light-dark(#4a5261,#b4bcc9))}
.others+.others{margin-block-start:6px}
.ext svg{inline-size:20px;block-size:20px}
.pairing{padding-block-start:12px}
.code{display:grid;place-items:center}
.qr{display:block;inline-size:236px;block-size:236px;stroke:none;border-radius:calc(var(--cb-radius,12px)*.75);background:var(--cb-color-surface-2,light-dark(#f4f5f8,#1d222b));forced-color-adjust:none}
.uri{max-inline-size:100%;overflow-wrap:anywhere;user-select:all}
a.action:not([hidden]){display:grid;place-items:center;inline-size:100%;box-sizing:border-box;text-decoration:none}
.action.primary,.action.primary:hover{background:var(--cb-color-accent,light-dark(#2351b0,#8fb3f7));color:var(--cb-color-on-accent,light-dark(#fff,#0b1730))}
.live{display:flex;align-items:center;gap:8px;min-block-size:40px}
.live.busy::before{content:"";flex:none;inline-size:16px;block-size:16px;box-sizing:border-box;border:2px solid #8886;border-block-start-color:var(--cb-color-accent,light-dark(#2351b0,#8fb3f7));border-radius:50%;animation:turn .8s linear infinite}
.actions{display:grid;grid-template-columns:1fr 1fr;gap:8px;inline-size:100%}
.action,.action:hover{position:static;inline-size:auto;block-size:auto;min-block-size:44px;margin:0;padding:8px 12px;border-radius:calc(var(--cb-radius,12px)*.75);background:var(--cb-color-surface-2,light-dark(#f4f5f8,#1d222b));color:var(--cb-color-text,light-dark(#14181f,#eef1f5));font:inherit;font-weight:600}
.action:hover{background:light-dark(#e9ebf0,#262c36)}
.waiting .action{min-block-size:48px}
.action.secondary{border:1px solid var(--cb-color-border-strong,light-dark(#808999,#717b8c));background:var(--cb-color-surface,light-dark(#fff,#161a21))}
.action:focus-visible{outline-offset:2px}
@media (prefers-reduced-motion:reduce){.live.busy::before{animation-duration:2.4s;animation-timing-function:steps(8)}}
@media ${SHEET}{dialog{padding-block-end:max(16px,env(safe-area-inset-bottom))}dialog::before{content:"";position:absolute;inset:5px 0 auto;inline-size:36px;block-size:4px;margin:auto;border-radius:2px;background:var(--cb-color-border-strong,light-dark(#808999,#717b8c));opacity:.7}h2{margin-block-start:8px}}
@media (forced-colors:active){.choice,.action{border:1px solid ButtonBorder}.create{forced-color-adjust:none;background:ButtonText;color:ButtonFace}dialog::before{background:CanvasText}}
`;

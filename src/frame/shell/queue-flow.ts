/** The queue of requests: "2 of 3" in the header, the list, and the question after a rejection. Loaded with the second request. */
import type { Networks } from '../../chains/network.ts';
import { usableNetworks } from '../../chains/nodes/networks.ts';
import { coinOf, type SecretType } from '../../chains/secret-type.ts';
import { actionHas, type Ask, type Action } from '../../base/actions.ts';
import type { HostRequest } from '../../channel/link.ts';
import { UserRejectedError } from '../../base/errors.ts';
import { siteName } from './origin.ts';
import type { ShellFrame } from './stage.ts';
import { stepButton } from '../ui/bare-view.ts';
import { css, html, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { icon, iconPen, iconWallet } from '../../ui/icons.ts';
import { iconLayers, iconLink, iconSend } from '../../ui/list-icons.ts';
import { msg, str } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { listStyles } from '../ui/rows.ts';
import { FrameView } from '../ui/view.ts';

export interface QueueItem {
  action: Action;
  effect: string;
  state: 'approved' | 'rejected' | 'next' | 'waiting';
}

export interface QueueEvents {
  /** Review 2 of 3. */
  'cbf-continue': null;
  /** Reject all. */
  'cbf-reject-all': null;
}

const MARKS: Partial<Record<Action, typeof iconSend>> = {
  transfer: iconSend,
  linkWallets: iconLink,
  manageWallets: iconWallet,
  sign: iconPen,
};

@customElement('cbf-queue')
export class QueueView extends FrameView<QueueEvents> {
  static override styles = [
    FrameView.styles,
    listStyles,
    css`
      .rows > li { min-block-size: 64px; }
      .mark { inline-size: 34px; block-size: 34px; border-radius: 50%; display: grid; place-items: center; flex: none; background: var(--_surface-2); color: var(--_text-2); box-shadow: inset 0 0 0 1px var(--_border); }
      .mark.approved { background: var(--_success-soft); color: var(--_success); box-shadow: none; }
      .row-main { overflow-wrap: anywhere; }
      .tag.acc { background: var(--_accent-soft); color: var(--_accent-text); }
      @media (forced-colors: active) { .card, .mark, .tag { border: 1px solid CanvasText; } }
    `,
  ];

  @property() site = '';
  @property({ attribute: false }) items: readonly QueueItem[] = [];

  #state({ state }: QueueItem): [text: string, drawn: TemplateResult] {
    const tag = (text: string, look: string): [string, TemplateResult] => [
      text,
      html`<span class="tag ${look}">${text}</span>`,
    ];
    switch (state) {
      case 'approved':
        return tag(msg('Approved'), 'good');
      case 'rejected':
        return tag(msg('Rejected'), '');
      case 'next':
        return tag(msg('Next'), 'acc');
      case 'waiting':
        return [msg('Waiting'), html`<span class="sm faint">${msg('Waiting')}</span>`];
    }
  }

  #item(item: QueueItem, index: number): TemplateResult {
    const [status, drawn] = this.#state(item);
    const mark = MARKS[item.action] ?? iconLayers;
    return html`<li aria-label=${msg(str`Request ${index + 1}: ${item.effect}, ${status}`)}>
      <span class="mark ${item.state}">${icon(mark())}</span>
      <span class="row-main"><span class="strong">${item.effect}</span></span>
      ${drawn}
    </li>`;
  }

  protected override render(): TemplateResult {
    const { items } = this;
    const of = items.length;
    const next = items.findIndex(({ state }) => state === 'next') + 1;
    return this.layout({
      body: html`<div class="stack tight">
          <h1 class="h1" tabindex="-1">${msg(str`${of} requests`)}</h1>
          <p class="sm muted">${msg(
            str`${this.site} asks for these, in this order. Each one is approved on its own.`,
          )}</p>
        </div>
        <div class="card"><ol class="rows">${items.map((item, index) => this.#item(item, index))}</ol></div>`,
      foot: foot(
        () => this.emit('cbf-reject-all'),
        msg(str`Review ${next} of ${of}`),
        () => this.emit('cbf-continue'),
      ),
    });
  }
}

@customElement('cbf-rest')
export class RestView extends FrameView<QueueEvents> {
  static override styles = [FrameView.styles, statusStyles];

  /** How many still wait. */
  @property({ attribute: false }) others = 1;
  @property({ attribute: false }) next = 1;
  @property({ attribute: false }) of = 1;

  protected override render(): TemplateResult {
    const { others, next, of } = this;
    return this.layout({
      mid: true,
      plain: true,
      body: hero(
        '',
        iconLayers(),
        others === 1 ? msg('Reject the other one too?') : msg(str`Reject the other ${others} too?`),
        msg('You rejected this request. The site has asked for more.'),
      ),
      foot: foot(
        () => this.emit('cbf-reject-all'),
        msg(str`Review ${next} of ${of}`),
        () => this.emit('cbf-continue'),
      ),
    });
  }
}

function foot(rejectAll: () => void, review: string, go: () => void): TemplateResult {
  return html`<div class="actions">
    <button type="button" class="btn secondary lg" @click=${rejectAll}><span>${msg('Reject all')}</span></button>
    <button type="button" class="btn primary lg" @click=${go}><span>${review}</span></button>
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-queue': QueueView;
    'cbf-rest': RestView;
  }
}

export interface Waiting {
  request: HostRequest<Ask>;
  /** Rejects it before its turn. */
  rejected: AbortController;
  approved: boolean;
  /** It no longer waits for the user. */
  over: boolean;
}

const isOpen = ({ over, request }: Waiting): boolean => !over && !request.signal.aborted;

/** The current requests of a page, as the user sees them. */
export class RequestList {
  readonly #frame: ShellFrame;
  /** Changes with each request. */
  readonly #batch: readonly Waiting[];
  /** The list, while open. */
  #view: QueueView | undefined;
  readonly #watched = new WeakSet<Waiting>();
  /** First requests of the lists for which the user was already asked about the rest. */
  readonly #decided = new WeakSet<Waiting>();

  constructor(frame: ShellFrame, batch: readonly Waiting[]) {
    this.#frame = frame;
    this.#batch = batch;
  }

  /** Updates the position in the header, and the list if open. */
  update(): void {
    const batch = this.#batch;
    const step = { index: batch.findIndex(isOpen), of: batch.length };
    this.#frame.stage.shell.queue =
      step.index < 0 || step.of < 2 ? undefined : stepButton(step, () => void this.#show());
    if (this.#view) this.#view.items = itemsOf(batch, this.#frame.networks);
    // The page may cancel one that still waits.
    for (const item of batch)
      if (!this.#watched.has(item)) {
        this.#watched.add(item);
        item.request.signal.addEventListener('abort', () => this.update());
      }
  }

  /** Opens the list over the current request, which comes back unchanged except for its PIN digits, which are cleared. */
  async #show(): Promise<void> {
    const { stage, link, networks } = this.#frame;
    const under = stage.screen;
    if (this.#view || !under || ('busy' in under.view && under.view.busy)) return;
    const items = itemsOf(this.#batch, networks);
    const view = (this.#view = Object.assign(new QueueView(), { site: siteName(link.origin), items }));
    try {
      const { type } = await stage.open(view, under.options).next('cbf-continue', 'cbf-reject-all');
      if (type === 'cbf-continue') stage.show(under);
      else this.#rejectOpen();
    } catch {
      // Close rejects the request below by itself, and the page may have cancelled it.
    } finally {
      this.#view = undefined;
    }
  }

  /** After a rejection: asks once whether to reject the others, too. */
  async askRest({ aborted }: AbortSignal, error: unknown): Promise<void> {
    const batch = this.#batch;
    const open = batch.filter(isOpen);
    if (aborted || !(error instanceof UserRejectedError)) return;
    // Only once per queue.
    if (!open.length || this.#decided.has(batch[0]!)) return;
    this.#decided.add(batch[0]!);
    this.update();
    const withdrawal = new AbortController();
    for (const { request } of open)
      request.signal.addEventListener('abort', () => batch.some(isOpen) || withdrawal.abort());
    const { length } = batch;
    const view = Object.assign(new RestView(), {
      others: open.length,
      next: length - open.length + 1,
      of: length,
    });
    const options = { signal: withdrawal.signal, requestId: open[0]!.request.id };
    const { type } = await this.#frame.stage.open(view, options).next('cbf-continue', 'cbf-reject-all');
    if (type === 'cbf-reject-all') this.#rejectOpen();
  }

  #rejectOpen(): void {
    for (const item of this.#batch.filter(isOpen)) {
      item.over = true;
      item.request.reject(new UserRejectedError());
      item.rejected.abort(new UserRejectedError());
    }
  }
}

function itemsOf(batch: readonly Waiting[], networks: Networks): QueueItem[] {
  const now = batch.findIndex(isOpen);
  return batch.map((item, index) => ({
    ...effectOf(item.request, networks),
    state: isOpen(item) ? (index === now ? 'next' : 'waiting') : item.approved ? 'approved' : 'rejected',
  }));
}

/** Of the network that the page names, else of those that the wallet can be on; undefined where that leaves several. */
function coinSymbol(networks: Networks, secretType: unknown, id: unknown): string | undefined {
  const possible = usableNetworks(networks, secretType as SecretType);
  const named = typeof id === 'string' ? possible.filter((network) => network.id === id) : possible;
  const symbols = new Set(named.map((network) => coinOf(network).symbol));
  return symbols.size === 1 ? [...symbols][0] : undefined;
}

/** From the page's unverified parameters, so without recipient or name: a request is validated only at its turn. */
function effectOf(
  { action, params }: HostRequest<Ask>,
  networks: Networks,
): Pick<QueueItem, 'action' | 'effect'> {
  const { value, secretType, network, tokenAddress, requests } = params as Record<string, unknown>;
  switch (action) {
    case 'transfer': {
      const symbol = tokenAddress ? undefined : coinSymbol(networks, secretType, network);
      if (!symbol || !/^\d{1,20}(\.\d{1,18})?$/.test(String(value))) return { action, effect: msg('Send') };
      const amount = `${value} ${symbol}`;
      return { action, effect: msg(str`Send ${amount}`) };
    }
    case 'executeAll':
      return { action, effect: msg(str`${Array.isArray(requests) ? requests.length : 0} transactions`) };
    case 'linkWallets':
      return { action, effect: msg('Link wallets') };
    case 'chooseRecipient':
      return { action, effect: msg('Choose a recipient') };
    case 'resume':
      return { action, effect: msg('Look up a transaction') };
    case 'execute':
      return { action, effect: msg('Call a contract') };
    case 'useNetwork':
      return { action, effect: msg('Use another network') };
    default:
      return { action, effect: actionHas(action, 'signs') ? msg('Sign') : msg('Your wallet') };
  }
}

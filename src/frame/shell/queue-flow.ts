/** The queue of requests: "2 of 3" in the header, the list, and the question after a rejection. Loaded with the second request. */
import type { Networks } from '../../chains/network.ts';
import { usableNetworks } from '../../chains/nodes/networks.ts';
import { coinOf, type SecretType } from '../../chains/secret-type.ts';
import { actionHas, type Ask } from '../../base/actions.ts';
import type { HostRequest } from '../../channel/link.ts';
import { UserRejectedError } from '../../base/errors.ts';
import { msg, str } from '../../base/localize.ts';
import { siteName } from './origin.ts';
import { QueueView, type QueueItem, RestView } from './queue-view.ts';
import type { ShellFrame } from './stage.ts';
import { stepButton } from '../ui/bare-view.ts';

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

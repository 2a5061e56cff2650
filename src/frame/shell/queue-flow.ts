/** Several requests that wait for the user: "2 of 3" in the header, their list, and the question after a rejection. Loaded with the second. */
import { CARDS, type SecretType } from '../../chains/secret-type.ts';
import type { HostRequest } from '../../channel/link.ts';
import { msg, str } from '../../ui/localize.ts';
import type { Frame } from '../frame.ts';
import { siteName } from './origin.ts';
import { QueueView, type QueueItem, RestView } from './queue-view.ts';
import type { Shell } from './shell.ts';

export interface Waiting {
  request: HostRequest;
  /** How it ended; absent while it waits for the user. */
  fate?: 'approved' | 'rejected';
  /** Rejects it without showing it. */
  reject(): void;
}

/** What a shell lists, and the list while it is open. */
const listed = new WeakMap<Shell, { batch: readonly Waiting[]; view?: QueueView | undefined }>();

/** First requests of the lists whose user was asked about the rest. */
const asked = new WeakSet<Waiting>();

/** Draws the place in the header again, and the list if it is open. */
export function listQueue(frame: Frame, batch: readonly Waiting[]): void {
  const { shell } = frame.stage;
  const index = batch.findIndex(({ fate }) => !fate);
  shell.queue = index < 0 || batch.length < 2 ? undefined : { index, of: batch.length };
  const known = listed.get(shell);
  if (!known) shell.addEventListener('cbf-list', () => void openList(frame));
  listed.set(shell, { ...known, batch });
  if (known?.view) known.view.items = itemsOf(batch);
}

/** Over the request that is on screen; it comes back as it was, without the digits of its PIN. */
async function openList(frame: Frame): Promise<void> {
  const { stage, link } = frame;
  const entry = listed.get(stage.shell);
  const under = stage.screen;
  if (!entry || entry.view || !under || ('busy' in under.view && under.view.busy)) return;
  const items = itemsOf(entry.batch);
  const view = (entry.view = Object.assign(new QueueView(), { site: siteName(link.origin), items }));
  try {
    const { type } = await stage.open(view, under.options).next('cbf-continue', 'cbf-reject-all');
    if (type === 'cbf-continue') stage.show(under);
    else rejectOpen(entry.batch);
  } catch {
    // Close rejects the request below by itself; the page may have taken it back.
  } finally {
    delete entry.view;
  }
}

/** The user has rejected one of them: asks once whether the others go, too. True if the user wants to see the next. */
export async function askRest(frame: Frame, batch: readonly Waiting[]): Promise<boolean> {
  const open = batch.filter(({ fate }) => !fate);
  // Not again for this list.
  if (!open.length || asked.has(batch[0]!)) return false;
  asked.add(batch[0]!);
  const gone = new AbortController();
  for (const { request } of open)
    request.signal.addEventListener('abort', () => batch.every(({ fate }) => fate) && gone.abort());
  const { length } = batch;
  const view = Object.assign(new RestView(), { others: open.length, next: length - open.length + 1, of: length });
  const options = { signal: gone.signal, requestId: open[0]!.request.id };
  const { type } = await frame.stage.open(view, options).next('cbf-continue', 'cbf-reject-all');
  if (type === 'cbf-reject-all') rejectOpen(batch);
  return type === 'cbf-continue';
}

function rejectOpen(batch: readonly Waiting[]): void {
  // Those that wait first: otherwise the next would begin.
  for (const item of batch.toReversed()) if (!item.fate) item.reject();
}

function itemsOf(batch: readonly Waiting[]): QueueItem[] {
  const now = batch.findIndex(({ fate }) => !fate);
  return batch.map(({ request, fate }, index) => ({
    ...effectOf(request),
    state: fate ?? (index === now ? 'next' : 'waiting'),
  }));
}

/** In the page's own words, none of which is checked before the request's turn: no recipient, no name. */
function effectOf({ action, params }: HostRequest): Pick<QueueItem, 'action' | 'effect'> {
  const { value, secretType, tokenAddress, requests } = params as Record<string, unknown>;
  switch (action) {
    case 'transfer': {
      const known = !tokenAddress && Object.hasOwn(CARDS, String(secretType));
      if (!known || !/^\d{1,20}(\.\d{1,18})?$/.test(String(value))) return { action, effect: msg('Send') };
      const amount = `${value} ${CARDS[secretType as SecretType].coin.symbol}`;
      return { action, effect: msg(str`Send ${amount}`) };
    }
    case 'executeAll':
      return { action, effect: msg(str`${Array.isArray(requests) ? requests.length : 0} transactions`) };
    case 'sign':
      return { action, effect: msg('Sign') };
    case 'linkWallets':
      return { action, effect: msg('Link wallets') };
    case 'manageWallets':
      return { action, effect: msg('Your wallet') };
    case 'resume':
      return { action, effect: msg('Look up a transaction') };
    default:
      return { action, effect: msg('Call a contract') };
  }
}

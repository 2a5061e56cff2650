/** A wallet's activity, and what can still be done about it: send again, speed up, cancel. */
import type { Chain } from '../../chains/chain.ts';
import type { Network } from '../../chains/network.ts';
import { networksOf } from '../../chains/nodes/networks.ts';
import { ConnectError } from '../../base/errors.ts';
import type { SentTransaction } from '../../api/transaction.ts';
import type { Wallet } from '../../api/wallet.ts';
import type { ActivityRecord, ReceivedRecord, Vault } from '../../wallets/types.ts';
import { deliverAgain } from '../approve/outcome/delivery.ts';
import { recorded } from '../approve/outcome/settle.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { type Entry, entriesOf, type Names, type NetworkById } from './activity-entries.ts';
import { lookForReceived } from './history-updates.ts';

/** Polling intervals while the activity is on screen: for pending transactions, and for receipts. */
const ABOUT_WAITING = 8_000;
const ABOUT_RECEIVED = 60_000;
const MINUTE = 60_000;

/** The parts of the vault that an activity list shows. */
const SHOWN = ['activity', 'history', 'recipients'] as const;

export interface Story {
  entries: readonly Entry[];
  names: Names;
  /** The time of this snapshot. */
  now: number;
  /** Those that the wallet is on. */
  networks: readonly Network[];
}

export async function activity(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  options: OpenOptions,
): Promise<void> {
  const { ActivityView } = await import('./activity-view.ts');
  const view = Object.assign(new ActivityView(), { wallet });
  const stop = followActivity(frame, vault, wallet, (story) => Object.assign(view, story));
  try {
    const screen = frame.stage.open(view, options);
    for (;;) {
      const { type, detail } = await screen.next('cbf-open', 'cbf-back');
      if (type === 'cbf-back') return;
      const entry = view.entries?.find(({ id }) => id === detail.id);
      if (entry) await openEntry(frame, vault, wallet, entry, view.names, options);
      frame.stage.show(screen);
    }
  } finally {
    stop();
  }
}

/**
 * Calls `show` with a wallet's activity: at once with what is known, then with what the nodes add, and again on every change, until the
 * returned function is called.
 */
export function followActivity(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  show: (story: Story) => void,
): () => void {
  let asking: Promise<unknown> | undefined;
  const ask = (): void => {
    asking ??= refresh(frame, vault, wallet)
      .catch(() => {})
      .finally(() => (asking = undefined));
  };
  const following = followKnown(frame, vault, wallet, show);
  const look = (): void => {
    void lookForReceived(frame, vault, wallet);
    if (wallet.walletType === 'BROWSER' || !vault.service) return;
    void vault.service.sent(wallet).then(following.served, () => {});
    void vault.service.receivedCoins(wallet).then(following.coins, () => {});
  };
  ask();
  look();
  const stops = [
    following.stop,
    frame.clock.every(ABOUT_WAITING, ask),
    frame.clock.every(ABOUT_RECEIVED, look),
  ];
  return () => stops.forEach((stop) => stop());
}

interface Following {
  /** Adds transactions that the service has signed for the wallet. */
  served(sent: readonly SentTransaction[]): void;
  /** Adds coins that the service saw come to it. */
  coins(received: readonly ReceivedRecord[]): void;
  stop(): void;
}

/** The same without any requests. */
function followKnown(frame: Frame, vault: Vault, wallet: Wallet, show: (story: Story) => void): Following {
  const networks = networksOf(frame.networks, wallet);
  const networkById = networkFinder(frame, wallet, networks[0]);
  let sent: readonly SentTransaction[] = [];
  let coins: readonly ReceivedRecord[] = [];
  let over = false;
  const load = async (): Promise<void> => {
    const [records, history, names] = await Promise.all([
      vault.activity.list(wallet.id),
      vault.history(),
      namesOf(vault, wallet),
    ]);
    const [received, signatures] = await Promise.all([
      history.received(wallet.id),
      history.signatures(wallet.id),
    ]);
    const now = frame.clock.date();
    const entries = entriesOf(records, [...received, ...coins], signatures, now, sent, networkById);
    if (!over) show({ entries, names, now, networks });
  };
  const reload = (): void => void load().catch(() => {});
  reload();
  const stops = [
    // Updates "Waiting 4 min".
    frame.clock.every(MINUTE, reload),
    vault.onChange((areas) => {
      if (SHOWN.some((area) => areas.includes(area))) reload();
    }),
  ];
  return {
    served(news) {
      sent = news;
      reload();
    },
    coins(news) {
      coins = news;
      reload();
    },
    stop() {
      over = true;
      for (const stop of stops) stop();
    },
  };
}

/** By id: also a network that has lost its nodes, for its name and its explorer. */
function networkFinder(
  { networks: { networks } }: Frame,
  { secretType }: Wallet,
  home: Network | undefined,
): NetworkById {
  return (id) =>
    id === undefined ? home : networks.find((one) => one.id === id && one.secretType === secretType);
}

/** Names that the user gave to recipients and to their own wallets. */
async function namesOf(vault: Vault, { secretType }: Wallet): Promise<Names> {
  const [own, named] = await Promise.all([vault.wallets({ secretType, now: true }), vault.recipients()]);
  const saved = named.filter((one) => one.secretType === secretType);
  return new Map([
    ...saved.map(({ address, name }): [string, string] => [address.toLowerCase(), name]),
    ...own.map(({ address, alias }): [string, string] => [address.toLowerCase(), alias]),
  ]);
}

/** Asks the nodes about every transaction that is not final. */
async function refresh(frame: Frame, vault: Vault, wallet: Wallet): Promise<void> {
  const waiting = (await vault.activity.list(wallet.id)).filter(
    ({ state, draft }) => draft && (state === 'pending' || state === 'unknown'),
  );
  if (!waiting.length) return;
  const chain = await frame.chain(wallet.secretType);
  await Promise.all(waiting.map((record) => refreshOne(vault, chain, record)));
}

/** What the network had and lost is sent again, unless the user replaced it: a reorganisation removed its block, or nodes dropped it. */
async function refreshOne(vault: Vault, chain: Chain, record: ActivityRecord): Promise<void> {
  const { hash, raw, draft, state, summary, replacedBy } = record;
  if (!draft) return;
  const node = chain.node(draft.network);
  const receipt = await chain.receipt(hash, node, raw).catch(() => undefined);
  if (receipt?.state === 'unknown' && state === 'pending' && !replacedBy)
    await deliverAgain(chain, { hash, raw }, node).catch(() => {});
  if (!receipt || receipt.state === 'unknown') return;
  const now = await recorded(draft.network, summary, receipt);
  if (now.state !== state) await vault.activity.setReceipt(hash, now);
}

/** One transaction in full, until Back. */
export async function openEntry(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  entry: Entry,
  names: Names,
  options: OpenOptions,
): Promise<void> {
  if (entry.type === 'signed' || entry.type === 'elsewhere') return;
  const [{ TransactionView }, chain] = await Promise.all([
    import('./transaction-view.ts'),
    frame.chain(wallet.secretType),
  ]);
  const network = (entry.type === 'sent' ? entry.record.draft?.network : undefined) ?? entry.network;
  const view = Object.assign(new TransactionView(), {
    entry,
    wallet,
    names,
    explorer: network?.explorer ?? '',
    replaceable: !!chain.replace,
    now: frame.clock.date(),
  });
  const { stop } = followKnown(frame, vault, wallet, ({ entries, now }) => {
    const latest = entries.find(({ id }) => id === entry.id);
    if (latest?.type === 'sent' || latest?.type === 'received') Object.assign(view, { entry: latest, now });
  });
  try {
    for (;;) {
      const screen = frame.stage.open(view, options);
      const { type, detail } = await screen.next('cbf-replace', 'cbf-send', 'cbf-back');
      if (type === 'cbf-back') return;
      const record = await vault.activity.get(entry.id);
      if (!record) continue;
      view.error = undefined;
      try {
        if (type === 'cbf-send') await send(vault, chain, record);
        else {
          const { replace } = await import('./replace-flow.ts');
          await replace(frame, { vault, wallet, chain, record }, detail.how, options);
          // The list shows the outcome of both.
          return;
        }
      } catch (error) {
        if (!(error instanceof ConnectError)) throw error;
        if (error.code !== 'user.rejected') view.error = error;
        else if (options.signal.aborted) throw error;
      }
    }
  } finally {
    stop();
  }
}

async function send(vault: Vault, chain: Chain, { hash, raw, draft }: ActivityRecord): Promise<void> {
  if (!draft) return;
  await deliverAgain(chain, { hash, raw }, chain.node(draft.network));
  await vault.activity.setState(hash, 'pending');
}

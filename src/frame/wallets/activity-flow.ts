/** A wallet's activity, and what can still be done about it: send again, speed up, cancel. */
import type { Chain } from '../../chains/chain.ts';
import type { Network } from '../../chains/network.ts';
import { networksOf } from '../../chains/nodes/networks.ts';
import { ConnectError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { SentTransaction } from '../../api/transaction.ts';
import type { Wallet } from '../../api/wallet.ts';
import type { ActivityRecord, ReceivedRecord, Vault } from '../../wallets/types.ts';
import { deliverAgain } from '../approve/outcome/delivery.ts';
import { recorded } from '../approve/outcome/settle.ts';
import type { Frame } from '../frame.ts';
import { ALL } from '../ui/rows.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { download, fileName } from '../ui/download.ts';
import { shortText } from '../../ui/address.ts';
import {
  type Entry,
  entriesOf,
  keyOf,
  type Names,
  type NetworkById,
  progressIn,
} from './activity-entries.ts';
import { lookForReceived } from './history-updates.ts';

export { keyOf };

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

/** `all`: of all wallets at first, else of `wallet`. */
export async function activity(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  options: OpenOptions,
  all = false,
): Promise<void> {
  const [{ ActivityView }, others] = await Promise.all([import('./activity-view.ts'), vault.wallets()]);
  const wallets: Wallet[] = others.some(({ id }) => id === wallet.id) ? others : [wallet, ...others];
  const view = Object.assign(new ActivityView(), { wallet, wallets, scope: all ? ALL : wallet.id });
  const follow = (): (() => void) => {
    view.entries = undefined;
    const shown = wallets.filter(({ id }) => view.scope === ALL || id === view.scope);
    return followActivity(frame, vault, shown, (story) => Object.assign(view, story));
  };
  let stop = follow();
  try {
    const screen = frame.stage.open(view, options);
    for (;;) {
      const { type, detail } = await screen.next('cbf-open', 'cbf-scope', 'cbf-export', 'cbf-back');
      if (type === 'cbf-back') return;
      if (type === 'cbf-scope') {
        stop();
        const chosen = wallets.find(({ id }) => id === detail.id);
        Object.assign(view, { scope: detail.id, ...(chosen && { wallet: chosen }) });
        stop = follow();
      } else if (type === 'cbf-export') await exportEntries(frame, detail.entries, view.names);
      else {
        const entry = view.entries?.find((one) => keyOf(one) === detail.id);
        if (entry) await openEntry(frame, vault, entry.wallet ?? wallet, entry, view.names, options);
        frame.stage.show(screen);
      }
    }
  } finally {
    stop();
  }
}

/** Hands the entries to the browser's downloads, as CSV. */
async function exportEntries(frame: Frame, entries: readonly Entry[], names: Names): Promise<void> {
  const { activityCsv } = await import('./activity-csv.ts');
  const file = new Blob([activityCsv(entries, names)], { type: 'text/csv' });
  download(frame.clock, file, fileName(frame.clock, 'activity', 'csv'));
}

/**
 * Calls `show` with what happened to wallets: at once with what is known, then with what the nodes add, and again on every change, until the
 * returned function is called.
 */
export function followActivity(
  frame: Frame,
  vault: Vault,
  wallets: readonly Wallet[],
  show: (story: Story) => void,
): () => void {
  const following = followKnown(frame, vault, wallets, show);
  const ask = oneAtATime(() => Promise.all(wallets.map((wallet) => refresh(frame, vault, wallet))));
  const look = oneAtATime(async () => {
    for (const wallet of wallets) {
      if (following.isOver()) return;
      if (wallet.walletType !== 'BROWSER' && vault.service) {
        void vault.service.sent(wallet).then(
          (sent) => following.add(wallet, { sent }),
          () => {},
        );
        void vault.service.receivedCoins(wallet).then(
          (coins) => following.add(wallet, { coins }),
          () => {},
        );
      }
      await lookForReceived(frame, vault, wallet);
    }
  });
  ask();
  look();
  const stops = [
    following.stop,
    frame.clock.every(ABOUT_WAITING, ask),
    frame.clock.every(ABOUT_RECEIVED, look),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Runs `work` unless it still runs. */
function oneAtATime(work: () => Promise<unknown>): () => void {
  let running: Promise<unknown> | undefined;
  return () => {
    running ??= work()
      .catch(() => {})
      .finally(() => (running = undefined));
  };
}

/** What the service says of a wallet. */
interface Served {
  /** Transactions that it has signed. */
  sent?: readonly SentTransaction[];
  /** Coins that it saw come. */
  coins?: readonly ReceivedRecord[];
}

interface Following {
  add(wallet: Wallet, served: Served): void;
  isOver(): boolean;
  stop(): void;
}

/** The same without any requests. */
function followKnown(
  frame: Frame,
  vault: Vault,
  wallets: readonly Wallet[],
  show: (story: Story) => void,
): Following {
  const served = new Map<string, Served>();
  let over = false;
  const load = async (): Promise<void> => {
    const now = frame.clock.date();
    const [names, ...lists] = await Promise.all([
      namesOf(vault, wallets),
      ...wallets.map((wallet) => entriesOfWallet(frame, vault, wallet, now, served.get(wallet.id))),
    ]);
    const entries = withoutPayouts(lists.flat()).sort((a, b) => b.at - a.at);
    const networks = new Map(
      wallets.flatMap((wallet) => networksOf(frame.networks, wallet).map((network) => [network.id, network])),
    );
    if (!over) show({ entries, names, now, networks: [...networks.values()] });
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
    add({ id }, more) {
      served.set(id, { ...served.get(id), ...more });
      reload();
    },
    isOver: () => over,
    stop() {
      over = true;
      for (const stop of stops) stop();
    },
  };
}

async function entriesOfWallet(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  now: number,
  { sent = [], coins = [] }: Served = {},
): Promise<Entry[]> {
  const networkById = networkFinder(frame, wallet, networksOf(frame.networks, wallet)[0]);
  const [records, history] = await Promise.all([vault.activity.list(wallet.id), vault.history()]);
  const [received, signatures, notes] = await Promise.all([
    history.received(wallet.id),
    history.signatures(wallet.id),
    history.notes(wallet.id),
  ]);
  const entries = entriesOf(records, [...received, ...coins], signatures, now, sent, networkById);
  return entries.map((entry) => ({ ...entry, wallet, note: notes && (notes.get(entry.id) ?? '') }));
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

/** Names that the user gave to recipients and to their own wallets. Where an address has several, on several chains, it has none. */
async function namesOf(vault: Vault, wallets: readonly Wallet[]): Promise<Names> {
  const chains = new Set(wallets.map(({ secretType }) => secretType));
  const [own, recipients] = await Promise.all([vault.wallets({ now: true }), vault.recipients()]);
  const names = new Map<string, string>();
  for (const chain of chains) {
    const ofChain = new Map([
      ...recipients
        .filter(({ secretType }) => secretType === chain)
        .map(({ address, name }): [string, string] => [address.toLowerCase(), name]),
      ...own
        .filter(({ secretType }) => secretType === chain)
        .map(({ address, alias }): [string, string] => [address.toLowerCase(), alias]),
    ]);
    for (const [address, name] of ofChain) {
      const other = names.get(address);
      names.set(address, other === undefined || other === name ? name : shortText(address));
    }
  }
  return names;
}

/** Asks the nodes about every transaction that is not final. */
async function refresh(frame: Frame, vault: Vault, wallet: Wallet): Promise<void> {
  const records = await vault.activity.list(wallet.id);
  const waiting = records.filter(({ state, draft }) => draft && (state === 'pending' || state === 'unknown'));
  const swaps = records.filter(({ summary }) => summary.crossChain);
  if (waiting.length) {
    const chain = await frame.chain(wallet.secretType);
    await Promise.all(waiting.map((record) => refreshOne(vault, chain, record)));
  }
  if (swaps.length) await (await import('./cross-chain-updates.ts')).updateSwaps(frame, vault, swaps);
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
    networkNamed: (id: string) => frame.networks.networks.find((one) => one.id === id),
    replaceable: !!chain.replace,
    now: frame.clock.date(),
  });
  const { stop } = followKnown(frame, vault, [wallet], ({ entries, now }) => {
    const latest = entries.find((one) => keyOf(one) === keyOf(entry));
    if (latest?.type === 'sent' || latest?.type === 'received') Object.assign(view, { entry: latest, now });
  });
  try {
    let screen = frame.stage.open(view, options);
    for (;;) {
      const { type, detail } = await screen.next('cbf-replace', 'cbf-send', 'cbf-note', 'cbf-back');
      if (type === 'cbf-back') return;
      if (type === 'cbf-note') {
        await (await vault.history()).setNote(wallet.id, entry.id, detail.text);
        frame.stage.shell.say({ text: msg('Note saved') });
        continue;
      }
      const record = await vault.activity.get(entry.id);
      if (!record) {
        screen = frame.stage.open(view, options);
        continue;
      }
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
      screen = frame.stage.open(view, options);
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

/** Without what exchanges between chains paid for swaps that are in the list themselves. */
export function withoutPayouts(entries: readonly Entry[]): Entry[] {
  const paid = new Set(
    entries.flatMap((entry) => {
      const { payouts = [], refunds = [] } = progressIn(entry) ?? {};
      return [...payouts, ...refunds].map(({ transactionHash }) => transactionHash.toLowerCase());
    }),
  );
  return entries.filter(
    (entry) => entry.type !== 'received' || !paid.has(entry.received.hash?.toLowerCase() ?? ''),
  );
}

import type { Network } from '../../chains/network.ts';
import { networkOf, networksOf } from '../../chains/nodes/networks.ts';
import { CARDS, coinOf, gasCoinOf } from '../../chains/secret-type.ts';
import { listOf } from '../../ui/text.ts';
import type { HeldWallet, Unsaved, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { isReminderDue, keepsStorage, noteReminded } from '../ui/backup-reminder.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Node } from '../../chains/terms.ts';
import type { Amount } from '../../chains/coin.ts';
import { partlyRead } from '../../chains/nodes/balances.ts';
import type { TokenBalance } from '../../api/wallet.ts';
import type { Clock } from '../../base/clock.ts';

/** How many networks are watched at a time. */
const WATCHED = 4;

/** Shows the wallet's address and QR code, and those of the user's other chains, until the user is done. */
export async function receive(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  options: OpenOptions,
): Promise<void> {
  const [own = networkOf(frame.networks, wallet)] = networksOf(frame.networks, wallet);
  const [{ ReceiveView }, wallets, before, kept] = await Promise.all([
    import('./receive-view.ts'),
    vault.wallets(),
    vault.unsaved(),
    keepsStorage(),
  ]);
  const lacks = kept ? undefined : before.get(wallet.id);
  if (lacks) await offerBackUp(frame, vault, wallet, lacks, options);
  const unsaved = lacks ? await vault.unsaved() : before;
  const choices = onePerAddress(frame, wallet, own, wallets);
  const view = Object.assign(new ReceiveView(), { clock: frame.clock, choices, kept });
  const prices =
    frame.networks.fiat === undefined
      ? undefined
      : (await import('../ui/worth.ts')).watchWorth(frame, (worth) => (view.worth = worth));
  let stop = (): void => {};
  /** Shows one of the choices and watches its address, on this network first. */
  const show = async ({ wallet: one, networks }: Choice, network = networks[0]!): Promise<void> => {
    stop();
    const chain = await frame.chain(one.secretType);
    Object.assign(view, {
      wallet: one,
      places: networks,
      network,
      coins: listOf([...new Set(networks.flatMap((on) => [coinOf(on).symbol, gasCoinOf(on).symbol]))]),
      unsaved: unsaved.get(one.id),
      arrived: undefined,
    });
    const watched = [
      network,
      ...networks.filter((other) => other !== network && other.kind === network.kind),
    ];
    const stops = watched
      .slice(0, WATCHED)
      .map((on) =>
        watchIncoming(
          { chain, node: chain.node(on), address: one.address, clock: frame.clock },
          (amount) => (view.arrived = { amount, network: on }),
        ),
      );
    stop = () => stops.forEach((each) => each());
  };
  try {
    await show(choices[0]!);
    for (;;) {
      const { type, detail } = await frame.stage
        .open(view, options)
        .next('cbf-address', 'cbf-network', 'cbf-back', 'cbf-close', 'cbf-settings-closed');
      if (type === 'cbf-back' || type === 'cbf-close') return;
      if (type === 'cbf-settings-closed') prices?.load();
      if (type === 'cbf-address') await show(choices.find((one) => one.wallet.id === detail.id)!);
      if (type === 'cbf-network')
        await show(
          choices.find((one) => one.wallet === view.wallet)!,
          view.places.find(({ id }) => id === detail.id),
        );
    }
  } finally {
    stop();
    prices?.stop();
  }
}

/** An address, with the networks on which it is the wallet's. */
export interface Choice {
  wallet: HeldWallet;
  networks: readonly Network[];
}

/**
 * The wallet itself, then the first wallet of each other chain; of chains whose addresses differ by network, on each other network of the same
 * kind, so as not to mix test coins with real ones.
 */
function onePerAddress(
  { networks }: Frame,
  wallet: HeldWallet,
  own: Network,
  wallets: readonly HeldWallet[],
): Choice[] {
  const choices = new Map<string, Choice>();
  for (const one of [wallet, ...wallets]) {
    const all = networksOf(networks, one);
    const key = CARDS[one.secretType].addressPerNetwork ? all[0]?.id : one.secretType;
    if (key !== undefined && !choices.has(key) && all.some(({ kind }) => kind === own.kind))
      choices.set(key, { wallet: one, networks: all });
  }
  return [...choices.values()];
}

/**
 * Offers a backup before a wallet at risk receives anything, if a reminder is due. Resolves whatever the user does.
 */
export async function offerBackUp(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  unsaved: Unsaved,
  options: OpenOptions,
): Promise<void> {
  if (!isReminderDue(frame.clock.date())) return;
  const [{ backUpQuestion }, { passkey }] = await Promise.all([
    import('./wallet-questions.ts'),
    vault.state(),
  ]);
  const view = backUpQuestion(unsaved, passkey);
  const { type } = await frame.stage
    .open(view, options)
    .next('cbf-show-words', 'cbf-save-file', 'cbf-export', 'cbf-back', 'cbf-close');
  noteReminded(frame.clock.date());
  if (type === 'cbf-back' || type === 'cbf-close') return;
  // On the wallet's own page, nothing else has taken it.
  const turn = await frame.stage.asks('wallets', options);
  try {
    const asking = { ...options, signal: turn.signal };
    if (type === 'cbf-export')
      return await (await import('./export-flow.ts')).exportWallet(frame, vault, wallet, asking);
    const { saveFile, showWords } = await import('../settings/settings-flow.ts');
    if (type === 'cbf-show-words') await showWords(frame, vault, asking);
    else await saveFile(frame, vault, asking);
  } finally {
    turn.end();
  }
}

/** Detects arrivals at an address while its QR code is on screen. */
const AGAIN = 8_000;
const SOON = 3_000;

/** All coins and listed tokens of the address, by contract; the coin under ''. */
async function balances(chain: Chain, address: string, node: Node): Promise<Map<string, Amount>> {
  const [coin, gasCoin] = [coinOf(node.network), gasCoinOf(node.network)];
  const { tokens } = node.network;
  const [own, listed] = await Promise.all([
    chain.balance(address, node),
    tokens.length ? chain.tokenBalances(address, tokens, node).catch(readPart) : [],
  ]);
  const amounts = new Map<string, Amount>([['', { ...coin, raw: BigInt(own.rawBalance) }]]);
  for (const { tokenAddress, rawBalance } of listed) {
    const token = tokens.find(({ address: one }) => one.toLowerCase() === tokenAddress.toLowerCase());
    // VTHO is generated continuously.
    if (!token || token.symbol === gasCoin.symbol) continue;
    const { symbol, decimals } = token;
    amounts.set(token.address, { token: token.address, symbol, decimals, raw: BigInt(rawBalance) });
  }
  return amounts;
}

/** A token without an answer keeps its previous balance. */
function readPart(error: unknown): TokenBalance[] {
  try {
    return partlyRead(error).balances;
  } catch {
    return [];
  }
}

interface Held {
  /** At the last poll. */
  seen: Amount;
  /** Only amounts above this are reported. */
  level: bigint;
}

/**
 * Calls `arrived` with what arrives; ignores what leaves. Polls every 8 seconds while the document is visible, and sooner after a change,
 * until stopped. Two consecutive polls must agree: of several nodes behind one URL, one may lag by some blocks.
 */
export function watchIncoming(
  { chain, node, address, clock }: { chain: Chain; node: Node; address: string; clock: Clock },
  arrived: (amount: Amount) => void,
): () => void {
  const held = new Map<string, Held>();
  let cancelSoon = (): void => {};
  let asking = false;
  let over = false;
  const look = async (): Promise<void> => {
    if (asking || over || document.hidden) return;
    asking = true;
    try {
      const now = await balances(chain, address, node);
      if (over) return;
      let changed = false;
      // A token missing from this poll keeps its previous balance.
      for (const [key, seen] of now) {
        const { seen: before = seen, level: known = seen.raw } = held.get(key) ?? {};
        const level = within(known, before.raw, seen.raw);
        held.set(key, { seen, level });
        if (level > known) arrived({ ...seen, raw: level - known });
        changed ||= seen.raw !== before.raw;
      }
      if (changed) {
        cancelSoon();
        cancelSoon = clock.after(SOON, () => void look());
      }
    } catch {
      // The next poll retries.
    } finally {
      asking = false;
    }
  };
  void look();
  const stop = clock.every(AGAIN, () => void look());
  const onVisible = (): void => void look();
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    over = true;
    stop();
    cancelSoon();
    document.removeEventListener('visibilitychange', onVisible);
  };
}

/** `level`, clamped to the range between the two. */
function within(level: bigint, one: bigint, other: bigint): bigint {
  const [low, high] = one < other ? [one, other] : [other, one];
  return level < low ? low : level > high ? high : level;
}

/**
 * What the wallet tells of a call, or of data that goes with a payment, besides what its chain reads: swaps at exchanges that the operator
 * lists, and its words for contracts.
 */
import type { Wallet } from '../../api/wallet.ts';
import { danger, worstFirst } from '../../chains/approval/warnings.ts';
import type { Draft } from '../../chains/terms.ts';
import type { Network } from '../../chains/network.ts';
import type { Amount } from '../../chains/coin.ts';
import type { Part, Summary, Warning } from '../../chains/approval/summary.ts';
import { addressKey, listedToken } from '../../chains/contracts/listed-token.ts';
import { same } from '../../swaps/router-swap.ts';
import { exchangeAt, readTerms } from '../../swaps/terms.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OrderApproval } from './between-chains.ts';
import { knownTo } from './prepare.ts';

/**
 * The summary with the terms of swaps, and the operator's words. `draft`: absent for a transaction that is only signed. Throws
 * `swap.<dex>.unavailable` for an order that must not be signed.
 */
export async function withTerms(
  frame: Frame,
  approval: OrderApproval,
  draft: Draft | undefined,
  summary: Summary,
): Promise<Summary> {
  const { vault, wallet, node } = approval;
  const { network } = node;
  if (mayOrder(network, summary) || (summary.kind === 'approval' && frame.networks.crossChain)) {
    const { withOrder } = await import('./between-chains.ts');
    const ordered = await withOrder(frame, approval, draft, summary);
    if (ordered !== summary) return ordered;
  }
  const worded = summary.call?.descriptor
    ? await (await import('./call-words.ts')).withWords(frame.clock, network, summary)
    : summary;
  return network.exchanges ? withSwaps(frame, vault, wallet, network, worded) : worded;
}

/** How data begins that could be read as an order, and bytes that are no text. More than what is one: `readOrder` says. */
const MAYBE_ORDER = /^(?:0x|[\p{C}\p{Z}]*[=ms])/iu;

/**
 * An order between chains is in data beside a payment, of coins or a token, or on Ethereum, whose routers take it, in a call of a function
 * that chains do not know.
 */
function mayOrder({ secretType }: Network, { call, facts = [] }: Summary): boolean {
  return (
    (call?.name === null && secretType === 'ETHEREUM') ||
    facts.some(({ code, value = '' }) => code === 'memo' && MAYBE_ORDER.test(value))
  );
}

/** With the routers' names, the swaps' terms, and a warning for each unknown recipient of a swap. */
async function withSwaps(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  network: Network,
  summary: Summary,
): Promise<Summary> {
  const coin = summary.balance;
  const whole = await withExchange(summary, network, coin);
  const parts =
    summary.parts && (await Promise.all(summary.parts.map((part) => withExchange(part, network, coin))));
  const recipients = [whole, ...(parts ?? [])].flatMap(({ swap }) => swap?.recipient ?? []);
  const strangers: string[] = [];
  if (recipients.length) {
    const { own } = await knownTo(frame, vault, wallet);
    const knownAddresses = new Set([summary.from, ...own, ...(await paidBy(vault, wallet))].map(addressKey));
    // Exchanges and tokens never return what is sent to them.
    const keeps = (address: string) =>
      exchangeAt(network, address) !== undefined || listedToken(network.tokens, address) !== undefined;
    strangers.push(
      ...new Set(recipients.filter((address) => !knownAddresses.has(addressKey(address)) || keeps(address))),
    );
  }
  const only = parts ? onlySwap(parts) : whole.swap && whole;
  // The terms of a plain swap say who receives it, of whom the wallet knows more than the chain does.
  const warnings = summary.warnings.filter(
    ({ code, params }) =>
      !only?.swap || !params?.['address'] || (code !== 'nothing-back' && code !== 'swap-recipient'),
  );
  return {
    ...whole,
    ...(parts && { parts, ...only }),
    warnings: worstFirst([
      ...strangers.map((address) => danger('swap-recipient', { address })),
      ...(parts ?? [whole]).flatMap((part, i) => otherCall(part, parts && i + 1)),
      ...warnings,
    ]),
  };
}

/** Whom the wallet has sent something before. A contract that was only called may have been a stranger's. */
async function paidBy(vault: Vault, { id }: Wallet): Promise<string[]> {
  const records = await vault.activity.list(id);
  return records.flatMap(({ state, summary: { kind, to } }) =>
    state === 'confirmed' && kind === 'transfer' && to !== null ? to : [],
  );
}

/** For a call of a listed exchange that is no plain swap. */
function otherCall({ kind, exchange, swap }: Part | Summary, clause: number | undefined): Warning[] {
  if (kind !== 'call' || exchange === undefined || swap) return [];
  return [danger('no-plain-swap', { name: exchange, ...(clause && { clause: String(clause) }) })];
}

/**
 * The swap that a list of clauses amounts to: everything else in it only lets the same exchange take what is swapped. Undefined for any
 * other list, whose further effects must not hide behind a heading that says “Swap”.
 */
function onlySwap(parts: readonly Part[]): Pick<Summary, 'swap' | 'exchange' | 'amount' | 'to'> | undefined {
  const swaps = parts.filter((part) => part.swap);
  const [{ swap, exchange, to } = {} as Part] = swaps;
  if (!swap || swaps.length > 1 || to === null) return undefined;
  const allows = ({ kind, to: spender, amount }: Part) =>
    kind === 'approval' &&
    spender !== null &&
    same(spender, to) &&
    same(amount.token ?? '', swap.input.token ?? '');
  if (!parts.every((part) => part.swap || allows(part))) return undefined;
  return { swap, exchange, amount: swap.input, to };
}

async function withExchange<P extends Part | Summary>(
  part: P,
  network: Draft['network'],
  { symbol, decimals }: Amount,
): Promise<P> {
  const { to, kind, amount, call } = part;
  const exchange = to === null ? undefined : exchangeAt(network, to);
  if (to === null || !exchange) return part;
  const named = { ...part, exchange: exchange.name };
  if (kind !== 'call' || !call) return named;
  // Where the amount is in a token, no coins are sent.
  const value = amount.token === undefined ? amount.raw : 0n;
  const swap = await readTerms(exchange, { to, value, data: call.data }, network, { symbol, decimals });
  // The terms say all that it does.
  return swap ? { ...named, swap, amount: swap.input, leaving: [swap.input], effects: undefined } : named;
}

/** Reads the terms of swaps from calls to listed exchanges. Loaded for calls on networks that have exchanges. */
import type { Wallet } from '../../api/wallet.ts';
import { danger, worstFirst } from '../../chains/approval/warnings.ts';
import type { Draft } from '../../chains/chain.ts';
import type { Part, Summary } from '../../chains/approval/summary.ts';
import { listedToken } from '../../chains/contracts/listed-token.ts';
import { same } from '../../swaps/router-swap.ts';
import { exchangeAt, readTerms } from '../../swaps/terms.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { knownTo } from './prepare.ts';

/** The summary with the routers' names, the swaps' terms, and a warning for each unknown recipient of a swap. */
export async function withTerms(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  { network }: Pick<Draft, 'network'>,
  summary: Summary,
): Promise<Summary> {
  const told = await withExchange(summary, network);
  const parts =
    summary.parts && (await Promise.all(summary.parts.map((part) => withExchange(part, network))));
  const recipients = [told, ...(parts ?? [])].flatMap(({ swap }) => swap?.recipient ?? []);
  const strangers: string[] = [];
  if (recipients.length) {
    await import('./drawing/swap-drawing.ts');
    const { used, own } = await knownTo(frame, vault, wallet);
    const known = new Set([summary.from, ...own, ...used].map((address) => address.toLowerCase()));
    // Called contracts count as known, too, but exchanges and tokens never return what is sent to them.
    const keeps = (address: string) =>
      exchangeAt(network, address) !== undefined || listedToken(network.tokens, address) !== undefined;
    strangers.push(
      ...new Set(recipients.filter((address) => !known.has(address.toLowerCase()) || keeps(address))),
    );
  }
  return {
    ...told,
    ...(parts && { parts, ...onlySwap(parts) }),
    warnings: worstFirst([
      ...strangers.map((address) => danger('swap-recipient', { address })),
      ...summary.warnings,
    ]),
  };
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

async function withExchange<P extends Part | Summary>(part: P, network: Draft['network']): Promise<P> {
  const { to, kind, amount, call } = part;
  const exchange = to === null ? undefined : exchangeAt(network, to);
  if (to === null || !exchange) return part;
  const named = { ...part, exchange: exchange.name };
  // For any other kind, the amount is in a token.
  if (kind !== 'call' || !call || amount.decimals === null || amount.token !== undefined) return named;
  const { raw: value, symbol, decimals } = amount;
  const swap = await readTerms(exchange, { to, value, data: call.data }, network, { symbol, decimals });
  return swap ? { ...named, swap, amount: swap.input, leaving: [swap.input] } : named;
}

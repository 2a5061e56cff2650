/**
 * What the wallet tells of an order to swap between chains, whoever built the transaction that carries it, and whom it asks before that is
 * signed. Loaded with the first payment that may be one.
 */
import type { Wallet } from '../../api/wallet.ts';
import { ConnectError } from '../../base/errors.ts';
import type { CrossChainOutlook, Summary, Warning } from '../../chains/approval/summary.ts';
import { caution, danger, worstFirst } from '../../chains/approval/warnings.ts';
import type { Network } from '../../chains/network.ts';
import type { Draft, Node } from '../../chains/terms.ts';
import { thorchainsOf } from '../../swaps/cross-chain/entry.ts';
import type { ThorchainEntry } from '../../swaps/cross-chain/thorchain/entry.ts';
import { ThorNodes } from '../../swaps/cross-chain/thorchain/nodes.ts';
import { OrderGuard, type OrderOutlook } from '../../swaps/cross-chain/thorchain/review.ts';
import {
  entryOn,
  type OrderTerms,
  readCallOrder,
  readOrder,
} from '../../swaps/cross-chain/thorchain/terms.ts';
import { same } from '../../swaps/router-swap.ts';
import { numbers } from '../../ui/amount-text.ts';
import { listOf } from '../../ui/text.ts';
import type { Vault } from '../../wallets/types.ts';
import type { NodeReader } from '../frame.ts';
import { exact } from './drafts.ts';

/** How far below today's price a limit may be: more than prices move until the coins arrive. In hundredths of a per cent. */
const USUAL_SLIPPAGE = 300n;
const WHOLE = 10_000n;

/** What is asked for a signature, with the order that it was found to be. */
export interface OrderApproval {
  vault: Vault;
  wallet: Wallet;
  node: Node;
  order?: ApprovalOrder | undefined;
}

/** Of an approval: the order that was shown last. */
export class ApprovalOrder {
  /** What was read of it. */
  readonly key: string;
  readonly #guard: OrderGuard;
  /** What it would bring, by the last answer. */
  #outlook: OrderOutlook | undefined;

  constructor(guard: OrderGuard, key: string) {
    this.#guard = guard;
    this.key = key;
  }

  /** Nodes that do not answer once it is on screen matter when it is signed. Throws `swap.<dex>.unavailable`. */
  async outlook(): Promise<OrderOutlook | undefined> {
    try {
      this.#outlook = await this.#guard.outlook();
    } catch (error) {
      if (!this.#outlook || !isPassing(error)) throw error;
    }
    return this.#outlook;
  }

  /** Begins to ask whether it may be signed. */
  ask(): void {
    this.#guard.ask();
  }

  /** Throws `swap.<dex>.unavailable` if it may not. */
  assertOpen(): Promise<void> {
    return this.#guard.assertOpen();
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  return (
    error.code === 'node.unreachable' ||
    /^(?:nodes|node-behind|answers-old)$/.test(String(error.details['reason']))
  );
}

/** The summary, with the order that the draft carries, or else the call that the summary is of. Throws `swap.<dex>.unavailable`. */
export async function withOrder(
  frame: Pick<NodeReader, 'networks' | 'clock' | 'chain'>,
  approval: OrderApproval,
  draft: Draft | undefined,
  summary: Summary,
): Promise<Summary> {
  const { networks, clock } = frame;
  const { node, wallet, vault } = approval;
  const entries = thorchainsOf(networks);
  const terms = draft ? readOrder(draft, entries) : callOrder(summary, node, entries);
  if (!terms) {
    approval.order = undefined;
    return withExchange(summary, node, entries);
  }
  const entry = entryOn({ id: terms.network }, entries);
  if (!entry) {
    approval.order = undefined;
    return drawn(summary, terms, undefined, [danger('order-unchecked', {})]);
  }
  const key = exact(terms);
  if (approval.order?.key !== key) {
    const nodes = new ThorNodes(entry, { clock });
    const place = {
      entry,
      nodes,
      networks: networks.networks,
      node,
      reach: async (network: Network) => (await frame.chain(network.secretType)).node(network),
      sender: wallet.address,
    };
    approval.order = new ApprovalOrder(new OrderGuard(place, terms), key);
  }
  const [outlook, own] = await Promise.all([approval.order.outlook(), vault.wallets({ now: true })]);
  return drawn(summary, terms, outlookFor(terms, outlook, own), warningsOf(terms, outlook, own));
}

/** An allowance for a contract that the operator lists has the exchange's name. */
function withExchange(summary: Summary, { network }: Node, entries: readonly ThorchainEntry[]): Summary {
  if (summary.kind !== 'approval' || summary.to === null) return summary;
  const spender = summary.to;
  const entry = entries.find(({ routers }) =>
    routers.some(({ network: id, address }) => id === network.id && same(address, spender)),
  );
  return entry ? { ...summary, exchange: entry.name } : summary;
}

function callOrder(
  { to, amount, call }: Summary,
  { network }: Node,
  entries: readonly ThorchainEntry[],
): OrderTerms | undefined {
  if (!call || network.secretType !== 'ETHEREUM') return undefined;
  const value = amount.token === undefined ? amount.raw : 0n;
  return readCallOrder({ to, value, data: call.data }, network, entries);
}

function drawn(
  summary: Summary,
  { exchange, input, vault, router, text, expiry }: OrderTerms,
  outlook: CrossChainOutlook | undefined,
  warnings: readonly Warning[],
): Summary {
  const others = summary.warnings.filter(({ code }) => !(exchange && SAID.has(code)));
  return {
    ...summary,
    crossChain: { exchange, input, vault, router, memo: text, outlook },
    ...(exchange && { exchange }),
    ...(outlook && {
      amount: input,
      leaving: [input],
      effects: undefined,
      // All of it is told as the order.
      ...(summary.call && { call: { ...summary.call, name: DEPOSIT } }),
      swap: {
        orderType: 'SELL',
        input,
        output: outlook.minimum,
        recipient: outlook.recipient,
        deadline: expiry,
      },
    }),
    warnings: worstFirst([...warnings, ...others]),
  };
}

/** The router's function that has a deadline: no other is signed. */
const DEPOSIT = 'depositWithExpiry';

/** What the order itself says better, of an address that two nodes vouch for. */
const SAID: ReadonlySet<Warning['code']> = new Set([
  'nothing-back',
  'unknown-call',
  'first-recipient',
  'first-contract',
]);

function outlookFor(
  { memo }: OrderTerms,
  outlook: OrderOutlook | undefined,
  own: readonly Wallet[],
): CrossChainOutlook | undefined {
  if (!outlook || 'unreadable' in memo) return undefined;
  const { network, forgotten: _, ...amounts } = outlook;
  const recipient = memo.recipient!;
  return {
    secretType: network.secretType,
    network: network.id,
    networkName: network.name,
    recipient,
    recipientAlias: walletAt(recipient, network, own)?.alias,
    ...amounts,
  };
}

function walletAt(
  address: string,
  { secretType }: Pick<Wallet, 'secretType'>,
  own: readonly Wallet[],
): Wallet | undefined {
  return own.find((wallet) => wallet.secretType === secretType && same(wallet.address, address));
}

function warningsOf(
  { memo }: OrderTerms,
  outlook: OrderOutlook | undefined,
  own: readonly Wallet[],
): Warning[] {
  if ('unreadable' in memo || !outlook) return [danger('order-unreadable', {})];
  const { recipient = '', refundTo, affiliates, streaming } = memo;
  const share = affiliates.reduce((sum, each) => sum + each.share, 0);
  const names = listOf(affiliates.map(({ name }) => name));
  return [
    ...(walletAt(recipient, outlook.network, own) ? [] : [danger('swap-recipient', { address: recipient })]),
    ...limitWarnings(outlook),
    ...(refundTo === undefined || own.some(({ address }) => same(address, refundTo))
      ? []
      : [danger('order-refund', { address: refundTo })]),
    ...(share > 0 ? [danger('order-affiliates', { names, share: percentText(BigInt(share)) })] : []),
    // One part at once is a plain swap.
    ...(streaming && streaming.quantity !== 1n ? [danger('order-streaming', {})] : []),
    ...(outlook.minimum.raw > outlook.expected.raw ? [caution('order-high-limit')] : []),
    ...outlook.forgotten.map(({ spender, allowed }) => ({
      ...caution('order-old-allowance', { spender }),
      amount: allowed,
    })),
  ];
}

function limitWarnings({ minimum, expected }: OrderOutlook): Warning[] {
  if (minimum.raw === 0n) return [danger('order-no-limit', {})];
  const lacking = ((expected.raw - minimum.raw) * WHOLE) / expected.raw;
  if (lacking <= USUAL_SLIPPAGE) return [];
  return [{ ...danger('order-low-limit', { percent: percentText(lacking) }), amount: expected }];
}

/** In hundredths of a per cent. */
function percentText(share: bigint): string {
  return numbers({ style: 'percent', maximumFractionDigits: 2 }).format(Number(share) / 10_000);
}

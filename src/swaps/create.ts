/** Builds a swap: the native requests that carry it out. */
import type { CreateSwap } from '../api/swap.ts';
import { checksum } from '../chains/contracts/evm-address.ts';
import { loadPayloads } from '../chains/load.ts';
import { type BuiltTransaction, withOpenFields } from '../chains/requests/open-fields.ts';
import { CARDS, type SecretType } from '../chains/secret-type.ts';
import { type Allowance, approvals, balanceCall, readAllowance, uint } from './allowance.ts';
import type { Caller, Step } from './caller.ts';
import type { Asset, Exchange, PlannedSwap } from './exchange.ts';
import { explain, noExchange, swapError } from './failures.ts';
import { marketOf } from './market.ts';
import { less, more, readSlippage } from './percent.ts';
import { createBetweenChains } from './cross-chain/between.ts';
import type { CrossChainExchange } from './cross-chain/exchange.ts';
import { readAmount } from './quotes.ts';
import { isBetweenChains, type ReachOf, reachOfBoth } from './rates.ts';
import type { NativeTransaction } from '../chains/requests.ts';

/** Long enough for an approval to be mined, and for two people to check it. */
const DEADLINE_S = 20 * 60;

/** The addresses of the two wallets. */
export interface Parties {
  from: string;
  to: string;
}

/**
 * In the order in which they must be confirmed: approvals if the allowance is too low, then the swap. VeChain does all in one
 * transaction. The price is checked again, and the swap simulated if the node can: at most three round trips if the pools are known.
 *
 * Throws `request.invalid`, `swap.no-exchange-found`, `swap.<dex>.exchange-not-found` (no pool), `swap.<dex>.get-price.failed` (no price,
 * one that has moved past the slippage, or a swap that would fail), `swap.<dex>.allowance-error`, `transaction.insufficient-funds`; between
 * chains also `swap.<dex>.sell-only` and `swap.<dex>.unavailable`.
 */
export async function createSwap(
  body: CreateSwap,
  parties: Parties,
  reachOf: ReachOf,
  crossChain: readonly CrossChainExchange[] = [],
): Promise<BuiltTransaction[]> {
  const { walletId, orderType } = body;
  const slippage = readSlippage(body.slippage);
  if (crossChain.length > 0 && isBetweenChains(body)) {
    return createBetweenChains({ body, slippage, parties }, reachOf, crossChain);
  }
  const reach = await reachOfBoth(body, reachOf);
  const venue = reach && (await marketOf(reach));
  const exchange = venue?.market.exchanges.find(({ name }) => name === body.exchange);
  if (!venue || !exchange)
    throw noExchange(
      body.exchange,
      `There is no exchange “${body.exchange}” from ${body.fromSecretType} to ${body.toSecretType}.`,
    );
  const { market, caller } = venue;
  const { inContracts } = market.addresses;
  const [payer, recipient] = [inContracts(parties.from), inContracts(parties.to)];
  const assets = await market.assets(reach, caller, body);
  const { from, to } = assets;
  const [exactSide, otherSide] =
    orderType === 'SELL' ? (['input', 'output'] as const) : (['output', 'input'] as const);
  const assetOf = { input: from, output: to };
  const amountOn = (side: 'input' | 'output', value: unknown) =>
    readAmount(`${side}Amount`, value, assetOf[side]);
  const amount = amountOn(exactSide, body[`${exactSide}Amount`] ?? undefined);
  const otherField = body[`${otherSide}Amount`];
  /** As the user saw it in the rate. */
  const otherAmount = otherField == null ? undefined : amountOn(otherSide, otherField);
  const question = { ...assets, orderType, amount };

  const allowanceFor = (needed: bigint): Promise<Allowance> | undefined =>
    from.address === '' ? undefined : readAllowance(caller, from, payer, exchange, needed);
  const limitOf = (value: bigint) =>
    orderType === 'SELL' ? less(value, slippage) || 1n : more(value, slippage);
  const earlyNeed = orderType === 'SELL' ? amount : otherAmount && limitOf(otherAmount);
  const [quote, now, earlyAllowance] = await Promise.all([
    exchange.rate(caller, question),
    caller.now(),
    earlyNeed === undefined ? undefined : allowanceFor(earlyNeed),
  ]);
  const limit = limitOf(otherAmount ?? quote[otherSide]);
  if (orderType === 'SELL' ? quote.output < limit : quote.input > limit)
    throw swapError(
      exchange.name,
      'get-price.failed',
      explain(orderType === 'SELL' ? 'INSUFFICIENT_OUTPUT_AMOUNT' : 'EXCESSIVE_INPUT_AMOUNT'),
      { reason: 'moved', limit: limit.toString(), now: quote[otherSide].toString() },
    );

  const needed = orderType === 'SELL' ? amount : limit;
  const allowance = earlyAllowance ?? (await allowanceFor(needed));
  const order = { ...question, route: quote.route, limit, recipient, deadline: now + DEADLINE_S };
  const before = allowance ? approvals(allowance, from, exchange, needed, quote.input) : [];
  const swap = exchange.build(order);
  await tryOut(caller, exchange, payer, before, swap, order);
  const { secretType } = reach.chain;
  const requests = await requestsOf(secretType, walletId, [...before, swap]);
  const payloads = await loadPayloads(secretType);
  return requests.map((request) => withOpenFields(request, payloads));
}

/** Throws if the swap would fail, as far as the node can predict it. */
async function tryOut(
  caller: Caller,
  exchange: Exchange,
  payer: string,
  before: readonly Step[],
  swap: Step,
  { to, orderType, amount, limit, recipient }: PlannedSwap,
): Promise<void> {
  const look: Step[] =
    to.address === '' || !caller.runsSequences
      ? []
      : [{ to: to.address, value: 0n, data: balanceCall(recipient) }];
  const outcomes = await caller.trial(payer, [...before, ...look, swap, ...look]);
  if (!outcomes) return;
  const failed = outcomes.findIndex((outcome) => 'failed' in outcome);
  const at = before.length + look.length;
  if (failed >= 0) {
    const { failed: reason } = outcomes[failed] as { failed: string };
    if (failed < before.length)
      throw swapError(exchange.name, 'allowance-error', `The token refuses the approval: ${reason}.`, {
        reason,
      });
    throw swapError(exchange.name, 'get-price.failed', explain(reason), { reason });
  }
  const [held, holds] = [outcomes[at - 1], outcomes[at + 1]].map((outcome) =>
    outcome && 'data' in outcome ? uint(outcome.data) : undefined,
  );
  if (look.length === 0 || held === undefined || holds === undefined) return;
  if (holds - held < (orderType === 'SELL' ? limit : amount)) throw takesFee(exchange, to);
}

function takesFee({ name }: Exchange, { symbol }: Asset): Error {
  return swapError(
    name,
    'get-price.failed',
    `You would receive less ${symbol} than the minimum: it seems to charge an undeclared transfer fee.`,
    { reason: 'transfer-fee' },
  );
}

/** Omitted fields (gas, nonce, fee) are filled in when each request is approved: by then, an allowance that the swap needs is there. */
async function requestsOf(
  secretType: SecretType,
  walletId: string,
  steps: readonly Step[],
): Promise<NativeTransaction[]> {
  const { contracts, transactions } = CARDS[secretType];
  if (contracts === 'tron') {
    const { tronRequest } = await import('./tron-caller.ts');
    return steps.map((step) => tronRequest(walletId, step));
  }
  const [type] = transactions;
  const calls = steps.map(({ to, value, data }) => ({ to: checksum(to), value: value.toString(), data }));
  const requests =
    contracts === 'vechain'
      ? [{ type, walletId, clauses: calls.map(({ to, value, data }) => ({ to, amount: value, data })) }]
      : calls.map((call) => ({ type, walletId, ...call }));
  // The card's first type is the one that sends the coin, and calls contracts.
  return requests as NativeTransaction[];
}

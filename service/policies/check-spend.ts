/** Whether rules allow a transaction. No clock, database or node: everything is given. */
import type { GivenAsset, Move, Outflow } from '../../src/chains/outflow.ts';
import type { OrderTerms } from '../../src/swaps/cross-chain/thorchain/terms.ts';
import type { RouterSwap } from '../../src/swaps/router-swap.ts';
import { assetKey, assetText, atNetwork, comparable, keysAt, type SigningPlace } from './assets.ts';
import { isOpen } from './hours.ts';
import type { Limit, Rules } from './rules.ts';

export interface Spend extends SigningPlace {
  /** The wallet's address. */
  from: string;
  /** Symbol of the network's coin. */
  coin: string;
  /** The request names a node of its own. */
  customNode: boolean;
  outflow: Outflow;
  /** For each move that calls a router of the operator's list, what it swaps: `null` if it is not a plain swap. */
  swaps: readonly (RouterSwap | null | undefined)[];
  /** What it orders from an exchange between chains. */
  order?: SpendOrder | undefined;
}

/** An order to swap between chains, which its exchange has vouched for: so whoever gets the coins first does not count, but whom it pays. */
export interface SpendOrder {
  terms: OrderTerms;
  /** Where the recipient of its memo is; undefined for a memo that cannot be read. */
  destination: SigningPlace | undefined;
}

/** By the name of the rule, which callers see. */
export type RuleName =
  | 'chain'
  | 'clock'
  | 'custom-node'
  | 'network'
  | 'hours'
  | 'calls'
  | 'recipients'
  | 'asset'
  | 'transaction-limit'
  | 'daily-limit'
  | 'four-eyes'
  | 'signatures'
  | 'key-export';

export interface Violation {
  rule: RuleName;
  message: string;
  /** What it is about: an address, an asset. */
  details?: Record<string, string>;
}

/** In smallest units, by asset: by its key without a network, as a transaction is on one. */
export type Amounts = ReadonlyMap<string, bigint>;

/** The maximum that leaves. What counts: coins and tokens that go to others, allowances, what goes into a swap, and the fee. */
export function amountsOf(spend: Spend): Amounts {
  const { secretType, from, outflow, swaps, order } = spend;
  const amounts = new Map<string, bigint>();
  const add = (token: string | undefined, raw: bigint): void => {
    const key = assetKey(secretType, token);
    amounts.set(key, (amounts.get(key) ?? 0n) + raw);
  };
  const isOwn = isAddress(spend, from);
  for (const [i, move] of outflow.moves.entries()) {
    if (move.kind === 'pay') {
      if (!isOwn(move.to)) add(move.token, move.raw);
      continue;
    }
    add(undefined, move.value);
    if (move.kind === 'creation') continue;
    const swap = swaps[i];
    // What goes into a swap is one asset: of the coin, what was sent with the call.
    if (swap) {
      if (swap.from !== '') add(swap.from, swap.input);
      continue;
    }
    // A deposit takes what was allowed before; coins were sent with the call.
    if (order?.terms.router !== undefined) {
      const { token, raw } = order.terms.input;
      if (token !== undefined) add(token, raw);
      continue;
    }
    for (const { token, raw, to } of move.given)
      if (token !== undefined && raw !== undefined && !isOwn(to)) add(token, raw);
  }
  add(outflow.fee.token, outflow.fee.raw);
  return amounts;
}

interface Facts {
  now: Date;
  amounts: Amounts;
  /** What the transaction adds to the day's sum. */
  added: Amounts;
  spent: DaySums;
}

/** What was spent in the last 24 hours before it, by asset. */
export interface DaySums {
  /** On the default networks of wallets. */
  byDefault: Amounts;
  /** On the network of the transaction. */
  there: Amounts;
}

/** The first rule that refuses it. Four eyes come last, see `needsApproval`. */
export function violationOf(rules: Rules, spend: Spend, facts: Facts): Violation | undefined {
  const { hours } = rules;
  if (hours && !isOpen(hours, facts.now))
    return { rule: 'hours', message: 'The policy does not allow transactions at this time.' };
  if (!rules.isLimiting) return undefined;
  if (spend.customNode)
    return { rule: 'custom-node', message: 'The policy does not allow a request to name its own node.' };
  if (!isKnownPlace(rules, spend)) return elsewhere(spend);
  for (const [i, move] of spend.outflow.moves.entries()) {
    const breach =
      callViolation(rules, spend, move, spend.swaps[i]) ??
      recipientViolation(rules, spend, move, spend.swaps[i]);
    if (breach) return breach;
  }
  return limitViolation(rules, spend, facts);
}

function isAddress({ secretType }: SigningPlace, own: string): (address: string | undefined) => boolean {
  const form = comparable(secretType, own);
  return (address) => address !== undefined && comparable(secretType, address) === form;
}

/** A policy from before it could name networks holds for the wallet's default network, and nothing is listed anywhere else. */
export function isKnownPlace({ networks }: Rules, { network, byDefault }: SigningPlace): boolean {
  return byDefault || networks.has(network);
}

export function elsewhere({ network }: SigningPlace): Violation {
  return {
    rule: 'network',
    message: `The policy lists nothing on the network ${network}.`,
    details: { network },
  };
}

type Call = Extract<Move, { kind: 'call' }>;

/** Whether the policy lists the contract and the function. */
function isListed({ calls }: Rules, place: SigningPlace, { contract, data }: Call): boolean {
  const selector = data.slice(0, 10).toLowerCase();
  return calls !== undefined && keysAt(place, contract).some((key) => calls.has(`${key}:${selector}`));
}

/** Whether the policy lists the coin, a token or an address in one of its rules. */
function lists(
  rule: ReadonlySet<string> | ReadonlyMap<string, unknown>,
  place: SigningPlace,
  address?: string,
): boolean {
  return keysAt(place, address).some((key) => rule.has(key));
}

function callViolation(
  rules: Rules,
  spend: Spend,
  move: Move,
  swap: RouterSwap | null | undefined,
): Violation | undefined {
  const { limits, recipients, calls } = rules;
  if (move.kind === 'pay' || !(limits || recipients || calls)) return undefined;
  if (move.kind === 'creation')
    return { rule: 'calls', message: 'The policy does not allow contracts to be created.' };
  const { contract } = move;
  if (isListed(rules, spend, move)) {
    if (!limits || swap !== null) return undefined;
    return { rule: 'calls', message: 'The call to the exchange is not a plain swap.', details: { contract } };
  }
  if (move.plain && (limits ? lists(limits, spend, contract) : recipients)) return undefined;
  return {
    rule: 'calls',
    message: 'The policy does not allow this function of this contract.',
    details: { contract, function: move.data.slice(0, 10) },
  };
}

function recipientViolation(
  rules: Rules,
  spend: Spend,
  move: Move,
  swap: RouterSwap | null | undefined,
): Violation | undefined {
  const { recipients, contracts } = rules;
  if (!recipients || move.kind === 'creation') return undefined;
  const isOwn = isAddress(spend, spend.from);
  const isKnown = (to: string): boolean => isOwn(to) || lists(recipients, spend, to);
  const { order } = spend;
  if (order && paysTo(order, move)) return orderViolation(order, recipients, isKnown);
  const refused = recipientsOf(rules, spend, move, swap).find(
    ({ to, allowance }) => to !== undefined && !isKnown(to) && !(allowance && lists(contracts, spend, to)),
  );
  if (!refused) return undefined;
  const recipient = refused.to!;
  return {
    rule: 'recipients',
    message: `The policy does not allow the recipient ${recipient}.`,
    details: { recipient },
  };
}

/** Whether a move brings the coins of the order on their way. */
function paysTo(
  { terms: { vault, router } }: SpendOrder,
  move: Exclude<Move, { kind: 'creation' }>,
): boolean {
  if (move.kind === 'pay') return move.to === vault;
  return move.contract === router || move.given.some(({ to }) => to === vault);
}

/** Whom an order pays, and where its refund goes. `isKnown`: of an address on the wallet's own chain. */
function orderViolation(
  { terms: { memo }, destination }: SpendOrder,
  recipients: ReadonlySet<string>,
  isKnown: (to: string) => boolean,
): Violation | undefined {
  if ('unreadable' in memo || !destination || memo.recipient === undefined)
    return {
      rule: 'recipients',
      message:
        'The policy allows no order to swap between chains that names no recipient, or cannot be read.',
    };
  const { recipient, refundTo, affiliates } = memo;
  const refused = [
    ...(lists(recipients, destination, recipient) ? [] : [recipient]),
    ...(refundTo === undefined || isKnown(refundTo) ? [] : [refundTo]),
    ...affiliates.flatMap(({ name, share }) => (share > 0 ? [name] : [])),
  ][0];
  if (refused === undefined) return undefined;
  return {
    rule: 'recipients',
    message: `The policy does not allow the recipient ${refused}.`,
    details: { recipient: refused },
  };
}

function recipientsOf(
  rules: Rules,
  place: SigningPlace,
  move: Exclude<Move, { kind: 'creation' }>,
  swap: RouterSwap | null | undefined,
): readonly GivenAsset[] {
  if (move.kind === 'pay') return [{ to: move.to }];
  const coin = move.value > 0n && !isListed(rules, place, move) ? [{ to: move.contract }] : [];
  return [...coin, ...(swap ? [{ to: swap.recipient }] : move.given)];
}

/** What is spent directly, and the fee, must have a limit. Listing a function also allows whatever else it moves. */
function assetViolation(limits: ReadonlyMap<string, Limit>, spend: Spend): Violation | undefined {
  const { secretType, network, from, outflow } = spend;
  const isOwn = isAddress(spend, from);
  const spent = outflow.moves.flatMap((move) => {
    if (move.kind === 'pay') return isOwn(move.to) ? [] : [move.token];
    return move.value > 0n ? [undefined] : [];
  });
  const { raw, token } = outflow.fee;
  const [unlisted] = [...spent, ...(raw > 0n ? [token] : [])].flatMap((one) =>
    lists(limits, spend, one) ? [] : [assetKey(secretType, one)],
  );
  if (unlisted === undefined) return undefined;
  const message = `The policy sets no limit for ${unlisted} on ${network}, so none of it may be spent.`;
  return { rule: 'asset', message, details: { asset: unlisted, network } };
}

function limitViolation(
  { limits }: Rules,
  spend: Spend,
  { amounts, added, spent }: Facts,
): Violation | undefined {
  if (!limits) return undefined;
  const unlisted = assetViolation(limits, spend);
  if (unlisted) return unlisted;
  for (const { asset, raw, limit, sums } of limitsOf(limits, spend, { amounts, spent })) {
    const { perTransaction, perDay, decimals } = limit;
    const textOf = (amount: bigint): string => assetText(asset, amount, { decimals, coin: spend.coin });
    if (perTransaction !== undefined && raw > perTransaction)
      return {
        rule: 'transaction-limit',
        message: `The policy allows ${textOf(perTransaction)} per transaction, and this one takes up to ${textOf(raw)}, including its fee.`,
        details: { asset },
      };
    const [before, more] = [sums.get(asset) ?? 0n, added.get(asset) ?? 0n];
    if (perDay !== undefined && before + more > perDay)
      return {
        rule: 'daily-limit',
        message: `The policy allows ${textOf(perDay)} in 24 hours, of which ${textOf(before)} are spent; this transaction takes up to ${textOf(more)}, including its fee.`,
        details: { asset },
      };
  }
  return undefined;
}

interface AssetLimit {
  asset: string;
  raw: bigint;
  limit: Limit;
  /** The day's sums that count for it. */
  sums: Amounts;
}

/** The entries that limit what a transaction spends: one for the wallet's default network, and one that names the network, hold both. */
function limitsOf(
  limits: ReadonlyMap<string, Limit>,
  { network, byDefault }: Spend,
  { amounts, spent }: Pick<Facts, 'amounts' | 'spent'>,
): AssetLimit[] {
  return [...amounts].flatMap(([asset, raw]) => {
    const named = limits.get(atNetwork(asset, network));
    const unnamed = byDefault ? limits.get(asset) : undefined;
    return [
      ...(unnamed ? [{ asset, raw, limit: unnamed, sums: spent.byDefault }] : []),
      ...(named ? [{ asset, raw, limit: named, sums: spent.there }] : []),
    ].filter(() => raw > 0n);
  });
}

/** Whether a second client has to approve: above an amount, or if the amount cannot be known. */
export function needsApproval(rules: Rules, spend: Spend, amounts: Amounts): boolean {
  const { fourEyes } = rules;
  if (!fourEyes) return false;
  const { network, byDefault, outflow, from } = spend;
  const { above } = fourEyes;
  const isOwn = isAddress(spend, from);
  const isCounted = (move: Move): boolean => {
    if (move.kind === 'creation') return false;
    if (move.kind === 'pay') return isOwn(move.to) || lists(above, spend, move.token);
    return isListed(rules, spend, move) || (move.plain && lists(above, spend, move.contract));
  };
  return (
    !outflow.moves.every(isCounted) ||
    [...amounts].some(([asset, raw]) =>
      [above.get(atNetwork(asset, network)), byDefault ? above.get(asset) : undefined].some(
        (limit) => raw > (limit?.perTransaction ?? raw),
      ),
    )
  );
}

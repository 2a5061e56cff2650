/** Whether rules allow a transaction. No clock, database or node: everything is given. */
import type { GivenAsset, Move, Outflow } from '../../src/chains/outflow.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { RouterSwap } from '../../src/swaps/router-swap.ts';
import { assetKey, assetText, comparable } from './assets.ts';
import { isOpen } from './hours.ts';
import type { Limit, Rules } from './rules.ts';

export interface Spend {
  secretType: SecretType;
  /** The wallet's address. */
  from: string;
  /** The request names a node of its own. */
  customNode: boolean;
  outflow: Outflow;
  /** For each move that calls a router of the operator's list, what it swaps: `null` if it is not a plain swap. */
  swaps: readonly (RouterSwap | null | undefined)[];
}

/** By the name of the rule, which callers see. */
export type RuleName =
  | 'chain'
  | 'clock'
  | 'custom-node'
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

/** The maximum that leaves, in smallest units, by asset. */
export type Amounts = ReadonlyMap<string, bigint>;

/** What counts: coins and tokens that go to others, allowances, what goes into a swap, and the fee. */
export function amountsOf({ secretType, from, outflow, swaps }: Spend): Amounts {
  const amounts = new Map<string, bigint>();
  const add = (token: string | undefined, raw: bigint): void => {
    const key = assetKey(secretType, token);
    amounts.set(key, (amounts.get(key) ?? 0n) + raw);
  };
  const isOwn = isAddress(secretType, from);
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
    for (const { token, raw, to } of move.given)
      if (token !== undefined && raw !== undefined && !isOwn(to)) add(token, raw);
  }
  add(outflow.fee.token, outflow.fee.raw);
  return amounts;
}

interface Facts {
  now: Date;
  amounts: Amounts;
  /** What the transaction adds to the day's sum, and that sum before it. */
  added: Amounts;
  spent: Amounts;
}

/** The first rule that refuses it. Four eyes come last, see `needsApproval`. */
export function violationOf(rules: Rules, spend: Spend, facts: Facts): Violation | undefined {
  const { hours } = rules;
  if (hours && !isOpen(hours, facts.now))
    return { rule: 'hours', message: 'The policy does not allow transactions at this time.' };
  if (!rules.isLimiting) return undefined;
  if (spend.customNode)
    return { rule: 'custom-node', message: 'The policy does not allow a request to name its own node.' };
  for (const [i, move] of spend.outflow.moves.entries()) {
    const breach =
      callViolation(rules, spend, move, spend.swaps[i]) ??
      recipientViolation(rules, spend, move, spend.swaps[i]);
    if (breach) return breach;
  }
  return limitViolation(rules, spend, facts);
}

function isAddress(secretType: SecretType, own: string): (address: string | undefined) => boolean {
  const form = comparable(secretType, own);
  return (address) => address !== undefined && comparable(secretType, address) === form;
}

type Call = Extract<Move, { kind: 'call' }>;

/** Whether the policy lists the contract and the function. */
function isListed({ calls }: Rules, secretType: SecretType, { contract, data }: Call): boolean {
  return calls?.has(`${assetKey(secretType, contract)}:${data.slice(0, 10).toLowerCase()}`) ?? false;
}

function callViolation(
  rules: Rules,
  { secretType }: Spend,
  move: Move,
  swap: RouterSwap | null | undefined,
): Violation | undefined {
  const { limits, recipients, calls } = rules;
  if (move.kind === 'pay' || !(limits || recipients || calls)) return undefined;
  if (move.kind === 'creation')
    return { rule: 'calls', message: 'The policy does not allow contracts to be created.' };
  const { contract } = move;
  if (isListed(rules, secretType, move)) {
    if (!limits || swap !== null) return undefined;
    return { rule: 'calls', message: 'The call to the exchange is not a plain swap.', details: { contract } };
  }
  if (move.plain && (limits ? limits.has(assetKey(secretType, contract)) : recipients)) return undefined;
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
  const { secretType, from } = spend;
  const isOwn = isAddress(secretType, from);
  const isKnown = (to: string): boolean => isOwn(to) || recipients.has(assetKey(secretType, to));
  const refused = recipientsOf(rules, secretType, move, swap).find(
    ({ to, allowance }) =>
      to !== undefined && !isKnown(to) && !(allowance && contracts.has(assetKey(secretType, to))),
  );
  if (!refused) return undefined;
  const recipient = refused.to!;
  return {
    rule: 'recipients',
    message: `The policy does not allow the recipient ${recipient}.`,
    details: { recipient },
  };
}

function recipientsOf(
  rules: Rules,
  secretType: SecretType,
  move: Exclude<Move, { kind: 'creation' }>,
  swap: RouterSwap | null | undefined,
): readonly GivenAsset[] {
  if (move.kind === 'pay') return [{ to: move.to }];
  const coin = move.value > 0n && !isListed(rules, secretType, move) ? [{ to: move.contract }] : [];
  return [...coin, ...(swap ? [{ to: swap.recipient }] : move.given)];
}

/** What is spent directly, and the fee, must have a limit. Listing a function also allows whatever else it moves. */
function assetViolation(limits: ReadonlyMap<string, Limit>, spend: Spend): Violation | undefined {
  const { secretType, from, outflow } = spend;
  const isOwn = isAddress(secretType, from);
  const spent = outflow.moves.flatMap((move) => {
    if (move.kind === 'pay') return isOwn(move.to) ? [] : [move.token];
    return move.value > 0n ? [undefined] : [];
  });
  const { raw, token } = outflow.fee;
  const asset = [...spent, ...(raw > 0n ? [token] : [])]
    .map((one) => assetKey(secretType, one))
    .find((one) => !limits.has(one));
  if (asset === undefined) return undefined;
  const message = `The policy sets no limit for ${asset}, so none of it may be spent.`;
  return { rule: 'asset', message, details: { asset } };
}

function limitViolation(
  { limits }: Rules,
  spend: Spend,
  { amounts, added, spent }: Facts,
): Violation | undefined {
  if (!limits) return undefined;
  const unlisted = assetViolation(limits, spend);
  if (unlisted) return unlisted;
  for (const [asset, { perTransaction, perDay, decimals }] of limits) {
    const raw = amounts.get(asset) ?? 0n;
    if (raw === 0n) continue;
    const textOf = (amount: bigint): string => assetText(asset, amount, decimals);
    if (perTransaction !== undefined && raw > perTransaction)
      return {
        rule: 'transaction-limit',
        message: `The policy allows ${textOf(perTransaction)} per transaction, and this one takes up to ${textOf(raw)}, including its fee.`,
        details: { asset },
      };
    const [before, more] = [spent.get(asset) ?? 0n, added.get(asset) ?? 0n];
    if (perDay !== undefined && before + more > perDay)
      return {
        rule: 'daily-limit',
        message: `The policy allows ${textOf(perDay)} in 24 hours, of which ${textOf(before)} are spent; this transaction takes up to ${textOf(more)}, including its fee.`,
        details: { asset },
      };
  }
  return undefined;
}

/** Whether a second client has to approve: above an amount, or if the amount cannot be known. */
export function needsApproval(rules: Rules, spend: Spend, amounts: Amounts): boolean {
  const { fourEyes } = rules;
  if (!fourEyes) return false;
  const { secretType, outflow, from } = spend;
  const { above } = fourEyes;
  const isOwn = isAddress(secretType, from);
  const isCounted = (move: Move): boolean => {
    if (move.kind === 'creation') return false;
    if (move.kind === 'pay') return isOwn(move.to) || above.has(assetKey(secretType, move.token));
    return (
      isListed(rules, secretType, move) || (move.plain && above.has(assetKey(secretType, move.contract)))
    );
  };
  return (
    !outflow.moves.every(isCounted) ||
    [...amounts].some(([asset, raw]) => raw > (above.get(asset)?.perTransaction ?? raw))
  );
}

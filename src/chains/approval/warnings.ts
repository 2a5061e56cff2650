/** Warnings that approvals of every chain have. */
import { formatAmount } from '../../base/amount.ts';
import type { Draft } from '../terms.ts';
import type { Amount, Coin } from '../coin.ts';
import type { Warning, WarningCode } from './summary.ts';
import type { AddressFacts } from './known.ts';

export function caution(code: WarningCode, params?: Record<string, string>): Warning {
  return { code, level: 'caution', ...(params && { params }) };
}

/** The user must tick it. */
export function danger(code: WarningCode, params: Record<string, string>): Warning {
  return { code, level: 'danger', tick: true, params };
}

/** For an address that was reported, or looks like one that the user knows. */
export function addressWarnings(
  address: string,
  { reported, resembles, end, close }: AddressFacts,
): Warning[] {
  return [
    ...(reported ? [danger('reported-address', { address })] : []),
    ...(resembles
      ? [(close ? danger : caution)('resembles-known', { address, known: resembles, ...(end && { end }) })]
      : []),
  ];
}

/** What a fee is compared with, in smallest units of its coin. */
export interface FeeMeasures {
  /** Highest without a tick, where `networks.json` sets none. */
  ceiling: bigint;
  /** What the network asks for such a transaction now, whatever the site asks for. */
  usual: bigint;
  /** What is sent, where that is the same coin. */
  sent?: bigint | undefined;
}

/** Percent of the amount, and multiple of the usual fee, above which a fee gets a warning. */
const HIGH_SHARE = 20n;
const HIGH_MULTIPLE = 5n;

/** For a fee above the ceiling; otherwise for one that is high compared with what is sent, or with what the network asks. */
export function feeWarning(
  fee: bigint,
  coin: Coin,
  { network }: Draft,
  { ceiling: own, usual, sent = 0n }: FeeMeasures,
): Warning[] {
  const ceiling = network.feeCeiling === undefined ? own : BigInt(network.feeCeiling);
  const amount: Amount = { raw: fee, ...coin };
  const [shown, limit] = [fee, ceiling].map((raw) => formatAmount(raw, coin.decimals));
  if (fee > ceiling)
    return [{ ...danger('fee-ceiling', { fee: shown!, ceiling: limit!, symbol: coin.symbol }), amount }];
  if (usual > 0n && fee > usual * HIGH_MULTIPLE)
    return [{ ...caution('fee-share', { times: String(fee / usual) }), amount }];
  if (sent > 0n && fee * 100n > sent * HIGH_SHARE)
    return [{ ...caution('fee-share', { percent: String((fee * 100n) / sent) }), amount }];
  return [];
}

/** For coins that nobody could ever spend again. */
export function burnWarning(address: string): Warning {
  return danger('burn-address', { address });
}

/** Views show the first two. */
export function worstFirst(warnings: readonly Warning[]): Warning[] {
  const weight = ({ level, tick }: Warning) => (level === 'danger' ? (tick ? 2 : 1) : 0);
  return [...warnings].sort((a, b) => weight(b) - weight(a));
}

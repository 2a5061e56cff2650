/** Warnings that approvals of every chain have. */
import { formatAmount } from './amount.ts';
import type { Coin, Draft, Warning, WarningCode } from './chain.ts';
import type { AddressFacts } from './known.ts';

export function caution(code: WarningCode, params?: Record<string, string>): Warning {
  return { code, level: 'caution', ...(params && { params }) };
}

/** The user must tick it. */
export function danger(code: WarningCode, params: Record<string, string>): Warning {
  return { code, level: 'danger', tick: true, params };
}

/** Of an address that was reported, or looks like one that the user knows. */
export function addressWarnings(address: string, { reported, resembles }: AddressFacts): Warning[] {
  return [
    ...(reported ? [danger('reported-address', { address })] : []),
    ...(resembles ? [danger('resembles-known', { address, known: resembles })] : []),
  ];
}

/** Of a fee above what `networks.json` says, else above `usual`. */
export function feeWarning(fee: bigint, coin: Coin, { network }: Draft, usual: bigint): Warning[] {
  const ceiling = network.feeCeiling === undefined ? usual : BigInt(network.feeCeiling);
  if (fee <= ceiling) return [];
  const [shown, limit] = [fee, ceiling].map((raw) => formatAmount(raw, coin.decimals));
  return [danger('fee-ceiling', { fee: shown!, ceiling: limit!, symbol: coin.symbol })];
}

/** Views show the first two. */
export function worstFirst(warnings: readonly Warning[]): Warning[] {
  const weight = ({ level, tick }: Warning) => (level === 'danger' ? (tick ? 2 : 1) : 0);
  return [...warnings].sort((a, b) => weight(b) - weight(a));
}

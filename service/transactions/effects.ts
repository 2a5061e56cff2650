/** What a transaction does, as the database stores it: exact figures, and nothing that a token's contract says about itself. */
import type { Money } from '../../src/api/history.ts';
import { formatAmount } from '../../src/base/amount.ts';
import type { Amount, Coin } from '../../src/chains/coin.ts';
import type { Summary } from '../../src/chains/approval/summary.ts';
import { listedToken } from '../../src/chains/contracts/listed-token.ts';
import type { Network } from '../../src/chains/network.ts';

/** `token`: its address; absent for coins. */
export interface Sum {
  raw: string;
  token?: string | undefined;
}

interface EffectPart {
  kind: Summary['kind'];
  to: string | null;
  amount: Sum;
}

export interface Effect extends EffectPart {
  /** Absent if several sent it. */
  from?: string | undefined;
  contract?: string | undefined;
  parts?: EffectPart[] | undefined;
  /** In smallest units of the gas coin. */
  maximumFee?: string | undefined;
  nonce?: number | undefined;
}

export function effectOf({ kind, from, to, contract, amount, parts, fee, nonce }: Summary): Effect {
  return {
    kind,
    from,
    to,
    contract,
    amount: sumOf(amount),
    parts: parts?.map((part) => ({ kind: part.kind, to: part.to, amount: sumOf(part.amount) })),
    maximumFee: String(fee.maximum.raw),
    nonce,
  };
}

export function sumOf({ raw, token }: Amount): Sum {
  return { raw: String(raw), token };
}

/** Decimals and symbol as the operator lists them: what a contract says about itself could mislead. */
export function moneyOf(
  { raw, token }: Sum,
  coin: Omit<Coin, 'symbol'> & { symbol: string | null },
  tokens: Network['tokens'],
): Money {
  const unit = token === undefined ? coin : listedToken(tokens, token);
  const decimals = unit?.decimals ?? null;
  return {
    value: decimals === null ? null : formatAmount(BigInt(raw), decimals),
    raw,
    decimals,
    symbol: unit?.symbol ?? null,
    ...(token === undefined ? {} : { tokenAddress: token }),
  };
}
